#include "contact/space/motion_round.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "contact/space/round_solids.hpp"

namespace collapse::contacts {
namespace {

/// A cylinder stands on a plane if its axis is this close to the normal (sine): then points of its rim hold it.
constexpr double kStands = 0.2;
/// Below this (sine) the lowest point of a rim is no point to hold.
constexpr double kFlat = 1e-6;

}  // namespace

std::vector<MotionRound> rounds_of(const Shape<3>& shape) {
  std::vector<MotionRound> rounds;
  const auto feature = [](FeatureKind kind, std::size_t i) {
    return feature_of(kind, static_cast<int>(i));
  };
  for (std::size_t i = 0; i < shape.balls.size(); ++i) {
    const Ball<3>& ball = shape.balls[i];
    rounds.push_back({MotionRound::Kind::ball, feature(FeatureKind::ball, i), ball.centre,
                      ball.centre, ball.radius});
  }
  for (std::size_t i = 0; i < shape.cylinders.size(); ++i) {
    const Cylinder& cylinder = shape.cylinders[i];
    const Vec<3> half = cylinder.half_height * cylinder.axis;
    rounds.push_back({MotionRound::Kind::cylinder, feature(FeatureKind::cylinder, i),
                      cylinder.centre - half, cylinder.centre + half, cylinder.radius});
  }
  for (std::size_t i = 0; i < shape.capsules.size(); ++i) {
    const Capsule& capsule = shape.capsules[i];
    rounds.push_back({MotionRound::Kind::capsule, feature(FeatureKind::capsule, i), capsule.from,
                      capsule.to, capsule.radius});
  }
  return rounds;
}

void MotionRound::include_in(Bounds<3>& bounds, const Pose<3>& pose) const {
  Vec<3> half = Vec<3>::Constant(radius);
  if (kind == Kind::cylinder) {
    // A disk of radius r across the axis reaches r·√(1 − axis_i²) along coordinate i.
    half = radius * (1.0 - pose.turn(axis()).cwiseAbs2().array()).cwiseMax(0.0).sqrt().matrix();
  }
  for (const Vec<3>& end : {from, to}) {
    const Vec<3> at = pose.apply(end);
    bounds.include(Bounds<3>{at - half, at + half});
  }
}

ConvexSolid MotionRound::solid(const Pose<3>& pose) const {
  switch (kind) {
    case Kind::ball:
      return ConvexSolid::ball(pose.apply(from), radius);
    case Kind::capsule:
      return ConvexSolid::capsule(pose.apply(from), pose.apply(to), radius);
    case Kind::cylinder:
      break;
  }
  return ConvexSolid::cylinder(pose.apply(0.5 * (from + to)), pose.turn(axis()),
                               0.5 * (to - from).norm(), radius);
}

Vec<3> MotionRound::rim(const Vec<3>& end, int number) const {
  const double angle = 2.0 * M_PI * number / kRimCorners;
  const Vec<3> along = axis();
  const Vec<3> zero = along.unitOrthogonal();
  return end + radius * (std::cos(angle) * zero + std::sin(angle) * along.cross(zero));
}

void MotionRound::on_plane(const Flat& plane, Feature plane_feature, bool swapped,
                           const MovingPlane& moving, double reach, const Vec<3>& up,
                           const RowSink& sink) const {
  if (kind == Kind::cylinder) {
    return disks_on_plane(plane, plane_feature, swapped, moving, reach, up, sink);
  }
  for (int i = 0; i < (kind == Kind::ball ? 1 : 2); ++i) {
    const Vec<3>& at = i == 0 ? from : to;
    if (std::min(moving.normal_start.dot(at) + moving.height_start,
                 moving.normal_end.dot(at) + moving.height_end) > radius + reach) {
      continue;
    }
    sink.add(swapped, plane, plane_feature, point_flat(at, radius), feature, up, i);
  }
}

/// The rim of each end as a circle, of which the lowest point counts; where the cylinder stands, points of the rim
/// besides: the lowest alone would not keep it from tilting.
void MotionRound::disks_on_plane(const Flat& plane, Feature plane_feature, bool swapped,
                                 const MovingPlane& moving, double reach, const Vec<3>& up,
                                 const RowSink& sink) const {
  const Vec<3> along = axis();
  const double sine_start = along.cross(moving.normal_start).norm();
  const double sine_end = along.cross(moving.normal_end).norm();
  for (int i = 0; i < 2; ++i) {
    const Vec<3>& end = i == 0 ? from : to;
    const double start_height = moving.normal_start.dot(end) + moving.height_start;
    const double end_height = moving.normal_end.dot(end) + moving.height_end;
    if (std::min(start_height - radius * sine_start, end_height - radius * sine_end) > reach) {
      continue;
    }
    if (std::max(sine_start, sine_end) > kFlat) {
      sink.add(swapped, plane, plane_feature, {Flat::Kind::disk, end, along, radius}, feature, up,
               i);
    }
    if (std::min(sine_start, sine_end) > kStands) continue;
    for (int k = 0; k < kRimCorners; ++k) {
      const Vec<3> at = rim(end, k);
      if (std::min(moving.normal_start.dot(at) + moving.height_start,
                   moving.normal_end.dot(at) + moving.height_end) > reach) {
        continue;
      }
      sink.add(swapped, plane, plane_feature, point_flat(at), feature, up, 2 + i * kRimCorners + k);
    }
  }
}

namespace {

bool may_meet(const MovingRound& moving, const Bounds<3>& bounds, double reach) {
  Bounds<3> own = Bounds<3>::empty();
  moving.round.include_in(own, moving.pose_start);
  moving.round.include_in(own, moving.pose_end);
  return own.grown(reach).meets(bounds);
}

}  // namespace

void round_rows_on_piece(const MovingRound& round, const MovingPiece& piece, bool second,
                         const RowLimits& limits, const RowSink& sink) {
  if (!may_meet(round, piece.bounds, limits.reach)) return;
  if (round.round.kind != MotionRound::Kind::cylinder) {
    return core_rows_on_piece(round, piece, second, limits, sink);
  }
  cylinder_rows_on_piece(round, piece, second, limits, sink);
}

void round_rows(const MovingRound& a, const MovingRound& b, const RowLimits& limits,
                const RowSink& sink) {
  if (a.round.kind != MotionRound::Kind::cylinder && b.round.kind != MotionRound::Kind::cylinder) {
    return core_rows(a, b, limits, sink);
  }
  Bounds<3> bounds = Bounds<3>::empty();
  b.round.include_in(bounds, b.pose_start);
  b.round.include_in(bounds, b.pose_end);
  if (may_meet(a, bounds, limits.reach)) cylinder_rows(a, b, limits, sink);
}

}  // namespace collapse::contacts
