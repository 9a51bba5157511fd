#pragma once
/// Which vertices of two convex polygons that move through a step must stay on which side of which edges
/// (docs/theory/motion.md): the rows of the plane's non-penetration constraints, for rigid bodies and for
/// frameworks of points alike.

#include <span>
#include <vector>

#include "collapse/geometry/dim.hpp"

namespace collapse::contacts {

/// A convex polygon, counter-clockwise, at the start of a step and where it is expected at the end.
struct MovingPolygon {
  std::span<const Vec<2>> start;
  std::span<const Vec<2>> end;
  /// Of each edge (edge i goes from vertex i to the next): whether it is part of a body's boundary. Others are
  /// seams, on which nothing can touch. Empty: all are.
  std::span<const char> is_boundary = {};

  [[nodiscard]] int size() const { return static_cast<int>(start.size()); }
  [[nodiscard]] bool on_boundary(int edge) const {
    return is_boundary.empty() || is_boundary[static_cast<std::size_t>(edge)] != 0;
  }
};

/// A vertex of one polygon has to stay outside an edge of the other.
struct VertexOnEdge {
  bool vertex_of_b = false;  ///< and the edge of a; otherwise the other way round
  int vertex = 0;
  int edge = 0;

  auto operator<=>(const VertexOnEdge&) const = default;
};

/// Appends the rows that may become active in the step. `slip`: a vertex that crosses an edge's line at most
/// this far beyond the edge's end counts as on it. `reach`: rows whose gap is larger than this both at the
/// start and at the end are left out. Swapping the polygons gives the same rows.
void critical_rows(const MovingPolygon& a, const MovingPolygon& b, double slip, double reach,
                   std::vector<VertexOnEdge>& rows);

/// Height of point p over the line of the edge from p_i to p_j (outside is positive: the polygon is on the
/// left of its edges).
[[nodiscard]] double height_over(const Vec<2>& p_i, const Vec<2>& p_j, const Vec<2>& p);

}  // namespace collapse::contacts
