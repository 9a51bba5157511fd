#include <gtest/gtest.h>

#include "simulate/point_scheme.hpp"
#include "tests/support/framework_scene.hpp"
#include "tests/support/moving_scene.hpp"

namespace collapse {
namespace {

using testing::moving_gallery;
using testing::MovingScene;

SimulationOptions of_points(ModelKind model, SchemeKind scheme = SchemeKind::position) {
  SimulationOptions options;
  options.model = model;
  options.scheme = scheme;
  options.threads = 1;
  return options;
}

/// Without friction its balance is unstable: an error of 1e-13 would tear it down in five seconds.
TEST(PointRest, AWallWithoutFrictionStandsForTenSeconds) {
  for (const auto& options : {of_points(ModelKind::nine_points), of_points(ModelKind::corners),
                              of_points(ModelKind::nine_points, SchemeKind::acceleration)}) {
    MovingScene wall = moving_gallery("wall", {{"courses", "5"}, {"width", "5"}}, options);
    wall.run(10.0);
    EXPECT_EQ(wall.farthest(), 0.0);
    EXPECT_TRUE(wall.simulation.resting());
    EXPECT_FALSE(wall.simulation.contacts().empty());
    EXPECT_EQ(wall.simulation.account().programs, 1);  // the step is not computed again
  }
}

TEST(PointRest, ATowerFallsByAHair) {
  const SimulationOptions options = of_points(ModelKind::nine_points);
  MovingScene stands =
      moving_gallery("harmonic", {{"bricks", "8"}, {"factor", "999999/1000000"}}, options);
  stands.run(10.0);
  EXPECT_EQ(stands.farthest(), 0.0);
  MovingScene falls =
      moving_gallery("harmonic", {{"bricks", "8"}, {"factor", "1000001/1000000"}}, options);
  falls.run(10.0);
  EXPECT_GE(falls.farthest(), 1.0);
}

/// A bar on end, whose top is `beside` of its length from above the foot: how far the top goes in ten seconds.
double way_of_a_bar_on_end(double beside) {
  testing::FrameworkScene framework;
  const int foot = framework.peg({0.0, 0.0});
  const int top = framework.point({beside, 1.0});
  framework.bar(foot, top);
  const SimulationOptions options = of_points(ModelKind::rigid);
  const auto scheme = simulate::make_point_scheme(framework.scene(), options);
  State<2> state = initial_state(framework.scene());
  const Vec<2> start = state.points[static_cast<std::size_t>(top)];
  double farthest = 0.0;
  for (int step = 0; step < 600; ++step) {
    scheme->step(state, step / 60.0, 1.0 / 60.0);
    farthest = std::max(farthest, (state.points[static_cast<std::size_t>(top)] - start).norm());
  }
  return farthest;
}

TEST(PointRest, ABarOnEndFallsIfItLeans) {
  EXPECT_EQ(way_of_a_bar_on_end(0.0), 0.0);
  EXPECT_GE(way_of_a_bar_on_end(1e-7), 1.9);
}

TEST(PointRest, EndsWhenAGivenPathBegins) {
  MovingScene pushed(R"({
    "collapse": 1, "dimension": 2, "gravity": [0, -10],
    "bodies": [
      { "name": "ground", "fixed": true, "plane": { "normal": [0, 1], "offset": 0 } },
      { "name": "block", "box": [1, 1], "position": [0, "1/2"] },
      { "name": "piston", "box": [1, 1], "position": [-1, "1/2"],
        "motion": { "keyframes": [ { "time": 1, "position": [-1, "1/2"] },
                                   { "time": 2, "position": [0, "1/2"] } ] } }
    ] })",
                     of_points(ModelKind::nine_points));
  pushed.run(1.0);
  EXPECT_EQ(pushed.farthest(), 0.0);
  pushed.run(2.0);
  EXPECT_NEAR(pushed.centre("block").x(), 1.0, 0.02);
}

}  // namespace
}  // namespace collapse
