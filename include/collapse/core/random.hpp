#pragma once

#include <cstdint>

namespace collapse {

/// Numbers that are the same everywhere for the same seed, unlike the distributions of <random>
/// (splitmix64).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31U);
  }
  /// 0, …, n − 1; n is so small that the remainder's bias does not matter.
  int below(int n) { return static_cast<int>(bits() % static_cast<std::uint64_t>(n)); }
  /// In [low, high).
  double between(double low, double high) {
    return low + (high - low) * static_cast<double>(bits() >> 11U) * 0x1p-53;
  }

 private:
  std::uint64_t state_;
};

}  // namespace collapse
