/// Edges and vertices on faces.

#include <algorithm>
#include <cmath>
#include <optional>

#include "contact/space/flat_face.hpp"
#include "contact/space/touching.hpp"

namespace collapse::contacts {
namespace {

struct Interval {
  double low = 0.0;
  double high = 0.0;

  [[nodiscard]] bool holds(const Interval& other, double slack) const {
    return other.low >= low - slack && other.high <= high + slack;
  }
};

/// Sorted, those closer than `distance` joined.
void join_intervals(std::vector<Interval>& intervals, double distance) {
  std::sort(intervals.begin(), intervals.end(),
            [](const Interval& x, const Interval& y) { return x.low < y.low; });
  std::size_t count = 0;
  for (const Interval& next : intervals) {
    if (count > 0 && next.low <= intervals[count - 1].high + distance) {
      intervals[count - 1].high = std::max(intervals[count - 1].high, next.high);
    } else {
      intervals[count++] = next;
    }
  }
  intervals.resize(count);
}

/// Sine of the angle beyond which an edge comes out of the tolerance on both sides of a face, 2 tolerances apart,
/// within a length of one tolerance along the face: tan = 2.
constexpr double kSteepest = 0.8945;

enum class Border { none, convex, reflex };

class EdgesOnFaces {
 public:
  EdgesOnFaces(Touching& touching, const Side& own, const Side& other)
      : touching_(touching), own_(own), other_(other), tolerance_(touching.tolerance) {}

  void find() {
    for (const int g : other_.faces) {
      const PlacedFace& face = other_.face(g);
      const Bounds<3> region = face.bounds.grown(tolerance_);
      std::optional<PlaneFrame> frame;
      for (const int e : own_.edges) {
        if (!own_.convex_edge(e) || !own_.edge(e).bounds.meets(region) || !may_lie_on(e, face)) {
          continue;
        }
        if (!frame) {
          frame.emplace(face.origin, face.normal, Vec<3>::UnitX());
          flatten(other_, g, *frame, flat_);
        }
        examine(e, g, *frame);
      }
    }
  }

 private:
  /// A part of the edge longer than the tolerance is within the tolerance of the plane, and its solid in front.
  [[nodiscard]] bool may_lie_on(int e, const PlacedFace& face) const {
    const double from = face.height(own_.start(e));
    const double to = face.height(own_.point(own_.surface.edges[at_index(e)].to));
    if (std::min(from, to) > tolerance_ || std::max(from, to) < -tolerance_) return false;
    const double slope = face.normal.dot(own_.edge(e).direction);
    if (slope * slope > kSteepest * kSteepest) return false;
    return own_.in_front(edge_feature(e), face.normal);
  }

  void examine(int e, int g, const PlaneFrame& frame) {
    const PlacedEdge& edge = own_.edge(e);
    const Vec<2> from = frame.flat(own_.start(e));
    const Vec<2> direction(frame.u.dot(edge.direction), frame.v.dot(edge.direction));
    collect(from, direction, edge.length, tolerance_, wide_);
    collect(from, direction, edge.length, 0.0, narrow_);
    int end = 0;
    for (Interval wide : wide_) {
      if ((wide.high - wide.low) * direction.norm() <= tolerance_) continue;
      const Border border = border_along(e, g, wide);
      if (border == Border::convex) continue;  // edge along edge
      if (border == Border::reflex) {
        add(e, g, wide, end);
        continue;
      }
      for (const Interval& narrow : narrow_) {
        if (!wide.holds(narrow, 0.0)) continue;
        if ((narrow.high - narrow.low) * direction.norm() > tolerance_) add(e, g, narrow, end);
      }
    }
  }

  /// Where the edge is over the face, moved outwards by `slack`.
  void collect(const Vec<2>& from, const Vec<2>& direction, double length, double slack,
               std::vector<Interval>& out) const {
    out.clear();
    for (const FlatPolygon& piece : flat_) {
      const auto part = clip_segment(piece, from, direction, length, slack);
      if (part) out.push_back({part->first, part->second});
    }
    join_intervals(out, tolerance_);
  }

  /// Whether there is an edge of face `g` that this part of edge e follows, within the tolerance on both sides.
  /// Where it is reflex, the part is shortened to what the two share.
  [[nodiscard]] Border border_along(int e, int g, Interval& part) const {
    const PlacedEdge& own = own_.edge(e);
    Border found = Border::none;
    Interval shared = part;
    for (const int f : other_.edges) {
      if (!other_.face_has(g, edge_feature(f))) continue;
      const PlacedEdge& edge = other_.edge(f);
      const Vec<3> across = other_.face(g).normal.cross(edge.direction);
      const auto beside = [&](double along) {
        const double distance = across.dot(own_.start(e) + along * own.direction - other_.start(f));
        return std::abs(distance) <= tolerance_ + touching_.pair.rounding;
      };
      if (!beside(part.low) || !beside(part.high)) continue;
      const double from = own.direction.dot(other_.start(f) - own_.start(e));
      const double to = from + own.direction.dot(edge.direction) * edge.length;
      const Interval extent{std::min(from, to), std::max(from, to)};
      // Moving the face outwards reaches far beyond sharp corners: the face itself tells whether the part leaves
      // this edge.
      const bool leaves = std::any_of(narrow_.begin(), narrow_.end(), [&](const Interval& narrow) {
        return part.holds(narrow, 0.0) && !extent.holds(narrow, 2.0 * tolerance_);
      });
      if (leaves || std::min(part.high, extent.high) - std::max(part.low, extent.low) <= tolerance_)
        continue;
      if (other_.convex_edge(f)) {
        found = found == Border::none ? Border::convex : found;
      } else {
        found = Border::reflex;
        shared = {std::max(part.low, extent.low), std::min(part.high, extent.high)};
      }
    }
    part = shared;
    return found;
  }

  void add(int e, int g, const Interval& part, int& end) {
    const PlacedEdge& edge = own_.edge(e);
    const PlacedFace& face = other_.face(g);
    const Vec<3> from = own_.start(e) + part.low * edge.direction;
    const Vec<3> to = own_.start(e) + part.high * edge.direction;
    if (std::abs(face.height(from)) > tolerance_ || std::abs(face.height(to)) > tolerance_) return;
    const Feature feature = edge_feature(e);
    const Feature other_feature = face_feature(g);
    if (touching_.covered(own_, feature, other_feature, from) &&
        touching_.covered(own_, feature, other_feature, to)) {
      return;
    }
    for (const Vec<3>& at : {from, to}) {
      const double gap = face.height(at);
      touching_.pair.add(own_.id, feature, other_feature, at - gap * face.normal, face.normal, gap,
                         false, end++);
    }
    touching_.add_segment(own_, feature, other_feature, from, to);
  }

  Touching& touching_;
  const Side& own_;
  const Side& other_;
  double tolerance_;
  std::vector<FlatPolygon> flat_;
  std::vector<Interval> wide_;
  std::vector<Interval> narrow_;
};

/// Whether a point in the plane of a face lies in it, moved outwards by `slack`.
bool face_holds(const Side& side, int face, const Vec<3>& at, double slack) {
  const Vec<3>& normal = side.face(face).normal;
  for (const std::vector<int>& piece : side.surface.faces[at_index(face)].pieces) {
    bool inside = true;
    for (std::size_t i = 0; inside && i < piece.size(); ++i) {
      const Vec<3>& from = side.point(piece[i]);
      const Vec<3> along = side.point(piece[i + 1 == piece.size() ? 0 : i + 1]) - from;
      inside = normal.dot(along.cross(at - from)) >= -slack * along.norm();
    }
    if (inside) return true;
  }
  return false;
}

/// What a point in the plane of a face is at: convex edges and vertices have contacts of their own, at reflex ones
/// the faces beside them count.
Border border_at(const Side& side, int face, const Vec<3>& at, double tolerance) {
  Border found = Border::none;
  for (const int e : side.edges) {
    if (!side.face_has(face, edge_feature(e))) continue;
    const PlacedEdge& edge = side.edge(e);
    const Vec<3> offset = at - side.start(e);
    const double along = edge.direction.dot(offset);
    const double foot = std::clamp(along, 0.0, edge.length);
    if ((offset - foot * edge.direction).norm() > tolerance) continue;
    const Surface::Edge& ends = side.surface.edges[at_index(e)];
    const bool inside = along > tolerance && along < edge.length - tolerance;
    if (inside ? side.convex_edge(e)
               : side.convex_vertex(2.0 * along < edge.length ? ends.from : ends.to)) {
      return Border::convex;
    }
    found = Border::reflex;
  }
  return found;
}

}  // namespace

void find_edges_on_faces(Touching& touching, const Side& own, const Side& other) {
  EdgesOnFaces(touching, own, other).find();
}

void find_vertices_on_faces(Touching& touching, const Side& own, const Side& other) {
  const double tolerance = touching.tolerance;
  for (const int v : own.vertices) {
    if (!own.convex_vertex(v)) continue;
    const Vec<3>& at = own.point(v);
    const Bounds<3> region = Bounds<3>{at, at}.grown(tolerance);
    for (const int g : other.faces) {
      const PlacedFace& face = other.face(g);
      if (!face.bounds.meets(region)) continue;
      const double gap = face.height(at);
      if (std::abs(gap) > tolerance) continue;
      if (!own.in_front(vertex_feature(v), face.normal)) continue;
      const Vec<3> foot = at - gap * face.normal;
      const Border border = border_at(other, g, foot, tolerance);
      if (border == Border::convex) continue;
      if (border == Border::none && !face_holds(other, g, foot, touching.pair.rounding)) continue;
      if (touching.covered(own, vertex_feature(v), face_feature(g), at)) continue;
      touching.pair.add(own.id, vertex_feature(v), face_feature(g), foot, face.normal, gap);
    }
  }
}

}  // namespace collapse::contacts
