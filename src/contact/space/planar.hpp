#pragma once
/// Convex polygons and segments in the plane of a contact.

#include <optional>
#include <utility>
#include <vector>

#include "collapse/geometry/dim.hpp"

namespace collapse::contacts {

using FlatPolygon = std::vector<Vec<2>>;

[[nodiscard]] inline double flat_cross(const Vec<2>& u, const Vec<2>& v) {
  return u.x() * v.y() - u.y() * v.x();
}

/// Coordinates in a plane in space. Counter-clockwise is seen from where the normal points.
struct PlaneFrame {
  Vec<3> origin;
  Vec<3> normal;
  Vec<3> u;
  Vec<3> v;

  /// `along`: a direction that the first axis is to take, as far as the plane allows.
  PlaneFrame(const Vec<3>& origin_point, const Vec<3>& unit_normal, const Vec<3>& along);

  [[nodiscard]] Vec<2> flat(const Vec<3>& at) const {
    return {u.dot(at - origin), v.dot(at - origin)};
  }
  [[nodiscard]] Vec<3> lifted(const Vec<2>& at) const { return origin + at.x() * u + at.y() * v; }
};

/// The part of `subject` inside `window`, both convex and counter-clockwise; empty if there is none. `spare` is
/// scratch.
void clip(const FlatPolygon& window, FlatPolygon& subject, FlatPolygon& spare);

/// The part of the segment from + s·direction, 0 ≤ s ≤ length, that lies in a convex polygon moved outwards by
/// `slack`.
[[nodiscard]] std::optional<std::pair<double, double>> clip_segment(const FlatPolygon& window,
                                                                    const Vec<2>& from,
                                                                    const Vec<2>& direction,
                                                                    double length, double slack);

/// Numbers of the corners of the convex hull, counter-clockwise, without those that are within `tolerance` of
/// another or of the line between their neighbours. One or two if all points are near a point or a line.
[[nodiscard]] std::vector<int> hull_corners(const FlatPolygon& points, double tolerance);

/// The least distance of two parallel lines with the convex polygon between them.
[[nodiscard]] double width_of(const FlatPolygon& polygon);

/// Whether two convex polygons come within `distance` of each other, but for corner to corner, where they may be
/// √2 times farther apart.
[[nodiscard]] bool polygons_meet(const FlatPolygon& a, const FlatPolygon& b, double distance);

}  // namespace collapse::contacts
