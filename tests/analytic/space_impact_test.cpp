/// Bodies that hit each other in space: momentum, restitution, thin plates, heavy on light.

#include <gtest/gtest.h>

#include <cmath>

#include "collapse/core/random.hpp"
#include "tests/support/moving_scene.hpp"

namespace collapse::testing {
namespace {

struct Momenta {
  Vec<3> linear = Vec<3>::Zero();
  Vec<3> angular = Vec<3>::Zero();  ///< about the origin
};

Momenta momenta_of(const MovingSceneOf<3>& scene) {
  Momenta sum;
  const State<3>& state = scene.simulation.state();
  for (std::size_t i = 0; i < state.poses.size(); ++i) {
    const MassProperties<3>& mass = scene.scene->bodies[i].mass;
    const Vec<3> p = mass.mass * state.velocities[i].head<3>();
    sum.linear += p;
    sum.angular +=
        state.centre(*scene.scene, static_cast<int>(i)).cross(p) +
        world_inertia<3>(mass.inertia, state.poses[i].rotation) * state.velocities[i].tail<3>();
  }
  return sum;
}

/// Eight boxes, balls and cylinders that fly into each other at the origin.
std::string free_crowd(std::uint64_t seed) {
  Random random(seed);
  const auto vector = [&](double size) {
    return Vec<3>(random.between(-size, size), random.between(-size, size),
                  random.between(-size, size));
  };
  const char* const shapes[] = {R"("box": [1, "1/2", "3/4"])", R"("sphere": "2/5")",
                                R"("cylinder": ["1/3", 1])", R"("capsule": ["1/4", "1/2"])"};
  std::string bodies;
  for (int i = 0; i < 8; ++i) {
    const Vec<3> corner((i & 1) != 0 ? 1 : -1, (i & 2) != 0 ? 1 : -1, (i & 4) != 0 ? 1 : -1);
    bodies += (i == 0 ? "" : ", ") +
              (R"({"name": "b)" + std::to_string(i) + R"(", )" + shapes[random.below(4)] +
               R"(, "position": )" + written(1.2 * corner) + R"(, "velocity": )" +
               written(-3.0 * corner + vector(1.0)) + R"(, "spin": )" + written(vector(4.0)) + "}");
  }
  return space_scene(bodies, R"({"friction": 0.4, "restitution": 0.3})", "", "[0, 0, 0]");
}

TEST(CollisionsOfFreeBodies, KeepMomentumAndLoseEnergy) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    MovingSceneOf<3> scene = moving<3>(free_crowd(seed));
    const Momenta before = momenta_of(scene);
    double scale = 0.0;
    for (std::size_t i = 0; i < 8; ++i) {
      scale += scene.scene->bodies[i].mass.mass * scene.start.velocities[i].head<3>().norm();
    }
    scene.run(1.0);
    const Momenta after = momenta_of(scene);
    EXPECT_LT((after.linear - before.linear).norm(), 1e-9 * scale) << seed;
    // Forces act where the bodies are at the end of a step, momentum counts from its beginning.
    EXPECT_LT((after.angular - before.angular).norm(), 0.02 * scale) << seed;
    const Account& account = scene.simulation.account();
    EXPECT_LT(account.energy, 0.9 * account.initial_energy) << seed;
    EXPECT_LT(account.max_gain, 1e-3 * account.initial_energy) << seed;
    EXPECT_LT(account.max_penetration, 1e-6) << seed;
  }
}

TEST(TwoBalls, ThatHitObliquelyExchangeTheVelocityAlongTheirCentres) {
  // Equal and elastic: the normal parts change over. So near that the normal is known but for a step's way.
  const Vec<3> n = Vec<3>(1.0, 2.0, 2.0) / 3.0;
  const Vec<3> v(4.0, 1.0, -1.0);
  double last_error = 1.0;
  for (const double step : {1.0 / 240.0, 1.0 / 960.0}) {
    MovingSceneOf<3> scene =
        moving<3>(space_scene(R"({"name": "a", "sphere": "1/2", "velocity": )" + written(v) +
                                  R"(}, {"name": "b", "sphere": "1/2", "position": )" +
                                  written(1.00001 * n) + "}",
                              R"({"restitution": 1})", "", "[0, 0, 0]"),
                  step);
    scene.run(0.2);
    const double error = (scene.velocity("b").head<3>() - v.dot(n) * n).norm();
    EXPECT_LT(error, 30.0 * step);
    EXPECT_LT(error, 0.35 * last_error);
    last_error = error;
    const Vec<3> sum = (scene.velocity("a") + scene.velocity("b")).head<3>();
    EXPECT_LT((sum - v).norm(), 1e-9);
    EXPECT_NEAR(scene.simulation.account().energy, scene.simulation.account().initial_energy, 1e-6);
  }
}

TEST(BallsInLineInSpace, PassTheSpeedOnWhenHitOneAfterTheOther) {
  SimulationOptions options;
  options.impact = ImpactRule::sequential;
  std::string bodies;
  for (int i = 0; i < 5; ++i) {
    bodies += (i == 0 ? "" : ", ") +
              (R"({"name": "s)" + std::to_string(i) + R"(", "sphere": "1/2", "position": )" +
               written((i == 0 ? -1.0 : i) * Vec<3>(0.6, 0.8, 0)) +
               (i == 0 ? R"(, "velocity": [3, 4, 0]})" : "}"));
  }
  MovingSceneOf<3> scene =
      moving<3>(space_scene(bodies, R"({"restitution": 1})", "", "[0, 0, 0]"), 1.0 / 60.0, options);
  scene.run(0.6);
  for (int i = 0; i < 4; ++i) {
    EXPECT_LT(scene.velocity("s" + std::to_string(i)).norm(), 1e-6) << i;
  }
  EXPECT_LT((scene.velocity("s4").head<3>() - Vec<3>(3, 4, 0)).norm(), 1e-6);
}

TEST(FiveCubesInLine, MoveOnTogetherAfterAnInelasticHit) {
  std::string bodies;
  for (int i = 0; i < 5; ++i) {
    bodies += (i == 0 ? "" : ", ") +
              (R"({"name": "s)" + std::to_string(i) + R"(", "box": [1, 1, 1], "position": [)" +
               std::to_string(i == 0 ? -1 : i) +
               (i == 0 ? R"(, 0, 0], "velocity": [5, 0, 0]})" : ", 0, 0]}"));
  }
  MovingSceneOf<3> scene = moving<3>(space_scene(bodies, "{}", "", "[0, 0, 0]"));
  scene.run(1.0);
  for (int i = 0; i < 5; ++i) {
    EXPECT_LT((scene.velocity("s" + std::to_string(i)).head<3>() - Vec<3>::UnitX()).norm(), 1e-6);
  }
}

TEST(FastAndSmall, DoesNotPassAThinPlateHoweverItIsShapedOrTurned) {
  Random random(3);
  const char* const shapes[] = {
      R"("box": ["1/20", "1/20", "1/20"])", R"("sphere": "1/40")", R"("capsule": ["1/50", "1/30"])",
      R"("cylinder": ["1/40", "1/30"])",
      R"("hull": [[0, 0, 0], ["1/20", 0, 0], [0, "1/20", 0], [0, 0, "1/20"]])"};
  for (int k = 0; k < 40; ++k) {
    const Vec<3> turn(random.between(-180, 180), random.between(-90, 90), random.between(-90, 90));
    const Vec<3> spin(random.between(-50, 50), random.between(-50, 50), random.between(-50, 50));
    const double distance = random.between(0.2, 2.0);
    MovingSceneOf<3> scene = moving<3>(
        space_scene(R"({"name": "plate", "box": ["1/100", 4, 4], "fixed": true},
            {"name": "b", )" +
                        std::string(shapes[k % 5]) + R"(, "position": )" +
                        written(Vec<3>(-distance, random.between(-1, 1), random.between(-1, 1))) +
                        R"(, "rotation_vector": )" + written(turn) + R"(, "spin": )" +
                        written(spin) + R"(, "velocity": )" +
                        written(Vec<3>(100.0, random.between(-9, 9), random.between(-9, 9))) + "}",
                    R"({"restitution": 0.2, "friction": 0.3})"));
    for (int step = 0; step < 6; ++step) {
      scene.simulation.step();
      EXPECT_LT(scene.centre("b").x(), 0.0) << k << ' ' << step;
    }
    EXPECT_LT(scene.simulation.account().max_penetration, 1e-7) << k;
  }
}

TEST(FallingBrickInSpace, IsNotPushedAwayFromAWallThatItPasses) {
  MovingSceneOf<3> scene = moving<3>(space_scene(
      R"({"name": "wall", "box": [1, 10, 10], "fixed": true},
         {"name": "b", "box": [1, 1, 1], "position": ["1001/1000", 0, 4], "velocity": [0, 0, -20]})",
      R"({"friction": 0.8})"));
  scene.run(0.3);
  EXPECT_NEAR(scene.centre("b").x(), 1.001, 1e-9);
  EXPECT_NEAR(scene.velocity("b")[2], -23.0, 1e-6);
}

TEST(HeavyOnLight, IsCarriedByWhatIsAThousandTimesLighter) {
  MovingSceneOf<3> scene =
      moving<3>(space_scene(kSpaceGround +
                                R"(, {"name": "low", "box": [1, 1, 1], "position": [0, 0, "1/2"]},
          {"name": "middle", "sphere": "1/2", "position": [0, 0, "3/2"]},
          {"name": "high", "box": [1, 1, 1], "position": [0, 0, "5/2"], "mass": 1000})",
                            R"({"friction": 0.5})"));
  scene.run(2.0);
  EXPECT_LT(scene.farthest(), 1e-6);
  double up = 0.0;
  for (const ContactForce<3>& contact : scene.simulation.contacts()) {
    if (contact.id.a == scene.body("ground")) up += contact.force.z();
  }
  const double mass = 1001.0 + 4.0 / 3.0 * M_PI / 8.0;
  EXPECT_NEAR(up, 10.0 * mass, 1e-4 * mass);
}

TEST(HeavyDroppedOnLight, ComesToRestOnIt) {
  MovingSceneOf<3> scene = moving<3>(space_scene(
      kSpaceGround +
          R"(, {"name": "low", "box": [2, 2, "1/2"], "position": [0, 0, "1/4"], "mass": 1},
          {"name": "high", "box": [1, 1, 1], "position": ["1/10", 0, 2], "mass": 1000})",
      R"({"friction": 0.5})"));
  scene.run(3.0);
  EXPECT_TRUE(scene.simulation.resting());
  EXPECT_NEAR(scene.centre("high").z(), 1.0, 1e-6);
  EXPECT_LT(scene.simulation.account().max_penetration, 1e-6);
}

TEST(PathInSpace, WorksThroughJoints) {
  // Lifted from rest at a speed of 2: weight times way, and m v² for the jerk, of which half is lost.
  MovingSceneOf<3> scene = moving<3>(space_scene(
      R"({"name": "hook", "box": [1, 1, 1], "motion": {"keyframes": [{"time": 0, "position": [0, 0, 0]}, {"time": 1, "position": [0, 0, 2]}]}},
      {"name": "b", "box": [1, 1, 1], "position": [0, 0, -2], "mass": 3})",
      "{}", R"(, "joints": [{"type": "ball", "bodies": ["hook", "b"], "at": [0, 0, -1]}])"));
  scene.run(0.9);
  EXPECT_NEAR(scene.centre("b").z(), -0.2, 1e-9);
  EXPECT_NEAR(scene.simulation.account().driven_work, 3.0 * 10.0 * 1.8 + 3.0 * 4.0, 1e-6);
}

TEST(PathInSpace, PushesWhatIsInItsWayAndAccountsForItsWork) {
  MovingSceneOf<3> scene = moving<3>(space_scene(
      kSpaceGround +
      R"(, {"name": "ram", "box": [1, 1, 1], "motion": {"keyframes": [{"time": 0, "position": [0, 0, "1/2"]}, {"time": 1, "position": [0, 2, "1/2"]}]}},
      {"name": "b", "box": [1, 1, 1], "position": [0, "3/2", "1/2"]})"));
  scene.run(0.9);
  EXPECT_NEAR(scene.velocity("b")[1], 2.0, 1e-6);
  EXPECT_NEAR(scene.simulation.account().driven_work, 4.0, 1e-6);
  EXPECT_LT(scene.simulation.account().max_gain, 1e-6);
}

TEST(PathInSpace, ThatCrushesSomethingIsReported) {
  MovingSceneOf<3> scene = moving<3>(space_scene(
      kSpaceGround +
      R"(, {"name": "press", "box": [1, 1, 1], "motion": {"keyframes": [{"time": 0, "position": [0, 0, 2]}, {"time": 1, "position": [0, 0, 1]}]}},
      {"name": "b", "box": [1, 1, 1], "position": [0, 0, "1/2"]})"));
  bool told = false;
  while (scene.simulation.time() < 1.2) {
    ASSERT_TRUE(scene.simulation.step());
    for (const Incident& incident : scene.simulation.incidents()) {
      told = told || incident.what.find("crushed") != std::string::npos;
    }
  }
  EXPECT_TRUE(told);
  EXPECT_GT(scene.simulation.account().crushed_steps, 0);
  EXPECT_GT(scene.simulation.account().max_penetration, 0.01);
  EXPECT_TRUE(scene.simulation.state().velocities[2].allFinite());
}

TEST(BallThatFillsTheGapInSpace, IsHeldWithoutBouncing) {
  MovingSceneOf<3> scene = moving<3>(space_scene(
      R"({"name": "left", "box": [1, 1, 1], "motion": {"keyframes": [{"time": 0, "position": ["-7/10", 0, 0]}, {"time": 1, "position": ["-3/5", 0, 0]}]}},
         {"name": "right", "box": [1, 1, 1], "motion": {"keyframes": [{"time": 0, "position": ["7/10", 0, 0]}, {"time": 1, "position": ["3/5", 0, 0]}]}},
         {"name": "b", "sphere": "1/10"})",
      R"({"restitution": 1, "friction": 1})"));
  scene.run(1.5);
  EXPECT_TRUE(scene.simulation.state().velocities[2].allFinite());
  EXPECT_LT(std::abs(scene.centre("b").x()), 1e-3);
}

}  // namespace
}  // namespace collapse::testing
