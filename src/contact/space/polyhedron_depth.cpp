#include <algorithm>
#include <limits>

#include "contact/space/pair.hpp"

namespace collapse::contacts {
namespace {

/// Arcs on the sphere of normals that miss each other by less than this (product of sines) are taken as crossing:
/// what they propose is checked.
constexpr double kArcSlack = 1e-14;

double lowest(const std::vector<Vec<3>>& points, const Vec<3>& normal, const Vec<3>& origin) {
  double height = std::numeric_limits<double>::infinity();
  for (const Vec<3>& point : points) height = std::min(height, normal.dot(point - origin));
  return height;
}

/// Separating axes of two convex polyhedra: the best normal of a face or product of two edges gives the depth
/// where they overlap, and a lower bound of the distance where they do not.
class SeparatingAxes {
 public:
  SeparatingAxes(const PlacedHull& a, const PlacedHull& b, double rounding, double tolerance)
      : a_(a), b_(b), rounding_(rounding), tolerance_(tolerance) {}

  /// As it is where it is below −`least`; otherwise that of some direction, which is enough to know that they do
  /// not overlap so much. Products of edges, the most work, are not looked at then.
  [[nodiscard]] double separation(double least) {
    by_faces(a_, b_);
    by_faces(b_, a_);
    if (best_ < -least) by_edges(-least);
    return best_;
  }

 private:
  void by_faces(const PlacedHull& a, const PlacedHull& b) {
    const auto& faces = a.hull->faces();
    for (std::size_t f = 0; f < faces.size() && best_ <= tolerance_; ++f) {
      const Vec<3>& origin = a.points[static_cast<std::size_t>(faces[f].loop[0])];
      // The lowest point of b is no higher than its centre.
      if (a.normals[f].dot(b.centre - origin) < best_) continue;
      best_ = std::max(best_, lowest(b.points, a.normals[f], origin));
    }
  }

  void by_edges(double enough) {
    for (const Hull::Edge& e : a_.hull->edges()) {
      const Vec<3>& from_a = a_.points[static_cast<std::size_t>(e.from)];
      const Vec<3> along_a = a_.points[static_cast<std::size_t>(e.to)] - from_a;
      const Vec<3>& left = a_.normals[static_cast<std::size_t>(e.left)];
      const Vec<3>& right = a_.normals[static_cast<std::size_t>(e.right)];
      const double length_a = along_a.norm();
      for (const Hull::Edge& f : b_.hull->edges()) {
        const Vec<3>& from_b = b_.points[static_cast<std::size_t>(f.from)];
        const Vec<3> along_b = b_.points[static_cast<std::size_t>(f.to)] - from_b;
        const double length_b = along_b.norm();
        // Crossing arcs of normals, those of b turned around: each arc's ends are on both sides of the other's
        // circle, on the same half of the sphere.
        const double slack_a = kArcSlack * length_a * length_a;
        const double left_b = -along_a.dot(b_.normals[static_cast<std::size_t>(f.left)]);
        const double right_b = -along_a.dot(b_.normals[static_cast<std::size_t>(f.right)]);
        if (left_b * right_b > slack_a) continue;
        const double left_a = along_b.dot(left);
        const double right_a = along_b.dot(right);
        if (left_a * right_a > kArcSlack * length_b * length_b) continue;
        try_edges(from_a, along_a, from_b, along_b, length_a * length_b, left + right);
        if (best_ >= enough) return;
      }
    }
  }

  void try_edges(const Vec<3>& from_a, const Vec<3>& along_a, const Vec<3>& from_b,
                 const Vec<3>& along_b, double lengths, const Vec<3>& out_of_a) {
    Vec<3> normal = along_a.cross(along_b);
    const double area = normal.norm();
    if (!(area > 1e-12 * lengths)) return;
    normal /= area;
    if (normal.dot(out_of_a) < 0.0) normal = -normal;
    if (normal.dot(from_b - from_a) <= best_ + rounding_) return;
    const double separation =
        lowest(b_.points, normal, from_a) + lowest(a_.points, -normal, from_a);
    best_ = std::max(best_, separation);
  }

  const PlacedHull& a_;
  const PlacedHull& b_;
  double rounding_;
  double tolerance_;
  double best_ = -std::numeric_limits<double>::infinity();
};

double depth_in_half_space(const SpaceBody& solid, const SpaceBody& half) {
  double deepest = -std::numeric_limits<double>::infinity();
  for (const Vec<3>& point : solid.points) {
    deepest = std::max(deepest, half.plane_offset - half.plane_normal.dot(point));
  }
  return deepest;
}

}  // namespace

double polyhedron_depth(const SpacePair& pair) {
  const SpaceBody& a = pair.body(pair.a);
  const SpaceBody& b = pair.body(pair.b);
  if (a.half_space) return depth_in_half_space(b, a);
  if (b.half_space) return depth_in_half_space(a, b);
  double deepest = -std::numeric_limits<double>::infinity();
  const Bounds<3> region_a = b.bounds.grown(pair.tolerance);
  for (const PlacedHull& p : a.pieces) {
    if (!p.bounds.meets(region_a)) continue;
    const Bounds<3> region = p.bounds.grown(pair.tolerance);
    for (const PlacedHull& q : b.pieces) {
      if (!q.bounds.meets(region)) continue;
      SeparatingAxes axes(p, q, pair.rounding, pair.tolerance);
      deepest = std::max(deepest, -axes.separation(std::max(pair.tolerance, deepest)));
    }
  }
  return deepest;
}

}  // namespace collapse::contacts
