/// Free flight by scheme oba of what spins fast: a frame in which a body turns by more than a radian is a frame like the
/// others.

#include <gtest/gtest.h>

#include "tests/support/watched_motion.hpp"

namespace collapse::testing {
namespace {

/// Three different sides, and a centre of mass that is not the origin.
std::string spinning_plank(const Vec<3>& spin) {
  return space_scene(R"({"name": "plank", "hull": [[0, 0, 0], [2, 0, 0], [0, 1, 0], [2, 1, 0],
      [0, 0, "1/4"], [2, 0, "1/4"], [0, 1, "1/4"], [2, 1, "1/4"]], "velocity": [1, -2, 8], "spin": )" +
                     written(spin) + "}");
}

SimulationOptions flight_by_oba() {
  SimulationOptions options;
  options.scheme = SchemeKind::oba;
  options.step = 1.0 / 30.0;
  return options;
}

/// Largest distance of the centre from its parabola, of the velocity from its straight line, and of the energy from
/// what it was, over `frames`.
struct OffTheParabola {
  double centre = 0.0;
  double velocity = 0.0;
  double energy = 0.0;    ///< of the kinetic energy at the start
  double momentum = 0.0;  ///< angular, of itself
  double least_turn = 0.0;
  double most_turn = 0.0;  ///< radians in a frame
};

OffTheParabola fly_plank(const Vec<3>& spin, int frames) {
  WatchedMotion plank(spinning_plank(spin), flight_by_oba());
  const Vec<3> gravity(0.0, 0.0, -10.0);
  const Vec<3> from = plank.centre("plank");
  const Vec<3> leaves = plank.velocity("plank").head<3>();
  const double energy = plank.energy();
  const double kinetic = plank.kinetic_energy();
  const auto angular = [&]() -> Vec<3> {
    return world_inertia<3>(plank.scene->bodies[0].mass.inertia, plank.pose("plank").rotation) *
           plank.velocity("plank").tail<3>();
  };
  const Vec<3> momentum = angular();
  OffTheParabola worst;
  worst.least_turn = worst.most_turn = spin.norm() / 30.0;
  for (int k = 0; k < frames; ++k) {
    plank.run_frames(1);
    const double t = plank.simulation.time();
    const Vec<3> at = from + t * leaves + 0.5 * t * t * gravity;
    const Vec<3> v = leaves + t * gravity;
    worst.centre = std::max(worst.centre, (plank.centre("plank") - at).norm());
    worst.velocity = std::max(worst.velocity, (plank.velocity("plank").head<3>() - v).norm());
    worst.energy = std::max(worst.energy, std::abs(plank.energy() - energy) / kinetic);
    worst.momentum = std::max(worst.momentum, (angular() - momentum).norm() / momentum.norm());
    const double turn = plank.velocity("plank").tail<3>().norm() / 30.0;
    worst.least_turn = std::min(worst.least_turn, turn);
    worst.most_turn = std::max(worst.most_turn, turn);
  }
  return worst;
}

void expect_on_the_parabola(const OffTheParabola& worst, const Vec<3>& spin) {
  EXPECT_LE(worst.centre, 1e-11) << spin.transpose();
  EXPECT_LE(worst.velocity, 1e-11) << spin.transpose();
  EXPECT_LE(worst.energy, 1e-10) << spin.transpose();
  EXPECT_LE(worst.momentum, 1e-10) << spin.transpose();
}

TEST(FlightByOba, FollowsTheParabolaHoweverFastItSpins) {
  for (const double speed : {0.0, 3.0, 29.0, 31.0, 61.0, 400.0}) {
    const Vec<3> spin = speed * Vec<3>(0.48, 0.6, 0.64);
    expect_on_the_parabola(fly_plank(spin, 60), spin);
  }
}

/// About its middle axis it turns over, and is slower and faster by turns: some frames are above a radian, some below.
TEST(FlightByOba, FollowsTheParabolaThroughOneRadianAFrame) {
  const Vec<3> spin(2.0, 28.0, 2.0);
  const OffTheParabola worst = fly_plank(spin, 90);
  EXPECT_LT(worst.least_turn, 0.98);
  EXPECT_GT(worst.most_turn, 1.02);
  expect_on_the_parabola(worst, spin);
}

/// What one body does is nothing to another: a ball that falls beside it is not touched by its spin.
TEST(FlightByOba, IsNotChangedByWhatSpinsElsewhere) {
  const std::string ball = R"({"name": "ball", "sphere": "1/2", "position": [0, 9, 3],
      "velocity": [1, 0, 5]})";
  const std::string plank = R"(, {"name": "plank", "box": [2, 1, "1/4"], "spin": [2, 28, 2]})";
  WatchedMotion alone(space_scene(ball), flight_by_oba());
  WatchedMotion beside(space_scene(ball + plank), flight_by_oba());
  alone.run_frames(60);
  beside.run_frames(60);
  EXPECT_LE((alone.centre("ball") - beside.centre("ball")).norm(), 1e-12);
  EXPECT_LE((alone.velocity("ball") - beside.velocity("ball")).norm(), 1e-12);
}

/// Nor is a frame in which it hits something another one: two radians a frame into the ground and a pile of cubes.
TEST(FlightByOba, EndsWithoutOverlapOrGain) {
  std::string bodies = kSpaceGround + R"(, {"name": "plank", "box": [2, 1, "1/4"],
      "position": [0, 0, 5], "velocity": [0, 0, -5], "spin": [20, 50, 30]})";
  for (int i = 0; i < 6; ++i) {
    bodies += R"(, {"name": "cube )" + std::to_string(i) + R"(", "box": [1, 1, 1], "position": )" +
              written(Vec<3>(1.125 * (i % 2), 1.125 * (i / 2) - 1.0, 0.5)) + "}";
  }
  WatchedMotion fall(space_scene(bodies, R"({"friction": "3/10", "restitution": "3/10"})"),
                     flight_by_oba());
  fall.run_frames(60);
  EXPECT_TRUE(fall.finite);
  EXPECT_LE(fall.overlap, 1e-6);
  EXPECT_LE(fall.gain, 1e-9 * fall.most_kinetic);
  EXPECT_LT(fall.kinetic_energy(), 0.8 * fall.most_kinetic);
  EXPECT_GT(fall.simulation.crowd().collisions, 0);
}

}  // namespace
}  // namespace collapse::testing
