#include <algorithm>
#include <cmath>

#include "contact/space/on_flat_side.hpp"
#include "contact/space/round_solids.hpp"

namespace collapse::contacts {
namespace {

/// Lines at a smaller angle (sine) have no normal across both that holds still.
constexpr double kLinesCross = 0.1;
/// Axes at a smaller angle (sine) are parallel: what is left of it moves a surface by half its square.
constexpr double kAxesParallel = 1e-3;
/// Numbers of rows of one pair, after those of OnFlatSide.
constexpr int kSideRow = 84;
constexpr int kParallelSides = 85;

std::size_t ordinal(int i) { return static_cast<std::size_t>(i); }

/// Whether a direction leaves the piece at an edge.
bool faces_out(const MotionPiece& piece, const MotionPiece::Edge& edge, const Vec<3>& direction) {
  const Vec<3> into_left = piece.faces[ordinal(edge.left)].normal.cross(edge.direction);
  const Vec<3> into_right = edge.direction.cross(piece.faces[ordinal(edge.right)].normal);
  return std::max(direction.dot(into_left), direction.dot(into_right)) <= kOffCone;
}

OtherPoses poses_of(PairOnWay& pair) {
  return {pair.pose(0.0), pair.pose(pair.when()), pair.pose(1.0), pair.goes_on()};
}

/// The flat ends of a cylinder against vertices and edges of a piece.
/// `poses`: of the piece as the cylinder sees it.
void ends_on_piece(const MotionRound& cylinder, const Party& round, const MotionPiece& piece,
                   const OtherPoses& poses, const RowLimits& limits, const RowSink& sink) {
  for (int i = 0; i < 2; ++i) {
    const FlatSide side = end_of(cylinder, i, 0);
    const OnFlatSide rows(side, round, poses, limits, sink);
    // From the piece to the end.
    const Vec<3> normal = -(poses.touch.rotation.transpose() * side.plane.direction);
    for (std::size_t v = 0; v < piece.vertex_numbers.size(); ++v) {
      if (piece.vertex_numbers[v] < 0) continue;
      const Vec<3>& at = piece.hull->vertices()[v];
      const std::vector<int>& neighbours = piece.hull->neighbours(static_cast<int>(v));
      if (std::any_of(neighbours.begin(), neighbours.end(), [&](int n) {
            return normal.dot((piece.vertex(n) - at).normalized()) > kOffCone;
          })) {
        continue;
      }
      rows.point(at, 0.0, feature_of(FeatureKind::vertex, piece.vertex_numbers[v]), 0);
    }
    for (const MotionPiece::Edge& edge : piece.edges) {
      if (edge.number < 0) continue;
      rows.segment(piece.vertex(edge.from), piece.vertex(edge.to), 0.0,
                   feature_of(FeatureKind::edge, edge.number),
                   [&](const Vec<3>& from) { return faces_out(piece, edge, from); });
    }
  }
}

/// A cylinder along an edge: its ends.
void along_edges(const MotionRound& cylinder, const Pose<3>& pose, const MotionPiece& piece,
                 const Party& solid, const RowLimits& limits, const RowSink& sink) {
  const Vec<3> axis = pose.turn(cylinder.axis());
  const double length = (cylinder.to - cylinder.from).norm();
  for (const MotionPiece::Edge& edge : piece.edges) {
    if (edge.number < 0 || edge.direction.cross(axis).norm() > kAxesParallel) continue;
    const Vec<3>& from = piece.vertex(edge.from);
    for (int i = 0; i < 2; ++i) {
      const Vec<3>& end = i == 0 ? cylinder.from : cylinder.to;
      const Vec<3> offset = pose.apply(end) - from;
      const double along = edge.direction.dot(offset);
      if (along <= 0.0 || along >= edge.length) continue;
      const Vec<3> across = offset - along * edge.direction;
      const double distance = across.norm();
      if (!(distance > 0.0) || distance > cylinder.radius + limits.reach) continue;
      // As much of the edge is beside the cylinder; where it is deeper inside, it is at the end.
      const bool goes_on = (axis.dot(edge.direction) > 0.0) == (i == 0);
      const double beside = std::min(goes_on ? edge.length - along : along, length);
      if (cylinder.radius - distance > beside) continue;
      const Vec<3> normal = across / distance;
      if (!faces_out(piece, edge, normal)) continue;
      sink.add(solid.second, line_flat(from, edge.direction),
               feature_of(FeatureKind::edge, edge.number), point_flat(end, cylinder.radius),
               cylinder.feature, solid.start.turn(normal), kParallelSides + i);
    }
  }
}

/// The axes of two round solids, at the time when they touch: where their sides cross, ends beside the other's side.
class RoundSides {
 public:
  RoundSides(const MotionRound& own, const Party& own_party, const MotionRound& other,
             const Party& other_party, const Pose<3>& pose, const RowLimits& limits,
             const RowSink& sink)
      : own_(own),
        own_party_(own_party),
        other_(other),
        other_party_(other_party),
        from_(pose.apply(other.from)),
        to_(pose.apply(other.to)),
        limits_(limits),
        sink_(sink) {}

  void find() {
    const Vec<3> u = own_.axis();
    const double length_u = (own_.to - own_.from).norm();
    const double length_v = (to_ - from_).norm();
    const Vec<3> v = length_v > 0.0 ? Vec<3>((to_ - from_) / length_v) : Vec<3>::Zero();
    const double sine = u.cross(v).norm();
    if (length_v > 0.0 && sine >= kLinesCross) {
      const SegmentPoints at = closest_on_segments(own_.from, u, length_u, from_, v, length_v);
      const Vec<3> offset = from_ + at.t * v - own_.from - at.s * u;
      const bool sides = at.s > 0.0 && at.s < length_u && at.t > 0.0 && at.t < length_v &&
                         !own_.at_end(offset.norm() - other_.radius, at.s, length_u) &&
                         !other_.at_end(offset.norm() - own_.radius, at.t, length_v);
      if (sides) {
        add(line_flat(own_.from, u, own_.radius),
            line_flat(other_.from, other_.axis(), other_.radius), offset, kSideRow);
      }
    }
    const bool parallel = sine < kAxesParallel;
    for (int i = 0; i < (length_v > 0.0 ? 2 : 1); ++i) {
      const Vec<3>& end = i == 0 ? from_ : to_;
      const double s = u.dot(end - own_.from);
      if (s <= 0.0 || s >= length_u) continue;
      // The end of a cylinder is round only about its axis.
      if (other_.kind == MotionRound::Kind::cylinder && !parallel) continue;
      const Vec<3> offset = end - own_.from - s * u;
      if (own_.at_end(offset.norm() - other_.radius, s, length_u)) continue;
      add(line_flat(own_.from, u, own_.radius),
          point_flat(i == 0 ? other_.from : other_.to, other_.radius), offset, kParallelSides + i);
    }
    if (!parallel || length_v <= 0.0) return;
    for (int i = 0; i < 2; ++i) {
      const Vec<3>& end = i == 0 ? own_.from : own_.to;
      const double t = v.dot(end - from_);
      if (t <= 0.0 || t >= length_v) continue;
      const Vec<3> offset = from_ + t * v - end;
      if (other_.at_end(offset.norm() - own_.radius, t, length_v)) continue;
      add(point_flat(end, own_.radius), line_flat(other_.from, other_.axis(), other_.radius),
          offset, kParallelSides + 2 + i);
    }
  }

 private:
  void add(const Flat& own, const Flat& other, const Vec<3>& offset, int number) const {
    const double distance = offset.norm();
    if (distance > own_.radius + other_.radius + limits_.reach || !(distance > 0.0)) return;
    sink_.add(own_party_.second, own, own_.feature, other, other_.feature,
              own_party_.start.turn(offset / distance), number);
  }

  const MotionRound& own_;
  const Party& own_party_;
  const MotionRound& other_;
  const Party& other_party_;
  Vec<3> from_;  ///< other's axis in the coordinates of the own body
  Vec<3> to_;
  const RowLimits& limits_;
  const RowSink& sink_;
};

/// What of a round solid comes down on the flat ends of a cylinder.
void round_on_ends(const MotionRound& cylinder, const Party& own, const MotionRound& round,
                   const OtherPoses& poses, const RowLimits& limits, const RowSink& sink) {
  if (cylinder.kind != MotionRound::Kind::cylinder) return;
  for (int i = 0; i < 2; ++i) {
    const FlatSide side = end_of(cylinder, i, own.second ? 2 * kPerEnd : 0);
    const OnFlatSide rows(side, own, poses, limits, sink);
    if (round.kind == MotionRound::Kind::cylinder) {
      rows.rims(round);
      rows.side_line(round);
      rows.rim_crossings(round);
      continue;
    }
    rows.ball(round.from, round.radius, round.feature, 0);
    if (round.kind == MotionRound::Kind::ball) continue;
    rows.ball(round.to, round.radius, round.feature, 1);
    rows.segment(round.from, round.to, round.radius, round.feature,
                 [](const Vec<3>&) { return true; });
  }
}

}  // namespace

void cylinder_rows_on_piece(const MovingRound& cylinder, const MovingPiece& piece, bool second,
                            const RowLimits& limits, const RowSink& sink) {
  const MotionPiece& model = *piece.piece;
  const Party own{*piece.pose_start, *piece.pose_end, !second};
  const Party other{cylinder.pose_start, cylinder.pose_end, second};
  PairOnWay pair(ConvexPart(model), own, ConvexPart(cylinder.round), other, limits, sink,
                 sink.rows.size());
  if (!pair.touch()) return;
  const OtherPoses poses = poses_of(pair);
  for (const MotionPiece::Face& face : model.faces) {
    if (face.number < 0) continue;
    const FlatSide side = side_of(face);
    OnFlatSide(side, own, poses, limits, sink).rims(cylinder.round);
  }
  ends_on_piece(cylinder.round, other, model, inverse_of(poses), limits, sink);
  axis_rows_on_piece(cylinder, piece, second, pair.when(), false, limits, sink);
  along_edges(cylinder.round, pair.pose(pair.when()), model, own, limits, sink);
  if (poses.goes_on) {
    axis_rows_on_piece(cylinder, piece, second, 1.0, true, limits, sink);
    along_edges(cylinder.round, pair.pose(1.0), model, own, limits, sink);
  }
  pair.tell_distance();
}

void cylinder_rows(const MovingRound& a, const MovingRound& b, const RowLimits& limits,
                   const RowSink& sink) {
  const bool swapped = a.round.kind != MotionRound::Kind::cylinder;
  const MovingRound& first = swapped ? b : a;  // a cylinder
  const MovingRound& second = swapped ? a : b;
  const Party own{first.pose_start, first.pose_end, swapped};
  const Party other{second.pose_start, second.pose_end, !swapped};
  PairOnWay pair(ConvexPart(first.round), own, ConvexPart(second.round), other, limits, sink,
                 sink.rows.size());
  if (!pair.touch()) return;
  const OtherPoses poses = poses_of(pair);
  round_on_ends(first.round, own, second.round, poses, limits, sink);
  round_on_ends(second.round, other, first.round, inverse_of(poses), limits, sink);
  RoundSides(first.round, own, second.round, other, pair.pose(pair.when()), limits, sink).find();
  if (poses.goes_on) {
    RoundSides(first.round, own, second.round, other, pair.pose(1.0), limits, sink).find();
  }
  pair.tell_distance();
}

}  // namespace collapse::contacts
