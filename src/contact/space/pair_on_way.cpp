#include "contact/space/pair_on_way.hpp"

#include <algorithm>
#include <cmath>

#include "contact/space/first_touch.hpp"

namespace collapse::contacts {
namespace {

/// Lines at a smaller angle (sine) have no normal across both that holds still.
constexpr double kLineCrossing = 0.1;
/// Of the slip: rows tell the distance to this. Of the depth, where the solids overlap: at least this share.
constexpr double kTold = 0.01;
constexpr double kToldDepth = 0.5;
/// Numbers of the rows between closest points: above all others of a pair.
constexpr int kClosest = 90;
/// Of the scale: where solids end deeper in each other the end says nothing about where they touch.
constexpr double kShallow = 0.25;

Pose<3> relative_pose(const Pose<3>& own, const Pose<3>& other) {
  return {own.rotation.transpose() * other.rotation, local_to(own, other.position)};
}

}  // namespace

ConvexSolid ConvexPart::at(const Pose<3>& pose) {
  if (round_ != nullptr) return round_->solid(pose);
  vertices_.clear();
  for (const Vec<3>& vertex : piece_->hull->vertices()) vertices_.push_back(pose.apply(vertex));
  return ConvexSolid::polyhedron(*piece_->hull, vertices_, pose.rotation);
}

double ConvexPart::reach() const {
  if (round_ != nullptr) return std::max(round_->from.norm(), round_->to.norm()) + round_->radius;
  double most = 0.0;
  for (const Vec<3>& vertex : piece_->hull->vertices()) most = std::max(most, vertex.norm());
  return most;
}

double ConvexPart::scale() const { return round_ != nullptr ? round_->radius : 0.5 * piece_->size; }

std::optional<ConvexPart::Place> ConvexPart::place(const Feature& feature,
                                                   const Vec<3>& point) const {
  if (round_ != nullptr) return round_place(point);
  const std::size_t i = feature.index;
  const bool edge = feature.kind == FeatureKind::edge;
  const int number = feature.kind == FeatureKind::face ? piece_->faces[i].number
                     : edge                            ? piece_->edges[i].number
                                                       : piece_->vertex_numbers[i];
  if (number < 0) return std::nullopt;
  return Place{feature_of(feature.kind, number), point,
               edge ? piece_->edges[i].direction : Vec<3>::Zero(), 0.0};
}

ConvexPart::Place ConvexPart::round_place(const Vec<3>& point) const {
  const MotionRound& round = *round_;
  if (round.kind == MotionRound::Kind::ball) {
    return {round.feature, round.from, Vec<3>::Zero(), round.radius};
  }
  const double tolerance = 1e-6 * round.radius;
  const Vec<3> axis = round.axis();
  const double length = (round.to - round.from).norm();
  const double along = axis.dot(point - round.from);
  const Vec<3> foot = round.from + std::clamp(along, 0.0, length) * axis;
  const bool between = along > tolerance && along < length - tolerance;
  if (round.kind == MotionRound::Kind::capsule || between) {
    return {round.feature, foot, between ? axis : Vec<3>::Zero(), round.radius};
  }
  // On an end of a cylinder: its rim, or the flat of it.
  const Vec<3> across = point - round.from - along * axis;
  const bool rim = across.norm() >= round.radius - tolerance;
  return {round.feature, point, rim ? axis.cross(across).normalized() : Vec<3>::Zero(), 0.0};
}

RelativeWay::RelativeWay(const Party& own, const Party& other)
    : start_(relative_pose(own.start, other.start)), end_(relative_pose(own.end, other.end)) {
  const Eigen::AngleAxisd turn(Eigen::Matrix3d(end_.rotation * start_.rotation.transpose()));
  turn_ = turn.angle() * turn.axis();
}

Pose<3> RelativeWay::at(double share) const {
  if (share <= 0.0) return start_;
  if (share >= 1.0) return end_;
  return {rotation_by(share * turn_) * start_.rotation,
          (1.0 - share) * start_.position + share * end_.position};
}

PairOnWay::PairOnWay(ConvexPart own_part, const Party& own, ConvexPart other_part,
                     const Party& other, const RowLimits& limits, const RowSink& sink,
                     std::size_t first_row)
    : own_part_(std::move(own_part)),
      other_part_(std::move(other_part)),
      own_(own),
      other_(other),
      way_(own, other),
      limits_(limits),
      sink_(sink),
      first_row_(first_row),
      scale_(std::min(own_part_.scale(), other_part_.scale())) {}

bool PairOnWay::touch() {
  double least = 0.0;
  when_ = first_touch([&](double share) { return measure(share).distance; },
                      way_.length(other_part_.reach()), limits_.slip, least);
  return least <= limits_.reach;
}

bool PairOnWay::goes_on() { return when_ < 1.0 && measure(1.0).distance > -kShallow * scale_; }

void PairOnWay::tell_distance() {
  const ConvexDistance last = measure(1.0);
  if (last.distance <= limits_.reach && !told(last.distance)) {
    bool passed = false;
    if (when_ < 1.0) {
      const ConvexDistance first = measure(when_);
      add(first, when_, kClosest);
      // What has passed through is not to be pushed out on the far side.
      passed = first.normal.dot(last.normal) <= 0.0;
    }
    if (!passed && !told(last.distance)) add(last, 1.0, kClosest + 1);
  }
  sink_.set_floor(first_row_, own_.second ? other_.start : own_.start,
                  own_.second ? own_.start : other_.start, measure(0.0).distance, kLate * scale_);
}

ConvexDistance PairOnWay::measure(double share) {
  return distance_of(own_part_.at(Pose<3>{}), other_part_.at(way_.at(share)), &cache_);
}

bool PairOnWay::told(double distance) const {
  const Pose<3>& a = own_.second ? other_.end : own_.end;
  const Pose<3>& b = own_.second ? own_.end : other_.end;
  const double gap = distance < 0.0 ? kToldDepth * distance : distance;
  for (std::size_t k = first_row_; k < sink_.rows.size(); ++k) {
    if (placed_between(sink_.rows[k], a, b).gap <= gap + kTold * limits_.slip) return true;
  }
  return false;
}

/// What the two are where they are closest at that time: edges, rims and axes are lines there, the rest a plane of the
/// one and a point of the other.
void PairOnWay::add(const ConvexDistance& at, double share, int number) {
  const Pose<3> pose = way_.at(share);
  const auto own = own_part_.place(at.feature_a, at.point_a);
  const auto other = other_part_.place(at.feature_b, local_to(pose, at.point_b));
  if (!own || !other) return;
  Flat own_flat = plane_flat(at.point_a, at.normal);
  Flat flat = point_flat(other->core, other->radius);
  const bool crossing = own->direction.cross(pose.turn(other->direction)).norm() >= kLineCrossing;
  // A line and a point need some distance to have a normal.
  if (crossing || (own->radius + other->radius > 0.0 && !own->direction.isZero())) {
    own_flat = line_flat(own->core, own->direction, own->radius);
  }
  if (crossing) flat = line_flat(other->core, other->direction, other->radius);
  sink_.add(own_.second, own_flat, own->feature, flat, other->feature, own_.start.turn(at.normal),
            number);
}

}  // namespace collapse::contacts
