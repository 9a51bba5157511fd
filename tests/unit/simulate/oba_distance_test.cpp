/// Bounce at a distance (distance=on of scheme oba): what would overlap in the next frame bounces now.

#include <gtest/gtest.h>

#include "tests/support/watched_motion.hpp"

namespace collapse::testing {
namespace {

SimulationOptions at_a_distance(bool on) {
  SimulationOptions options;
  options.scheme = SchemeKind::oba;
  options.step = 1.0 / 30.0;
  options.oba.set("distance", on ? "on" : "off");
  return options;
}

const std::string kBouncy = R"({"friction": "3/10", "restitution": "1/2"})";

/// How far a ball of radius 1/2 is from the ground in the frame in which it turns round.
double gap_where_it_turns_round(bool on) {
  WatchedMotion fall(
      space_scene(kSpaceGround + R"(, {"name": "ball", "sphere": "1/2", "position": [0, 0, 3]})",
                  kBouncy),
      at_a_distance(on));
  for (int frame = 0; frame < 60 && fall.velocity("ball")[2] <= 0.0; ++frame) fall.run_frames(1);
  EXPECT_GT(fall.velocity("ball")[2], 1.0);
  EXPECT_LE(fall.velocity("ball")[2], 0.5 * std::sqrt(2.0 * 10.0 * 2.5) + 1e-9);
  return fall.centre("ball").z() - 0.5;
}

TEST(ObaBounceAtADistance, HappensBeforeTheBallTouches) {
  EXPECT_LE(gap_where_it_turns_round(false), 1e-5);
  const double gap = gap_where_it_turns_round(true);
  EXPECT_GE(gap, 1e-3);
  // No further away than it goes in a frame.
  EXPECT_LE(gap, std::sqrt(2.0 * 10.0 * 2.5) / 30.0);
}

TEST(ObaBounceAtADistance, LeavesTwoBallsApart) {
  WatchedMotion balls(
      space_scene(
          R"({"name": "left", "sphere": "1/2", "position": [-2, 0, 0], "velocity": [7, 0, 0]},
                     {"name": "right", "sphere": "1/2", "position": [2, 0, 0]})",
          R"({"restitution": 1})", "", "[0, 0, 0]"),
      at_a_distance(true));
  double nearest = 4.0;
  for (int frame = 0; frame < 30; ++frame) {
    balls.run_frames(1);
    nearest = std::min(nearest, (balls.centre("right") - balls.centre("left")).norm());
  }
  EXPECT_GT(nearest, 1.001);
  EXPECT_LT(nearest, 1.0 + 7.0 / 30.0);
  EXPECT_NEAR(balls.speed("left"), 0.0, 1e-4);
  EXPECT_NEAR(balls.speed("right"), 7.0, 1e-4);
}

/// Cubes and balls that fall into a box: virtual contacts neither hold anything up nor push it into others.
TEST(ObaBounceAtADistance, FillsABoxWithoutOverlapOrGain) {
  std::string bodies = kSpaceGround;
  const auto wall = [&](const std::string& name, const std::string& normal) {
    bodies += R"(, {"name": ")" + name + R"(", "plane": {"normal": )" + normal +
              R"(, "offset": "-3/2"}})";
  };
  wall("left", "[1, 0, 0]");
  wall("right", "[-1, 0, 0]");
  wall("front", "[0, 1, 0]");
  wall("back", "[0, -1, 0]");
  for (int i = 0; i < 16; ++i) {
    const Vec<3> at(i % 2 == 0 ? -0.7 : 0.65, i / 2 % 2 == 0 ? -0.6 : 0.7, 1.0 + 1.5 * (i / 4));
    const std::string name = (i % 3 == 0 ? "ball " : "cube ") + std::to_string(i);
    bodies += R"(, {"name": ")" + name + R"(", "position": )" + written(at) +
              (i % 3 == 0 ? R"(, "sphere": "1/2"})"
                          : R"(, "box": ["4/5", "4/5", "4/5"], "orientation": [5, )" +
                                std::to_string(i % 4) + R"(, 1, 2]})");
  }
  WatchedMotion box(space_scene(bodies, kBouncy), at_a_distance(true));
  box.run_frames(150);
  EXPECT_TRUE(box.finite);
  EXPECT_LE(box.overlap, 1e-4);
  EXPECT_LE(box.gain, 1e-6 * box.most_kinetic);
  EXPECT_EQ(box.simulation.account().crushed_steps, 0);
  // All of it has come down: four layers of which the lowest touches the ground.
  EXPECT_LE(box.kinetic_energy(), 1e-2 * box.most_kinetic);
  for (const Body<3>& body : box.scene->bodies) {
    if (!body.free()) continue;
    EXPECT_LT(box.centre(body.name).z(), 4.5) << body.name;
  }
}

}  // namespace
}  // namespace collapse::testing
