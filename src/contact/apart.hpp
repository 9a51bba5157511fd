#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "collapse/model/scene.hpp"

namespace collapse::contacts {

/// The pairs of a scene that are not to touch by its word: ignored ones, and joined ones unless the joint
/// collides.
template <int Dim>
class PairsKeptApart {
 public:
  explicit PairsKeptApart(const Scene<Dim>& scene) : pairs_(scene.ignored) {
    for (const Joint<Dim>& joint : scene.joints) {
      if (!joint.collide) pairs_.push_back(std::minmax(joint.a, joint.b));
    }
    std::sort(pairs_.begin(), pairs_.end());
  }

  /// a < b.
  [[nodiscard]] bool contains(int a, int b) const {
    return std::binary_search(pairs_.begin(), pairs_.end(), std::pair(a, b));
  }

 private:
  std::vector<std::pair<int, int>> pairs_;
};

}  // namespace collapse::contacts
