/// Crowds: more bodies than are followed to the last digits.

#include <gtest/gtest.h>

#include "benchmarks/box_overlap.hpp"
#include "collapse/io/scene_reader.hpp"
#include "collapse/simulate/simulation.hpp"
#include "scenes/gallery.hpp"

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

}  // namespace
}  // namespace collapse::testing
