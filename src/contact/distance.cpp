#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/pair_contacts.hpp"

namespace collapse::contacts {
namespace {

double distance_to_edge(const Placement& placement, const Vec<2>& at, int edge) {
  const PlacedPoint& start = placement.point(edge);
  const Vec<2> offset = at - start.at;
  const double foot = std::clamp(start.direction.dot(offset), 0.0, start.length);
  return (offset - foot * start.direction).norm();
}

/// Of the boundary of `body` from a point, less `radius`.
double distance_to_boundary(const Placement& placement, const PlacedBody& body, const Vec<2>& at,
                            double radius, double reach) {
  double nearest = std::numeric_limits<double>::infinity();
  const Bounds<2> region = Bounds<2>{at, at}.grown(radius + reach);
  if (!region.meets(body.bounds)) return nearest;
  for (int edge = body.boundary_begin; edge < body.boundary_end; ++edge) {
    if (!region.meets(edge_bounds(placement, edge))) continue;
    nearest = std::min(nearest, distance_to_edge(placement, at, edge) - radius);
  }
  return nearest;
}

/// Of the vertices and balls of `body` from the boundary of `other`.
double distance_one_way(const Placement& placement, int body, const PlacedBody& other,
                        double reach) {
  const PlacedBody& placed = placement.body(body);
  double nearest = std::numeric_limits<double>::infinity();
  for (int i = placed.boundary_begin; i < placed.boundary_end; ++i) {
    nearest = std::min(nearest,
                       distance_to_boundary(placement, other, placement.point(i).at, 0.0, reach));
  }
  for (int i = placed.ball_begin; i < placed.ball_end; ++i) {
    nearest = std::min(nearest, distance_to_boundary(placement, other, placement.point(i).at,
                                                     placement.ball(body, i).radius, reach));
  }
  return nearest;
}

double distance_to_plane(const Placement& placement, int body, const PlacedBody& plane) {
  const PlacedBody& placed = placement.body(body);
  double nearest = std::numeric_limits<double>::infinity();
  for (int i = placed.boundary_begin; i < placed.ball_end; ++i) {
    const double radius = i < placed.boundary_end ? 0.0 : placement.ball(body, i).radius;
    const double height = plane.plane_normal.dot(placement.point(i).at) - plane.plane_offset;
    nearest = std::min(nearest, height - radius);
  }
  return nearest;
}

}  // namespace

double distance_within(const Placement& placement, int a, int b, double reach) {
  const PlacedBody& first = placement.body(a);
  const PlacedBody& second = placement.body(b);
  if (first.half_plane) return distance_to_plane(placement, b, first);
  if (second.half_plane) return distance_to_plane(placement, a, second);
  double nearest = std::min(distance_one_way(placement, a, second, reach),
                            distance_one_way(placement, b, first, reach));
  for (int i = first.ball_begin; i < first.ball_end; ++i) {
    for (int j = second.ball_begin; j < second.ball_end; ++j) {
      const double radii = placement.ball(a, i).radius + placement.ball(b, j).radius;
      nearest = std::min(nearest, (placement.point(i).at - placement.point(j).at).norm() - radii);
    }
  }
  return nearest;
}

}  // namespace collapse::contacts
