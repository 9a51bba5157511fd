/// Freezing of crowds, body by body: it must not hold up what falls, nor stop what pushes.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/moving_scene.hpp"
#include "tests/support/overlap.hpp"

namespace collapse::testing {
namespace {

/// Columns of cubes, four by six with three in each, on what is called "floor", and more bodies.
std::string columns(const std::string& floor, const std::string& more = "") {
  std::string bodies = floor + more;
  for (int i = 0; i < 72; ++i) {
    const int column = i / 3;
    bodies += R"(, {"name": "cube )" + std::to_string(i) +
              R"(", "box": [1, 1, 1], "mass": 1, "position": [)" + std::to_string(column % 4) +
              ", " + std::to_string(column / 4) + ", \"" + std::to_string(2 * (i % 3) + 1) +
              "/2\"]}";
  }
  return space_scene(bodies, R"({"friction": 0.5, "restitution": 0})");
}

SimulationOptions freezing() {
  SimulationOptions options;
  options.freezing = true;
  return options;
}

std::ptrdiff_t frozen_in(const MovingSceneOf<3>& scene) {
  return std::count(scene.simulation.frozen().begin(), scene.simulation.frozen().end(), 1);
}

/// A ball rolls about on the floor: with islands nothing would freeze while it leans on a column.
TEST(FrozenCrowd, LeavesOutWhatRestsAwayFromWhatMoves) {
  MovingSceneOf<3> scene = moving<3>(
      columns(
          kSpaceGround,
          R"(, {"name": "ball", "sphere": "1/2", "mass": 1, "position": ["-1001/1000", 1, "1/2"], "velocity": [0, "1/100", 0]})"),
      1.0 / 60.0, freezing());
  std::ptrdiff_t most = 0;
  for (int k = 0; k < 40; ++k) {
    scene.simulation.step();
    most = std::max(most, frozen_in(scene));
    Vec<3> carried = Vec<3>::Zero();
    for (const ContactForce<3>& contact : scene.simulation.contacts()) {
      if (contact.id.a == 0) carried += contact.force;
    }
    EXPECT_NEAR(carried.z(), 730.0, 0.01 * 730.0) << "step " << k;
  }
  EXPECT_GE(most, 36);
  EXPECT_LT(scene.simulation.account().max_gain, 1e-6);
}

/// The floor goes away under columns that are frozen.
TEST(FrozenCrowd, FallsWithItsFloor) {
  const std::string floor =
      R"({"name": "floor", "box": [8, 8, 1], "position": [1, 2, "-1/2"], "motion": {"keyframes": [
         {"time": 0, "position": [1, 2, "-1/2"]}, {"time": "1/2", "position": [1, 2, "-1/2"]},
         {"time": 1, "position": [1, 2, "-21/2"]}]}})";
  const std::string ball =
      R"(, {"name": "ball", "sphere": "1/2", "position": [-2, 2, "1/2"], "velocity": [0, "1/10", 0]})";
  MovingSceneOf<3> scene = moving<3>(columns(floor, ball), 1.0 / 60.0, freezing());
  scene.run(0.5);
  EXPECT_EQ(frozen_in(scene), 72);
  scene.run(0.9);
  for (int i = 0; i < 72; ++i) {
    const double way = 0.5 + i % 3 - scene.centre("cube " + std::to_string(i)).z();
    EXPECT_NEAR(way, 0.5 * 10.0 * 0.4 * (0.4 + 1.0 / 60.0), 0.05) << i;
  }
}

/// A wall that comes slowly moves all columns in its way, also those behind that are frozen: none is crushed.
TEST(FrozenCrowd, IsPushedAsAWhole) {
  const std::string ram =
      R"(, {"name": "ram", "box": [1, 8, 2], "position": ["-21/20", 2, 1], "motion": {"keyframes": [
         {"time": 0, "position": ["-21/20", 2, 1]}, {"time": 1, "position": ["-19/20", 2, 1]}]}})";
  MovingSceneOf<3> scene = moving<3>(columns(kSpaceGround, ram), 1.0 / 60.0, freezing());
  scene.run(0.3);
  EXPECT_EQ(frozen_in(scene), 72);
  scene.run(1.0);
  EXPECT_EQ(scene.simulation.account().crushed_steps, 0);
  for (int i = 0; i < 72; i += 3) {
    const double place = i / 3 % 4;
    EXPECT_NEAR(scene.centre("cube " + std::to_string(i)).x(), place + 0.05, 2e-3) << i;
  }
  OverlapJudge judge(*scene.scene);
  EXPECT_LT(judge.deepest(scene.simulation.state()).share, 1e-5);
}

}  // namespace
}  // namespace collapse::testing
