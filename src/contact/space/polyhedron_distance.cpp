#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/space/pair.hpp"

namespace collapse::contacts {
namespace {

/// Squared, of the segments from + s·along and other + t·other_along, 0 ≤ s, t ≤ 1.
double segment_distance(const Vec<3>& from, const Vec<3>& along, const Vec<3>& other,
                        const Vec<3>& other_along) {
  const auto to_other = [&](double s) {
    const Vec<3> offset = from + s * along - other;
    const double t = std::clamp(offset.dot(other_along) / other_along.squaredNorm(), 0.0, 1.0);
    return std::pair(t, (offset - t * other_along).squaredNorm());
  };
  // The lines' closest points first, then from either end: the least of a convex function over a square is inside
  // it or on a side of it.
  double nearest = std::min(to_other(0.0).second, to_other(1.0).second);
  const Vec<3> normal = along.cross(other_along);
  if (normal.squaredNorm() > 0.0) {
    const double s =
        std::clamp((other - from).cross(other_along).dot(normal) / normal.squaredNorm(), 0.0, 1.0);
    nearest = std::min(nearest, to_other(s).second);
  }
  for (const double t : {0.0, 1.0}) {
    const Vec<3> offset = other + t * other_along - from;
    const double s = std::clamp(offset.dot(along) / along.squaredNorm(), 0.0, 1.0);
    nearest = std::min(nearest, (offset - s * along).squaredNorm());
  }
  return nearest;
}

bool over_piece(const SpaceBody& body, const std::vector<int>& piece, const Vec<3>& normal,
                const Vec<3>& at) {
  for (std::size_t i = 0; i < piece.size(); ++i) {
    const Vec<3>& from = body.points[static_cast<std::size_t>(piece[i])];
    const Vec<3>& to =
        body.points[static_cast<std::size_t>(piece[i + 1 == piece.size() ? 0 : i + 1])];
    if (normal.dot((to - from).cross(at - from)) < 0.0) return false;
  }
  return true;
}

/// Of the vertices of `body` from the insides of the faces of `other`.
double vertex_face_distance(const SpaceBody& body, const SpaceBody& other, double reach) {
  double nearest = std::numeric_limits<double>::infinity();
  for (std::size_t v = 0; v < body.surface().vertices.size(); ++v) {
    const Vec<3>& at = body.points[v];
    const Bounds<3> region = Bounds<3>{at, at}.grown(reach);
    if (!region.meets(other.bounds)) continue;
    for (std::size_t f = 0; f < other.faces.size(); ++f) {
      const PlacedFace& face = other.faces[f];
      const double height = std::abs(face.height(at));
      if (height >= nearest || !region.meets(face.bounds)) continue;
      for (const std::vector<int>& piece : other.surface().faces[f].pieces) {
        if (over_piece(other, piece, face.normal, at)) nearest = height;
      }
    }
  }
  return nearest;
}

double edge_edge_distance(const SpaceBody& a, const SpaceBody& b, double reach) {
  double nearest = std::numeric_limits<double>::infinity();
  const auto start = [](const SpaceBody& body, std::size_t e) -> const Vec<3>& {
    return body.points[static_cast<std::size_t>(body.surface().edges[e].from)];
  };
  for (std::size_t e = 0; e < a.edges.size(); ++e) {
    const Bounds<3> region = a.edges[e].bounds.grown(reach);
    if (!region.meets(b.bounds)) continue;
    for (std::size_t f = 0; f < b.edges.size(); ++f) {
      if (!region.meets(b.edges[f].bounds)) continue;
      nearest = std::min(nearest,
                         segment_distance(start(a, e), a.edges[e].length * a.edges[e].direction,
                                          start(b, f), b.edges[f].length * b.edges[f].direction));
    }
  }
  return std::sqrt(nearest);
}

double distance_to_half_space(const SpaceBody& solid, const SpaceBody& half) {
  double nearest = std::numeric_limits<double>::infinity();
  for (const Vec<3>& point : solid.points) {
    nearest = std::min(nearest, half.plane_normal.dot(point) - half.plane_offset);
  }
  return nearest;
}

}  // namespace

double polyhedron_distance(const SpacePair& pair, double reach) {
  const SpaceBody& a = pair.body(pair.a);
  const SpaceBody& b = pair.body(pair.b);
  if (a.half_space) return distance_to_half_space(b, a);
  if (b.half_space) return distance_to_half_space(a, b);
  return std::min({edge_edge_distance(a, b, reach), vertex_face_distance(a, b, reach),
                   vertex_face_distance(b, a, reach)});
}

}  // namespace collapse::contacts
