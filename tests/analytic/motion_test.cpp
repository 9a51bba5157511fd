/// Closed forms of motion, each with the order in the step that the scheme promises.

#include <gtest/gtest.h>

#include <numbers>

#include "tests/support/moving_scene.hpp"

namespace collapse::testing {
namespace {

const std::string kGround = R"({"name": "ground", "plane": {"normal": [0, 1], "offset": 0}})";

std::string scene_of(const std::string& bodies, const std::string& material = "{}",
                     const std::string& rest = "") {
  return R"({"collapse": 1, "dimension": 2, "gravity": [0, -10], "materials": {"default": )" +
         material + R"(}, "bodies": [)" + bodies + "]" + rest + "}";
}

TEST(FreeFlight, IsTheParabolaOfTheScheme) {
  // v_n = v + n h g and y_n = y + h Σ v_k: the parabola and ½ g h t.
  MovingScene scene = moving(scene_of(
      R"({"name": "b", "box": [1, 1], "position": [0, 5], "velocity": [2, 3], "spin": 1})"));
  scene.run(1.0);
  const double h = 1.0 / 60.0;
  EXPECT_NEAR(scene.centre("b").x(), 2.0, 1e-12);
  EXPECT_NEAR(scene.centre("b").y(), 5.0 + 3.0 - 5.0 - 5.0 * h, 1e-11);
  EXPECT_NEAR(scene.angle("b"), 1.0, 1e-12);
}

TEST(SlidingBlock, StopsAfterTheSquareOfItsSpeedOverTwiceFrictionTimesGravity) {
  for (const double step : {1.0 / 60.0, 1.0 / 240.0}) {
    MovingScene scene = moving(
        scene_of(
            kGround +
                R"(, {"name": "b", "box": [1, "1/2"], "position": [0, "1/4"], "velocity": [3, 0]})",
            R"({"friction": 0.4})"),
        step);
    scene.run(2.0);
    EXPECT_EQ(scene.velocity("b"), Twist<2>::Zero());
    // The scheme takes the speed at the end of each step: short by half a step of the way.
    EXPECT_NEAR(scene.centre("b").x(), 9.0 / 8.0, 3.0 * step * 0.51);
    EXPECT_NEAR(scene.centre("b").y(), 0.25, 1e-8);
  }
}

TEST(SlidingBlock, LiftsUnderTheAssociatedLaw) {
  SimulationOptions options;
  options.friction_law = FrictionLaw::associated;
  MovingScene scene = moving(
      scene_of(
          kGround +
              R"(, {"name": "b", "box": [1, "1/2"], "position": [0, "1/4"], "velocity": [3, 0]})",
          R"({"friction": 0.4})"),
      1.0 / 60.0, options);
  scene.simulation.step();
  const Vec<2> way = scene.centre("b") - Vec<2>(0.0, 0.25);
  EXPECT_NEAR(way.y(), 0.4 * way.x(), 1e-7);
  EXPECT_GT(way.y(), 0.01);
}

/// A block on a slope of tangent 3/4, let go.
MovingScene on_slope(const std::string& friction, double step) {
  return moving(scene_of(R"({"name": "slope", "plane": {"normal": [-3, 4], "offset": 0}},
      {"name": "b", "box": [1, "1/2"], "rotation": [4, 3], "position": ["-3/20", "1/5"]})",
                         R"({"friction": )" + friction + "}"),
                step);
}

TEST(BlockOnASlope, StaysOrSlidesAsFrictionSays) {
  MovingScene sticks = on_slope("0.76", 1.0 / 60.0);
  sticks.run(5.0);
  EXPECT_EQ(sticks.farthest(), 0.0);
  MovingScene slides = on_slope("0.5", 1.0 / 60.0);
  slides.run(1.0);
  const double speed = 10.0 * (0.6 - 0.5 * 0.8);
  EXPECT_NEAR(slides.velocity("b").head<2>().norm(), speed, 1e-6 * speed);
  EXPECT_NEAR(slides.velocity("b")[2], 0.0, 1e-6);
}

TEST(BouncingBall, ReachesTheSquareOfRestitutionTimesItsHeight) {
  double last_error = 1.0;
  for (const double step : {1.0 / 240.0, 1.0 / 960.0}) {
    MovingScene scene =
        moving(scene_of(kGround + R"(, {"name": "b", "disk": "1/10", "position": [0, "21/10"]})",
                        R"({"restitution": 0.6})"),
               step);
    double highest = 0.0;
    while (scene.simulation.time() < 1.2) {
      scene.simulation.step();
      if (scene.simulation.time() > 0.7) highest = std::max(highest, scene.centre("b").y() - 0.1);
    }
    const double error = std::abs(highest - 0.36 * 2.0);
    EXPECT_LT(error, 20.0 * step);
    EXPECT_LT(error, 0.5 * last_error);
    last_error = error;
    EXPECT_LT(scene.simulation.account().max_gain, 1e-9);
  }
}

TEST(BallBetweenWalls, KeepsItsSpeedAndAddsNoEnergy) {
  MovingScene scene =
      moving(scene_of(R"({"name": "left", "plane": {"normal": [1, 0], "offset": -1}},
      {"name": "right", "plane": {"normal": [-1, 0], "offset": -1}},
      {"name": "b", "disk": "1/10", "position": [0, 0], "velocity": [7, 0]})",
                      R"({"restitution": 1})", R"(, "ignore": [])"),
             1.0 / 200.0);
  scene.run(3.0);
  EXPECT_NEAR(std::abs(scene.velocity("b")[0]), 7.0, 1e-9);
  EXPECT_LT(std::abs(scene.centre("b").x()), 0.9 + 1e-6);
}

TEST(BallThatFillsTheGap, IsHeldWithoutBouncingAndThatIsCounted) {
  // Two walls close in on it from both sides: Newton's rule would have it leave both at once.
  MovingScene scene = moving(scene_of(
      R"({"name": "left", "box": [1, 1], "motion": {"keyframes": [{"time": 0, "position": ["-7/10", 0]}, {"time": 1, "position": ["-3/5", 0]}]}},
         {"name": "right", "box": [1, 1], "motion": {"keyframes": [{"time": 0, "position": ["7/10", 0]}, {"time": 1, "position": ["3/5", 0]}]}},
         {"name": "b", "disk": "1/10", "position": [0, 0]})",
      R"({"restitution": 1})"));
  scene.run(1.5);
  EXPECT_TRUE(scene.simulation.state().velocities[2].allFinite());
  EXPECT_LT(std::abs(scene.centre("b").x()), 1e-3);
}

/// The first of five that touch in line comes from the left with speed 5.
std::string five_in_line(const std::string& shape, const std::string& restitution) {
  std::string bodies = kGround;
  for (int i = 0; i < 5; ++i) {
    bodies += R"(, {"name": "s)" + std::to_string(i) + R"(", )" + shape + R"(, "position": [)" +
              std::to_string(i == 0 ? -1 : i) + R"(, "1/2"])" +
              (i == 0 ? R"(, "velocity": [5, 0]})" : "}");
  }
  return scene_of(bodies, R"({"restitution": )" + restitution + "}");
}

TEST(FiveSquaresInLine, MoveOnTogetherAfterAnInelasticHit) {
  MovingScene scene = moving(five_in_line(R"("box": [1, 1])", "0"));
  scene.run(1.0);
  for (int i = 0; i < 5; ++i) {
    EXPECT_NEAR(scene.velocity("s" + std::to_string(i))[0], 1.0, 1e-6);
  }
}

TEST(NewtonsCradle, PassesTheSpeedOnWhenHitOneAfterTheOther) {
  SimulationOptions options;
  options.impact = ImpactRule::sequential;
  MovingScene scene = moving(five_in_line(R"("disk": "1/2")", "1"), 1.0 / 60.0, options);
  scene.run(0.6);
  for (int i = 0; i < 4; ++i) {
    EXPECT_NEAR(scene.velocity("s" + std::to_string(i))[0], 0.0, 1e-6) << i;
  }
  EXPECT_NEAR(scene.velocity("s4")[0], 5.0, 1e-6);
}

TEST(RockingBlock, LosesSpeedAtImpactAsHousnerFound) {
  // A block b × h = 1 × 2 that tips over onto its other corner, rough enough not to slip:
  // ω⁺/ω⁻ = 1 − 3/2 sin²α, tan α = b/h.
  const double alpha = std::atan2(1.0, 2.0);
  const double step = 1.0 / 2000.0;
  MovingScene scene = moving(
      scene_of(
          kGround +
              R"(, {"name": "b", "polygon": [["-1/2", 0], ["1/2", 0], ["1/2", 2], ["-1/2", 2]], "rotation": [399, 40], "position": [0, "0.0498753117206"]})",
          R"({"friction": 2})"),
      step);
  double before = 0.0;
  double after = 0.0;
  double last = 0.0;
  for (int k = 0; k < 4000 && after == 0.0; ++k) {
    scene.simulation.step();
    const double spin = scene.velocity("b")[2];
    if (last < 0.0 && spin > 0.8 * last && last < -0.1) {
      before = last;
      scene.simulation.step();
      scene.simulation.step();
      after = scene.velocity("b")[2];
    }
    last = spin;
  }
  ASSERT_NE(before, 0.0);
  EXPECT_NEAR(after / before, 1.0 - 1.5 * std::pow(std::sin(alpha), 2), 0.02);
}

TEST(Pendulum, SwingsWithItsPeriod) {
  // A disk of radius 1/10 on an arm of 1: T = 2π √((r² + ½ρ²)/(g r)) (1 + θ²/16).
  const double step = 1.0 / 2000.0;
  MovingScene scene = moving(
      scene_of(R"({"name": "b", "disk": "1/10", "position": [0.1, -0.99498743710662]})", "{}",
               R"(, "joints": [{"type": "pin", "bodies": ["b", "world"], "at": [0, 0]}])"),
      step);
  double crossing = 0.0;
  double last = scene.centre("b").x();
  while (scene.simulation.time() < 3.0) {
    scene.simulation.step();
    const double x = scene.centre("b").x();
    if (last < 0.0 && x >= 0.0) {
      crossing = scene.simulation.time() - step * x / (x - last);
      break;
    }
    last = x;
  }
  // From rest at the right: through the middle upwards after three quarters of a period.
  const double theta = std::asin(0.1);
  const double period =
      2.0 * std::numbers::pi * std::sqrt((1.0 + 0.5 * 0.01) / 10.0) * (1.0 + theta * theta / 16.0);
  EXPECT_NEAR(crossing, 0.75 * period, 2e-3);
  EXPECT_NEAR(scene.centre("b").norm(), 1.0, 1e-7);
  EXPECT_LT(scene.simulation.account().max_gain, 1e-9);
}

TEST(SmoothLadder, LeavesTheWallAtTwoThirdsOfItsHeight) {
  // A thin rod, length 2, leaning at a wall; its top is at height 1.9 at the start.
  const double angle = std::asin(0.95) * 180.0 / std::numbers::pi;
  MovingScene scene =
      moving(scene_of(kGround + R"(, {"name": "wall", "plane": {"normal": [1, 0], "offset": 0}},
      {"name": "b", "parts": [{"disk": "1/1000", "position": [0, 1]}, {"disk": "1/1000", "position": [0, -1]}],
       "mass": 1, "inertia": "1/3", "angle": )" +
                      std::to_string(90.0 - angle) + R"(, "position": [)" +
                      std::to_string(0.001 + std::cos(angle * std::numbers::pi / 180.0)) + ", " +
                      std::to_string(0.001 + 0.95) + "]}"),
             1.0 / 2000.0);
  double left_at = 0.0;
  while (scene.simulation.time() < 4.0 && left_at == 0.0) {
    scene.simulation.step();
    bool at_wall = false;
    for (const ContactForce<2>& contact : scene.simulation.contacts()) {
      at_wall = at_wall || contact.id.a == scene.body("wall") || contact.id.b == scene.body("wall");
    }
    if (scene.simulation.time() > 0.1 && !at_wall) left_at = 2.0 * (scene.centre("b").y() - 0.001);
  }
  EXPECT_NEAR(left_at, 1.9 * 2.0 / 3.0, 0.01);
}

TEST(MovableWedge, IsPushedAsideByTheBlock) {
  MovingScene scene =
      moving_gallery("wedge", {{"angle", "1/2"}, {"wedge-mass", "2"}, {"block-mass", "1"}});
  scene.simulation.step();
  const double s2 = 0.2;  // sin² of the angle
  const double expected = 1.0 * 10.0 * std::sqrt(s2 * (1.0 - s2)) / (2.0 + 1.0 * s2);
  double fastest = 0.0;
  for (const Twist<2>& velocity : scene.simulation.state().velocities) {
    if (std::abs(velocity[1]) < 1e-9) fastest = std::max(fastest, std::abs(velocity[0]));
  }
  EXPECT_NEAR(fastest * 60.0, expected, 1e-3 * expected);
}

TEST(Bullet, IsStoppedByAPlateAThousandTimesThinnerThanItsStep) {
  // A plate 1/100 thick; the bullet goes ten units in a step.
  MovingScene scene = moving(scene_of(
      R"({"name": "plate", "box": ["1/100", 4], "position": [5, 0], "fixed": true},
         {"name": "bullet", "box": ["1/20", "1/20"], "position": [0, 0], "velocity": [600, 0]})"));
  scene.simulation.step();
  EXPECT_NEAR(scene.centre("bullet").x(), 5.0 - 0.005 - 0.025, 1e-6);
  scene.simulation.step();
  EXPECT_NEAR(scene.centre("bullet").x(), 5.0 - 0.005 - 0.025, 1e-6);
  MovingScene round = moving(scene_of(
      R"({"name": "plate", "box": ["1/100", 4], "position": [5, 0], "fixed": true},
         {"name": "bullet", "disk": "1/20", "position": [0, "1/3"], "velocity": [600, 0]})"));
  round.simulation.step();
  EXPECT_NEAR(round.centre("bullet").x(), 5.0 - 0.005 - 0.05, 1e-6);
}

TEST(FallingBrick, IsNotPushedAwayFromAWallThatItPasses) {
  MovingScene scene = moving(scene_of(
      R"({"name": "wall", "box": [1, 10], "position": [0, 0], "fixed": true},
         {"name": "b", "box": [1, 1], "position": ["1001/1000", 4], "velocity": [0, -20]})",
      R"({"friction": 0.8})"));
  scene.run(0.3);
  EXPECT_NEAR(scene.centre("b").x(), 1.001, 1e-9);
  EXPECT_NEAR(scene.velocity("b")[1], -23.0, 1e-6);
}

TEST(GivenPath, PushesWhatIsInItsWay) {
  MovingScene scene = moving(scene_of(
      kGround +
      R"(, {"name": "ram", "box": [1, 1], "motion": {"keyframes": [{"time": 0, "position": [0, "1/2"]}, {"time": 1, "position": [2, "1/2"]}]}},
      {"name": "b", "box": [1, 1], "position": ["3/2", "1/2"]})"));
  scene.run(0.9);
  EXPECT_NEAR(scene.velocity("b")[0], 2.0, 1e-6);
  // The ram's impulse m v over its own speed: half of it becomes kinetic energy, half is lost in the hit.
  EXPECT_NEAR(scene.simulation.account().driven_work, 4.0, 1e-6);
  EXPECT_LT(scene.simulation.account().max_gain, 1e-6);
}

TEST(GivenPath, WorksThroughJoints) {
  // Lifted from rest at a speed of 2: weight times way, and m v² for the jerk, of which half is lost.
  MovingScene scene = moving(scene_of(
      R"({"name": "hook", "box": [1, 1], "motion": {"keyframes": [{"time": 0, "position": [0, 0]}, {"time": 1, "position": [0, 2]}]}},
      {"name": "b", "box": [1, 1], "position": [0, -2], "mass": 3})",
      "{}", R"(, "joints": [{"type": "pin", "bodies": ["hook", "b"], "at": [0, -1]}])"));
  scene.run(0.9);
  EXPECT_NEAR(scene.centre("b").y(), -0.2, 1e-9);
  EXPECT_NEAR(scene.simulation.account().driven_work, 3.0 * 10.0 * 1.8 + 3.0 * 4.0, 1e-6);
}

TEST(GivenPath, ThatCrushesSomethingIsReported) {
  MovingScene scene = moving(scene_of(
      kGround +
      R"(, {"name": "press", "box": [1, 1], "motion": {"keyframes": [{"time": 0, "position": [0, 2]}, {"time": 1, "position": [0, 1]}]}},
      {"name": "b", "box": [1, 1], "position": [0, "1/2"]})"));
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

}  // namespace
}  // namespace collapse::testing
