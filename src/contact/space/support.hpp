#pragma once
/// Extreme points of the cores of convex solids.

#include <cmath>

#include "contact/space/convex_distance.hpp"

namespace collapse::contacts {

/// A point of a core; `number` names the vertex or end, −1 on a cylinder, whose points are not numbered.
struct SupportPoint {
  Vec<3> at;
  int number = 0;
};

/// The vertex of a polyhedron farthest along `direction`: climbs from `start`. A convex polyhedron has no local
/// maxima, but plateaus of rounding do no harm either: the climb stops where no neighbour is higher.
[[nodiscard]] inline int farthest_vertex(const ConvexSolid& solid, const Vec<3>& direction,
                                         int start) {
  int best = start;
  double height = direction.dot(solid.vertices[static_cast<std::size_t>(best)]);
  for (;;) {
    const int here = best;
    for (const int next : solid.hull->neighbours(here)) {
      const double other = direction.dot(solid.vertices[static_cast<std::size_t>(next)]);
      if (other > height) {
        height = other;
        best = next;
      }
    }
    if (best == here) return best;
  }
}

[[nodiscard]] inline Vec<3> farthest_on_cylinder(const ConvexSolid& solid,
                                                 const Vec<3>& direction) {
  const double along = solid.axis.dot(direction);
  Vec<3> across = direction - along * solid.axis;
  // Once more: of a small rest, rounding along the axis would be a large part, and the point outside.
  across -= solid.axis.dot(across) * solid.axis;
  const double length = across.norm();
  Vec<3> at = solid.ends[0] + std::copysign(solid.half_height, along) * solid.axis;
  // Straight up any point of the flat end is as good: then its centre.
  if (length > 1e-14 * std::abs(along)) at += (solid.core_radius / length) * across;
  return at;
}

/// The point of the core farthest along `direction`.
[[nodiscard]] inline SupportPoint farthest(const ConvexSolid& solid, const Vec<3>& direction,
                                           int start) {
  switch (solid.core) {
    case ConvexSolid::Core::polyhedron: {
      const int vertex = farthest_vertex(solid, direction, start);
      return {solid.vertices[static_cast<std::size_t>(vertex)], vertex};
    }
    case ConvexSolid::Core::point:
      return {solid.ends[0], 0};
    case ConvexSolid::Core::segment: {
      const int end = direction.dot(solid.ends[1] - solid.ends[0]) > 0.0 ? 1 : 0;
      return {solid.ends[static_cast<std::size_t>(end)], end};
    }
    case ConvexSolid::Core::cylinder:
      return {farthest_on_cylinder(solid, direction), -1};
  }
  return {};
}

}  // namespace collapse::contacts
