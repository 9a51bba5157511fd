#pragma once

#include <limits>
#include <utility>
#include <vector>

#include "collapse/geometry/dim.hpp"

namespace collapse {

/// A box along the axes.
template <int Dim>
struct Bounds {
  Vec<Dim> low;
  Vec<Dim> high;

  /// Around nothing: what is first included makes it.
  [[nodiscard]] static Bounds empty() {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    return {Vec<Dim>::Constant(kInfinity), Vec<Dim>::Constant(-kInfinity)};
  }
  void include(const Vec<Dim>& point, double radius = 0.0) {
    low = low.cwiseMin((point.array() - radius).matrix());
    high = high.cwiseMax((point.array() + radius).matrix());
  }
  void include(const Bounds& other) {
    low = low.cwiseMin(other.low);
    high = high.cwiseMax(other.high);
  }
  /// The same box, `distance` larger on every side.
  [[nodiscard]] Bounds grown(double distance) const {
    return {low.array() - distance, high.array() + distance};
  }
  [[nodiscard]] bool meets(const Bounds& other) const {
    return (low.array() <= other.high.array()).all() && (other.low.array() <= high.array()).all();
  }
};

/// All pairs (i < j) of boxes that meet, sorted. Near-linear in the number of boxes and pairs, also
/// for boxes of very different sizes.
template <int Dim>
[[nodiscard]] std::vector<std::pair<int, int>> meeting_pairs(const std::vector<Bounds<Dim>>& boxes);

}  // namespace collapse
