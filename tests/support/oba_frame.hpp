#pragma once
/// The end of a frame of scheme oba with contacts given by hand: tests of its velocities that do not depend on positions or
/// on finding contacts.

#include "simulate/oba_static.hpp"
#include "tests/support/space_structure.hpp"

namespace collapse::testing {

struct ObaFrame {
  static constexpr double kStep = 1.0 / 30.0;

  ObaFrame(const SpaceStructure& structure, const SimulationOptions& given,
           double restitution = 0.0)
      : scene(structure.scene),
        options(given),
        world(scene, options),
        freezer(world, options),
        momentum(world, options),
        statics(world, options, momentum) {
    const State<3> state = initial_state(scene);
    poses = state.poses;
    velocities = state.velocities;
    for (const Contact<3>& contact : structure.contacts.contacts) {
      contacts::MotionRow<3> row;
      row.id = contact.id;
      const contacts::PlacedRow<3> placed{contact.point, contact.normal, 0.0};
      touching.push_back({contact.id, simulate::ContactTerms<3>(world, row, placed, poses),
                          contact.friction, restitution});
    }
    world.joint_rows(poses, joints);
    impulses.assign(touching.size(), Vec<3>::Zero());
  }

  [[nodiscard]] simulate::ObaTouch touch() const { return {poses, touching, joints}; }
  bool collide() { return momentum.collide(touch(), kStep, freezer, velocities, impulses, report); }
  bool press() { return momentum.press(touch(), {}, velocities, impulses, report); }
  bool apply_forces() {
    return statics.apply(touch(), kStep, freezer.frozen(), velocities, impulses, report);
  }
  void freeze() {
    std::vector<std::pair<int, int>> pairs;
    for (const simulate::ObaContact& contact : touching) {
      pairs.emplace_back(contact.terms.a, contact.terms.b);
    }
    freezer.look(poses, pairs, kStep, velocities);
  }

  [[nodiscard]] Twist<3>& velocity(int body) { return velocities[static_cast<std::size_t>(body)]; }
  [[nodiscard]] double kinetic_energy() const {
    double energy = 0.0;
    for (const int body : world.free_bodies()) {
      const auto i = static_cast<std::size_t>(body);
      energy += 0.5 * velocities[i].dot(world.mass_matrix(body, poses[i]) * velocities[i]);
    }
    return energy;
  }
  /// Momentum, and angular momentum about the origin.
  [[nodiscard]] Twist<3> total_momentum() const {
    Twist<3> sum = Twist<3>::Zero();
    for (const int body : world.free_bodies()) {
      const auto i = static_cast<std::size_t>(body);
      const Twist<3> p = world.mass_matrix(body, poses[i]) * velocities[i];
      sum.head<3>() += p.head<3>();
      sum.tail<3>() += p.tail<3>() + world.centre(body, poses).cross(Vec<3>(p.head<3>()));
    }
    return sum;
  }

  Scene<3> scene;
  SimulationOptions options;
  simulate::World<3> world;
  simulate::ObaFreezer freezer;
  simulate::ObaMomentum momentum;
  simulate::ObaStatic statics;
  std::vector<Pose<3>> poses;
  std::vector<Twist<3>> velocities;
  std::vector<simulate::ObaContact> touching;
  std::vector<simulate::MovingJointRow<3>> joints;
  simulate::ObaImpulses impulses;
  simulate::StepReport<3> report;
};

}  // namespace collapse::testing
