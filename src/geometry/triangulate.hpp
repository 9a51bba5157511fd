#pragma once
/// Polygons of a mesh in triangles.

#include <array>
#include <vector>

#include "geometry/exact_points.hpp"

namespace collapse {

/// The axis along which a polygon's area is seen largest, as far as doubles tell; −1 if it has no area.
[[nodiscard]] int main_axis(const ExactPoints& points, const std::vector<int>& loop);

/// Triangles with the direction and all corners of a polygon, each with an area and none across another, seen along
/// its main axis. Empty if that cannot be: the polygon has no area or meets itself.
[[nodiscard]] std::vector<Triangle> triangulated(const ExactPoints& points,
                                                 const std::vector<int>& loop);

}  // namespace collapse
