/// Edges on edges: crossing at an angle, or one along the other.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "contact/space/corner_contacts.hpp"
#include "contact/space/touching.hpp"

namespace collapse::contacts {
namespace {

/// How far (sine of an angle) the faces beside crossing edges may reach beyond the plane through both: bodies may
/// overlap by the tolerance.
constexpr double kCrossingSlack = 1e-4;

class EdgesOnEdges {
 public:
  EdgesOnEdges(Touching& touching, CornerContacts& corners)
      : touching_(touching),
        corners_(corners),
        a_(touching.a),
        b_(touching.b),
        tolerance_(touching.tolerance) {}

  void find(int e, int f) {
    const PlacedEdge& edge_a = a_.edge(e);
    const PlacedEdge& edge_b = b_.edge(f);
    const Vec<3> offset = b_.start(f) - a_.start(e);
    const double from = edge_a.direction.dot(offset);
    const double to = from + edge_a.direction.dot(edge_b.direction) * edge_b.length;
    const double low = std::max(0.0, std::min(from, to));
    const double high = std::min(edge_a.length, std::max(from, to));
    if (high - low > tolerance_ && near(e, f, low) && near(e, f, high)) {
      corners_.add_edge_along_edge(e, f, a_.start(e) + low * edge_a.direction,
                                   a_.start(e) + high * edge_a.direction);
    } else {
      find_crossing(e, f, offset);
    }
  }

 private:
  /// The point of a's edge at `along` is so near to b's that they may touch there, as far apart in height as
  /// sideways.
  [[nodiscard]] bool near(int e, int f, double along) const {
    const Vec<3>& direction = b_.edge(f).direction;
    const Vec<3> offset = a_.start(e) + along * a_.edge(e).direction - b_.start(f);
    return (offset - direction.dot(offset) * direction).norm() <= std::numbers::sqrt2 * tolerance_;
  }

  void find_crossing(int e, int f, const Vec<3>& offset) {
    const PlacedEdge& edge_a = a_.edge(e);
    const PlacedEdge& edge_b = b_.edge(f);
    Vec<3> normal = edge_a.direction.cross(edge_b.direction);
    const double sine = normal.norm();
    if (!(sine > 0.0)) return;
    // Where the lines are closest, along each.
    const double along_a = offset.cross(edge_b.direction).dot(normal) / (sine * sine);
    const double along_b = offset.cross(edge_a.direction).dot(normal) / (sine * sine);
    if (!inside(along_a, edge_a.length) || !inside(along_b, edge_b.length)) return;
    normal /= sine;
    if (std::abs(normal.dot(offset)) > tolerance_) return;
    if (!orient(e, f, normal)) return;
    const Vec<3> at = a_.start(e) + along_a * edge_a.direction;
    if (touching_.covered(edge_feature(e), edge_feature(f), at)) return;
    touching_.pair.add(b_.id, edge_feature(f), edge_feature(e), at, normal, normal.dot(offset));
  }

  [[nodiscard]] bool inside(double along, double length) const {
    return along > tolerance_ && along < length - tolerance_;
  }

  /// Turns the normal so that it points from a to b, if it has both wedges on their sides.
  [[nodiscard]] bool orient(int e, int f, Vec<3>& normal) const {
    const Vec<3> left_a = a_.into_left(e);
    const Vec<3> right_a = a_.into_right(e);
    if (normal.dot(left_a + right_a) > 0.0) normal = -normal;
    const double beyond = std::max({normal.dot(left_a), normal.dot(right_a),
                                    -normal.dot(b_.into_left(f)), -normal.dot(b_.into_right(f))});
    return beyond <= std::max(kCrossingSlack, touching_.pair.angle);
  }

  Touching& touching_;
  CornerContacts& corners_;
  const Side& a_;
  const Side& b_;
  double tolerance_;
};

}  // namespace

void find_edges_on_edges(Touching& touching, CornerContacts& corners) {
  EdgesOnEdges edges(touching, corners);
  for (const int e : touching.a.edges) {
    if (!touching.a.convex_edge(e)) continue;
    const Bounds<3> region = touching.a.edge(e).bounds.grown(2.0 * touching.tolerance);
    for (const int f : touching.b.edges) {
      if (!touching.b.convex_edge(f) || !region.meets(touching.b.edge(f).bounds)) continue;
      edges.find(e, f);
    }
  }
}

}  // namespace collapse::contacts
