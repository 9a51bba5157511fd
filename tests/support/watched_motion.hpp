#pragma once
/// A motion in space, and the worst of it so far: found anew from poses and velocities after every step, with nothing
/// but the work of given paths taken from the account.

#include <algorithm>
#include <limits>

#include "benchmarks/overlap.hpp"
#include "tests/support/moving_scene.hpp"

namespace collapse::testing {

class WatchedMotion : public MovingSceneOf<3> {
 public:
  WatchedMotion(const std::string& text, const SimulationOptions& options)
      : MovingSceneOf<3>(text, options), judge_(*scene) {
    watch();
  }

  /// Frames of which none may be interrupted.
  void run_frames(int frames) {
    for (int k = 0; k < frames; ++k) {
      finite = simulation.step() && finite;
      watch();
    }
  }

  /// Kinetic, and potential of gravity.
  [[nodiscard]] double energy() const { return kinetic_energy() + potential_energy(); }
  [[nodiscard]] double kinetic_energy() const {
    return sum_over_free([&](const Body<3>& body, std::size_t i) {
      const Twist<3>& v = simulation.state().velocities[i];
      const Inertia<3> inertia =
          world_inertia<3>(body.mass.inertia, simulation.state().poses[i].rotation);
      return 0.5 *
             (body.mass.mass * v.head<3>().squaredNorm() + v.tail<3>().dot(inertia * v.tail<3>()));
    });
  }
  [[nodiscard]] double speed(const std::string& name) const {
    return velocity(name).head<3>().norm();
  }

  bool finite = true;    ///< all of it, always
  double overlap = 0.0;  ///< of the smaller body's size
  double gain = 0.0;     ///< largest rise of energy − driven work above its least value before
  double most_kinetic = 0.0;  ///< energy: what gains are measured by

 private:
  template <class Term>
  [[nodiscard]] double sum_over_free(const Term& term) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < scene->bodies.size(); ++i) {
      if (scene->bodies[i].free()) sum += term(scene->bodies[i], i);
    }
    return sum;
  }
  [[nodiscard]] double potential_energy() const {
    return sum_over_free([&](const Body<3>& body, std::size_t i) {
      const Vec<3> centre = simulation.state().centre(*scene, static_cast<int>(i));
      return -body.mass.mass * scene->gravity.value.dot(centre);
    });
  }

  void watch() {
    const State<3>& state = simulation.state();
    for (std::size_t i = 0; i < state.poses.size(); ++i) {
      finite = finite && state.poses[i].rotation.allFinite() &&
               state.poses[i].position.allFinite() && state.velocities[i].allFinite();
    }
    if (!finite) return;
    overlap = std::max(overlap, judge_.deepest(state).share);
    most_kinetic = std::max(most_kinetic, kinetic_energy());
    const double own = energy() - simulation.account().driven_work;
    gain = std::max(gain, own - least_);
    least_ = std::min(least_, own);
  }

  benchmarks::OverlapJudge judge_;
  double least_ = std::numeric_limits<double>::infinity();
};

}  // namespace collapse::testing
