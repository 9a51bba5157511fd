#pragma once

#include <utility>
#include <vector>

#include "collapse/geometry/dim.hpp"

namespace collapse {

/// A box along the axes.
template <int Dim>
struct Bounds {
  Vec<Dim> low;
  Vec<Dim> high;

  [[nodiscard]] bool meets(const Bounds& other) const {
    return (low.array() <= other.high.array()).all() && (other.low.array() <= high.array()).all();
  }
};

/// All pairs (i < j) of boxes that meet, sorted. Near-linear in the number of boxes and pairs, also
/// for boxes of very different sizes.
template <int Dim>
[[nodiscard]] std::vector<std::pair<int, int>> meeting_pairs(const std::vector<Bounds<Dim>>& boxes);

}  // namespace collapse
