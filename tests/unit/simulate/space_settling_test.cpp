/// Where things in space come to rest by falling potential energy alone.

#include <gtest/gtest.h>

#include "tests/support/moving_scene.hpp"
#include "tests/support/overlap.hpp"

namespace collapse::testing {
namespace {

MovingSceneOf<3> settling(const std::string& text) {
  SimulationOptions options;
  options.scheme = SchemeKind::settle;
  options.step = 1.0;
  return {text, options};
}

/// A funnel of four slopes with a neck of ±0.3 at z = 0, over a chamber whose floor is at −2; balls in the funnel.
std::string hourglass() {
  std::string parts;
  for (int side = 0; side < 4; ++side) {
    const Eigen::Matrix3d turn =
        Eigen::AngleAxisd(side * M_PI / 2, Vec<3>::UnitZ()).toRotationMatrix();
    std::string points;
    for (const double y : {-1.6, 1.6}) {
      for (const auto& [x, z] : {std::pair(0.3, 0.0), {1.6, 1.3}, {1.6, 1.0}, {0.3, -0.3}}) {
        Vec<3> at = turn * Vec<3>(x, y, z);
        for (double& number : at) number = std::round(number * 1e6) * 1e-6;
        points += (points.empty() ? "" : ", ") + written(at);
      }
    }
    parts += (side == 0 ? "" : ", ") + (R"({"hull": [)" + points + "]}");
  }
  std::string bodies = R"({"name": "floor", "plane": {"normal": [0, 0, 1], "offset": -2}},
    {"name": "funnel", "parts": [)" +
                       parts + R"(], "fixed": true})";
  for (const char* normal : {"[1, 0, 0]", "[-1, 0, 0]", "[0, 1, 0]", "[0, -1, 0]"}) {
    bodies += R"(, {"plane": {"normal": )" + std::string(normal) +
              R"(, "offset": -0.7}, "name": "wall )" + normal + R"("})";
  }
  int number = 0;
  for (int layer = 0; layer < 3; ++layer) {
    for (int k = 0; k < 6; ++k) {
      const Vec<3> at(0.26 * (k % 2) - 0.12 + 0.02 * layer, 0.27 * (k / 2) - 0.25 - 0.01 * k,
                      0.5 + 0.27 * layer);
      bodies += R"(, {"name": "ball )" + std::to_string(++number) +
                R"(", "sphere": 0.12, "position": )" + written(at) + "}";
    }
  }
  return space_scene(bodies, R"({"friction": 1})");
}

TEST(Hourglass, RunsOutByFallingPotentialEnergyAlone) {
  MovingSceneOf<3> scene = settling(hourglass());
  OverlapJudge overlaps(*scene.scene);
  double last = scene.simulation.account().energy;
  for (int k = 0; k < 1500 && !scene.simulation.resting(); ++k) {
    scene.simulation.step();
    EXPECT_LE(scene.simulation.account().energy, last + 1e-9) << k;
    last = scene.simulation.account().energy;
    EXPECT_LT(overlaps.deepest(scene.simulation.state()).share, 1e-4) << k;
    for (const Twist<3>& velocity : scene.simulation.state().velocities) {
      EXPECT_TRUE(velocity.isZero(0.0));
    }
  }
  EXPECT_TRUE(scene.simulation.resting());
  for (int i = 1; i <= 18; ++i) {
    EXPECT_LT(scene.centre("ball " + std::to_string(i)).z(), -0.3) << i;
  }
}

TEST(SettlingInSpace, OfABallInAConeOfPlanesEndsAtTheBottom) {
  MovingSceneOf<3> scene = settling(space_scene(
      R"({"name": "a", "plane": {"normal": [1, 0, 1], "offset": 0}},
         {"name": "b", "plane": {"normal": [-1, 1, 2], "offset": 0}},
         {"name": "c", "plane": {"normal": [-1, -2, 1], "offset": 0}},
         {"name": "ball", "sphere": "1/4", "position": [0.3, 0.4, 3]})",
      R"({"friction": 1})"));
  for (int k = 0; k < 2000 && !scene.simulation.resting(); ++k) scene.simulation.step();
  EXPECT_TRUE(scene.simulation.resting());
  // At the distance of its radius from all three.
  Eigen::Matrix3d normals;
  normals << 1, 0, 1, -1, 1, 2, -1, -2, 1;
  for (int i = 0; i < 3; ++i) normals.row(i).normalize();
  const Vec<3> expected = normals.inverse() * Vec<3>::Constant(0.25);
  EXPECT_LT((scene.centre("ball") - expected).norm(), 1e-6);
}

TEST(SettlingInSpace, LaysABrickOnItsLargestFace) {
  MovingSceneOf<3> scene = settling(
      space_scene(kSpaceGround + R"(, {"name": "b", "box": [1, 2, 3], "position": [0, 0, 4],
      "orientation": [77, 5, 64, 3]})"));
  for (int k = 0; k < 2000 && !scene.simulation.resting(); ++k) scene.simulation.step();
  EXPECT_TRUE(scene.simulation.resting());
  EXPECT_NEAR(scene.centre("b").z(), 0.5, 1e-6);
}

}  // namespace
}  // namespace collapse::testing
