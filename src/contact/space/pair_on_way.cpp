#include "contact/space/pair_on_way.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/space/first_touch.hpp"
#include "contact/space/support.hpp"

namespace collapse::contacts {
namespace {

/// Lines at a smaller angle (sine) have no normal across both that holds still.
constexpr double kLineCrossing = 0.1;
/// Of the scale: lines stand for what the solids pass by no more than this in the step.
constexpr double kLineHolds = 0.5;
/// Of a piece's size: what is as far along a direction, but for rounding of the direction.
constexpr double kAsFar = 1e-7;
/// Numbers of the rows between closest points, when they touch and at the end: above all others of a pair. And of that
/// of what has passed.
constexpr int kClosest = 90;
constexpr int kPassed = 92;
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

/// What of the piece is farthest along a direction.
Feature ConvexPart::feature_towards(const Vec<3>& normal) const {
  const std::vector<Vec<3>>& vertices = piece_->hull->vertices();
  double most = -std::numeric_limits<double>::infinity();
  for (const Vec<3>& vertex : vertices) most = std::max(most, normal.dot(vertex));
  const auto is_there = [&](int vertex) {
    return normal.dot(piece_->vertex(vertex)) >= most - kAsFar * piece_->size;
  };
  for (std::size_t i = 0; i < piece_->faces.size(); ++i) {
    const std::vector<MotionPiece::Side>& sides = piece_->faces[i].sides;
    if (std::all_of(sides.begin(), sides.end(),
                    [&](const MotionPiece::Side& side) { return is_there(side.vertex); }))
      return feature_of(FeatureKind::face, static_cast<int>(i));
  }
  for (std::size_t i = 0; i < piece_->edges.size(); ++i) {
    if (is_there(piece_->edges[i].from) && is_there(piece_->edges[i].to))
      return feature_of(FeatureKind::edge, static_cast<int>(i));
  }
  int vertex = 0;
  while (!is_there(vertex)) ++vertex;
  return feature_of(FeatureKind::vertex, vertex);
}

std::optional<ConvexPart::Place> ConvexPart::place(const Feature& proposed, const Vec<3>& point,
                                                   const Vec<3>& normal) const {
  if (round_ != nullptr) return round_place(point);
  // Beside a cylinder the feature is not known.
  const bool elsewhere =
      proposed.kind == FeatureKind::vertex &&
      (piece_->vertex(static_cast<int>(proposed.index)) - point).norm() > kAsFar * piece_->size;
  const Feature feature = on_surface(elsewhere ? feature_towards(normal) : proposed, normal);
  const int number = number_of(feature);
  if (number < 0) return std::nullopt;
  const bool edge = feature.kind == FeatureKind::edge;
  return Place{feature_of(feature.kind, number), point,
               edge ? piece_->edges[feature.index].direction : Vec<3>::Zero(), 0.0};
}

int ConvexPart::number_of(const Feature& feature) const {
  const std::size_t i = feature.index;
  return feature.kind == FeatureKind::face   ? piece_->faces[i].number
         : feature.kind == FeatureKind::edge ? piece_->edges[i].number
                                             : piece_->vertex_numbers[i];
}

/// Where the body goes on beside a piece, in a corner, an edge of its surface may end there, or a face: the one that is
/// most across the normal, or along it.
Feature ConvexPart::on_surface(const Feature& feature, const Vec<3>& normal) const {
  if (number_of(feature) >= 0 || feature.kind == FeatureKind::face) return feature;
  Feature best = feature;
  if (feature.kind == FeatureKind::vertex) {
    const int vertex = static_cast<int>(feature.index);
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < piece_->edges.size(); ++i) {
      const MotionPiece::Edge& edge = piece_->edges[i];
      const double along = std::abs(edge.direction.dot(normal));
      if (edge.number < 0 || (edge.from != vertex && edge.to != vertex) || along >= least) continue;
      least = along;
      best = feature_of(FeatureKind::edge, static_cast<int>(i));
    }
    return best;
  }
  const MotionPiece::Edge& edge = piece_->edges[feature.index];
  double most = 0.0;
  for (const int face : {edge.left, edge.right}) {
    const MotionPiece::Face& beside = piece_->faces[static_cast<std::size_t>(face)];
    if (beside.number < 0 || beside.normal.dot(normal) <= most) continue;
    most = beside.normal.dot(normal);
    best = feature_of(FeatureKind::face, face);
  }
  return best;
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
    const ConvexDistance first = measure(when_);
    if (when_ < 1.0) add(first, when_, kClosest);
    if (!told(last.distance)) {
      // What has passed through is not to be pushed out on the far side.
      const bool passed = when_ < 1.0 && first.normal.dot(last.normal) <= 0.0;
      if (passed) {
        keep_before(first);
      } else {
        add(last, 1.0, kClosest + 1);
      }
    }
  }
  sink_.set_floor(first_row_, own_.second ? other_.start : own_.start,
                  own_.second ? own_.start : other_.start, measure(0.0).distance, kLate * scale_);
}

ConvexDistance PairOnWay::measure(double share) {
  return distance_of(own_part_.at(Pose<3>{}), other_part_.at(way_.at(share)), &cache_);
}

bool PairOnWay::told(double distance) const {
  return sink_.tells(first_row_, own_.second ? other_.end : own_.end,
                     own_.second ? own_.end : other_.end, distance, limits_.slip);
}

/// What the two are where they are closest at that time: edges, rims and axes are lines there, the rest a plane of the
/// one and a point of the other.
void PairOnWay::add(const ConvexDistance& at, double share, int number) {
  const Pose<3> pose = way_.at(share);
  const auto own = own_part_.place(at.feature_a, at.point_a, at.normal);
  const Vec<3> point_b = local_to(pose, at.point_b);
  const Vec<3> normal_b = -(pose.rotation.transpose() * at.normal);
  const auto other = other_part_.place(at.feature_b, point_b, normal_b);
  if (!own || !other) return;
  const auto [own_flat, flat] = flats_of(*own, plane_flat(at.point_a, at.normal), *other,
                                         plane_flat(point_b, normal_b), pose);
  sink_.add(own_.second, own_flat, own->feature, flat, other->feature, own_.start.turn(at.normal),
            number);
}

/// What passes, around a rim or a corner, by other features than those that touched first, stays before the plane in
/// which they did: that of the larger one, and the point of the smaller one that is farthest behind it at the end. Never
/// of a ball (the other one, if any), which may spin: its plane would turn with it.
void PairOnWay::keep_before(const ConvexDistance& first) {
  const Pose<3> touch = way_.at(when_);
  const Pose<3> end = way_.at(1.0);
  const Vec<3> point_b = local_to(touch, first.point_b);
  const Vec<3> normal_b = -(touch.rotation.transpose() * first.normal);
  const bool other_is_larger = !other_part_.is_ball() && own_part_.scale() < other_part_.scale();
  const Vec<3> into = other_is_larger ? Vec<3>(-end.turn(normal_b)) : Vec<3>(-first.normal);
  const ConvexSolid smaller = other_is_larger ? own_part_.at(Pose<3>{}) : other_part_.at(end);
  const Vec<3> behind = farthest(smaller, into, 0).at + smaller.radius * into;
  const Feature vertex = feature_of(FeatureKind::vertex, 0);
  const auto point = [](const ConvexPart::Place& place) {
    return point_flat(place.core, place.radius);
  };
  const auto add_row = [&](const auto& own, const auto& other, const Flat& own_flat,
                           const Flat& flat) {
    sink_.add(own_.second, own_flat, own.feature, flat, other.feature,
              own_.start.turn(first.normal), kPassed);
  };
  const auto own = other_is_larger ? own_part_.place(vertex, behind, into)
                                   : own_part_.place(first.feature_a, first.point_a, first.normal);
  const auto other = other_is_larger ? other_part_.place(first.feature_b, point_b, normal_b)
                                     : other_part_.place(vertex, local_to(end, behind),
                                                         end.rotation.transpose() * into);
  if (!own || !other) return;
  if (other_is_larger) {
    add_row(*own, *other, point(*own), plane_flat(point_b, normal_b));
  } else {
    add_row(*own, *other, plane_flat(first.point_a, first.normal), point(*other));
  }
}

std::pair<Flat, Flat> PairOnWay::flats_of(const ConvexPart::Place& own, const Flat& own_plane,
                                          const ConvexPart::Place& other, const Flat& plane,
                                          const Pose<3>& pose) const {
  const auto rounded = [](const ConvexPart::Place& place) {
    return place.direction.isZero() ? point_flat(place.core, place.radius)
                                    : line_flat(place.core, place.direction, place.radius);
  };
  const Flat own_point = point_flat(own.core, own.radius);
  const Flat point = point_flat(other.core, other.radius);
  const bool crossing = own.direction.cross(pose.turn(other.direction)).norm() >= kLineCrossing;
  // As a line, what is passed in the step would be touched beyond its ends.
  const double way = (way_.at(1.0).apply(other.core) - way_.at(0.0).apply(other.core)).norm();
  if (crossing && way <= kLineHolds * scale_) return {rounded(own), rounded(other)};
  if (own.radius > 0.0 && other.radius > 0.0) return {rounded(own), point};
  // What is small is a point of itself; of what is large it is beside a plane or a line, or something round. A line needs
  // some distance to have a normal.
  const auto large = [&](const ConvexPart::Place& place, const Flat& flat, double radius) {
    const bool line = place.radius > 0.0 || (radius > 0.0 && !place.direction.isZero());
    return line ? rounded(place) : flat;
  };
  if (own_part_.scale() < other_part_.scale()) return {own_point, large(other, plane, own.radius)};
  return {large(own, own_plane, other.radius), point};
}

}  // namespace collapse::contacts
