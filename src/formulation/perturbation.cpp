#include "collapse/formulation/perturbation.hpp"

#include <cmath>

namespace collapse {
namespace {

/// Contacts of a pair whose normals agree to rounding form one region.
constexpr double kSameNormal = 1e-9;

/// A share between ½ and 1 that differs from index to index (golden ratio sequence).
double share(std::size_t index) {
  constexpr double kGolden = 0.6180339887498949;
  const double x = static_cast<double>(index + 1) * kGolden;
  return 0.5 + 0.5 * (x - std::floor(x));
}

}  // namespace

template <int Dim>
Perturbation<Dim>::Perturbation(const Scene<Dim>& scene, const FreeBodies<Dim>& free,
                                std::span<const Contact<Dim>> contacts)
    : scene_(scene),
      contacts_(contacts.begin(), contacts.end()),
      middles_(contacts.size()),
      load_shifts_(free.bodies.size(), 0.0),
      load_turns_(free.bodies.size(), 0.0) {
  const auto held_at_point = [&](int body) {
    const int block = free.block_of(body);
    if (block < 0) return;
    const MassProperties<Dim>& mass = scene.bodies[static_cast<std::size_t>(body)].mass;
    const Shape<Dim>& shape = scene.bodies[static_cast<std::size_t>(body)].shape;
    const bool round = shape.pieces.empty() && shape.balls.size() == 1;
    if (round) return;
    const auto i = static_cast<std::size_t>(block);
    load_shifts_[i] = share(i) * shape.reach(mass.centre);
    has_points_ = true;
  };
  const auto same_pair = [this](std::size_t i, std::size_t j) {
    return contacts_[i].id.a == contacts_[j].id.a && contacts_[i].id.b == contacts_[j].id.b;
  };
  std::size_t end = 0;
  for (std::size_t begin = 0; begin < contacts_.size(); begin = end) {
    for (end = begin; end < contacts_.size() && same_pair(begin, end);) ++end;
    for (std::size_t i = begin; i < end; ++i) {
      Vec<Dim> sum = Vec<Dim>::Zero();
      int count = 0;
      for (std::size_t j = begin; j < end; ++j) {
        if ((contacts_[i].normal - contacts_[j].normal).norm() > kSameNormal) continue;
        sum += contacts_[j].point;
        ++count;
      }
      middles_[i] = sum / count;
      if (contacts_[i].normal_turns) has_points_ = true;
      if (count > 1) continue;
      held_at_point(contacts_[i].id.a);
      held_at_point(contacts_[i].id.b);
    }
  }
  for (const Joint<Dim>& joint : scene.joints) {
    if (joint.type == JointType::weld) continue;
    for (const int body : {joint.a, joint.b}) {
      const int block = free.block_of(body);
      if (block < 0) continue;
      held_at_point(body);
      // A rod's direction turns when a body shifts: to the body it is as if its load turned.
      if (joint.type != JointType::rod) continue;
      load_turns_[static_cast<std::size_t>(block)] = share(static_cast<std::size_t>(block));
      has_points_ = true;
    }
  }
}

template <int Dim>
void Perturbation<Dim>::turn(Contact<Dim>& contact, double angle) const {
  const Vec<Dim> sideways = tangents_of<Dim>(contact.normal).rowwise().sum();
  const Vec<Dim> turned = (contact.normal + angle * sideways).normalized();
  // The point moves round each ball: a force along the normal still goes through its centre.
  const auto moved = [&](int body, const Feature& feature, double outwards) -> Vec<Dim> {
    if (feature.kind != FeatureKind::ball) return contact.point;
    const auto& balls = scene_.bodies[static_cast<std::size_t>(body)].shape.balls;
    const double radius = outwards * balls[feature.index].radius;
    return contact.point + radius * (turned - contact.normal);
  };
  const Vec<Dim> on_a = moved(contact.id.a, contact.id.feature_a, 1.0);
  const Vec<Dim> on_b = moved(contact.id.b, contact.id.feature_b, -1.0);
  contact.point = on_a;
  contact.offset_b = on_b - on_a;
  contact.normal = turned;
}

template <int Dim>
std::vector<Contact<Dim>> Perturbation<Dim>::contacts(double tau, double sign) const {
  std::vector<Contact<Dim>> weaker = contacts_;
  for (std::size_t i = 0; i < weaker.size(); ++i) {
    Contact<Dim>& contact = weaker[i];
    contact.point += tau * (middles_[i] - contact.point);
    contact.friction *= 1.0 - tau;
    if (contact.normal_turns) turn(contact, sign * tau * share(i));
  }
  return weaker;
}

template <int Dim>
std::vector<Twist<Dim>> Perturbation<Dim>::external(std::span<const Twist<Dim>> external,
                                                    double tau, double sign) const {
  std::vector<Twist<Dim>> shifted(external.begin(), external.end());
  for (std::size_t i = 0; i < shifted.size(); ++i) {
    const Vec<Dim> force = shifted[i].template head<Dim>();
    if (force.isZero(0.0)) continue;
    const Vec<Dim> sideways = tangents_of<Dim>(force.normalized()).rowwise().sum();
    shifted[i].template tail<kSpins<Dim>>() +=
        torque_of<Dim>(sign * tau * load_shifts_[i] * sideways, force);
    shifted[i].template head<Dim>() += sign * tau * load_turns_[i] * force.norm() * sideways;
  }
  return shifted;
}

template class Perturbation<2>;

}  // namespace collapse
