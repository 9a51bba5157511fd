/// The hybrid position update (hybrid=on of scheme oba) in whole frames: c_max and v_min.

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/watched_motion.hpp"

namespace collapse::testing {
namespace {

SimulationOptions hybrid_options(const std::string& settings) {
  SimulationOptions options;
  options.scheme = SchemeKind::oba;
  options.step = 1.0 / 30.0;
  options.oba.set_all(settings);
  return options;
}

/// Snapshots of the gallery's fast cubes and thin walls, frame by frame.
std::vector<std::vector<double>> fast_cubes(const std::string& settings) {
  WatchedMotion motion(scenes::make_scene("oba-hybrid", {{"cubes", "18"}}),
                       hybrid_options(settings));
  std::vector<std::vector<double>> snapshots;
  for (int frame = 0; frame < 20; ++frame) {
    motion.run_frames(1);
    snapshots.push_back(motion.simulation.snapshot());
  }
  return snapshots;
}

TEST(ObaHybrid, IsOffToTheBitWithoutBouncesOrAboveAllSpeeds) {
  const std::vector<std::vector<double>> off = fast_cubes("hybrid=off");
  EXPECT_EQ(fast_cubes("hybrid=on,c_max=0"), off);
  EXPECT_EQ(fast_cubes("hybrid=on,v_min=1000"), off);
  EXPECT_NE(fast_cubes("hybrid=on"), off);
}

constexpr double kHitBack = 0.9;  ///< restitution

/// A ball of 1/10 with a tenth of play between two walls, at 60: in a frame it would hit walls twenty times. Each hit
/// takes a tenth of its speed, so that the speed after a frame tells how many there were.
double hits_in_a_frame(const std::string& settings) {
  WatchedMotion motion(
      space_scene(R"({"name": "left", "fixed": true, "box": [1, 2, 2], "position": ["-0.6", 0, 0]},
                     {"name": "right", "fixed": true, "box": [1, 2, 2], "position": ["0.6", 0, 0]},
                     {"name": "ball", "sphere": "1/20", "velocity": [60, 0, 0]})",
                  R"({"restitution": "0.9"})", "", "[0, 0, 0]"),
      hybrid_options(settings));
  motion.run_frames(1);
  EXPECT_LE(motion.overlap, 1e-6);
  EXPECT_LE(std::abs(motion.centre("ball").x()), 0.05 + 1e-6);
  return std::log(motion.speed("ball") / 60.0) / std::log(kHitBack);
}

TEST(ObaHybrid, BouncesAPairUpToCMaxTimesAFrame) {
  // Without it the ball goes to the wall in its way and bounces once, from there.
  EXPECT_NEAR(hits_in_a_frame("hybrid=off"), 1.0, 1e-3);
  for (const int c_max : {0, 1, 2, 3}) {
    const double hits = hits_in_a_frame("hybrid=on,c_max=" + std::to_string(c_max));
    // Of each of the two walls c_max, and one at the end of the frame, where what is left of the way leads.
    EXPECT_NEAR(hits, 2 * c_max + 1, 0.01) << c_max;
  }
}

TEST(ObaHybrid, BouncesOnlyWhatIsFasterThanVMin) {
  // 60, 54, 48.6, 43.7: three hits above 45, then it goes to a wall as without.
  EXPECT_NEAR(hits_in_a_frame("hybrid=on,v_min=45"), 3.0 + 1.0, 0.01);
  EXPECT_NEAR(hits_in_a_frame("hybrid=on,v_min=61"), 1.0, 1e-3);
}

/// Walls of a fiftieth and cubes that go further than their size in a frame: nothing gets through, nor gains.
TEST(ObaHybrid, KeepsFastCubesBetweenThinWalls) {
  WatchedMotion motion(scenes::make_scene("oba-hybrid", {{"cubes", "18"}, {"speed", "30"}}),
                       hybrid_options("hybrid=on"));
  motion.run_frames(40);
  EXPECT_TRUE(motion.finite);
  EXPECT_LE(motion.overlap, 1e-4);
  EXPECT_LE(motion.gain, 1e-6 * motion.most_kinetic);
  for (const Body<3>& body : motion.scene->bodies) {
    if (!body.free()) continue;
    const Vec<3> at = motion.centre(body.name);
    EXPECT_GT(at.minCoeff(), 0.0) << body.name;
    EXPECT_LT(at.head<2>().maxCoeff(), 1.1) << body.name;
  }
}

}  // namespace
}  // namespace collapse::testing
