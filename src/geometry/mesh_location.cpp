#include "geometry/mesh_location.hpp"

#include <utility>

namespace collapse {

MeshLocator::MeshLocator(const ExactPoints& points, std::vector<Triangle> triangles)
    : points_(points), triangles_(std::move(triangles)), tree_(boxes_around(points, triangles_)) {}

/// Whether a ray upwards from the point, moved to the right by next to nothing and up in y by even less, hits the
/// triangle: the number of its edges that a ray to the right crosses below is odd, an edge owning its lower end alone.
/// So rays through edges and vertices of a surface hit as many triangles as those beside them.
bool MeshLocator::is_below(SpacePoint point, int triangle) const {
  const Triangle& corners = triangles_[static_cast<std::size_t>(triangle)];
  const auto above = [&](SpacePoint q) {
    return q.value[1] != point.value[1] ? q.value[1] > point.value[1] : q.exact[1] > point.exact[1];
  };
  constexpr int kUp = 2;
  bool inside = false;
  for (std::size_t i = 0; i < 3; ++i) {
    const SpacePoint a = points_.point(corners[i]);
    const SpacePoint b = points_.point(corners[(i + 1) % 3]);
    if (above(a) == above(b)) continue;
    if (turn_of(a, b, point, kUp) == (above(b) ? 1 : -1)) inside = !inside;
  }
  if (!inside) return false;
  const SpacePoint a = points_.point(corners[0]);
  const SpacePoint b = points_.point(corners[1]);
  const SpacePoint c = points_.point(corners[2]);
  return side_of(a, b, c, point) * turn_of(a, b, c, kUp) < 0;
}

std::vector<SpaceBox> boxes_around(const ExactPoints& points,
                                   const std::vector<Triangle>& triangles) {
  std::vector<SpaceBox> boxes;
  boxes.reserve(triangles.size());
  for (const auto& [a, b, c] : triangles) {
    SpaceBox& box = boxes.emplace_back(points.value(a));
    box.include(points.value(b));
    box.include(points.value(c));
  }
  return boxes;
}

}  // namespace collapse
