/// Cylinders against surfaces and half spaces.

#include <algorithm>
#include <cmath>

#include "contact/space/directions.hpp"
#include "contact/space/flat_end.hpp"
#include "contact/space/flat_face.hpp"
#include "contact/space/round_solids.hpp"

namespace collapse::contacts {
namespace {

/// The lower end of a cylinder over a plane, and its other end.
struct CylinderOverPlane {
  double sign = 1.0;    ///< the flat end that faces the plane
  Vec<3> down;          ///< unit, across the axis, towards the plane
  double middle = 0.0;  ///< height of the centre of that end
  double lowest = 0.0;  ///< and of the lowest and highest point of its rim
  double highest = 0.0;
  double beyond = 0.0;  ///< of the lowest point of the other end

  CylinderOverPlane(const RoundCylinder& cylinder, const Vec<3>& normal, double height) {
    const double cosine = cylinder.axis.dot(normal);
    sign = cosine > 0.0 ? -1.0 : 1.0;
    const Vec<3> across = cosine * cylinder.axis - normal;
    const double sine = across.norm();
    down = sine > 1e-14 ? Vec<3>(across / sine) : cylinder.zero;
    const double rise = cylinder.half_height * std::abs(cosine);
    middle = height - rise;
    lowest = middle - cylinder.radius * sine;
    highest = middle + cylinder.radius * sine;
    beyond = height + rise - cylinder.radius * sine;
  }
};

class CylinderOnSurface {
 public:
  CylinderOnSurface(const SpacePair& pair, int body, const RoundCylinder& cylinder,
                    const Side& side)
      : pair_(pair),
        body_(body),
        cylinder_(cylinder),
        side_(side),
        tolerance_(pair.tolerance),
        angle_(pair.angle + pair.tolerance / std::min(cylinder.radius, cylinder.half_height)) {}

  void find() {
    for (const int face : side_.faces) on_face(face);
    for (const int edge : side_.edges) {
      if (side_.convex_edge(edge)) on_edge(edge);
    }
    for (const int vertex : side_.vertices) {
      if (side_.convex_vertex(vertex)) on_vertex(vertex);
    }
  }

 private:
  static bool listed(const std::vector<int>& numbers, int number) {
    return std::find(numbers.begin(), numbers.end(), number) != numbers.end();
  }
  [[nodiscard]] bool near(double distance) const { return std::abs(distance) <= tolerance_; }

  /// At a point of the surface, with the cylinder's normal there.
  void add(Feature feature, const Vec<3>& at, const Vec<3>& outwards, double gap, bool turns,
           int end) const {
    pair_.add(body_, cylinder_.feature, feature, at, -outwards, gap, turns, end);
  }

  void on_face(int face) {
    const PlacedFace& placed = side_.face(face);
    const CylinderOverPlane over(cylinder_, placed.normal, placed.height(cylinder_.centre));
    if (!near(over.lowest)) return;
    const Feature feature = face_feature(face);
    const auto add_here = [&](const Vec<3>& at, int end) {
      const double height = placed.height(at);
      add(feature, at - height * placed.normal, -placed.normal, height, false, end);
    };
    if (near(over.highest)) {
      flat_end_on_face(face, over.sign);
      return;
    }
    const Vec<3> lowest = cylinder_.end(over.sign) + cylinder_.radius * over.down;
    if (near(over.beyond)) {
      const Vec<3> along = -over.sign * cylinder_.axis;
      int end = 0;
      for (const Span& span :
           spans_over_face(side_, face, lowest, along, 2.0 * cylinder_.half_height, tolerance_)) {
        for (const double s : {span.low, span.high}) add_here(lowest + s * along, end++);
      }
      if (end > 0) flat_faces_.push_back(face);
      return;
    }
    if (foot_in_face(side_, face, lowest, tolerance_)) add_here(lowest, 0);
  }

  void flat_end_on_face(int face, double sign) {
    const PlacedFace& placed = side_.face(face);
    const PlaneFrame frame(cylinder_.end(sign), placed.normal, cylinder_.zero);
    std::vector<FlatPolygon> pieces;
    flatten(side_, face, frame, pieces);
    FlatEndRegion region(cylinder_, sign, frame);
    for (const FlatPolygon& piece : pieces) region.add_overlap(piece);
    const std::vector<FlatEndRegion::Corner> corners = region.corners(tolerance_);
    if (corners.empty()) return;
    flat_faces_.push_back(face);
    for (const FlatEndRegion::Corner& corner : corners) {
      const double height = placed.height(corner.at);
      add(face_feature(face), corner.at - height * placed.normal, -placed.normal, height, false,
          corner.number);
    }
  }

  /// Whether the normal of the cylinder, turned over, is one of the surface at an edge.
  [[nodiscard]] bool normal_at_edge(int edge, const Vec<3>& outwards) const {
    return -outwards.dot(side_.into_left(edge)) <= angle_ &&
           -outwards.dot(side_.into_right(edge)) <= angle_;
  }

  void on_edge(int e) {
    const Surface::Edge& edge = side_.surface.edges[at_index(e)];
    if (listed(flat_faces_, edge.left) || listed(flat_faces_, edge.right)) return;
    const PlacedEdge& line = side_.edge(e);
    const Vec<3>& start = side_.start(e);
    if (along_end(e) || along_side(e)) return;
    const double s = closest_along(cylinder_, start, line.direction, line.length);
    const double margin_from = side_.convex_vertex(edge.from) ? tolerance_ : 0.0;
    const double margin_to = side_.convex_vertex(edge.to) ? tolerance_ : 0.0;
    if (s < margin_from || s > line.length - margin_to) return;
    const Vec<3> at = start + s * line.direction;
    const CylinderPoint point = locate(cylinder_, at);
    if (!near(point.distance)) return;
    if (on_rim(at)) {
      rim_on_edge(e, at, point);
    } else if (point.place == CylinderPlace::side && normal_at_edge(e, point.normal)) {
      add(edge_feature(e), at, point.normal, point.distance, false, 0);
    }
  }

  [[nodiscard]] bool on_rim(const Vec<3>& at) const {
    const Vec<3> offset = at - cylinder_.centre;
    const double along = cylinder_.axis.dot(offset);
    const double radius = (offset - along * cylinder_.axis).norm();
    return near(std::abs(along) - cylinder_.half_height) && near(radius - cylinder_.radius);
  }

  /// An edge that lies on a flat end.
  bool along_end(int e) {
    const PlacedEdge& line = side_.edge(e);
    const Vec<3>& start = side_.start(e);
    const Span span = span_in_disk(cylinder_, start, line.direction, line.length);
    if (span.length() <= tolerance_) return false;
    const Vec<3> first = start + span.low * line.direction;
    const Vec<3> last = start + span.high * line.direction;
    const double sign = cylinder_.axis.dot(first - cylinder_.centre) < 0.0 ? -1.0 : 1.0;
    const Vec<3> up = sign * cylinder_.axis;
    const Vec<3> centre = cylinder_.end(sign);
    if (!near(up.dot(first - centre)) || !near(up.dot(last - centre))) return false;
    if (!normal_at_edge(e, up)) return false;
    add(edge_feature(e), first, up, up.dot(first - centre), false, 0);
    add(edge_feature(e), last, up, up.dot(last - centre), false, 1);
    flat_edges_.push_back(e);
    return true;
  }

  /// An edge along the side.
  bool along_side(int e) {
    const PlacedEdge& line = side_.edge(e);
    const Vec<3>& start = side_.start(e);
    const Span span = span_between(start, line.direction, line.length, cylinder_.centre,
                                   cylinder_.axis, -cylinder_.half_height, cylinder_.half_height);
    if (span.length() <= tolerance_) return false;
    const Vec<3> first = start + span.low * line.direction;
    const Vec<3> last = start + span.high * line.direction;
    const auto across = [&](const Vec<3>& at) -> Vec<3> {
      const Vec<3> offset = at - cylinder_.centre;
      return offset - cylinder_.axis.dot(offset) * cylinder_.axis;
    };
    const double first_gap = across(first).norm() - cylinder_.radius;
    const double last_gap = across(last).norm() - cylinder_.radius;
    if (!near(first_gap) || !near(last_gap)) return false;
    const Vec<3> normal = across(0.5 * (first + last)).normalized();
    if (!normal_at_edge(e, normal)) return false;
    add(edge_feature(e), first, across(first).normalized(), first_gap, true, 0);
    add(edge_feature(e), last, across(last).normalized(), last_gap, true, 1);
    flat_edges_.push_back(e);
    return true;
  }

  /// Rim across an edge: the normal is square to both. In line with it: as a corner.
  void rim_on_edge(int e, const Vec<3>& at, const CylinderPoint& point) {
    const Vec<3> up = point.sign * cylinder_.axis;
    const Vec<3> tangent = up.cross(point.radial);
    Vec<3> normal = tangent.cross(side_.edge(e).direction);
    const double sine = normal.norm();
    if (sine <= angle_) {
      corner(edge_feature(e), at, point);
      return;
    }
    normal /= normal.dot(up + point.radial) < 0.0 ? -sine : sine;
    if (normal.dot(up) < -angle_ || normal.dot(point.radial) < -angle_) return;
    if (!normal_at_edge(e, normal)) return;
    const Vec<3> rim = cylinder_.end(point.sign) + cylinder_.radius * point.radial;
    add(edge_feature(e), at, normal, normal.dot(at - rim), true, 0);
  }

  /// A vertex or edge of the surface on the rim, with more normals than one.
  void corner(Feature feature, const Vec<3>& at, const CylinderPoint& point) const {
    const Vec<3> up = point.sign * cylinder_.axis;
    const Vec<3> tangent = up.cross(point.radial);
    std::vector<Vec<3>> into{tangent, -tangent, point.radial, up};
    side_.add_tangents(feature, 1.0, into);
    const SeparatingDirections directions(std::move(into), angle_);
    if (directions.extremes().empty()) return;
    const Vec<3> rim = cylinder_.end(point.sign) + cylinder_.radius * point.radial;
    const double gap = directions.support(rim - at);
    if (directions.single()) {
      add(feature, at, -directions.extremes()[0], gap, true, 0);
    } else {
      pair_.add_corner(body_, cylinder_.feature, feature, at, directions.extremes(), gap, 0);
    }
  }

  void on_vertex(int v) {
    const Surface::Vertex& vertex = side_.surface.vertices[at_index(v)];
    const Vec<3>& at = side_.point(v);
    const CylinderPoint point = locate(cylinder_, at);
    if (!near(point.distance)) return;
    for (const int face : vertex.faces) {
      if (listed(flat_faces_, face)) return;
    }
    for (const int edge : vertex.edges) {
      if (listed(flat_edges_, edge)) return;
    }
    if (on_rim(at)) {
      corner(vertex_feature(v), at, point);
      return;
    }
    for (const int e : vertex.edges) {
      const double away = side_.surface.edges[at_index(e)].from == v ? 1.0 : -1.0;
      if (-away * side_.edge(e).direction.dot(point.normal) > angle_) return;
    }
    add(vertex_feature(v), at, point.normal, point.distance, point.place == CylinderPlace::side, 0);
  }

  const SpacePair& pair_;
  int body_;
  const RoundCylinder& cylinder_;
  const Side& side_;
  double tolerance_;
  double angle_;
  std::vector<int> flat_faces_;  ///< on which an end or the side lies
  std::vector<int> flat_edges_;  ///< that lie on an end or along the side
};

}  // namespace

void find_cylinder_on_surface(const SpacePair& pair, int body, const RoundCylinder& cylinder,
                              const Side& side) {
  CylinderOnSurface(pair, body, cylinder, side).find();
}

void find_cylinder_on_half_space(const SpacePair& pair, int body, const RoundCylinder& cylinder) {
  const SpaceBody& half = pair.body(pair.other(body));
  const auto height = [&](const Vec<3>& at) {
    return half.plane_normal.dot(at) - half.plane_offset;
  };
  const CylinderOverPlane over(cylinder, half.plane_normal, height(cylinder.centre));
  if (over.lowest > pair.tolerance) return;
  const auto add = [&](const Vec<3>& at, int end) {
    pair.add(body, cylinder.feature, {FeatureKind::half_space, 0},
             at - height(at) * half.plane_normal, half.plane_normal, height(at), false, end);
  };
  if (over.highest <= pair.tolerance) {
    for (int i = 0; i < kRimCorners; ++i) {
      add(cylinder.rim(over.sign, static_cast<double>(i) / kRimCorners), i);
    }
    return;
  }
  const Vec<3> radial = cylinder.radius * over.down;
  add(cylinder.end(over.sign) + radial, 0);
  if (over.beyond <= pair.tolerance) add(cylinder.end(-over.sign) + radial, 1);
}

}  // namespace collapse::contacts
