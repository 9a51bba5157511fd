/// Crowds: more bodies than are followed to the last digits.

#include <gtest/gtest.h>

#include "benchmarks/box_overlap.hpp"
#include "tests/support/moving_scene.hpp"
#include "tests/support/overlap.hpp"

namespace collapse::testing {
namespace {

/// By separating axes: what contact finding says is not asked.
double deepest_of(const Scene<3>& scene, const State<3>& state) {
  std::vector<benchmarks::PlacedBox> boxes;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    if (!scene.bodies[i].free()) continue;
    benchmarks::PlacedBox box;
    box.centre = state.poses[i].position;
    box.axes = state.poses[i].rotation;
    box.half = Vec<3>::Constant(0.5);
    boxes.push_back(box);
  }
  double deepest = 0.0;
  for (const double depth : benchmarks::depths(boxes, {})) deepest = std::max(deepest, depth);
  return deepest;
}

TEST(Crowd, CubesFallWithoutOverlapAndComeToRest) {
  const Scene<3> scene = parse_scene<3>(
      scenes::make_scene("cube-container", {{"cubes", "72"}, {"side", "8"}, {"seed", "3"}}));
  SimulationOptions options;
  options.threads = 1;
  Simulation<3> simulation(scene, options);
  double deepest = 0.0;
  int steps = 0;
  for (; steps < 400 && !simulation.resting(); ++steps) {
    ASSERT_TRUE(simulation.step());
    deepest = std::max(deepest, deepest_of(scene, simulation.state()));
  }
  EXPECT_LE(deepest, 1e-5);
  EXPECT_LE(simulation.account().max_penetration, 1e-5);
  EXPECT_TRUE(simulation.resting());
  EXPECT_GT(steps, 60);  // it had to fall first
  EXPECT_LE(simulation.account().max_gain, 1e-6 * std::abs(simulation.account().energy));
  // Rest is for ever, also if all that is kept for speed is forgotten, or another run goes on from here.
  const State<3> state = simulation.state();
  for (int k = 0; k < 20; ++k) ASSERT_TRUE(simulation.step());
  EXPECT_EQ(simulation.state().poses, state.poses);
  const Account account = simulation.account();
  Simulation<3> restored(scene, options);
  restored.restore(simulation.snapshot(), account, simulation.contacts());
  simulation.forget();
  for (Simulation<3>* run : {&simulation, &restored}) {
    for (int k = 0; k < 3; ++k) ASSERT_TRUE(run->step());
    EXPECT_TRUE(run->resting());
    EXPECT_EQ(run->state().poses, state.poses);
    EXPECT_EQ(run->account().programs, account.programs);
    EXPECT_EQ(run->account().steps, account.steps + 3);
    EXPECT_EQ(run->account().unsettled_steps, simulation.account().unsettled_steps);
    EXPECT_EQ(run->contacts().size(), simulation.contacts().size());
  }
}

/// Balls of 0.1, that turn at first, above a pit of four slopes; a post far away stands on its own.
std::string pit(int layers, const std::string& rest = "") {
  std::string bodies;
  for (const char* normal : {"[4, 1, 3]", "[-4, 0, 3]", "[0, 4, 3]", "[1, -4, 3]"}) {
    bodies += R"({"plane": {"normal": )" + std::string(normal) +
              R"(, "offset": 0}, "name": "slope )" + normal + R"("}, )";
  }
  bodies += R"({"name": "post", "box": [1, 1, 1], "position": [0, 0, 50], "fixed": true,
               "material": "rough"})";
  for (int k = 0; k < 25 * layers; ++k) {
    const int layer = k / 25;
    const Vec<3> at(0.23 * (k % 5) - 0.45 + 0.03 * (layer % 2),
                    0.22 * (k / 5 % 5) - 0.43 - 0.001 * k, 1.1 + 0.22 * layer);
    bodies += R"(, {"name": "ball )" + std::to_string(k) +
              R"(", "sphere": 0.1, "spin": [1, -2, 3], "position": )" + written(at) + "}";
  }
  return space_scene(bodies, R"({"restitution": 0.3}, "rough": {})", rest);
}

TEST(Crowd, OfBallsWithoutFrictionGoesOnTurningAndFallsAsIfTheirTurnsWereAsked) {
  // In the second scene something could turn a ball, but is far away.
  MovingSceneOf<3> ways = moving<3>(pit(3));
  MovingSceneOf<3> motions =
      moving<3>(pit(3, R"(, "pairs": [{"materials": ["default", "rough"], "friction": 0.5}])"));
  ways.run(0.6);  // the first layers have bounced
  motions.run(0.6);
  const Account& account = ways.simulation.account();
  EXPECT_LT(account.energy, 0.9 * account.initial_energy);  // spent in impacts
  double turning = 0.0;
  double lowest = 9.0;
  for (int k = 0; k < 75; ++k) {
    const std::string name = "ball " + std::to_string(k);
    EXPECT_LT((ways.centre(name) - motions.centre(name)).norm(), 1e-4) << name;
    EXPECT_LT((ways.velocity(name) - motions.velocity(name)).norm(), 1e-2) << name;
    turning = std::max(turning, (ways.velocity(name).tail<3>() - Vec<3>(1, -2, 3)).norm());
    lowest = std::min(lowest, ways.centre(name).z());
  }
  // Where a step would give energy, its bodies get slower in all they do, by less than a hundredth here.
  EXPECT_LT(turning, 0.01 * Vec<3>(1, -2, 3).norm());
  EXPECT_LT(lowest, 0.6);
}

TEST(Crowd, OfBallsWithoutFrictionSettlesByFallingPotentialEnergyAlone) {
  SimulationOptions options;
  options.scheme = SchemeKind::settle;
  MovingSceneOf<3> scene = moving<3>(pit(3), 1.0, options);
  OverlapJudge overlaps(*scene.scene);
  double last = scene.simulation.account().energy;
  const double first = last;
  for (int k = 0; k < 1500 && !scene.simulation.resting(); ++k) {
    ASSERT_TRUE(scene.simulation.step());
    EXPECT_LE(scene.simulation.account().energy, last + 1e-9 * first) << k;
    last = scene.simulation.account().energy;
    EXPECT_LT(overlaps.deepest(scene.simulation.state()).share, 1e-4) << k;
  }
  EXPECT_TRUE(scene.simulation.resting());
  EXPECT_LT(last, 0.6 * first);
}

}  // namespace
}  // namespace collapse::testing
