#include <algorithm>
#include <utility>
#include <vector>

#include "contact/corner.hpp"
#include "contact/pair_contacts.hpp"

namespace collapse::contacts {
namespace {

/// Where on an edge a vertex touches it.
enum class Spot { none, inside, start, end };

/// Works through the boundaries in three rounds: edges lying on edges; convex vertices on the
/// inside of edges; vertices on vertices. Each leaves out what the earlier ones have reported.
class PolygonContacts {
 public:
  explicit PolygonContacts(const Pair& pair)
      : pair_(pair), placement_(pair.placement), judge_(pair.judge), tolerance_(pair.tolerance) {}

  void find() {
    collect_near_edges(pair_.a, edges_a_);
    collect_near_edges(pair_.b, edges_b_);
    if (edges_a_.empty() || edges_b_.empty()) return;
    for (const int edge_a : edges_a_) {
      for (const int edge_b : edges_b_) find_edge_on_edge(edge_a, edge_b);
    }
    find_vertices_on_edges(pair_.a, edges_a_, edges_b_);
    find_vertices_on_edges(pair_.b, edges_b_, edges_a_);
    find_vertices_on_vertices();
  }

 private:
  [[nodiscard]] const PlacedPoint& point(int i) const { return placement_.point(i); }
  [[nodiscard]] int next(int i) const { return point(i).next; }
  [[nodiscard]] int previous(int i) const { return point(i).previous; }

  /// Edges of `body` that come near the other body's box.
  void collect_near_edges(int body, std::vector<int>& edges) const {
    const PlacedBody& placed = placement_.body(body);
    const Bounds<2> region =
        placement_.body(pair_.other(body)).bounds.grown(tolerance_ + judge_.rounding());
    for (int i = placed.boundary_begin; i < placed.boundary_end; ++i) {
      if (edge_bounds(placement_, i).meets(region)) edges.push_back(i);
    }
  }

  void find_edge_on_edge(int edge_a, int edge_b) {
    const PlacedPoint& a = point(edge_a);
    const PlacedPoint& b = point(edge_b);
    if (a.direction.dot(b.direction) >= 0.0) return;
    // Antiparallel: along a, the overlap begins where a starts or b ends, and ends where a ends or
    // b starts. It is longer than the tolerance if all four of these differences are.
    if (a.length <= tolerance_ || b.length <= tolerance_) return;
    if (judge_.along(edge_b, edge_a, {tolerance_}) <= 0) return;
    if (judge_.before_end(b.next, edge_a, {tolerance_}) <= 0) return;
    if (!overlap_end_touches(edge_a, edge_b, edge_a, b.next, +1.0)) return;
    if (!overlap_end_touches(edge_a, edge_b, a.next, edge_b, -1.0)) return;
    edge_pairs_.emplace_back(edge_a, edge_b);
    add_overlap_end(edge_a, edge_b, edge_a, b.next, +1.0, 0);
    add_overlap_end(edge_a, edge_b, a.next, edge_b, -1.0, 1);
  }

  /// How far vertex_b is inside the overlap as seen from vertex_a, the end of edge_a beside it.
  [[nodiscard]] double inset(int edge_a, int vertex_a, int vertex_b, double inwards) const {
    return inwards * point(edge_a).direction.dot(judge_.difference(vertex_b, vertex_a));
  }

  /// At the end of the overlap: the vertex that ends it is within the tolerance of the other line.
  [[nodiscard]] bool overlap_end_touches(int edge_a, int edge_b, int vertex_a, int vertex_b,
                                         double inwards) {
    const double b_inside = inset(edge_a, vertex_a, vertex_b, inwards);
    const double doubt = tolerance_ + judge_.rounding();
    if (b_inside > doubt) return judge_.near_line(vertex_b, edge_a, tolerance_);
    if (b_inside < -doubt) return judge_.near_line(vertex_a, edge_b, tolerance_);
    // Flush ends: both vertices usually say the same, and then it need not be known which is first.
    const bool by_b = judge_.near_line(vertex_b, edge_a, tolerance_);
    const bool by_a = judge_.near_line(vertex_a, edge_b, tolerance_);
    if (by_a == by_b) return by_a;
    const int first = inwards > 0.0 ? judge_.along(vertex_b, edge_a, {0.0})
                                    : judge_.before_end(vertex_b, edge_a, {0.0});
    return first > 0 ? by_b : by_a;
  }

  void add_overlap_end(int edge_a, int edge_b, int vertex_a, int vertex_b, double inwards,
                       int end) {
    const bool vertex_of_b = inset(edge_a, vertex_a, vertex_b, inwards) > 0.0;
    const int vertex = vertex_of_b ? vertex_b : vertex_a;
    const int edge = vertex_of_b ? edge_a : edge_b;
    const double gap = point(edge).normal().dot(judge_.difference(vertex, edge));
    const Vec<2> foot = point(vertex).at - gap * point(edge).normal();
    // The longer edge knows the common direction best.
    const Vec<2> normal = point(edge_b).length > point(edge_a).length
                              ? Vec<2>(-point(edge_b).normal())
                              : point(edge_a).normal();
    const Feature feature_a = feature_of(placement_.body(pair_.a), FeatureKind::edge, edge_a);
    const Feature feature_b = feature_of(placement_.body(pair_.b), FeatureKind::edge, edge_b);
    const Vec<2> middle = 0.5 * (foot + point(vertex).at);
    pair_.add(pair_.b, feature_b, feature_a, middle - 0.5 * gap * normal, normal, gap, false, end);
  }

  [[nodiscard]] Spot spot_on_edge(int vertex, int edge) {
    if (!judge_.near_line(vertex, edge, tolerance_)) return Spot::none;
    if (judge_.along(vertex, edge, {tolerance_}) > 0 &&
        judge_.before_end(vertex, edge, {tolerance_}) > 0) {
      return Spot::inside;
    }
    const Vec<2> offset = judge_.difference(vertex, edge);
    const bool at_start = point(edge).direction.dot(offset) < 0.5 * point(edge).length;
    const Spot spot = at_start ? Spot::start : Spot::end;
    if (judge_.distance(vertex, at_start ? edge : next(edge), {tolerance_}) <= 0) return spot;
    const int foot =
        at_start ? judge_.along(vertex, edge, {0.0}) : judge_.before_end(vertex, edge, {0.0});
    return foot >= 0 ? spot : Spot::none;
  }

  /// The vertex's body is on the outer side of the edge (a body may be thinner than the tolerance).
  [[nodiscard]] bool faces(int vertex, int edge) const {
    const Vec<2> into_body = point(vertex).direction - point(previous(vertex)).direction;
    return into_body.dot(point(edge).normal()) > 0.0;
  }

  /// Whether the contact of a vertex with an edge is an end of an overlap of edges.
  [[nodiscard]] bool in_edge_pair(int body, int vertex, int edge) const {
    for (const int own : {vertex, previous(vertex)}) {
      const auto key = body == pair_.a ? std::pair(own, edge) : std::pair(edge, own);
      if (std::find(edge_pairs_.begin(), edge_pairs_.end(), key) != edge_pairs_.end()) return true;
    }
    return false;
  }

  void add_vertex_on_edge(int body, int vertex, int edge) {
    if (!faces(vertex, edge) || in_edge_pair(body, vertex, edge)) return;
    const Vec<2> normal = point(edge).normal();
    const double gap = normal.dot(judge_.difference(vertex, edge));
    pair_.add(body, feature_of(placement_.body(body), FeatureKind::vertex, vertex),
              feature_of(placement_.body(pair_.other(body)), FeatureKind::edge, edge),
              point(vertex).at - gap * normal, normal, gap);
  }

  void find_vertices_on_edges(int body, const std::vector<int>& own,
                              const std::vector<int>& others) {
    const Bounds<2> region =
        placement_.body(pair_.other(body)).bounds.grown(tolerance_ + judge_.rounding());
    for (const int vertex : own) {  // a vertex in the region has its edge there
      if (!point(vertex).convex || !region.meets({point(vertex).at, point(vertex).at})) continue;
      for (const int edge : others) {
        const Spot spot = spot_on_edge(vertex, edge);
        if (spot == Spot::inside) add_vertex_on_edge(body, vertex, edge);
        if (spot == Spot::start || spot == Spot::end) {
          const int other = spot == Spot::start ? edge : next(edge);
          vertex_pairs_.push_back(body == pair_.a ? std::pair(vertex, other)
                                                  : std::pair(other, vertex));
        }
      }
    }
  }

  void find_vertices_on_vertices() {
    std::sort(vertex_pairs_.begin(), vertex_pairs_.end());
    vertex_pairs_.erase(std::unique(vertex_pairs_.begin(), vertex_pairs_.end()),
                        vertex_pairs_.end());
    for (const auto& [p, q] : vertex_pairs_) {
      if (!point(p).convex) {
        for (const int edge : {previous(p), p}) add_vertex_on_edge(pair_.b, q, edge);
      } else if (!point(q).convex) {
        for (const int edge : {previous(q), q}) add_vertex_on_edge(pair_.a, p, edge);
      } else if (!in_edge_pair(pair_.a, p, q) && !in_edge_pair(pair_.a, p, previous(q))) {
        add_corner(p, q);
      }
    }
    // Within the tolerance two corners may touch although no direction parts them.
    if (found_none() && !inseparable_.empty()) {
      const auto& [p, q] = inseparable_.front();
      const Vec<2> out_of_p = point(previous(p)).direction - point(p).direction;
      const Vec<2> out_of_q = point(previous(q)).direction - point(q).direction;
      add_plain_corner(p, q, (out_of_p.normalized() - out_of_q.normalized()).normalized());
    }
  }

  [[nodiscard]] bool found_none() const {
    const ContactSet<2>& out = pair_.out;
    const auto of_pair = [&](const ContactId& id) { return id.a == pair_.a && id.b == pair_.b; };
    return (out.contacts.empty() || !of_pair(out.contacts.back().id)) &&
           (out.corners.empty() || !of_pair(out.corners.back().id));
  }

  /// The separating directions are those normal to both corners: N_a ∩ −N_b.
  void add_corner(int p, int q) {
    const DirectionCone normals_a{point(previous(p)).normal(), point(p).normal()};
    const DirectionCone normals_b{-point(previous(q)).normal(), -point(q).normal()};
    const auto cone = common_directions(normals_a, normals_b, pair_.angle);
    if (!cone) {
      inseparable_.emplace_back(p, q);
      return;
    }
    const double sine = cone->first.x() * cone->last.y() - cone->first.y() * cone->last.x();
    if (sine <= pair_.angle && cone->first.dot(cone->last) > 0.0) {
      add_plain_corner(p, q, (cone->first + cone->last).normalized());
      return;
    }
    const Vec<2> offset = judge_.difference(q, p);
    CornerContact<2> corner;
    corner.id = {pair_.a, pair_.b, feature_of(placement_.body(pair_.a), FeatureKind::vertex, p),
                 feature_of(placement_.body(pair_.b), FeatureKind::vertex, q), 0};
    corner.point = point(p).at + 0.5 * offset;
    corner.normals = {cone->first, cone->last};
    corner.gap = support(*cone, offset);
    corner.friction = pair_.friction;
    pair_.out.corners.push_back(corner);
  }

  void add_plain_corner(int p, int q, const Vec<2>& normal) {
    const Vec<2> offset = judge_.difference(q, p);
    const double gap = normal.dot(offset);
    pair_.add(pair_.b, feature_of(placement_.body(pair_.b), FeatureKind::vertex, q),
              feature_of(placement_.body(pair_.a), FeatureKind::vertex, p),
              point(p).at + 0.5 * offset - 0.5 * gap * normal, normal, gap);
  }

  const Pair& pair_;
  const Placement& placement_;
  Judge& judge_;
  double tolerance_;
  std::vector<int> edges_a_;
  std::vector<int> edges_b_;
  std::vector<std::pair<int, int>> edge_pairs_;    ///< (edge of a, edge of b) lying on each other
  std::vector<std::pair<int, int>> vertex_pairs_;  ///< (vertex of a, vertex of b) at one place
  std::vector<std::pair<int, int>> inseparable_;   ///< of these, corners that nothing separates
};

}  // namespace

void find_polygon_contacts(const Pair& pair) { PolygonContacts(pair).find(); }

}  // namespace collapse::contacts
