#include "geometry/predicates.hpp"

#include <cmath>

#include "collapse/geometry/pose.hpp"

namespace collapse {

/// With u = 2⁻⁵³, a coordinate x and its double differ by at most u|x|, or by 2⁻¹⁰⁷⁵ where it is
/// subnormal. A difference of two, of magnitude at most m = |x₁| + |x₂|, is then wrong by at most
/// 2um (1 + u), a product of two differences by at most 5u m₁m₂ and the difference of two products
/// by at most 6u (m₁m₂ + m₃m₄), terms in u² aside: the bound below leaves a third for those and for
/// its own rounding. kTiny covers what falls below the normal range.
int orientation(PointRef a, PointRef b, PointRef c) {
  constexpr double kRelativeError = 0x1p-50;
  constexpr double kTiny = 1e-300;
  const Vec<2>& p = a.value;
  const Vec<2>& q = b.value;
  const Vec<2>& r = c.value;
  const auto magnitude = [](double x, double y) { return std::abs(x) + std::abs(y) + kTiny; };
  const double determinant = (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
  const double size =
      magnitude(q[0], p[0]) * magnitude(r[1], p[1]) + magnitude(q[1], p[1]) * magnitude(r[0], p[0]);
  // False as well where something overflowed.
  if (std::abs(determinant) > kRelativeError * size + kTiny) return determinant > 0 ? 1 : -1;
  return cross(b.exact - a.exact, c.exact - a.exact).sign();
}

int orientation(const ExactVec<2>& a, const ExactVec<2>& b, const ExactVec<2>& c) {
  const Vec<2> p = to_double<2>(a);
  const Vec<2> q = to_double<2>(b);
  const Vec<2> r = to_double<2>(c);
  return orientation(PointRef{a, p}, PointRef{b, q}, PointRef{c, r});
}

bool lexicographically_less(PointRef a, PointRef b) {
  for (int k = 0; k < 2; ++k) {
    if (a.value[k] != b.value[k]) return a.value[k] < b.value[k];
    if (a.exact[k] != b.exact[k]) return a.exact[k] < b.exact[k];
  }
  return false;
}

bool strictly_between(PointRef p, PointRef a, PointRef b) {
  return lexicographically_less(a, b)
             ? lexicographically_less(a, p) && lexicographically_less(p, b)
             : lexicographically_less(b, p) && lexicographically_less(p, a);
}

/// Counts the edges that a ray to the right crosses. An edge owns its lower end alone, so that a
/// ray through a vertex counts right.
bool is_inside(const Loop& polygon, PointRef p) {
  const auto above = [&](PointRef q) {
    return q.value[1] != p.value[1] ? q.value[1] > p.value[1] : q.exact[1] > p.exact[1];
  };
  bool inside = false;
  for (int i = 0; i < polygon.size(); ++i) {
    const PointRef a = point_of(polygon, i);
    const PointRef b = point_of(polygon, polygon.next(i));
    if (above(a) == above(b)) continue;
    const bool upwards = above(b);
    if (orientation(a, b, p) == (upwards ? 1 : -1)) inside = !inside;
  }
  return inside;
}

/// The lexicographically smallest vertex is a corner of the convex hull.
int direction_of(const Loop& polygon) {
  int corner = 0;
  for (int i = 1; i < polygon.size(); ++i) {
    if (lexicographically_less(point_of(polygon, i), point_of(polygon, corner))) corner = i;
  }
  return orientation(point_of(polygon, polygon.previous(corner)), point_of(polygon, corner),
                     point_of(polygon, polygon.next(corner)));
}

Loop without_straight_vertices(const Loop& polygon) {
  std::vector<ExactVec<2>> corners;
  for (int i = 0; i < polygon.size(); ++i) {
    const PointRef vertex = point_of(polygon, i);
    // Neighbours in line with a vertex stand for the corners beyond them: the same straight side.
    if (orientation(point_of(polygon, polygon.previous(i)), vertex,
                    point_of(polygon, polygon.next(i))) != 0) {
      corners.push_back(vertex.exact);
    }
  }
  return corners.size() == static_cast<std::size_t>(polygon.size()) ? polygon
                                                                    : Loop(std::move(corners));
}

}  // namespace collapse
