#pragma once
/// The surface of the convex hull of points in triangles.

#include <array>
#include <optional>
#include <vector>

#include "geometry/exact_points.hpp"

namespace collapse {

struct HullTriangle {
  std::array<int, 3> corners{};  ///< counter-clockwise seen from outside
  std::array<int, 3> beyond{};   ///< the triangle beyond the edge from corner i to the next
};

/// Four points that do not lie in one plane, the last on the side from which the others run clockwise; nothing if there
/// are none.
[[nodiscard]] std::optional<std::array<int, 4>> first_tetrahedron(const ExactPoints& points);

/// Triangles with an area, several of which may lie in one plane, with points in the middle of edges and faces as
/// corners where they came first. None if all points lie in one plane.
[[nodiscard]] std::vector<HullTriangle> quick_hull(const ExactPoints& points);

}  // namespace collapse
