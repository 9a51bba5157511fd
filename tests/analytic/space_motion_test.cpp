/// Closed forms of sliding, rolling, spinning and bouncing in space.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/support/moving_scene.hpp"

namespace collapse::testing {
namespace {

/// Gravity of 10 on a plane that falls away by `slope` (radians) towards `direction`, in axes of the plane.
Vec<3> gravity_on_slope(double slope, double direction) {
  return 10.0 * Vec<3>(std::sin(slope) * std::cos(direction), std::sin(slope) * std::sin(direction),
                       -std::cos(slope));
}

const std::vector<double> kDirections{0.0, 0.3, std::numbers::pi / 4, 2.0, 4.4};

MovingSceneOf<3> block_on_slope(double slope, double direction, const std::string& friction) {
  return moving<3>(space_scene(
      kSpaceGround + R"(, {"name": "b", "box": [1, 2, "1/2"], "position": [0, 0, "1/4"]})",
      R"({"friction": )" + friction + "}", "", written(gravity_on_slope(slope, direction))));
}

TEST(BlockOnASlopeInSpace, StaysJustBelowTheAngleOfFriction) {
  for (const double direction : kDirections) {
    MovingSceneOf<3> scene = block_on_slope(std::atan(0.399), direction, "0.4");
    scene.run(2.0);
    EXPECT_EQ(scene.farthest(), 0.0) << direction;
  }
}

TEST(BlockOnASlopeInSpace, SlidesJustAboveTheAngleOfFrictionTheWayItFallsAway) {
  for (const double direction : kDirections) {
    for (const double tangent : {0.401, 0.6}) {
      const double slope = std::atan(tangent);
      MovingSceneOf<3> scene = block_on_slope(slope, direction, "0.4");
      scene.run(1.0);
      const double speed = 10.0 * (std::sin(slope) - 0.4 * std::cos(slope));
      const Vec<3> way(std::cos(direction), std::sin(direction), 0.0);
      EXPECT_LT((scene.velocity("b").head<3>() - speed * way).norm(), 1e-5) << direction;
      EXPECT_LT(scene.velocity("b").tail<3>().norm(), 1e-5) << direction;
      // The parabola and ½ a h t.
      EXPECT_LT(
          (scene.centre("b") - Vec<3>(0, 0, 0.25) - 0.5 * speed * (1 + 1 / 60.0) * way).norm(),
          1e-5)
          << direction;
    }
  }
}

TEST(BlockThatSlides, StopsAfterTheSquareOfItsSpeedOverTwiceFrictionTimesGravity) {
  for (const double direction : kDirections) {
    const Vec<3> way(std::cos(direction), std::sin(direction), 0.0);
    MovingSceneOf<3> scene = moving<3>(space_scene(
        kSpaceGround +
            R"(, {"name": "b", "box": [1, 1, "1/4"], "position": [0, 0, "1/8"], "velocity": )" +
            written(3.0 * way) + "}",
        R"({"friction": 0.4})"));
    scene.run(1.5);
    EXPECT_TRUE(scene.simulation.resting());
    EXPECT_NEAR((scene.centre("b") - Vec<3>(0, 0, 0.125)).dot(way), 9.0 / 8.0, 3.0 / 60.0 * 0.51);
    EXPECT_LT(scene.simulation.account().max_gain, 1e-9);
  }
}

TEST(BallOnASlope, RollsWithFiveSeventhsOfTheAcceleration) {
  for (const double direction : kDirections) {
    const double slope = 0.4;
    MovingSceneOf<3> scene = moving<3>(
        space_scene(kSpaceGround + R"(, {"name": "b", "sphere": "1/4", "position": [0, 0, "1/4"]})",
                    R"({"friction": 0.5})", "", written(gravity_on_slope(slope, direction))));
    scene.run(1.0);
    const Vec<3> way(std::cos(direction), std::sin(direction), 0.0);
    const double speed = 10.0 * std::sin(slope) * 5.0 / 7.0;
    EXPECT_LT((scene.velocity("b").head<3>() - speed * way).norm(), 1e-4 * speed) << direction;
    // No slip: v = ω × r up.
    EXPECT_LT((scene.velocity("b").tail<3>() - Vec<3>::UnitZ().cross(4.0 * speed * way)).norm(),
              1e-3 * speed)
        << direction;
    EXPECT_NEAR(scene.centre("b").z(), 0.25, 1e-7);
  }
}

TEST(BallOnASlope, SlipsAndTurnsWithTooLittleFriction) {
  // μ < 2/7 tan α: a = g (sin α − μ cos α), dω/dt = 5/2 μ g cos α / r.
  const double slope = 0.6;
  MovingSceneOf<3> scene = moving<3>(
      space_scene(kSpaceGround + R"(, {"name": "b", "sphere": "1/4", "position": [0, 0, "1/4"]})",
                  R"({"friction": 0.1})", "", written(gravity_on_slope(slope, 1.0))));
  scene.run(1.0);
  EXPECT_NEAR(scene.velocity("b").head<3>().norm(),
              10.0 * (std::sin(slope) - 0.1 * std::cos(slope)), 1e-4);
  EXPECT_NEAR(scene.velocity("b").tail<3>().norm(), 10.0 * std::cos(slope), 1e-3);
}

TEST(SkiddingBall, ComesToRollWithWhatItsMomentumAboutTheGroundLeaves) {
  // About the line it runs on: v = 5/7 v₀ + 2/7 ω₀ × r up. Side spin bends its way.
  for (const auto& [velocity, spin] :
       {std::pair(Vec<3>(7, 0, 0), Vec<3>(0, 0, 0)), std::pair(Vec<3>(7, 0, 0), Vec<3>(0, -20, 0)),
        std::pair(Vec<3>(3, 4, 0), Vec<3>(30, -10, 0)),
        std::pair(Vec<3>(0, 0, 0), Vec<3>(0, 40, 0))}) {
    MovingSceneOf<3> scene = moving<3>(
        space_scene(
            kSpaceGround +
                R"(, {"name": "b", "sphere": "1/4", "position": [0, 0, "1/4"], "velocity": )" +
                written(velocity) + R"(, "spin": )" + written(spin) + "}",
            R"({"friction": 0.4})"),
        1.0 / 240.0);
    const Vec<3> up = 0.25 * Vec<3>::UnitZ();
    const Vec<3> slip = velocity - spin.cross(up);
    const double rolls_at = 2.0 * slip.norm() / (7.0 * 0.4 * 10.0);
    scene.run(0.8 * rolls_at);
    const Twist<3> skids = scene.velocity("b");
    EXPECT_GT((skids.head<3>() - Vec<3>(skids.tail<3>()).cross(up)).norm(), 0.1 * slip.norm());
    scene.run(rolls_at + 0.02);
    const Vec<3> rolling = (5.0 * velocity + 2.0 * spin.cross(up)) / 7.0;
    EXPECT_LT((scene.velocity("b").head<3>() - rolling).norm(), 5e-3) << velocity.transpose();
    EXPECT_LT((Vec<3>(scene.velocity("b").tail<3>()).cross(up) - rolling).norm(), 5e-3);
    EXPECT_LT(scene.simulation.account().max_gain, 1e-6);
  }
}

TEST(SpinningTop, OfASingleContactIsNotSlowed) {
  MovingSceneOf<3> scene = moving<3>(space_scene(
      kSpaceGround +
          R"(, {"name": "b", "sphere": "1/4", "position": [0, 0, "1/4"], "spin": [0, 0, 9]})",
      R"({"friction": 0.5})"));
  scene.run(1.0);
  EXPECT_NEAR(scene.velocity("b")[5], 9.0, 1e-9);
  EXPECT_LT(scene.velocity("b").head<5>().norm(), 1e-9);
}

TEST(SpinningBoxAndDisc, AreSlowedByFrictionAtTheirCorners) {
  // All contacts at the distance ρ: the torque is μ m g ρ however the weight is shared.
  struct Case {
    const char* shape;
    double rho;
    double inertia_over_mass;
  };
  for (const Case& thing :
       {Case{R"("box": [3, 4, 1], "position": [0, 0, "1/2"])", 2.5, 25.0 / 12.0},
        Case{R"("cylinder": [2, 1], "position": [0, 0, "1/2"])", 2.0, 2.0}}) {
    MovingSceneOf<3> scene = moving<3>(
        space_scene(kSpaceGround + R"(, {"name": "b", )" + thing.shape + R"(, "spin": [0, 0, 3]})",
                    R"({"friction": 0.3})"),
        1.0 / 240.0);
    const double slowing = 0.3 * 10.0 * thing.rho / thing.inertia_over_mass;
    scene.run(0.5);
    EXPECT_NEAR(scene.velocity("b")[5], 3.0 - 0.5 * slowing, 0.01) << thing.shape;
    EXPECT_LT(scene.velocity("b").head<5>().norm(), 1e-4) << thing.shape;
    scene.run(3.0 / slowing + 0.02);
    EXPECT_EQ(scene.velocity("b"), Twist<3>::Zero()) << thing.shape;
  }
}

TEST(BouncingBallInSpace, ReachesTheSquareOfRestitutionTimesItsHeight) {
  double last_error = 1.0;
  for (const double step : {1.0 / 240.0, 1.0 / 960.0}) {
    MovingSceneOf<3> scene = moving<3>(
        space_scene(
            kSpaceGround + R"(, {"name": "b", "sphere": "1/10", "position": [0, 0, "21/10"]})",
            R"({"restitution": 0.6})"),
        step);
    double highest = 0.0;
    while (scene.simulation.time() < 1.2) {
      scene.simulation.step();
      if (scene.simulation.time() > 0.7) highest = std::max(highest, scene.centre("b").z() - 0.1);
    }
    const double error = std::abs(highest - 0.36 * 2.0);
    EXPECT_LT(error, 20.0 * step);
    EXPECT_LT(error, 0.5 * last_error);
    last_error = error;
    EXPECT_LT(scene.simulation.account().max_gain, 1e-9);
  }
}

TEST(BouncingCube, ThatLandsFlatComesUpFlat) {
  MovingSceneOf<3> scene = moving<3>(
      space_scene(kSpaceGround + R"(, {"name": "b", "box": [1, 1, 1], "position": [0, 0, "3/2"]})",
                  R"({"restitution": 0.5, "friction": 0.5})"),
      1.0 / 960.0);
  double highest = 0.0;
  scene.run(0.5);
  while (scene.simulation.time() < 0.9) {
    scene.simulation.step();
    highest = std::max(highest, scene.centre("b").z() - 0.5);
  }
  EXPECT_NEAR(highest, 0.25, 0.01);
  EXPECT_LT(scene.velocity("b").tail<3>().norm(), 1e-6);
}

TEST(TippingBox, GainsTheSpeedThatItsFallGives) {
  // A box 1 × 2 × 3 that stands on one edge of 2, a little over its balance, too rough to slip:
  // ½ I ω² = m g Δz with I = m (1² + 3²)/3 about that edge.
  const double step = 1.0 / 2000.0;
  const double lean = std::atan(1.0 / 3.0) + 0.05;
  const Eigen::AngleAxisd turn(lean, Vec<3>::UnitY());
  const Vec<3> centre = turn * Vec<3>(-0.5, 0.0, 1.5);
  MovingSceneOf<3> scene =
      moving<3>(space_scene(kSpaceGround + R"(, {"name": "b", "box": [1, 2, 3], "position": )" +
                                written(centre) + R"(, "rotation_vector": )" +
                                written(lean * 180.0 / std::numbers::pi * Vec<3>::UnitY()) + "}",
                            R"({"friction": 5})"),
                step);
  const double top = scene.centre("b").z();
  while (scene.centre("b").z() > 1.0 && scene.simulation.time() < 5.0) scene.simulation.step();
  const double expected = std::sqrt(2.0 * 10.0 * (top - scene.centre("b").z()) / (10.0 / 3.0));
  EXPECT_NEAR(scene.velocity("b")[4], expected, 0.02 * expected);
  EXPECT_LT(std::abs(scene.velocity("b")[3]) + std::abs(scene.velocity("b")[5]), 1e-6);
  // About an edge that stays where it is to first order.
  const Vec<3> edge = scene.pose("b").apply(Vec<3>(0.5, 0.0, -1.5));
  EXPECT_LT(edge.norm(), step);
}

}  // namespace
}  // namespace collapse::testing
