#include "geometry/solid_overlap.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "geometry/flat_plane.hpp"
#include "geometry/predicates.hpp"

namespace collapse {

namespace {

Rational square(const Rational& x) { return x * x; }
Rational squared_norm(const ExactVec<3>& v) { return dot3(v, v); }
Rational clamped(const Rational& x) { return std::clamp<Rational>(x, Rational(0), Rational(1)); }

/// Squared distance from `p` to the segment a b, which may be a point.
Rational squared_distance_to_segment(const ExactVec<3>& p, const ExactVec<3>& a,
                                     const ExactVec<3>& b) {
  const ExactVec<3> along = b - a;
  const Rational squared_length = squared_norm(along);
  if (squared_length == 0) return squared_norm(p - a);
  const Rational share = clamped(dot3(ExactVec<3>(p - a), along) / squared_length);
  return squared_norm(p - a - along * share);
}

/// Of two segments: between an end of one and the other, or where both lines are nearest.
Rational squared_distance_of_segments(const ExactVec<3>& a, const ExactVec<3>& b,
                                      const ExactVec<3>& c, const ExactVec<3>& d) {
  Rational least =
      std::min({squared_distance_to_segment(a, c, d), squared_distance_to_segment(b, c, d),
                squared_distance_to_segment(c, a, b), squared_distance_to_segment(d, a, b)});
  const ExactVec<3> u = b - a;
  const ExactVec<3> v = d - c;
  const ExactVec<3> across = cross3(u, v);
  const Rational squared_area = squared_norm(across);
  if (squared_area == 0) return least;
  const ExactVec<3> w = c - a;
  const Rational s = dot3(cross3(w, v), across) / squared_area;
  const Rational t = dot3(cross3(w, u), across) / squared_area;
  if (s >= 0 && s <= 1 && t >= 0 && t <= 1) {
    least = std::min<Rational>(least, square(dot3(w, across)) / squared_area);
  }
  return least;
}

struct HullFace {
  FlatPlane plane;
  std::vector<ExactVec<3>> corners;

  HullFace(const Hull& hull, const Hull::Face& face) {
    for (const int vertex : face.loop) {
      corners.push_back(hull.exact()[static_cast<std::size_t>(vertex)]);
    }
    plane = FlatPlane(corners);
  }

  /// Whether the foot of the perpendicular from `p` is on the face.
  [[nodiscard]] bool is_beneath(const ExactVec<3>& p) const {
    for (std::size_t i = 0; i < corners.size(); ++i) {
      const ExactVec<3>& a = corners[i];
      const ExactVec<3>& b = corners[(i + 1) % corners.size()];
      if (dot3(cross3(plane.normal(), ExactVec<3>(b - a)), ExactVec<3>(p - a)) < 0) return false;
    }
    return true;
  }
};

/// Whether the segment has a point in the closed hull: cut by one plane after another.
bool enters(const ExactVec<3>& from, const ExactVec<3>& to, const std::vector<HullFace>& faces) {
  Rational first = 0;
  Rational last = 1;
  for (const HullFace& face : faces) {
    const Rational start = face.plane.height_of(from);
    const Rational end = face.plane.height_of(to);
    if (start > 0 && end > 0) return false;
    if (start <= 0 && end <= 0) continue;
    const Rational share = start / (start - end);
    if (start > 0) {
      first = std::max(first, share);
    } else {
      last = std::min(last, share);
    }
  }
  return first <= last;
}

/// Squared distance of the origin from the convex hull of points in the plane through it across `axis`.
bool hull_comes_within(const std::vector<ExactVec<3>>& points, const ExactVec<3>& axis,
                       const Rational& squared_radius) {
  int drop = 0;
  for (int k = 1; k < 3; ++k) {
    if (abs(axis[k]) > abs(axis[drop])) drop = k;
  }
  const ExactVec<3> origin = ExactVec<3>::Zero();
  std::vector<ExactVec<2>> flat;
  for (const ExactVec<3>& point : points) {
    if (squared_norm(point) < squared_radius) return true;
    flat.emplace_back(point[(drop + 1) % 3], point[(drop + 2) % 3]);
  }
  // The nearest point is on the segment of two of the points unless the origin is inside: then there are points on both
  // sides of every line through it, and some segment between two of them passes on either side of it.
  bool surrounded = true;
  for (std::size_t i = 0; i < points.size(); ++i) {
    bool left = false;
    bool right = false;
    for (std::size_t j = 0; j < points.size(); ++j) {
      const int turn = cross(flat[i], flat[j]).sign();
      left = left || turn > 0;
      right = right || turn < 0;
      if (j < i && squared_distance_to_segment(origin, points[i], points[j]) < squared_radius) {
        return true;
      }
    }
    surrounded = surrounded && left && right;
  }
  return surrounded;
}

}  // namespace

bool overlaps(const Capsule& a, const Capsule& b) {
  return squared_distance_of_segments(a.exact_from, a.exact_to, b.exact_from, b.exact_to) <
         square(a.exact_radius + b.exact_radius);
}

bool overlaps(const Capsule& capsule, const Hull& hull) {
  std::vector<HullFace> faces;
  for (const Hull::Face& face : hull.faces()) faces.emplace_back(hull, face);
  if (enters(capsule.exact_from, capsule.exact_to, faces)) return true;
  const Rational squared_radius = square(capsule.exact_radius);
  for (const Hull::Edge& edge : hull.edges()) {
    if (squared_distance_of_segments(
            capsule.exact_from, capsule.exact_to, hull.exact()[static_cast<std::size_t>(edge.from)],
            hull.exact()[static_cast<std::size_t>(edge.to)]) < squared_radius) {
      return true;
    }
  }
  for (const HullFace& face : faces) {
    for (const ExactVec<3>& end : {capsule.exact_from, capsule.exact_to}) {
      if (face.is_beneath(end) &&
          square(face.plane.height_of(end)) < squared_radius * squared_norm(face.plane.normal())) {
        return true;
      }
    }
  }
  return false;
}

/// The distance is that of (ρ, z), the distances from the axis and from the middle, to the rectangle of the cylinder:
/// ρ < r + s with s² = R² − (what |z| exceeds the half height by)², compared without roots.
bool overlaps(const Ball<3>& ball, const Cylinder& cylinder) {
  const ExactVec<3> lever = ball.exact_centre - cylinder.exact_centre;
  const Rational z = dot3(lever, cylinder.exact_axis);
  const Rational beyond = std::max<Rational>(abs(z) - cylinder.exact_height / 2, Rational(0));
  if (beyond >= ball.exact_radius) return false;
  const Rational squared_s = square(ball.exact_radius) - square(beyond);
  const Rational squared_r = square(cylinder.exact_radius);
  const Rational excess = squared_norm(lever) - square(z) - squared_r - squared_s;
  return excess < 0 || square(excess) < 4 * squared_r * squared_s;
}

/// What the hull has between the planes of the cylinder's ends, seen along the axis, comes nearer to it than the radius.
bool overlaps(const Cylinder& cylinder, const Hull& hull) {
  const ExactVec<3>& axis = cylinder.exact_axis;
  const Rational half = cylinder.exact_height / 2;
  std::vector<ExactVec<3>> points;
  std::vector<Rational> heights;
  for (const ExactVec<3>& vertex : hull.exact()) {
    points.emplace_back(vertex - cylinder.exact_centre);
    heights.push_back(dot3(points.back(), axis));
  }
  const auto [lowest, highest] = std::minmax_element(heights.begin(), heights.end());
  if (*highest <= -half || *lowest >= half) return false;
  std::vector<ExactVec<3>> seen;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (abs(heights[i]) <= half) seen.emplace_back(points[i] - axis * heights[i]);
  }
  for (const Hull::Edge& edge : hull.edges()) {
    const auto from = static_cast<std::size_t>(edge.from);
    const auto to = static_cast<std::size_t>(edge.to);
    for (const Rational& end : {Rational(-half), half}) {
      if ((heights[from] < end) == (heights[to] < end) || heights[from] == end) continue;
      const Rational share = (end - heights[from]) / (heights[to] - heights[from]);
      const ExactVec<3> point = points[from] + (points[to] - points[from]) * share;
      seen.emplace_back(point - axis * end);
    }
  }
  return hull_comes_within(seen, axis, square(cylinder.exact_radius));
}

}  // namespace collapse
