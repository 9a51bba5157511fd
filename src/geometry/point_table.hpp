#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <unordered_map>
#include <utility>
#include <vector>

#include "collapse/geometry/pose.hpp"

namespace collapse {

/// Numbers points in the order they come: the same number for the same point.
class PointTable {
 public:
  int number_of(const ExactVec<3>& point) {
    const Vec<3> value = to_double<3>(point);
    std::vector<int>& same = by_value_[{value[0] + 0.0, value[1] + 0.0, value[2] + 0.0}];
    for (const int number : same) {
      if (points_[static_cast<std::size_t>(number)] == point) return number;
    }
    same.push_back(static_cast<int>(points_.size()));
    points_.push_back(point);
    return same.back();
  }
  [[nodiscard]] const std::vector<ExactVec<3>>& points() const { return points_; }
  [[nodiscard]] std::vector<ExactVec<3>> take_points() { return std::move(points_); }

 private:
  using Key = std::array<double, 3>;
  struct Hash {
    std::size_t operator()(const Key& key) const {
      std::uint64_t sum = 0;
      for (const double x : key) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, &x, sizeof bits);
        sum = (sum ^ bits) * 0x9e3779b97f4a7c15ULL;
        sum ^= sum >> 29U;
      }
      return static_cast<std::size_t>(sum);
    }
  };

  std::vector<ExactVec<3>> points_;
  std::unordered_map<Key, std::vector<int>, Hash> by_value_;
};

}  // namespace collapse
