#include "collapse/formulation/perturbation.hpp"

#include <cmath>
#include <optional>

namespace collapse {
namespace {

/// Contacts of a pair whose normals agree to rounding form one region.
constexpr double kSameNormal = 1e-9;
/// Points of a region that are nearer to a line than this share of its length are in line.
constexpr double kInLine = 1e-6;
/// A direction fixed to a body is good enough across another one if this share of it is across.
constexpr double kAcross = 1e-3;

/// A share between ½ and 1 that differs from index to index (golden ratio sequence).
double share(std::size_t index) {
  constexpr double kGolden = 0.6180339887498949;
  const double x = static_cast<double>(index + 1) * kGolden;
  return 0.5 + 0.5 * (x - std::floor(x));
}

/// Whether a region can only be narrowed along a line, or not at all.
template <int Dim>
bool is_thin(const std::vector<Vec<Dim>>& points) {
  if (Dim == 2 || points.size() < 3) return Dim == 3 || points.size() < 2;
  Vec<Dim> farthest = Vec<Dim>::Zero();
  for (const Vec<Dim>& point : points) {
    const Vec<Dim> way = point - points.front();
    if (way.norm() > farthest.norm()) farthest = way;
  }
  const double length = farthest.norm();
  for (const Vec<Dim>& point : points) {
    const Vec<Dim> way = point - points.front();
    const double along = farthest.dot(way) / length;
    if ((way - along / length * farthest).norm() > kInLine * length) return false;
  }
  return true;
}

/// Of a body that is one cylinder or one capsule, in its own coordinates.
std::optional<Vec<3>> roller_axis(const Shape<3>& shape) {
  if (!shape.pieces.empty() || !shape.balls.empty()) return std::nullopt;
  if (shape.cylinders.size() == 1 && shape.capsules.empty()) return shape.cylinders[0].axis;
  if (shape.capsules.size() == 1 && shape.cylinders.empty()) {
    return Vec<3>((shape.capsules[0].to - shape.capsules[0].from).normalized());
  }
  return std::nullopt;
}

/// Directions fixed to a body, in its own coordinates: to points of it, then its axes.
std::vector<Vec<3>> fixed_directions(const Shape<3>& shape, const Vec<3>& centre) {
  std::vector<Vec<3>> directions;
  for (const Vec<3>& point : shape.boundary.points) directions.push_back(point - centre);
  for (const Ball<3>& ball : shape.balls) directions.push_back(ball.centre - centre);
  for (const Cylinder& cylinder : shape.cylinders) directions.push_back(cylinder.axis);
  for (const Capsule& capsule : shape.capsules) directions.push_back(capsule.to - capsule.from);
  for (int i = 0; i < 3; ++i) directions.push_back(Vec<3>::Unit(i));
  return directions;
}

/// How far round bodies reach from where they are held to where they touch with that normal; 0: not round.
double touching_radius(const Shape<2>& shape, const Feature& feature, const Vec<2>& /*normal*/) {
  return feature.kind == FeatureKind::ball ? shape.balls[feature.index].radius : 0.0;
}
double touching_radius(const Shape<3>& shape, const Feature& feature, const Vec<3>& normal) {
  switch (feature.kind) {
    case FeatureKind::ball:
      return shape.balls[feature.index].radius;
    case FeatureKind::capsule:
      return shape.capsules[feature.index].radius;
    case FeatureKind::cylinder: {
      // On its side, not at a rim.
      const Cylinder& cylinder = shape.cylinders[feature.index];
      return std::abs(cylinder.axis.dot(normal)) < kAcross ? cylinder.radius : 0.0;
    }
    default:
      return 0.0;
  }
}

}  // namespace

template <int Dim>
Perturbation<Dim>::Perturbation(const Scene<Dim>& scene, const State<Dim>& state,
                                const FreeBodies<Dim>& free, std::span<const Contact<Dim>> contacts)
    : scene_(scene),
      bodies_(free.bodies),
      poses_(state.poses),
      contacts_(contacts.begin(), contacts.end()),
      middles_(contacts.size()),
      load_shifts_(free.bodies.size(), 0.0),
      axes_(free.bodies.size(), Vec<Dim>::Zero()),
      load_turns_(free.bodies.size(), 0.0) {
  const auto same_pair = [this](std::size_t i, std::size_t j) {
    return contacts_[i].id.a == contacts_[j].id.a && contacts_[i].id.b == contacts_[j].id.b;
  };
  std::size_t end = 0;
  for (std::size_t begin = 0; begin < contacts_.size(); begin = end) {
    for (end = begin; end < contacts_.size() && same_pair(begin, end);) ++end;
    for (std::size_t i = begin; i < end; ++i) {
      Vec<Dim> sum = Vec<Dim>::Zero();
      std::vector<Vec<Dim>> region;
      for (std::size_t j = begin; j < end; ++j) {
        if ((contacts_[i].normal - contacts_[j].normal).norm() > kSameNormal) continue;
        sum += contacts_[j].point;
        region.push_back(contacts_[j].point);
      }
      middles_[i] = sum / static_cast<double>(region.size());
      if (contacts_[i].normal_turns) has_points_ = true;
      if (!is_thin<Dim>(region)) continue;
      hold_at_point(free, contacts_[i].id.a);
      hold_at_point(free, contacts_[i].id.b);
    }
  }
  for (const Joint<Dim>& joint : scene.joints) {
    if (joint.type == JointType::weld) continue;
    for (const int body : {joint.a, joint.b}) {
      const int block = free.block_of(body);
      if (block < 0) continue;
      hold_at_point(free, body);
      // A rod's direction turns when a body shifts: to the body it is as if its load turned.
      if (joint.type != JointType::rod) continue;
      load_turns_[static_cast<std::size_t>(block)] = share(static_cast<std::size_t>(block));
      has_points_ = true;
    }
  }
  if (Dim == 3 && has_points_) find_axes(free);
}

template <int Dim>
void Perturbation<Dim>::find_axes(const FreeBodies<Dim>& free) {
  std::vector<std::vector<Vec<Dim>>> held(free.bodies.size());
  std::vector<bool> turns(free.bodies.size(), true);
  const auto add = [&](int body, const Vec<Dim>& point, bool fixes_turn) {
    const int block = free.block_of(body);
    if (block < 0) return;
    held[static_cast<std::size_t>(block)].push_back(point);
    if (fixes_turn) turns[static_cast<std::size_t>(block)] = false;
  };
  for (const Contact<Dim>& contact : contacts_) {
    add(contact.id.a, contact.point, false);
    add(contact.id.b, contact.point, false);
  }
  for (const Joint<Dim>& joint : scene_.joints) {
    const auto [at_a, at_b] = joint_ends<Dim>(scene_, poses_, joint);
    const bool fixes_turn = joint.type == JointType::weld || joint.type == JointType::hinge;
    add(joint.a, at_a, fixes_turn);
    add(joint.b, at_b, fixes_turn);
  }
  for (std::size_t i = 0; i < held.size(); ++i) {
    const auto body = static_cast<std::size_t>(free.bodies[i]);
    if (load_shifts_[i] == 0.0 || !turns[i] || held[i].size() < 2) continue;
    const double reach = scene_.bodies[body].shape.reach(scene_.bodies[body].mass.centre);
    Vec<Dim> farthest = Vec<Dim>::Zero();
    for (const Vec<Dim>& point : held[i]) {
      if ((point - held[i][0]).norm() > farthest.norm()) farthest = point - held[i][0];
    }
    if (farthest.norm() <= kInLine * reach) continue;
    std::vector<Vec<Dim>> points = held[i];
    points.push_back(free.centres[body]);
    if (is_thin<Dim>(points)) axes_[i] = farthest.normalized();
  }
}

template <int Dim>
void Perturbation<Dim>::hold_at_point(const FreeBodies<Dim>& free, int body) {
  const int block = free.block_of(body);
  if (block < 0) return;
  const MassProperties<Dim>& mass = scene_.bodies[static_cast<std::size_t>(body)].mass;
  const Shape<Dim>& shape = scene_.bodies[static_cast<std::size_t>(body)].shape;
  if (shape.is_ball()) return;
  const auto i = static_cast<std::size_t>(block);
  load_shifts_[i] = share(i) * shape.reach(mass.centre);
  has_points_ = true;
}

template <int Dim>
Vec<Dim> Perturbation<Dim>::sideways(const Vec<Dim>& direction, int body, int way,
                                     bool may_roll) const {
  const double sign = way % 2 == 0 ? 1.0 : -1.0;
  if constexpr (Dim == 2) {
    return sign * Vec<2>(tangents_of<2>(direction));
  } else {
    const auto across = [&](const Vec<3>& d) -> Vec<3> { return d - direction.dot(d) * direction; };
    const auto i = static_cast<std::size_t>(body);
    const Shape<3>& shape = scene_.bodies[i].shape;
    if (const auto axis = roller_axis(shape); axis && may_roll) {
      const Vec<3> along = across(poses_[i].turn(*axis));
      if (along.norm() > kAcross) return sign * along.normalized();
    }
    Vec<3> first = tangents_of<3>(direction).col(0);
    for (const Vec<3>& fixed : fixed_directions(shape, scene_.bodies[i].mass.centre)) {
      const Vec<3> candidate = across(poses_[i].turn(fixed));
      if (candidate.norm() <= kAcross * fixed.norm()) continue;
      first = candidate.normalized();
      break;
    }
    return sign * (way < 2 ? first : Vec<3>(direction.cross(first)));
  }
}

template <int Dim>
void Perturbation<Dim>::turn(Contact<Dim>& contact, double angle, int way) const {
  const int body =
      scene_.bodies[static_cast<std::size_t>(contact.id.b)].free() ? contact.id.b : contact.id.a;
  const Vec<Dim> turned =
      (contact.normal + angle * sideways(contact.normal, body, way, false)).normalized();
  // The point moves round each ball: a force along the normal still goes through its centre.
  const auto moved = [&](int of, const Feature& feature, double outwards) -> Vec<Dim> {
    const auto i = static_cast<std::size_t>(of);
    const double radius = touching_radius(
        scene_.bodies[i].shape, feature, Vec<Dim>(poses_[i].rotation.transpose() * contact.normal));
    if (radius == 0.0) return contact.point;
    return contact.point + outwards * radius * (turned - contact.normal);
  };
  const Vec<Dim> on_a = moved(contact.id.a, contact.id.feature_a, 1.0);
  const Vec<Dim> on_b = moved(contact.id.b, contact.id.feature_b, -1.0);
  contact.point = on_a;
  contact.offset_b = on_b - on_a;
  contact.normal = turned;
}

template <int Dim>
std::vector<Contact<Dim>> Perturbation<Dim>::contacts(double tau, int way) const {
  std::vector<Contact<Dim>> weaker = contacts_;
  for (std::size_t i = 0; i < weaker.size(); ++i) {
    Contact<Dim>& contact = weaker[i];
    contact.point += tau * (middles_[i] - contact.point);
    contact.friction *= 1.0 - tau;
    if (contact.normal_turns) turn(contact, tau * share(i), way);
  }
  return weaker;
}

template <int Dim>
std::vector<Twist<Dim>> Perturbation<Dim>::external(std::span<const Twist<Dim>> external,
                                                    double tau, int way) const {
  std::vector<Twist<Dim>> shifted(external.begin(), external.end());
  for (std::size_t i = 0; i < shifted.size(); ++i) {
    const Vec<Dim> force = shifted[i].template head<Dim>();
    if (force.isZero(0.0)) continue;
    if (Dim == 3 && load_shifts_[i] == 0.0 && load_turns_[i] == 0.0) continue;
    const Vec<Dim> unit = force.normalized();
    Vec<Dim> aside = sideways(unit, bodies_[i], way, true);
    const Vec<Dim> along = axes_[i] - unit.dot(axes_[i]) * unit;
    if (Dim == 3 && along.norm() > kAcross) {
      aside = (way % 2 == 0 ? 1.0 : -1.0) * along.normalized();
    }
    shifted[i].template tail<kSpins<Dim>>() += torque_of<Dim>(tau * load_shifts_[i] * aside, force);
    shifted[i].template head<Dim>() +=
        tau * load_turns_[i] * force.norm() * sideways(unit, bodies_[i], way, false);
  }
  return shifted;
}

template class Perturbation<2>;
template class Perturbation<3>;

}  // namespace collapse
