#include "contact/space/separating_axes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "collapse/contact/broad_phase.hpp"
#include "contact/space/support.hpp"

namespace collapse::contacts {
namespace {

/// Edges at a smaller angle (sine) have no direction across both that is worth the name: then a face's normal is as
/// good.
constexpr double kParallelEdges = 1e-10;
/// A product of edges has to be better than a face's normal by this, relative to the size: where they are as good
/// the face tells more.
constexpr double kFaceFirst = 1e-13;

/// An edge with the normals of the faces beside it; a segment has none.
struct AxisEdge {
  Vec<3> from;
  Vec<3> along;  ///< to the other end
  Vec<3> left;
  Vec<3> right;
  int number = 0;
  bool whole_circle = false;  ///< of a segment: every direction across it is a normal
};

Bounds<3> bounds_of(const ConvexSolid& solid) {
  Bounds<3> bounds = Bounds<3>::empty();
  if (solid.core == ConvexSolid::Core::polyhedron) {
    for (const Vec<3>& at : solid.vertices) bounds.include(at);
  } else {
    bounds.include(solid.ends[0]);
    if (solid.core == ConvexSolid::Core::segment) bounds.include(solid.ends[1]);
  }
  return bounds;
}

/// Those that come within the bounds.
std::vector<AxisEdge> edges_within(const ConvexSolid& solid, const std::vector<Vec<3>>& normals,
                                   const Bounds<3>& bounds) {
  std::vector<AxisEdge> edges;
  if (solid.core == ConvexSolid::Core::segment) {
    edges.push_back(
        {solid.ends[0], solid.ends[1] - solid.ends[0], Vec<3>::Zero(), Vec<3>::Zero(), 0, true});
  }
  if (solid.core != ConvexSolid::Core::polyhedron) return edges;
  edges.reserve(solid.hull->edges().size());
  int number = 0;
  for (const Hull::Edge& edge : solid.hull->edges()) {
    const Vec<3>& from = solid.vertices[static_cast<std::size_t>(edge.from)];
    const Vec<3>& to = solid.vertices[static_cast<std::size_t>(edge.to)];
    if (bounds.meets({from.cwiseMin(to), from.cwiseMax(to)})) {
      edges.push_back({from, to - from, normals[static_cast<std::size_t>(edge.left)],
                       normals[static_cast<std::size_t>(edge.right)], number, false});
    }
    ++number;
  }
  return edges;
}

/// Whether some direction is a normal of `a` at one edge and minus a normal of `b` at the other: the arcs between
/// the faces' normals cross on the sphere.
bool arcs_cross(const AxisEdge& a, const AxisEdge& b) {
  // Of b's arc, turned over, beside a's great circle, and the other way round.
  const double left_b = -b.left.dot(a.along);
  const double right_b = -b.right.dot(a.along);
  const double left_a = a.left.dot(b.along);
  const double right_a = a.right.dot(b.along);
  if (a.whole_circle) return b.whole_circle || left_b * right_b < 0.0;
  if (b.whole_circle) return left_a * right_a < 0.0;
  // On the same half of the sphere, not on opposite ones; left × right points along the edge.
  return left_b * right_b < 0.0 && left_a * right_a < 0.0 && left_b * right_a > 0.0;
}

class AxisSearch {
 public:
  AxisSearch(const ConvexSolid& a, const ConvexSolid& b, int start_a, int start_b)
      : a_(a), b_(b), last_a_(start_a), last_b_(start_b) {
    best_.gap = -std::numeric_limits<double>::infinity();
  }

  SeparatingAxis run() {
    const std::vector<Vec<3>> normals_a = try_faces(a_, true);
    const std::vector<Vec<3>> normals_b = try_faces(b_, false);
    const Bounds<3> bounds_a = bounds_of(a_);
    const Bounds<3> bounds_b = bounds_of(b_);
    size_ = std::min((bounds_a.high - bounds_a.low).norm(), (bounds_b.high - bounds_b.low).norm());
    // The closest points of the best pair of edges are no farther apart than the depth found so far.
    const double depth = std::max(0.0, -best_.gap) + 1e-12 * size_;
    const std::vector<AxisEdge> edges_a = edges_within(a_, normals_a, bounds_b.grown(depth));
    const std::vector<AxisEdge> edges_b = edges_within(b_, normals_b, bounds_a.grown(depth));
    for (const AxisEdge& a : edges_a) {
      for (const AxisEdge& b : edges_b) try_edges(a, b);
    }
    if (!std::isfinite(best_.gap)) across_segments();
    return best_;
  }

 private:
  /// Returns the normals in the world.
  std::vector<Vec<3>> try_faces(const ConvexSolid& solid, bool of_a) {
    std::vector<Vec<3>> normals;
    if (solid.core != ConvexSolid::Core::polyhedron) return normals;
    normals.reserve(solid.hull->faces().size());
    const ConvexSolid& other = of_a ? b_ : a_;
    int& last = of_a ? last_b_ : last_a_;
    int number = 0;
    for (const Hull::Face& face : solid.hull->faces()) {
      const Vec<3> normal = solid.rotation * face.normal;
      normals.push_back(normal);
      const SupportPoint point = farthest(other, -normal, last);
      last = point.number;
      const Vec<3>& on_face = solid.vertices[static_cast<std::size_t>(face.loop[0])];
      const double gap = normal.dot(point.at - on_face);
      if (gap > best_.gap) {
        best_.gap = gap;
        best_.normal = of_a ? normal : Vec<3>(-normal);
        const Feature flat{FeatureKind::face, static_cast<std::uint32_t>(number)};
        const Feature tip{FeatureKind::vertex, static_cast<std::uint32_t>(point.number)};
        best_.feature_a = of_a ? flat : tip;
        best_.feature_b = of_a ? tip : flat;
        const Vec<3> foot = point.at - gap * normal;
        best_.point_a = of_a ? foot : point.at;
        best_.point_b = of_a ? point.at : foot;
      }
      ++number;
    }
    return normals;
  }

  void try_edges(const AxisEdge& a, const AxisEdge& b) {
    if (!arcs_cross(a, b)) return;
    Vec<3> normal = a.along.cross(b.along);
    const double sine = normal.norm();
    if (!(sine > kParallelEdges * a.along.norm() * b.along.norm())) return;
    normal /= sine;
    const Vec<3> offset = b.from - a.from;
    const double outwards = normal.dot(a.left + a.right - b.left - b.right);
    // Two segments part to the side where b is.
    if (outwards < 0.0 || (outwards == 0.0 && normal.dot(offset) < 0.0)) normal = -normal;
    const double gap = normal.dot(offset);
    if (!(gap > best_.gap + kFaceFirst * size_)) return;
    // Near-parallel edges may be no supporting ones after rounding.
    const SupportPoint point_a = farthest(a_, normal, last_a_);
    const SupportPoint point_b = farthest(b_, -normal, last_b_);
    const double sure = normal.dot(point_b.at - point_a.at);
    if (!(sure > best_.gap + kFaceFirst * size_)) return;
    best_.gap = std::min(sure, gap);
    best_.normal = normal;
    best_.feature_a = {FeatureKind::edge, static_cast<std::uint32_t>(a.number)};
    best_.feature_b = {FeatureKind::edge, static_cast<std::uint32_t>(b.number)};
    const Vec<3> across = b.along.cross(normal);
    const double t = std::clamp(across.dot(offset) / across.dot(a.along), 0.0, 1.0);
    best_.point_a = a.from + t * a.along;
    best_.point_b = best_.point_a + best_.gap * normal;
  }

  /// Of points and parallel segments that meet: any direction across them.
  void across_segments() {
    const auto direction = [](const ConvexSolid& solid) -> Vec<3> {
      if (solid.core != ConvexSolid::Core::segment) return Vec<3>::Zero();
      return solid.ends[1] - solid.ends[0];
    };
    const Vec<3> along_a = direction(a_);
    const Vec<3> along_b = direction(b_);
    const Vec<3> along = along_a.squaredNorm() >= along_b.squaredNorm() ? along_a : along_b;
    best_.gap = 0.0;
    best_.normal = along.squaredNorm() > 0.0 ? Vec<3>(along.unitOrthogonal()) : Vec<3>::UnitZ();
    best_.point_a = a_.ends[0];
    best_.point_b = best_.point_a;
  }

  const ConvexSolid& a_;
  const ConvexSolid& b_;
  int last_a_;
  int last_b_;
  double size_ = 0.0;
  SeparatingAxis best_;
};

}  // namespace

SeparatingAxis best_axis(const ConvexSolid& a, const ConvexSolid& b, int start_a, int start_b) {
  return AxisSearch(a, b, start_a, start_b).run();
}

}  // namespace collapse::contacts
