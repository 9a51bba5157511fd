#include "contact/space/on_flat_side.hpp"

#include <algorithm>
#include <cmath>

#include "contact/space/round_solids.hpp"

namespace collapse::contacts {
namespace {

/// Lines at a smaller angle (sine) have no normal across both that holds still.
constexpr double kLinesAcross = 0.1;
/// A cylinder stands on something flat if its axis is this close to the normal (sine).
constexpr double kStanding = 0.2;
/// Below this (sine) the lowest point of a rim is no point to hold.
constexpr double kLyingFlat = 1e-6;
/// Numbers of rows: rims come first (see MotionRound::on_plane).
constexpr int kCrossing = 70;
constexpr int kCrossingAtEnd = 76;
/// Points of a rim that hold it on a ball, besides the closest one.
constexpr int kRimPoints = 8;

Pose<3> inverse_pose(const Pose<3>& pose) {
  return {pose.rotation.transpose(), -(pose.rotation.transpose() * pose.position)};
}

}  // namespace

FlatSide end_of(const MotionRound& cylinder, int i, int first_number) {
  FlatSide side;
  const Vec<3> axis = cylinder.axis();
  side.plane = plane_flat(i == 0 ? cylinder.from : cylinder.to, i == 0 ? Vec<3>(-axis) : axis);
  side.feature = cylinder.feature;
  side.first_number = first_number + kPerEnd * (1 + i);
  side.radius = cylinder.radius;
  return side;
}

FlatSide side_of(const MotionPiece::Face& face) {
  FlatSide side;
  side.plane = plane_flat(face.sides.front().corner, face.normal);
  side.feature = feature_of(FeatureKind::face, face.number);
  side.face = &face;
  return side;
}

OtherPoses inverse_of(const OtherPoses& poses) {
  return {inverse_pose(poses.start), inverse_pose(poses.touch), inverse_pose(poses.end),
          poses.goes_on};
}

void OnFlatSide::point(const Vec<3>& at, double radius, Feature feature, int number) const {
  if (reaches(other_.start.apply(at), other_.end.apply(at), radius)) {
    add(point_flat(at, radius), feature, number);
  }
}

/// The disk has one closest point, and the rim of a small end that rocks on a large ball needs some to hold it.
void OnFlatSide::ball(const Vec<3>& centre, double radius, Feature feature, int end) const {
  const Vec<3>& up = side_.plane.direction;
  const Vec<3> zero = up.unitOrthogonal();
  for (int moment = 0; moment < moments(); ++moment) {
    const Vec<3> place = at(moment).apply(centre);
    const auto toward = [&](const Vec<3>& from) {
      return owner_.start.turn((place - from).normalized());
    };
    const Vec<3> offset = place - side_.plane.at;
    const Vec<3> across = offset - up.dot(offset) * up;
    const double distance = across.norm();
    const Vec<3> foot =
        side_.plane.at + (distance > side_.radius ? side_.radius / distance : 1.0) * across;
    const double far = radius + limits_.reach;
    // Only what is in front of the side, or beside it, touches it.
    if (up.dot(offset) <= 0.0 || (place - foot).norm() > far) continue;
    sink_.add(owner_.second, {Flat::Kind::disk, side_.plane.at, up, side_.radius}, side_.feature,
              point_flat(centre, radius), feature, toward(foot), side_.first_number + end);
    for (int k = 0; k < kRimPoints; ++k) {
      const double angle = 2.0 * M_PI * k / kRimPoints;
      const Vec<3> rim = side_.plane.at +
                         side_.radius * (std::cos(angle) * zero + std::sin(angle) * up.cross(zero));
      if ((place - rim).norm() > far) continue;
      sink_.add(owner_.second, point_flat(rim), side_.feature, point_flat(centre, radius), feature,
                toward(rim), side_.first_number + 2 + end * kRimPoints + k);
    }
  }
}

void OnFlatSide::rims(const MotionRound& cylinder) const {
  const Vec<3> axis = cylinder.axis();
  const Vec<3> axis_start = other_.start.turn(axis);
  const Vec<3> axis_end = other_.end.turn(axis);
  // Behind a thin plate its far side is near, too.
  const bool in_front =
      side_.height(other_.end.apply(Vec<3>(0.5 * (cylinder.from + cylinder.to)))) > 0.0;
  const double tilt_start = axis_start.cross(side_.plane.direction).norm();
  const double tilt_end = axis_end.cross(side_.plane.direction).norm();
  for (int i = 0; i < 2; ++i) {
    const Vec<3>& centre = i == 0 ? cylinder.from : cylinder.to;
    const Vec<3> start = other_.start.apply(centre) - cylinder.radius * across(axis_start);
    const Vec<3> end = other_.end.apply(centre) - cylinder.radius * across(axis_end);
    if (std::max(tilt_start, tilt_end) > kLyingFlat &&
        (reaches(start, end, 0.0) ||
         (in_front && other_.goes_on && ends_on(end, cylinder.radius)))) {
      add({Flat::Kind::disk, centre, axis, cylinder.radius}, cylinder.feature, i);
    }
    if (std::min(tilt_start, tilt_end) > kStanding) continue;
    for (int k = 0; k < kRimCorners; ++k) {
      point(cylinder.rim(centre, k), 0.0, cylinder.feature, 2 + i * kRimCorners + k);
    }
  }
}

void OnFlatSide::segment(const Vec<3>& from, const Vec<3>& to, double radius, Feature feature,
                         const Fits& fits) const {
  const Flat line = line_flat(from, (to - from).normalized(), radius);
  for (int moment = 0; moment < moments(); ++moment) {
    segment_at(moment, from, to, line, feature, fits);
  }
}

void OnFlatSide::side_line(const MotionRound& cylinder) const {
  for (int moment = 0; moment < moments(); ++moment) {
    const Vec<3> axis = at(moment).turn(cylinder.axis());
    if (std::abs(axis.dot(side_.plane.direction)) > kLinesAcross) continue;
    const Vec<3> down = at(moment).rotation.transpose() * (-cylinder.radius * across(axis));
    segment_at(moment, cylinder.from + down, cylinder.to + down,
               line_flat(cylinder.from, cylinder.axis(), cylinder.radius), cylinder.feature,
               [](const Vec<3>&) { return true; });
  }
}

void OnFlatSide::rim_crossings(const MotionRound& cylinder) const {
  for (int moment = 0; moment < moments(); ++moment) {
    const Vec<3> axis = at(moment).turn(cylinder.axis());
    if (axis.cross(side_.plane.direction).norm() > kStanding) continue;
    for (int i = 0; i < 2; ++i) rim_crossing(moment, cylinder, i, axis);
  }
}

const Pose<3>& OnFlatSide::at(int moment) const { return moment == 0 ? other_.touch : other_.end; }

void OnFlatSide::segment_at(int moment, const Vec<3>& from, const Vec<3>& to, const Flat& line,
                            Feature feature, const Fits& fits) const {
  const Vec<3> p = at(moment).apply(from);
  const auto flat = [&](const Vec<3>& v) -> Vec<3> {
    return v - side_.plane.direction.dot(v) * side_.plane.direction;
  };
  const Vec<3> start = flat(p - side_.plane.at);
  const Vec<3> way = flat(at(moment).apply(to) - p);
  const double square = way.squaredNorm();
  if (!(square > 0.0)) return;
  const double middle = -start.dot(way) / square;
  const double rest = side_.radius * side_.radius - (start + middle * way).squaredNorm();
  if (!(rest > 0.0)) return;
  const double half = std::sqrt(rest / square);
  for (int k = 0; k < 2; ++k) {
    const double share = middle + (k == 0 ? -half : half);
    if (share > 0.0 && share < 1.0) {
      crossing(moment, from + share * (to - from), line, feature, k, fits);
    }
  }
}

void OnFlatSide::rim_crossing(int moment, const MotionRound& cylinder, int i,
                              const Vec<3>& axis) const {
  const Vec<3>& normal = side_.plane.direction;
  const Vec<3>& end = i == 0 ? cylinder.from : cylinder.to;
  const Vec<3> centre = at(moment).apply(end);
  const Vec<3> offset = centre - side_.height(centre) * normal - side_.plane.at;
  const double distance = offset.norm();
  if (!(distance > 0.0)) return;
  // Along and across the line of the centres.
  const double along =
      (distance * distance + side_.radius * side_.radius - cylinder.radius * cylinder.radius) /
      (2.0 * distance);
  const double square = side_.radius * side_.radius - along * along;
  if (!(square > 0.0)) return;
  const Vec<3> u = offset / distance;
  const Vec<3> v = normal.cross(u);
  for (int k = 0; k < 2; ++k) {
    const Vec<3> foot = side_.plane.at + along * u + (k == 0 ? -1.0 : 1.0) * std::sqrt(square) * v;
    // On the rim itself: in the disk's plane, under or over the crossing.
    const Vec<3> rim = foot + axis.dot(centre - foot) / axis.dot(normal) * normal;
    const Vec<3> point = local_to(at(moment), rim);
    const Vec<3> tangent = cylinder.axis().cross(point - end).normalized();
    const Vec<3> out = i == 0 ? Vec<3>(-cylinder.axis()) : cylinder.axis();
    crossing(moment, point, line_flat(point, tangent), cylinder.feature, 2 + 2 * i + k,
             [&](const Vec<3>& from) {
               return std::min(from.dot(out), from.dot((point - end).normalized())) >= -kOffCone;
             });
  }
}

void OnFlatSide::crossing(int moment, const Vec<3>& point, const Flat& line, Feature feature,
                          int number, const Fits& fits) const {
  const Vec<3>& up = side_.plane.direction;
  const Vec<3> place = at(moment).apply(point);
  const double height = side_.height(place);
  if (height > limits_.reach || height < -kInside * side_.radius) return;
  const Vec<3> rim = place - height * up;
  const Vec<3> radial = (rim - side_.plane.at).normalized();
  const Vec<3> tangent = up.cross(radial);
  Vec<3> normal = tangent.cross(at(moment).turn(line.direction));
  const double sine = normal.norm();
  const bool crosses = sine >= kLinesAcross;
  normal = crosses ? Vec<3>(normal / (normal.dot(up + radial) < 0.0 ? -sine : sine)) : up;
  // A rim that is touched from elsewhere is not touched here. And where the plane along both would cut into one of
  // them, something else is lower.
  if (normal.dot(up) < kFromAbove || normal.dot(radial) < -kOffCone) return;
  if (!fits(-(at(moment).rotation.transpose() * normal))) return;
  const int full_number = (moment == 0 ? kCrossing : kCrossingAtEnd) + number;
  if (!crosses) return add(point_flat(point), feature, full_number);
  sink_.add(owner_.second, line_flat(rim, tangent), side_.feature, line, feature,
            owner_.start.turn(normal), side_.first_number + full_number);
}

Vec<3> OnFlatSide::across(const Vec<3>& axis) const {
  Vec<3> part = side_.plane.direction - axis.dot(side_.plane.direction) * axis;
  part -= axis.dot(part) * axis;
  const double length = part.norm();
  return length > 1e-12 ? Vec<3>(part / length) : axis.unitOrthogonal();
}

bool OnFlatSide::reaches(const Vec<3>& start, const Vec<3>& end, double radius) const {
  const double before = side_.height(start) - radius;
  const double after = side_.height(end) - radius;
  if (std::min(before, after) > limits_.reach || before < -kBehind * limits_.slip) return false;
  double when = 1.0;
  if (before <= limits_.slip) {
    when = 0.0;
  } else if (after < 0.0) {
    when = before / (before - after);
  }
  return side_.holds((1.0 - when) * start + when * end, limits_);
}

bool OnFlatSide::ends_on(const Vec<3>& end, double radius) const {
  const double after = side_.height(end);
  return after <= limits_.reach && after > -kInside * radius && side_.holds(end, limits_);
}

void OnFlatSide::add(const Flat& flat, Feature feature, int number) const {
  sink_.add(owner_.second, side_.plane, side_.feature, flat, feature,
            owner_.start.turn(side_.plane.direction), side_.first_number + number);
}

}  // namespace collapse::contacts
