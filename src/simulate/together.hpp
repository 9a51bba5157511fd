#pragma once

#include <cstddef>
#include <vector>

namespace collapse::simulate {

/// Sets of bodies that hang together.
class Together {
 public:
  explicit Together(std::size_t count) : parent_(count) {
    for (std::size_t i = 0; i < count; ++i) parent_[i] = i;
  }
  /// The same for all bodies of a set.
  std::size_t root(std::size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(int a, int b) {
    parent_[root(static_cast<std::size_t>(a))] = root(static_cast<std::size_t>(b));
  }

 private:
  std::vector<std::size_t> parent_;
};

}  // namespace collapse::simulate
