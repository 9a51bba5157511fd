/// Balls and capsules.

#include <algorithm>
#include <cmath>

#include "contact/space/round_solids.hpp"

namespace collapse::contacts {
namespace {

/// A ball or capsule against the surface of the other body: one contact for each feature that is closest in its own
/// neighbourhood. Near the border of two features' regions, within the tolerance, the lower one counts: vertex before
/// edge before face.
class CoreOnSurface {
 public:
  CoreOnSurface(const SpacePair& pair, int body, const RoundCore& core, const Side& side)
      : pair_(pair), body_(body), core_(core), side_(side), tolerance_(pair.tolerance) {}

  void find() {
    const double reach = core_.radius + tolerance_;
    Bounds<3> bounds = Bounds<3>::empty();
    bounds.include(core_.from, reach);
    bounds.include(core_.at(core_.length), reach);
    for (const int face : side_.faces) {
      if (side_.face(face).bounds.meets(bounds)) on_face(face);
    }
    for (const int edge : side_.edges) {
      if (side_.convex_edge(edge) && side_.edge(edge).bounds.meets(bounds)) on_edge(edge);
    }
    for (const int vertex : side_.vertices) {
      const Vec<3>& at = side_.point(vertex);
      if (side_.convex_vertex(vertex) && bounds.meets({at, at})) on_vertex(vertex);
    }
  }

 private:
  void add(Feature feature, const Vec<3>& centre, const Vec<3>& normal, double distance, bool turns,
           int end) const {
    pair_.add(body_, core_.feature, feature, centre - distance * normal, normal,
              distance - core_.radius, turns, end);
  }
  [[nodiscard]] bool touches(double distance) const {
    return std::abs(distance - core_.radius) <= tolerance_;
  }
  [[nodiscard]] bool lies_on(int face) const {
    return std::find(flat_.begin(), flat_.end(), face) != flat_.end();
  }

  void on_face(int face) {
    const PlacedFace& placed = side_.face(face);
    const Vec<3> last = core_.at(core_.length);
    const double height = placed.height(core_.from);
    const double last_height = placed.height(last);
    const Feature feature = face_feature(face);
    if (core_.length > tolerance_ && touches(height) && touches(last_height)) {
      int end = 0;
      for (const Span& span :
           spans_over_face(side_, face, core_.from, core_.direction, core_.length, tolerance_)) {
        for (const double s : {span.low, span.high}) {
          add(feature, core_.at(s), placed.normal, placed.height(core_.at(s)), false, end++);
        }
      }
      if (end > 0) flat_.push_back(face);
      return;
    }
    const bool first_lower = height <= last_height;
    const Vec<3>& lower = first_lower ? core_.from : last;
    const double lowest = std::min(height, last_height);
    if (!touches(lowest) || !foot_in_face(side_, face, lower, tolerance_)) return;
    add(feature, lower, placed.normal, lowest, false, first_lower ? 0 : 1);
  }

  /// Whether a shift away from an edge, from there to the core, is over neither of its faces.
  [[nodiscard]] bool beyond_faces(int edge, const Vec<3>& offset) const {
    return offset.dot(side_.into_left(edge)) <= tolerance_ &&
           offset.dot(side_.into_right(edge)) <= tolerance_;
  }

  /// Side by side with an edge: contacts at the ends of what they share.
  bool lies_along(int e) {
    const PlacedEdge& line = side_.edge(e);
    const Vec<3>& start = side_.start(e);
    const Span span = span_between(core_.from, core_.direction, core_.length, start, line.direction,
                                   0.0, line.length);
    if (span.length() <= tolerance_) return false;
    const auto offset = [&](double s) -> Vec<3> {
      const Vec<3> to = core_.at(s) - start;
      return to - line.direction.dot(to) * line.direction;
    };
    const Vec<3> first = offset(span.low);
    const Vec<3> last = offset(span.high);
    if (!touches(first.norm()) || !touches(last.norm())) return false;
    if (!beyond_faces(e, first) || !beyond_faces(e, last)) return false;
    add(edge_feature(e), core_.at(span.low), first.normalized(), first.norm(), true, 0);
    add(edge_feature(e), core_.at(span.high), last.normalized(), last.norm(), true, 1);
    along_.push_back(e);
    return true;
  }

  void on_edge(int e) {
    const Surface::Edge& edge = side_.surface.edges[at_index(e)];
    const PlacedEdge& line = side_.edge(e);
    if (lies_on(edge.left) || lies_on(edge.right)) return;
    if (lies_along(e)) return;
    const double margin_from = side_.convex_vertex(edge.from) ? tolerance_ : 0.0;
    const double margin_to = side_.convex_vertex(edge.to) ? tolerance_ : 0.0;
    const Vec<3>& start = side_.start(e);
    const Span span = span_between(core_.from, core_.direction, core_.length, start, line.direction,
                                   margin_from, line.length - margin_to);
    if (span.high < span.low) return;
    const auto offset = [&](double s) -> Vec<3> {
      const Vec<3> to = core_.at(s) - start;
      return to - line.direction.dot(to) * line.direction;
    };
    const Feature feature = edge_feature(e);
    const Vec<3> slope = core_.direction - line.direction.dot(core_.direction) * line.direction;
    const double square = slope.squaredNorm();
    const double free = square > 0.0 ? -slope.dot(offset(0.0)) / square : 0.0;
    const double s = std::clamp(free, span.low, span.high);
    // Closer still beyond the end of the edge: there a vertex or the next edge takes over.
    if ((s > free && span.low > 0.0) || (s < free && span.high < core_.length)) return;
    const Vec<3> nearest = offset(s);
    const double distance = nearest.norm();
    if (!touches(distance) || !beyond_faces(e, nearest)) return;
    const bool crossing = square > 0.0 && s > 0.0 && s < core_.length;
    add(feature, core_.at(s), nearest / distance, distance, !crossing,
        s >= core_.length && core_.length > 0.0 ? 1 : 0);
  }

  void on_vertex(int v) {
    const Surface::Vertex& vertex = side_.surface.vertices[at_index(v)];
    if (std::any_of(vertex.faces.begin(), vertex.faces.end(),
                    [&](int face) { return lies_on(face); })) {
      return;
    }
    if (std::any_of(vertex.edges.begin(), vertex.edges.end(), [&](int edge) {
          return std::find(along_.begin(), along_.end(), edge) != along_.end();
        })) {
      return;
    }
    const Vec<3>& at = side_.point(v);
    const double s = std::clamp(core_.direction.dot(at - core_.from), 0.0, core_.length);
    const Vec<3> offset = core_.at(s) - at;
    const double distance = offset.norm();
    if (!touches(distance)) return;
    for (const int e : vertex.edges) {
      const double away = side_.surface.edges[at_index(e)].from == v ? 1.0 : -1.0;
      if (away * side_.edge(e).direction.dot(offset) > tolerance_) return;
    }
    add(vertex_feature(v), core_.at(s), offset / distance, distance, true, 0);
  }

  const SpacePair& pair_;
  int body_;
  const RoundCore& core_;
  const Side& side_;
  double tolerance_;
  std::vector<int> flat_;   ///< faces on which the core lies
  std::vector<int> along_;  ///< edges beside which it lies
};

}  // namespace

void find_core_on_surface(const SpacePair& pair, int body, const RoundCore& core,
                          const Side& side) {
  CoreOnSurface(pair, body, core, side).find();
}

void find_core_on_half_space(const SpacePair& pair, int body, const RoundCore& core) {
  const SpaceBody& half = pair.body(pair.other(body));
  for (int end = 0; end < (core.length > pair.tolerance ? 2 : 1); ++end) {
    const Vec<3> at = core.at(end * core.length);
    const double height = half.plane_normal.dot(at) - half.plane_offset;
    if (height - core.radius > pair.tolerance) continue;
    pair.add(body, core.feature, {FeatureKind::half_space, 0}, at - height * half.plane_normal,
             half.plane_normal, height - core.radius, false, end);
  }
}

void find_core_on_core(const SpacePair& pair, const RoundCore& of_a, const RoundCore& of_b) {
  const double radii = of_a.radius + of_b.radius;
  const auto add = [&](const Vec<3>& at_a, const Vec<3>& at_b, bool turns, int end) {
    const double distance = (at_b - at_a).norm();
    const Vec<3> normal =
        distance > 0.0 ? Vec<3>((at_b - at_a) / distance) : Vec<3>(Vec<3>::UnitZ());
    pair.add(pair.b, of_b.feature, of_a.feature, at_a + of_a.radius * normal, normal,
             distance - radii, turns, end);
  };
  // Side by side: at the ends of what they share.
  const Span shared = span_between(of_a.from, of_a.direction, of_a.length, of_b.from,
                                   of_b.direction, 0.0, of_b.length);
  if (of_a.length > 0.0 && of_b.length > 0.0 && shared.length() > pair.tolerance) {
    const auto foot = [&](double s) -> Vec<3> {
      return of_b.at(of_b.direction.dot(of_a.at(s) - of_b.from));
    };
    const auto gap = [&](double s) { return (foot(s) - of_a.at(s)).norm() - radii; };
    if (std::max(std::abs(gap(shared.low)), std::abs(gap(shared.high))) <= pair.tolerance) {
      add(of_a.at(shared.low), foot(shared.low), true, 0);
      add(of_a.at(shared.high), foot(shared.high), true, 1);
      return;
    }
  }
  const SegmentPoints points = closest_on_segments(of_a.from, of_a.direction, of_a.length,
                                                   of_b.from, of_b.direction, of_b.length);
  const Vec<3> at_a = of_a.at(points.s);
  const Vec<3> at_b = of_b.at(points.t);
  if ((at_b - at_a).norm() - radii > pair.tolerance) return;
  const bool crossing =
      points.s > 0.0 && points.s < of_a.length && points.t > 0.0 && points.t < of_b.length;
  add(at_a, at_b, !crossing, 0);
}

void find_core_on_cylinder(const SpacePair& pair, int body, const RoundCore& core,
                           const RoundCylinder& cylinder) {
  const auto add = [&](double s, bool crossing, int end) {
    const CylinderPoint point = locate(cylinder, core.at(s));
    if (std::abs(point.distance - core.radius) > pair.tolerance) return;
    const bool turns =
        point.place != CylinderPlace::cap && !(crossing && point.place == CylinderPlace::side);
    pair.add(body, core.feature, cylinder.feature, core.at(s) - point.distance * point.normal,
             point.normal, point.distance - core.radius, turns, end);
  };
  // Lying on a flat end or along the side: at the ends of what they share.
  if (core.length > pair.tolerance) {
    const CylinderPoint first = locate(cylinder, core.from);
    const CylinderPoint last = locate(cylinder, core.at(core.length));
    Span shared = span_in_disk(cylinder, core.from, core.direction, core.length);
    const auto height = [&](double s) {
      return std::abs(cylinder.axis.dot(core.at(s) - cylinder.centre)) - cylinder.half_height;
    };
    const auto radius = [&](double s) {
      const Vec<3> offset = core.at(s) - cylinder.centre;
      return (offset - cylinder.axis.dot(offset) * cylinder.axis).norm() - cylinder.radius;
    };
    const auto both_touch = [&](const auto& distance) {
      return shared.length() > pair.tolerance &&
             std::abs(distance(shared.low) - core.radius) <= pair.tolerance &&
             std::abs(distance(shared.high) - core.radius) <= pair.tolerance;
    };
    bool flat = first.sign == last.sign && both_touch(height);
    if (!flat) {
      shared = span_between(core.from, core.direction, core.length, cylinder.centre, cylinder.axis,
                            -cylinder.half_height, cylinder.half_height);
      flat = both_touch(radius);
    }
    if (flat) {
      add(shared.low, false, 0);
      add(shared.high, false, 1);
      return;
    }
  }
  const double s = closest_along(cylinder, core.from, core.direction, core.length);
  add(s, s > 0.0 && s < core.length, 0);
}

}  // namespace collapse::contacts
