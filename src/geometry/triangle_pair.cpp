#include "geometry/triangle_pair.hpp"

#include <algorithm>

namespace collapse {

namespace {

bool has_corner(const Triangle& triangle, int point) {
  return std::find(triangle.begin(), triangle.end(), point) != triangle.end();
}

/// Whether `p`, in line with a and b, is on the segment between them.
bool on_segment(const ExactPoints& points, int p, int a, int b) {
  for (int axis = 0; axis < 3; ++axis) {
    if (points.compare(p, a, axis) * points.compare(p, b, axis) > 0) return false;
  }
  return true;
}

/// In a plane that is not along `axis`.
bool segments_meet(const ExactPoints& points, int p, int q, int a, int b, int axis) {
  const int side_a = points.turn(p, q, a, axis);
  const int side_b = points.turn(p, q, b, axis);
  const int side_p = points.turn(a, b, p, axis);
  const int side_q = points.turn(a, b, q, axis);
  if (side_a * side_b < 0 && side_p * side_q < 0) return true;
  return (side_a == 0 && on_segment(points, a, p, q)) ||
         (side_b == 0 && on_segment(points, b, p, q)) ||
         (side_p == 0 && on_segment(points, p, a, b)) ||
         (side_q == 0 && on_segment(points, q, a, b));
}

bool meets_in_plane(const ExactPoints& points, int p, int q, const Triangle& t) {
  int axis = 0;
  while (axis < 2 && points.turn(t[0], t[1], t[2], axis) == 0) ++axis;
  const int direction = points.turn(t[0], t[1], t[2], axis);
  bool inside = true;
  for (std::size_t i = 0; i < 3; ++i) {
    const int a = t[i];
    const int b = t[(i + 1) % 3];
    if (segments_meet(points, p, q, a, b, axis)) return true;
    inside = inside && points.turn(a, b, p, axis) * direction >= 0;
  }
  return inside;
}

/// The plane of `a` has all of `b` strictly on one side, corners that are common aside.
bool is_beside(const ExactPoints& points, const Triangle& a, const Triangle& b) {
  bool above = true;
  bool below = true;
  for (const int corner : b) {
    if (has_corner(a, corner)) continue;
    const int side = points.side(a[0], a[1], a[2], corner);
    above = above && side > 0;
    below = below && side < 0;
  }
  return above || below;
}

bool edges_meet(const ExactPoints& points, const Triangle& a, const Triangle& b) {
  for (std::size_t i = 0; i < 3; ++i) {
    const int p = a[i];
    const int q = a[(i + 1) % 3];
    if (has_corner(b, p) || has_corner(b, q)) continue;
    if (meets_triangle(points, p, q, b)) return true;
  }
  return false;
}

}  // namespace

bool meets_triangle(const ExactPoints& points, int p, int q, const Triangle& t) {
  const int side_p = points.side(t[0], t[1], t[2], p);
  const int side_q = points.side(t[0], t[1], t[2], q);
  if (side_p * side_q > 0) return false;
  if (side_p == 0 && side_q == 0) return meets_in_plane(points, p, q, t);
  const int first = points.side(p, q, t[0], t[1]);
  const int second = points.side(p, q, t[1], t[2]);
  if (first * second < 0) return false;
  const int third = points.side(p, q, t[2], t[0]);
  return first * third >= 0 && second * third >= 0;
}

/// Triangles with one common corner meet elsewhere if and only if the edge across from it does in one of them: a segment
/// from the corner that is in both ends at such an edge.
Meeting meeting_of(const ExactPoints& points, const Triangle& a, const Triangle& b) {
  const auto common = std::count_if(b.begin(), b.end(), [&](int p) { return has_corner(a, p); });
  if (common == 3) return Meeting::overlap;
  if (is_beside(points, a, b) || is_beside(points, b, a)) return Meeting::none;
  if (common == 2) {
    // In one plane, then: on the same side of the common edge or not.
    int axis = 0;
    while (axis < 2 && points.turn(a[0], a[1], a[2], axis) == 0) ++axis;
    std::size_t i = 0;
    while (has_corner(b, a[i])) ++i;
    const int p = a[(i + 1) % 3];
    const int q = a[(i + 2) % 3];
    const int other = *std::find_if(b.begin(), b.end(), [&](int c) { return !has_corner(a, c); });
    return points.turn(p, q, a[i], axis) == points.turn(p, q, other, axis) ? Meeting::overlap
                                                                           : Meeting::none;
  }
  if (!edges_meet(points, a, b) && !edges_meet(points, b, a)) return Meeting::none;
  const bool in_plane = std::all_of(
      b.begin(), b.end(), [&](int corner) { return points.side(a[0], a[1], a[2], corner) == 0; });
  return in_plane ? Meeting::overlap : Meeting::cross;
}

}  // namespace collapse
