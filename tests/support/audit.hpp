#pragma once
/// Verdicts judged once more, from bodies and contacts alone, without the library's rows and
/// programs.

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/support/checked_scene.hpp"

namespace collapse::testing {

/// The forces put back onto the bodies: the largest force or torque left over.
inline double worst_imbalance(const CheckedScene& checked) {
  double worst = 0.0;
  for (std::size_t i = 0; i < checked.scene.bodies.size(); ++i) {
    const Body<2>& body = checked.scene.bodies[i];
    if (!body.free()) continue;
    const Vec<2> centre = checked.state.centre(checked.scene, static_cast<int>(i));
    Vec<2> force = body.mass.mass * checked.scene.gravity.value;
    double torque = 0.0;
    const auto add = [&](const Vec<2>& point, const Vec<2>& f) {
      force += f;
      torque += (point - centre)[0] * f[1] - (point - centre)[1] * f[0];
    };
    for (const ContactForce<2>& contact : checked.verdict.forces) {
      if (contact.id.b == static_cast<int>(i)) add(contact.point, contact.force);
      if (contact.id.a == static_cast<int>(i)) add(contact.point, -contact.force);
    }
    for (const JointForce<2>& joint : checked.verdict.joint_forces) {
      const Joint<2>& at = checked.scene.joints[static_cast<std::size_t>(joint.joint)];
      if (at.b == static_cast<int>(i)) add(joint.point, joint.force);
      if (at.a == static_cast<int>(i)) add(joint.point, -joint.force);
    }
    worst = std::max({worst, force.norm(), std::abs(torque)});
  }
  return worst;
}

struct MotionAudit {
  double gain = 0.0;       ///< power of gravity
  double fastest = 0.0;    ///< speed of the fastest vertex
  double violation = 0.0;  ///< of the contacts: largest u_n < μ |u_t|
};

/// For bodies without disks, and scenes without joints.
inline MotionAudit audit_mechanism(const CheckedScene& checked) {
  MotionAudit audit;
  std::vector<Twist<2>> motion(checked.scene.bodies.size(), Twist<2>::Zero());
  for (const BodyMotion<2>& m : checked.verdict.mechanism) {
    const auto i = static_cast<std::size_t>(m.body);
    motion[i] << m.velocity, m.spin;
    const Body<2>& body = checked.scene.bodies[i];
    audit.gain += body.mass.mass * checked.scene.gravity.value.dot(m.velocity);
    const Vec<2> centre = checked.state.centre(checked.scene, m.body);
    for (const Loop& loop : body.shape.boundary) {
      for (const Vec<2>& vertex : loop.vertices()) {
        const Vec<2> r = checked.state.poses[i].apply(vertex) - centre;
        audit.fastest = std::max(audit.fastest, std::hypot(m.velocity[0] - m.spin[0] * r[1],
                                                           m.velocity[1] + m.spin[0] * r[0]));
      }
    }
  }
  for (const Contact<2>& contact : checked.contacts.contacts) {
    const auto velocity = [&](int body) -> Vec<2> {
      const Twist<2>& u = motion[static_cast<std::size_t>(body)];
      const Vec<2> r = contact.point - checked.state.centre(checked.scene, body);
      return {u[0] - u[2] * r[1], u[1] + u[2] * r[0]};
    };
    const Vec<2> relative = velocity(contact.id.b) - velocity(contact.id.a);
    const double normal = contact.normal.dot(relative);
    const double tangential = (relative - normal * contact.normal).norm();
    audit.violation = std::max(audit.violation, contact.friction * tangential - normal);
  }
  return audit;
}

}  // namespace collapse::testing
