#pragma once

#include <string>

#include "collapse/formulation/onset.hpp"
#include "tests/support/checked_scene.hpp"

namespace collapse::testing {

/// A scene with everything that `onset` says about it.
struct OnsetScene {
  Scene<2> scene;
  State<2> state;
  ContactSet<2> contacts;
  Onset<2> onset;

  /// Of the body of that name; zero if it is not among the answers.
  [[nodiscard]] BodyAcceleration<2> of(const std::string& name) const {
    for (const BodyAcceleration<2>& body : onset.bodies) {
      if (scene.body_name(body.body) == name) return body;
    }
    return {-1, Vec<2>::Zero(), Spin<2>::Zero()};
  }
  [[nodiscard]] const MassProperties<2>& mass(const std::string& name) const {
    return scene.bodies[static_cast<std::size_t>(*scene.find_body(name))].mass;
  }
  /// Sum over the contacts of a pair, on b.
  [[nodiscard]] Vec<2> force(const std::string& a, const std::string& b) const {
    Vec<2> sum = Vec<2>::Zero();
    for (const OnsetContact<2>& contact : onset.contacts) {
      if (scene.body_name(contact.id.a) == a && scene.body_name(contact.id.b) == b) {
        sum += contact.force;
      }
    }
    return sum;
  }
  [[nodiscard]] std::size_t opening() const {
    std::size_t count = 0;
    for (const OnsetContact<2>& contact : onset.contacts) count += contact.opens() ? 1 : 0;
    return count;
  }
};

inline OnsetScene onset_of(const std::string& text, const OnsetOptions& options = {}) {
  OnsetScene result;
  result.scene = parse_scene(text);
  result.state = initial_state(result.scene);
  result.contacts = find_contacts(result.scene, result.state);
  result.onset = find_onset(result.scene, result.state, result.contacts, options);
  return result;
}

inline OnsetScene gallery_onset(const std::string& name, const SceneOptions& scene = {},
                                FrictionLaw law = FrictionLaw::coulomb) {
  OnsetOptions options;
  options.friction_law = law;
  return onset_of(scenes::make_scene(name, scene), options);
}

/// Mass times acceleration, less gravity and the forces of contacts and joints, recomputed from the
/// answer alone: the largest force or torque left over on any body. Also how far a force is outside its
/// friction cone.
inline double worst_force_fault(const OnsetScene& result) {
  double worst = 0.0;
  for (const BodyAcceleration<2>& motion : result.onset.bodies) {
    const Body<2>& body = result.scene.bodies[static_cast<std::size_t>(motion.body)];
    const Vec<2> centre = result.state.centre(result.scene, motion.body);
    Vec<2> force = body.mass.mass * (result.scene.gravity.value - motion.linear);
    double torque = -body.mass.inertia(0, 0) * motion.angular[0];
    const auto add = [&](const Vec<2>& point, const Vec<2>& f) {
      force += f;
      torque += (point - centre)[0] * f[1] - (point - centre)[1] * f[0];
    };
    for (const OnsetContact<2>& contact : result.onset.contacts) {
      if (contact.id.b == motion.body) add(contact.point, contact.force);
      if (contact.id.a == motion.body) add(contact.point, -contact.force);
    }
    for (const JointForce<2>& joint : result.onset.joint_forces) {
      const Joint<2>& at = result.scene.joints[static_cast<std::size_t>(joint.joint)];
      if (at.b == motion.body) add(joint.point, joint.force), torque += joint.torque[0];
      if (at.a == motion.body) add(joint.point, -joint.force), torque -= joint.torque[0];
    }
    worst = std::max({worst, force.norm(), std::abs(torque)});
  }
  for (const OnsetContact<2>& contact : result.onset.contacts) {
    double friction = 0.0;
    for (const Contact<2>& found : result.contacts.contacts) {
      if (found.id == contact.id) friction = found.friction;
    }
    const double normal = contact.normal.dot(contact.force);
    const double across = (contact.force - normal * contact.normal).norm();
    worst = std::max({worst, -normal, across - friction * normal});
  }
  return worst;
}

}  // namespace collapse::testing
