#pragma once
/// Verdicts judged once more, from bodies and contacts alone, without the library's rows and
/// programs.

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/support/checked_scene.hpp"

namespace collapse::testing {

/// The forces put back onto the bodies: the largest force or torque left over, the latter over the
/// body's size if `over_size`.
template <int Dim>
double worst_imbalance(const CheckedSceneOf<Dim>& checked, bool over_size = false) {
  double worst = 0.0;
  for (std::size_t i = 0; i < checked.scene.bodies.size(); ++i) {
    const Body<Dim>& body = checked.scene.bodies[i];
    if (!body.free()) continue;
    const int number = static_cast<int>(i);
    const Vec<Dim> centre = checked.state.centre(checked.scene, number);
    Vec<Dim> force = body.mass.mass * checked.scene.gravity.value;
    Spin<Dim> torque = Spin<Dim>::Zero();
    const auto add = [&](const Vec<Dim>& point, const Vec<Dim>& f) {
      force += f;
      torque += torque_of<Dim>(point - centre, f);
    };
    for (const ContactForce<Dim>& contact : checked.verdict.forces) {
      if (contact.id.b == number) add(contact.point, contact.force);
      if (contact.id.a == number) add(contact.point, -contact.force);
    }
    for (const JointForce<Dim>& joint : checked.verdict.joint_forces) {
      const Joint<Dim>& at = checked.scene.joints[static_cast<std::size_t>(joint.joint)];
      if (at.b == number) add(joint.point, joint.force), torque += joint.torque;
      if (at.a == number) add(joint.point, -joint.force), torque -= joint.torque;
    }
    const double size = over_size ? body.shape.reach(body.mass.centre) : 1.0;
    worst = std::max({worst, force.norm(), torque.norm() / size});
  }
  return worst;
}

/// How far any force is outside the cone of its contact.
template <int Dim>
double worst_force_outside(const CheckedSceneOf<Dim>& checked) {
  double worst = 0.0;
  for (const ContactForce<Dim>& contact : checked.verdict.forces) {
    double friction = -1.0;
    for (const Contact<Dim>& found : checked.contacts.contacts) {
      if (found.id == contact.id) friction = found.friction;
    }
    if (friction < 0.0) continue;  // a corner contact: its forces lie between several normals
    const double normal = contact.normal.dot(contact.force);
    const double across = (contact.force - normal * contact.normal).norm();
    worst = std::max({worst, -normal, across - friction * normal});
  }
  return worst;
}

struct MotionAudit {
  double gain = 0.0;       ///< power of gravity
  double fastest = 0.0;    ///< speed of the fastest vertex
  double violation = 0.0;  ///< of the contacts: largest u_n < μ |u_t|; of joints: relative motion
};

inline std::vector<Vec<2>> corners_of(const Shape<2>& shape) {
  std::vector<Vec<2>> corners;
  for (const Loop& loop : shape.boundary) {
    corners.insert(corners.end(), loop.vertices().begin(), loop.vertices().end());
  }
  return corners;
}
inline std::vector<Vec<3>> corners_of(const Shape<3>& shape) { return shape.boundary.points; }

/// How fast what a joint holds together comes apart: points, and what may not turn (times size).
template <int Dim, class VelocityAt>
double joint_violation(const CheckedSceneOf<Dim>& checked, const Joint<Dim>& joint,
                       const std::vector<Twist<Dim>>& motion, const VelocityAt& velocity_at) {
  const auto velocity = [&](int body, const Vec<Dim>& point) -> Vec<Dim> {
    return body == kWorld ? Vec<Dim>::Zero().eval() : velocity_at(body, point);
  };
  const auto spin = [&](int body) -> Spin<Dim> {
    if (body == kWorld) return Spin<Dim>::Zero();
    return motion[static_cast<std::size_t>(body)].template tail<kSpins<Dim>>();
  };
  const Vec<Dim> apart = velocity(joint.b, joint.at_b.value) - velocity(joint.a, joint.at_a.value);
  if (joint.type == JointType::rod) {
    return std::abs(apart.dot((joint.at_b.value - joint.at_a.value).normalized()));
  }
  if (joint.type == JointType::pin) return apart.norm();
  Spin<Dim> turning = spin(joint.b) - spin(joint.a);
  if constexpr (Dim == 3) {
    if (joint.type == JointType::hinge) turning -= joint.axis.dot(turning) * joint.axis;
  }
  double size = 0.0;
  for (const int body : {joint.a, joint.b}) {
    if (body == kWorld) continue;
    const Body<Dim>& joined = checked.scene.bodies[static_cast<std::size_t>(body)];
    if (joined.free()) size = std::max(size, joined.shape.reach(joined.mass.centre));
  }
  return std::max(apart.norm(), size * turning.norm());
}

/// For bodies without round parts (else `fastest` says less).
template <int Dim>
MotionAudit audit_mechanism(const CheckedSceneOf<Dim>& checked) {
  MotionAudit audit;
  std::vector<Twist<Dim>> motion(checked.scene.bodies.size(), Twist<Dim>::Zero());
  const auto velocity_at = [&](int body, const Vec<Dim>& point) -> Vec<Dim> {
    const Twist<Dim>& u = motion[static_cast<std::size_t>(body)];
    const Spin<Dim> spin = u.template tail<kSpins<Dim>>();
    const Vec<Dim> r = point - checked.state.centre(checked.scene, body);
    return u.template head<Dim>() + spin_velocity<Dim>(spin, r);
  };
  for (const BodyMotion<Dim>& m : checked.verdict.mechanism) {
    const auto i = static_cast<std::size_t>(m.body);
    motion[i] << m.velocity, m.spin;
    const Body<Dim>& body = checked.scene.bodies[i];
    audit.gain += body.mass.mass * checked.scene.gravity.value.dot(m.velocity);
    for (const Vec<Dim>& corner : corners_of(body.shape)) {
      const Vec<Dim> point = checked.state.poses[i].apply(corner);
      audit.fastest = std::max(audit.fastest, velocity_at(m.body, point).norm());
    }
  }
  for (const Contact<Dim>& contact : checked.contacts.contacts) {
    const Vec<Dim> relative =
        velocity_at(contact.id.b, contact.point) - velocity_at(contact.id.a, contact.point);
    const double normal = contact.normal.dot(relative);
    const double tangential = (relative - normal * contact.normal).norm();
    audit.violation = std::max(audit.violation, contact.friction * tangential - normal);
  }
  for (const Joint<Dim>& joint : checked.scene.joints) {
    audit.violation =
        std::max(audit.violation, joint_violation(checked, joint, motion, velocity_at));
  }
  return audit;
}

}  // namespace collapse::testing
