#pragma once

#include <vector>

#include "geometry/exact_points.hpp"

namespace collapse {

/// How far a polygon is from lying in a plane.
struct Flatness {
  bool flat = false;     ///< exactly
  bool in_line = false;  ///< all on one line, or fewer than three
  double deviation =
      0.0;  ///< from the plane across its mean normal through the mean of its corners; 0 if flat
  double size = 0.0;  ///< diagonal of the box around it
  int farthest = 0;   ///< number of the vertex that is farthest from the plane
};
[[nodiscard]] Flatness flatness_of(const ExactPoints& points, const std::vector<int>& loop);

}  // namespace collapse
