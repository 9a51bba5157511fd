/// Closed forms of bodies on joints in space.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/support/moving_scene.hpp"

namespace collapse::testing {
namespace {

/// A ball of radius 1/10 on an arm of 1 from the origin.
MovingSceneOf<3> ball_on_arm(const Vec<3>& at, const Vec<3>& velocity, const Vec<3>& spin,
                             double step) {
  return moving<3>(
      space_scene(
          R"({"name": "b", "sphere": "1/10", "position": )" + written(at) + R"(, "velocity": )" +
              written(velocity) + R"(, "spin": )" + written(spin) + "}",
          "{}", R"(, "joints": [{"type": "ball", "bodies": ["b", "world"], "at": [0, 0, 0]}])"),
      step);
}

TEST(PendulumInSpace, SwingsInItsPlaneWithItsPeriod) {
  // T = 2π √((r² + ⅖ρ²)/(g r)) (1 + θ²/16), in a plane that is not one of the axes.
  const double step = 1.0 / 2000.0;
  const Vec<3> side(0.6, 0.8, 0.0);
  const double theta = std::asin(0.1);
  MovingSceneOf<3> scene = ball_on_arm(0.1 * side - std::cos(theta) * Vec<3>::UnitZ(),
                                       Vec<3>::Zero(), Vec<3>::Zero(), step);
  double crossing = 0.0;
  double last = 0.1;
  while (crossing == 0.0 && scene.simulation.time() < 3.0) {
    scene.simulation.step();
    const double x = side.dot(scene.centre("b"));
    if (last < 0.0 && x >= 0.0) crossing = scene.simulation.time() - step * x / (x - last);
    last = x;
    EXPECT_NEAR(scene.centre("b").norm(), 1.0, 1e-9);
  }
  const double period =
      2.0 * std::numbers::pi * std::sqrt((1.0 + 0.4 * 0.01) / 10.0) * (1.0 + theta * theta / 16.0);
  EXPECT_NEAR(crossing, 0.75 * period, 2e-3);
  EXPECT_LT(std::abs(scene.centre("b").dot(Vec<3>(-0.8, 0.6, 0.0))), 1e-9);
  EXPECT_LT(scene.simulation.account().max_gain, 1e-9);
}

TEST(ConicalPendulum, GoesRoundWithItsRate) {
  // All of it turns about the vertical with Ω² = g/(l cos θ).
  const double theta = 0.6;
  const double rate = std::sqrt(10.0 / std::cos(theta));
  const Vec<3> at(std::sin(theta), 0.0, -std::cos(theta));
  const Vec<3> spin = rate * Vec<3>::UnitZ();
  double last_error = 1.0;
  for (const double step : {1.0 / 500.0, 1.0 / 2000.0}) {
    MovingSceneOf<3> scene = ball_on_arm(at, spin.cross(at), spin, step);
    scene.run(1.0);
    const double t = scene.simulation.time();
    const Vec<3> expected = Eigen::AngleAxisd(rate * t, Vec<3>::UnitZ()) * at;
    const double error = (scene.centre("b") - expected).norm();
    EXPECT_LT(error, 20.0 * step);
    EXPECT_LT(error, 0.3 * last_error);  // first order: a quarter
    last_error = error;
    EXPECT_LT(scene.simulation.account().max_gain, 1e-9);
  }
}

TEST(PendulumInSpace, LosesEnergyOfFirstOrderInTheStepAndNeverGains) {
  double last_loss = 0.0;
  for (const double step : {1.0 / 120.0, 1.0 / 480.0}) {
    MovingSceneOf<3> scene =
        ball_on_arm(Vec<3>(1.0, 0.0, 0.0), Vec<3>::Zero(), Vec<3>::Zero(), step);
    scene.run(2.0);
    const Account& account = scene.simulation.account();
    const double loss = account.initial_energy - account.energy;
    EXPECT_GE(loss, 0.0);
    EXPECT_LT(account.max_gain, 1e-6 * 0.042);
    if (last_loss != 0.0) {
      EXPECT_LT(loss, 0.4 * last_loss);
    }
    last_loss = loss;
  }
}

/// By the default scheme and by scheme oba.
class JointInSpace : public ::testing::TestWithParam<SchemeKind> {
 protected:
  static MovingSceneOf<3> on_joints(const std::string& text, double step = 1.0 / 60.0) {
    SimulationOptions options;
    options.scheme = GetParam();
    return moving<3>(text, step, options);
  }
};

INSTANTIATE_TEST_SUITE_P(Schemes, JointInSpace,
                         ::testing::Values(SchemeKind::position, SchemeKind::oba),
                         [](const auto& tested) { return std::string(to_string(tested.param)); });

TEST_P(JointInSpace, LetsADoorGoOnTurningOnItsVerticalHinge) {
  MovingSceneOf<3> scene = on_joints(space_scene(
      R"({"name": "b", "box": [1, "1/10", 2], "position": ["1/2", 0, 1], "velocity": [0, 2, 0],
          "spin": [0, 0, 4]})",
      "{}",
      R"(, "joints": [{"type": "hinge", "bodies": ["b", "world"], "at": [0, 0, "1/5"], "axis": [0, 0, 1]}])"));
  double spin = 4.0;
  const double open = 1e-9 * scene.scene->bodies[0].shape.size();
  for (int k = 0; k < 600; ++k) {
    scene.simulation.step();
    EXPECT_LT((scene.pose("b").apply(Vec<3>(-0.5, 0.0, 0.8)) - Vec<3>(0, 0, 1.8)).norm(), open);
    EXPECT_LT(scene.velocity("b")[5], spin + 1e-9);  // by first order it is slowed, never sped up
    spin = scene.velocity("b")[5];
  }
  EXPECT_GT(spin, 0.0);
}

TEST_P(JointInSpace, LetsABoardSwingOnItsHorizontalHingeWithItsPeriod) {
  // About an edge: I = m (l²/3 + t²/12), arm l/2; the hinge lies askew in the plane.
  const double step = 1.0 / 2000.0;
  const double length = 1.0;
  const double thickness = 0.1;
  const double theta = 0.1;
  // Turned by θ about x away from hanging down along −z.
  const Vec<3> down(0.0, std::sin(theta), -std::cos(theta));
  MovingSceneOf<3> scene = on_joints(
      space_scene(
          R"({"name": "b", "box": [2, "1/10", 1], "position": )" + written(0.5 * down) +
              R"(, "rotation_vector": )" +
              written(theta * 180.0 / std::numbers::pi * Vec<3>::UnitX()) + "}",
          "{}",
          R"(, "joints": [{"type": "hinge", "bodies": ["world", "b"], "at": ["7/10", 0, 0], "axis": [1, 0, 0]}])"),
      step);
  double crossing = 0.0;
  double last = 1.0;
  while (crossing == 0.0 && scene.simulation.time() < 3.0) {
    scene.simulation.step();
    const double y = scene.centre("b").y();
    if (last < 0.0 && y >= 0.0) crossing = scene.simulation.time() - step * y / (y - last);
    last = y;
  }
  const double arm2 = length * length / 3.0 + thickness * thickness / 12.0;
  const double period = 2.0 * std::numbers::pi * std::sqrt(arm2 / (10.0 * 0.5 * length)) *
                        (1.0 + theta * theta / 16.0);
  EXPECT_NEAR(crossing, 0.75 * period, 2e-3);
  EXPECT_NEAR(scene.centre("b").x(), 0.0, 1e-8);
}

/// Where the first of two bricks that belong together is after a second of tumbling.
Pose<3> tumbled_brick(const std::string& bodies, const std::string& rest, double step) {
  MovingSceneOf<3> scene = moving<3>(space_scene(bodies, "{}", rest, "[0, 0, 0]"), step);
  scene.run(1.0);
  return scene.pose("a");
}

TEST(Weld, MakesOneBodyOfTwo) {
  // Two bricks that fly and spin as one of both does: its centre is at rest, each turns about it.
  const Vec<3> spin(1.0, 4.0, 0.5);
  const Vec<3> arm(0.5, 0.1, 0.0);
  const std::string both =
      R"({"name": "a", "parts": [{"box": [1, 1, "1/4"]}, {"box": [1, 1, "1/4"], "position": [-1, "-1/5", 0]}],
          "position": )" +
      written(arm) + R"(, "spin": )" + written(spin) + "}";
  const std::string two = R"({"name": "a", "box": [1, 1, "1/4"], "position": )" + written(arm) +
                          R"(, "velocity": )" + written(spin.cross(arm)) + R"(, "spin": )" +
                          written(spin) + R"(}, {"name": "c", "box": [1, 1, "1/4"], "position": )" +
                          written(-arm) + R"(, "velocity": )" + written(-spin.cross(arm)) +
                          R"(, "spin": )" + written(spin) + "}";
  const std::string weld =
      R"(, "joints": [{"type": "weld", "bodies": ["a", "c"], "at": [0, 0, 0]}])";
  double last_error = 1.0;
  for (const double step : {1.0 / 120.0, 1.0 / 480.0}) {
    const Pose<3> one = tumbled_brick(both, "", step);
    const Pose<3> welded = tumbled_brick(two, weld, step);
    const double error = (one.rotation - welded.rotation).norm();
    EXPECT_LT(error, 40.0 * step);
    EXPECT_LT(error, 0.35 * last_error);
    EXPECT_LT((one.position - welded.position).norm(), 20.0 * step);
    last_error = error;
  }
}

TEST_P(JointInSpace, HoldsACantileverByAWeld) {
  MovingSceneOf<3> scene = on_joints(
      space_scene(R"({"name": "b", "box": [4, "1/4", "1/4"], "position": [2, 0, 0]})", "{}",
                  R"(, "joints": [{"type": "weld", "bodies": ["b", "world"], "at": [0, 0, 0]}])"));
  scene.run(1.0);
  EXPECT_LT(scene.farthest(), 1e-9);
  EXPECT_TRUE(scene.simulation.resting());
}

TEST_P(JointInSpace, LeavesTheEndOfARodOnASphere) {
  MovingSceneOf<3> scene = on_joints(space_scene(
      R"({"name": "b", "sphere": "1/5", "position": [1, 2, 2], "velocity": [1, -2, 1.5]})", "{}",
      R"(, "joints": [{"type": "rod", "bodies": ["b", "world"], "at": [[1, 2, 2], [0, 0, 0]]}])"));
  for (int k = 0; k < 300; ++k) {
    scene.simulation.step();
    EXPECT_NEAR(scene.centre("b").norm(), 3.0, 1e-9);
  }
}

TEST(Chain, OfTwentyBallJointsStaysClosed) {
  // From a straight line sideways: the last link whips round at the bottom.
  std::string bodies;
  std::string joints;
  for (int i = 0; i < 20; ++i) {
    const std::string name = "link " + std::to_string(i);
    bodies += (i == 0 ? "" : ", ") +
              (R"({"name": ")" + name + R"(", "box": [1, "1/5", "1/5"], "position": [)" +
               std::to_string(i) + ".5, 0, 0]}");
    joints +=
        (i == 0 ? R"(, "joints": [)" : ", ") +
        (R"({"type": "ball", "bodies": [")" + (i == 0 ? "world" : "link " + std::to_string(i - 1)) +
         R"(", ")" + name + R"("], "at": [)" + std::to_string(i) + ", 0, 0]}");
  }
  MovingSceneOf<3> scene = moving<3>(space_scene(bodies, "{}", joints + "]"));
  double widest = 0.0;
  for (int k = 0; k < 240; ++k) {
    scene.simulation.step();
    Vec<3> end = Vec<3>::Zero();
    for (int i = 0; i < 20; ++i) {
      const Pose<3>& pose = scene.pose("link " + std::to_string(i));
      widest = std::max(widest, (pose.apply(Vec<3>(-0.5, 0.0, 0.0)) - end).norm());
      end = pose.apply(Vec<3>(0.5, 0.0, 0.0));
    }
  }
  EXPECT_LT(widest, 1e-9);
  EXPECT_LT(scene.simulation.account().max_gain, 1e-8 * 0.8 * 10.0 * 20.0);
}

}  // namespace
}  // namespace collapse::testing
