#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "contact/space/first_touch.hpp"
#include "contact/space/pair_on_way.hpp"
#include "contact/space/round_solids.hpp"

namespace collapse::contacts {
namespace {

/// Lines at a smaller angle (sine) have no normal across both that holds still.
constexpr double kCrossed = 0.1;
/// Of the radius of a ball: as a plane or a line what is no longer would touch far beside itself when it tilts.
constexpr double kSmall = 0.5;
/// Numbers of rows where an end of a capsule, or a ball, touches something small at the end of the step.
constexpr int kFootAtEnd = 4;
/// Of rows between an axis and a line, and between an axis along an edge and a point of it, which is another one at the
/// end of the step.
constexpr int kAcross = 2;
constexpr int kAlong = 3;
constexpr int kAlongAtEnd = 6;
/// Normals leave the cone of a feature by no more than this (sine).
constexpr double kBesideCone = 0.05;

std::size_t number(int i) { return static_cast<std::size_t>(i); }

/// Where a convex piece is closest to a point.
struct PiecePlace {
  FeatureKind kind = FeatureKind::face;
  int index = 0;  ///< of the piece
  double distance = -std::numeric_limits<double>::infinity();
  Vec<3> foot = Vec<3>::Zero();
};

PiecePlace closest_place(const MotionPiece& piece, const Vec<3>& at) {
  PiecePlace inside;
  PiecePlace best;
  best.distance = std::numeric_limits<double>::infinity();
  for (std::size_t f = 0; f < piece.faces.size(); ++f) {
    const MotionPiece::Face& face = piece.faces[f];
    const double height = face.height(at);
    if (height > inside.distance) {
      inside = {FeatureKind::face, static_cast<int>(f), height, at - height * face.normal};
    }
    if (height <= 0.0) continue;
    if (face.holds(at, 0.0, 0.0))
      return {FeatureKind::face, static_cast<int>(f), height, at - height * face.normal};
    for (std::size_t k = 0; k < face.sides.size(); ++k) {
      const MotionPiece::Side& side = face.sides[k];
      const double along = side.along.dot(at - side.corner);
      const Vec<3> foot = side.corner + std::clamp(along, 0.0, side.length) * side.along;
      const double distance = (at - foot).norm();
      if (distance >= best.distance) continue;
      const std::size_t next = k + 1 < face.sides.size() ? k + 1 : 0;
      best = {FeatureKind::edge, side.edge, distance, foot};
      if (along <= 0.0) best = {FeatureKind::vertex, side.vertex, distance, foot};
      if (along >= side.length)
        best = {FeatureKind::vertex, face.sides[next].vertex, distance, foot};
    }
  }
  return inside.distance > 0.0 ? best : inside;
}

/// A ball, or the end of a capsule, against a convex piece.
class EndOnPiece {
 public:
  EndOnPiece(const MovingRound& round, const MovingPiece& piece, bool second,
             const RowLimits& limits, const RowSink& sink)
      : round_(round), piece_(piece), second_(second), limits_(limits), sink_(sink) {}

  void find(const Vec<3>& end, int end_number) {
    start_ = local_to(*piece_.pose_start, round_.pose_start.apply(end));
    end_ = local_to(*piece_.pose_end, round_.pose_end.apply(end));
    end_number_ = end_number;
    centre_ = end;
    const double radius = round_.round.radius;
    const auto distance = [&](double when) {
      return closest_place(*piece_.piece, (1.0 - when) * start_ + when * end_).distance - radius;
    };
    double least = 0.0;
    const double when = first_touch(distance, (end_ - start_).norm(), limits_.slip, least);
    if (least > limits_.reach) return;
    const std::size_t first_row = sink_.rows.size();
    const Vec<3> touching = (1.0 - when) * start_ + when * end_;
    const PiecePlace place = closest_place(*piece_.piece, touching);
    add(place, touching, end_number_);
    add_corners(touching);
    if (when >= 1.0) return;
    const PiecePlace last = closest_place(*piece_.piece, end_);
    // What has passed through to the far side is not on its way onto what is there.
    const bool passed = (end_ - last.foot).dot(touching - place.foot) <= 0.0;
    if (passed || last.distance <= 0.0) return;
    // From an edge onto a face; and what is small is touched elsewhere.
    const bool same = last.kind == place.kind && last.index == place.index;
    const bool small = is_small(last) || is_small(place);
    if (!small && (same || place.kind == FeatureKind::face)) return;
    add(last, end_, small ? kFootAtEnd + end_number_ : end_number_);
    add_corners(end_);
    const Pose<3>& a = second_ ? *piece_.pose_start : round_.pose_start;
    const Pose<3>& b = second_ ? round_.pose_start : *piece_.pose_start;
    sink_.set_floor(first_row, a, b, distance(0.0), kLate * radius);
  }

 private:
  [[nodiscard]] bool is_small(double length) const {
    return length <= kSmall * round_.round.radius;
  }
  /// A face or an edge that touches the ball at a point of it, not as a whole.
  [[nodiscard]] bool is_small(const PiecePlace& place) const {
    const MotionPiece& piece = *piece_.piece;
    if (place.kind == FeatureKind::edge) return is_small(piece.edges[number(place.index)].length);
    if (place.kind != FeatureKind::face) return false;
    const std::vector<MotionPiece::Side>& sides = piece.faces[number(place.index)].sides;
    return std::all_of(sides.begin(), sides.end(), [&](const MotionPiece::Side& side) {
      return is_small((side.corner - place.foot).norm());
    });
  }
  /// What is small and rocks on a large ball is held by its corners and where it is closest: as a whole plane or line it
  /// would touch far beside itself.
  void add_corners(const Vec<3>& from) {
    const MotionPiece& piece = *piece_.piece;
    for (std::size_t v = 0; v < piece.vertex_numbers.size(); ++v) {
      const Vec<3>& at = piece.hull->vertices()[v];
      const double distance = (from - at).norm();
      if (distance - round_.round.radius > limits_.reach && !is_small(piece.size)) continue;
      add({FeatureKind::vertex, static_cast<int>(v), distance, at}, from, end_number_);
    }
  }
  /// `from`: where the centre is then.
  void add(const PiecePlace& place, const Vec<3>& from, int row_number) {
    const MotionPiece& piece = *piece_.piece;
    Flat flat;
    int surface = -1;
    Vec<3> normal;
    switch (place.kind) {
      case FeatureKind::face: {
        const MotionPiece::Face& face = piece.faces[number(place.index)];
        flat = is_small(place) ? point_flat(place.foot)
                               : plane_flat(face.sides.front().corner, face.normal);
        surface = face.number;
        normal = face.normal;
        break;
      }
      case FeatureKind::edge: {
        const MotionPiece::Edge& edge = piece.edges[number(place.index)];
        flat = is_small(place) ? point_flat(place.foot)
                               : line_flat(piece.vertex(edge.from), edge.direction);
        surface = edge.number;
        normal = from - flat.at;
        normal -= edge.direction.dot(normal) * edge.direction;
        break;
      }
      default:
        flat = point_flat(piece.vertex(place.index));
        surface = piece.vertex_numbers[number(place.index)];
        normal = from - flat.at;
        break;
    }
    if (surface < 0) return;
    if (!(normal.norm() > 0.0)) normal = Vec<3>::UnitZ();
    sink_.add(!second_, flat, feature_of(place.kind, surface),
              point_flat(centre_, round_.round.radius), round_.round.feature,
              piece_.pose_start->turn(normal.normalized()), row_number);
  }

  const MovingRound& round_;
  const MovingPiece& piece_;
  bool second_;
  const RowLimits& limits_;
  const RowSink& sink_;
  Vec<3> start_;  ///< in the coordinates of the piece
  Vec<3> end_;
  Vec<3> centre_;
  int end_number_ = 0;
};

/// The axis of a capsule or cylinder against edges and vertices of a piece, in the coordinates of the piece.
class AxisOnPiece {
 public:
  AxisOnPiece(const MovingRound& round, const MovingPiece& piece, bool second,
              const RowLimits& limits, const RowSink& sink)
      : round_(round), piece_(piece), second_(second), limits_(limits), sink_(sink) {
    for (const bool is_to : {false, true}) {
      const Vec<3>& end = is_to ? round.round.to : round.round.from;
      start_[is_to ? 1 : 0] = local_to(*piece.pose_start, round.pose_start.apply(end));
      end_[is_to ? 1 : 0] = local_to(*piece.pose_end, round.pose_end.apply(end));
    }
  }

  void find(double when, bool again) {
    const MotionPiece& piece = *piece_.piece;
    along_number_ = again ? kAlongAtEnd : kAlong;
    place(when);
    for (std::size_t e = 0; e < piece.edges.size(); ++e) {
      if (piece.edges[e].number >= 0) edge(piece.edges[e]);
    }
    for (std::size_t v = 0; v < piece.vertex_numbers.size(); ++v) {
      if (piece.vertex_numbers[v] >= 0) vertex(static_cast<int>(v));
    }
  }

 private:
  void place(double when) {
    from_ = (1.0 - when) * start_[0] + when * end_[0];
    to_ = (1.0 - when) * start_[1] + when * end_[1];
    length_ = (to_ - from_).norm();
    along_ = (to_ - from_) / length_;
  }

  /// Whether something at `along` of the axis is near the side.
  [[nodiscard]] bool is_near(const Vec<3>& offset, double along) const {
    const double distance = offset.norm();
    return distance > 0.0 && distance <= round_.round.radius + limits_.reach &&
           !round_.round.at_end(distance, along, length_);
  }

  void edge(const MotionPiece::Edge& edge) {
    const MotionPiece& piece = *piece_.piece;
    const Vec<3>& from = piece.vertex(edge.from);
    const SegmentPoints at =
        closest_on_segments(from, edge.direction, edge.length, from_, along_, length_);
    if (!(at.s > 0.0 && at.s < edge.length && at.t > 0.0 && at.t < length_)) return;
    const Vec<3> on_edge = from + at.s * edge.direction;
    const Vec<3> offset = from_ + at.t * along_ - on_edge;
    if (!is_near(offset, at.t)) return;
    const Vec<3> normal = offset.normalized();
    const Vec<3> into_left = piece.faces[number(edge.left)].normal.cross(edge.direction);
    const Vec<3> into_right = edge.direction.cross(piece.faces[number(edge.right)].normal);
    if (std::max(normal.dot(into_left), normal.dot(into_right)) > kBesideCone) return;
    const Feature feature = feature_of(FeatureKind::edge, edge.number);
    const MotionRound& solid = round_.round;
    if (edge.direction.cross(along_).norm() >= kCrossed) {
      sink_.add(!second_, line_flat(from, edge.direction), feature,
                line_flat(solid.from, solid.axis(), solid.radius), solid.feature,
                piece_.pose_start->turn(normal), kAcross);
    } else {
      sink_.add(!second_, plane_flat(on_edge, normal), feature,
                point_flat(solid.from + at.t * solid.axis(), solid.radius), solid.feature,
                piece_.pose_start->turn(normal), along_number_);
    }
  }

  void vertex(int v) {
    const MotionPiece& piece = *piece_.piece;
    const Vec<3>& at = piece.vertex(v);
    const double share = along_.dot(at - from_);
    if (!(share > 0.0 && share < length_)) return;
    const Vec<3> offset = from_ + share * along_ - at;
    if (!is_near(offset, share)) return;
    const Vec<3> normal = offset.normalized();
    for (const int neighbour : piece.hull->neighbours(v)) {
      if (normal.dot((piece.vertex(neighbour) - at).normalized()) > kBesideCone) return;
    }
    const MotionRound& solid = round_.round;
    sink_.add(!second_, point_flat(at),
              feature_of(FeatureKind::vertex, piece.vertex_numbers[number(v)]),
              line_flat(solid.from, solid.axis(), solid.radius), solid.feature,
              piece_.pose_start->turn(normal), kAcross);
  }

  const MovingRound& round_;
  const MovingPiece& piece_;
  bool second_;
  const RowLimits& limits_;
  const RowSink& sink_;
  std::array<Vec<3>, 2> start_;
  std::array<Vec<3>, 2> end_;
  Vec<3> from_;
  Vec<3> to_;
  Vec<3> along_;
  double length_ = 0.0;
  int along_number_ = kAlong;
};

}  // namespace

void core_rows_on_piece(const MovingRound& round, const MovingPiece& piece, bool second,
                        const RowLimits& limits, const RowSink& sink) {
  const std::size_t first_row = sink.rows.size();
  EndOnPiece ends(round, piece, second, limits, sink);
  ends.find(round.round.from, 0);
  if (round.round.kind == MotionRound::Kind::ball) return;
  ends.find(round.round.to, 1);
  const Party own{*piece.pose_start, *piece.pose_end, !second};
  const Party other{round.pose_start, round.pose_end, second};
  PairOnWay pair(ConvexPart(*piece.piece), own, ConvexPart(round.round), other, limits, sink,
                 first_row);
  if (!pair.touch()) return;
  axis_rows_on_piece(round, piece, second, pair.when(), false, limits, sink);
  if (pair.goes_on()) axis_rows_on_piece(round, piece, second, 1.0, true, limits, sink);
  pair.tell_distance();
}

void axis_rows_on_piece(const MovingRound& round, const MovingPiece& piece, bool second,
                        double when, bool again, const RowLimits& limits, const RowSink& sink) {
  AxisOnPiece(round, piece, second, limits, sink).find(when, again);
}

}  // namespace collapse::contacts
