#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "collapse/core/error.hpp"
#include "simulate/event_integrator.hpp"
#include "simulate/event_lemke.hpp"
#include "tests/support/moving_scene.hpp"

namespace collapse::testing {
namespace {

SimulationOptions with_events(double tolerance = 1e-8) {
  SimulationOptions options;
  options.scheme = SchemeKind::event;
  options.event.tolerance = tolerance;
  return options;
}

const std::string kFloorOfEvents =
    R"({"name": "ground", "plane": {"normal": [0, 1], "offset": 0}})";

std::string plane_of_events(const std::string& bodies, const std::string& material) {
  return R"({"collapse": 1, "dimension": 2, "gravity": [0, -10], "materials": {"default": )" +
         material + R"(}, "bodies": [)" + bodies + "]}";
}

TEST(DormandPrinceMethod, IsOfOrderFiveAndFourWithinTheStep) {
  const simulate::DormandPrince::Derivative pendulum = [](double, const Eigen::VectorXd& y,
                                                          Eigen::VectorXd& rate) {
    rate.resize(2);
    rate << y[1], -y[0];
  };
  Eigen::VectorXd start(2);
  start << 1.0, 0.0;
  const auto errors = [&](double h) {
    simulate::DormandPrince method;
    method.attempt(pendulum, start, h);
    return std::pair(std::abs(method.end()[0] - std::cos(h)),
                     std::abs(method.at(0.4)[0] - std::cos(0.4 * h)));
  };
  const auto [end, inside] = errors(0.2);
  const auto [end_of_half, inside_half] = errors(0.1);
  EXPECT_NEAR(std::log2(end / end_of_half), 6.0, 0.6);  // of one step: one order more
  EXPECT_GT(std::log2(inside / inside_half), 4.5);
}

TEST(LastGood, IsJustBeforeTheSignChangesWhateverTheFunction) {
  for (const double root : {1e-9, 0.3, 1.0 - 1e-9}) {
    for (const double power : {0.2, 1.0, 5.0}) {
      int calls = 0;
      const auto f = [&](double x) {
        ++calls;
        const double way = root - x;
        return std::copysign(std::pow(std::abs(way), power), way);
      };
      const double found = simulate::last_good(f, 0.0, 1.0, 1e-12);
      EXPECT_LE(found, root);
      EXPECT_GT(found, root - 1e-12);
      EXPECT_LT(calls, 48);
    }
  }
}

TEST(EventScheme, GoesOnFromASnapshotBitByBit) {
  const std::string text = plane_of_events(
      kFloorOfEvents +
          R"(, {"name": "a", "box": [1, 1], "position": [0, 2], "velocity": [1, 0], "spin": 1},
      {"name": "b", "disk": "1/2", "position": ["1/4", 4]})",
      R"({"friction": 0.3, "restitution": 0.4})");
  MovingScene whole = moving(text, 0.05, with_events());
  MovingScene first = moving(text, 0.05, with_events());
  for (int i = 0; i < 40; ++i) {
    whole.simulation.step();
    if (i < 20) first.simulation.step();
    if (i == 19) whole.simulation.forget();
  }
  MovingScene second = moving(text, 0.05, with_events());
  second.simulation.restore(first.simulation.snapshot(), first.simulation.account(),
                            first.simulation.contacts());
  for (int i = 0; i < 20; ++i) second.simulation.step();
  EXPECT_EQ(second.simulation.snapshot(), whole.simulation.snapshot());
}

TEST(EventScheme, LeavesAStackExactlyWhereItIs) {
  std::string bodies = kFloorOfEvents;
  for (int i = 0; i < 50; ++i) {
    bodies += R"(, {"name": "b)" + std::to_string(i) + R"(", "box": [1, "1/4"], "position": [")" +
              std::to_string(i * 7 % 5 - 2) + R"(/20", ")" + std::to_string(2 * i + 1) + R"(/8"]})";
  }
  MovingScene scene = moving(plane_of_events(bodies, R"({"friction": 0.5})"), 0.1, with_events());
  scene.run(0.5);
  EXPECT_EQ(scene.farthest(), 0.0);
  EXPECT_TRUE(scene.simulation.resting());
  EXPECT_TRUE(scene.simulation.events().empty());
}

TEST(EventScheme, ThreeDominoesFallAndComeToRest) {
  MovingScene scene =
      moving(plane_of_events(kFloorOfEvents +
                                 R"(, {"name": "d1", "box": ["1/5", 1], "position": [0, "1/2"],
          "velocity": [1, "1/5"], "spin": -2},
      {"name": "d2", "box": ["1/5", 1], "position": ["1/2", "1/2"]},
      {"name": "d3", "box": ["1/5", 1], "position": [1, "1/2"]})",
                             R"({"friction": 0.3})"),
             0.05, with_events(1e-6));
  scene.run(3.0);
  EXPECT_TRUE(scene.simulation.resting());
  EXPECT_LT(scene.angle("d3"), -1.5);
  EXPECT_LT(scene.simulation.account().max_gain, 1e-6);
  EXPECT_LT(scene.simulation.account().max_penetration, 1e-6);
}

TEST(EventScheme, TwentyDominoesFallToTheLastAndComeToRest) {
  SimulationOptions options = with_events(1e-6);
  options.step = 0.1;
  MovingScene scene = moving_gallery("dominoes", {{"friction", "3/10"}}, options);
  scene.run(5.0);
  for (int i = 1; i <= 20; ++i) {
    EXPECT_LT(scene.centre("domino " + std::to_string(i)).y(), 0.15) << i;
  }
  const Account& account = scene.simulation.account();
  EXPECT_TRUE(scene.simulation.resting());
  EXPECT_EQ(account.unsettled_steps, 0);
  EXPECT_LT(account.max_gain, 1e-8);
  EXPECT_LT(account.max_penetration, 1.1e-8);  // touching: a hundredth of the tolerance
}

/// A corner beside the end of an edge was taken for an overlap, at which steps were halved without end.
TEST(EventScheme, DiamondTakesFewStepsAtEveryTolerance) {
  for (const double tolerance : {1e-6, 1e-8, 1e-10}) {
    SimulationOptions options = with_events(tolerance);
    options.step = 1.0 / 60.0;
    MovingScene scene = moving_gallery("diamond", {}, options);
    scene.run(0.5);
    const Account& account = scene.simulation.account();
    EXPECT_LT(account.iterations, 1000) << tolerance;
    EXPECT_EQ(account.unsettled_steps, 0) << tolerance;
    EXPECT_LT(account.max_penetration, 1e-12) << tolerance;
  }
}

TEST(EventScheme, TheWreckingBallGoesThroughTheWall) {
  SimulationOptions options = with_events(1e-6);
  options.step = 0.1;
  MovingScene scene = moving_gallery("wrecking-ball", {{"courses", "4"}}, options);
  const double before = scene.centre("brick 4.1").x();
  scene.run(2.0);
  EXPECT_GT(scene.centre("brick 4.1").x(), before + 0.5);
  EXPECT_LT(scene.simulation.account().max_gain, 1e-6);
  EXPECT_LT(scene.simulation.account().max_penetration, 1.1e-8);
}

TEST(EventScheme, BouncesWithoutEndTakeAFiniteNumberOfEvents) {
  // Three balls on each other: each of the two upper ones bounces infinitely often while the lower ones do.
  MovingScene scene =
      moving(plane_of_events(kFloorOfEvents +
                                 R"(, {"name": "b1", "disk": "1/2", "position": [0, 1]},
      {"name": "b2", "disk": "1/2", "position": [0, "5/2"]},
      {"name": "b3", "disk": "1/2", "position": [0, 4]})",
                             R"({"restitution": 0.5})"),
             0.1, with_events(1e-6));
  std::size_t events = 0;
  while (scene.simulation.time() < 4.0) {
    scene.simulation.step();
    events += scene.simulation.events().size();
  }
  EXPECT_TRUE(scene.simulation.resting());
  EXPECT_NEAR(scene.centre("b3").y(), 2.5, 1e-6);
  EXPECT_GT(events, 20U);
  EXPECT_LT(events, 1000U);
}

TEST(Lemke, SolvesAProblemThatHasNoOtherSolution) {
  Eigen::MatrixXd M(3, 3);
  M << 2, 1, 0, 1, 2, 1, 0, 1, 2;
  Eigen::VectorXd q(3);
  q << -3, 1, -2;
  const std::optional<simulate::Complementary> found = simulate::lemke(M, q);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->z[0], 1.5, 1e-9);
  EXPECT_EQ(found->z[1], 0.0);
  EXPECT_NEAR(found->z[2], 1.0, 1e-9);
  EXPECT_EQ(found->basic, (std::vector<bool>{true, false, true}));
}

TEST(Lemke, EndsInARayWhereThereIsNoSolution) {
  Eigen::MatrixXd M(2, 2);
  M << 0, -1, 1, 0;
  Eigen::VectorXd q(2);
  q << -1, 1;
  EXPECT_FALSE(simulate::lemke(M, q));
}

TEST(EventScheme, MovesSolidsTooSlidingSpheresRollInTheEnd) {
  MovingSceneOf<3> scene = moving<3>(
      space_scene(
          kSpaceGround +
              R"(, {"name": "b", "sphere": "1/10", "position": [0, 0, "1/10"], "velocity": [2, 1, 0]})",
          R"({"friction": 0.3})"),
      0.1, with_events());
  scene.run(1.0);
  EXPECT_NEAR(scene.velocity("b")[0], 2.0 * 5.0 / 7.0, 1e-8);
  EXPECT_NEAR(scene.velocity("b")[1], 5.0 / 7.0, 1e-8);
  EXPECT_NEAR(scene.velocity("b")[4], 2.0 * 50.0 / 7.0, 1e-7);
}

TEST(EventScheme, ABallThatRollsGoesStraightHoweverItSpins) {
  MovingSceneOf<3> scene = moving<3>(
      space_scene(kSpaceGround + R"(, {"name": "b", "sphere": "1/2", "position": [0, 0, "1/2"],
                                       "velocity": [1, 0, 0], "spin": [0, 2, 5]})",
                  R"({"friction": 0.5})"),
      0.1, with_events());
  scene.run(1.0);
  EXPECT_NEAR(scene.centre("b").x(), 1.0, 1e-12);
  EXPECT_NEAR(scene.centre("b").y(), 0.0, 1e-12);
}

TEST(EventScheme, ABallRollsInCirclesOnATurntable) {
  // With 2/7 of the turntable's rate, whatever its own spin about the vertical.
  const std::string table =
      R"({"name": "table", "box": [10, 10, 1], "position": [0, 0, "-1/2"], "motion": {"keyframes": [
          {"time": 0, "position": [0, 0, "-1/2"], "orientation": [1, 0, 0, 0]},
          {"time": ")" +
      fmt::format("{:.16f}", M_PI) +
      R"(", "position": [0, 0, "-1/2"], "orientation": [1, 0, 0, 1]}]}})";
  // The turntable turns by 90 degrees in π: with rate 1/2.
  MovingSceneOf<3> scene =
      moving<3>(space_scene(table + R"(, {"name": "b", "sphere": "1/2", "position": [1, 0, "1/2"],
                               "velocity": [1, 0, 0], "spin": [1, 2, 3]})",
                            R"({"friction": 0.5})"),
                0.1, with_events());
  scene.run(1.0);
  const double rate = 1.0 / 7.0;
  EXPECT_NEAR(scene.centre("b").x(), 1.0 + std::sin(rate) / rate, 1e-8);
  EXPECT_NEAR(scene.centre("b").y(), (1.0 - std::cos(rate)) / rate, 1e-8);
}

TEST(EventScheme, FollowsGivenPathsAndCountsTheirWork) {
  // A table that rises by 1 in half a second and stops: the block on it leaves with its speed.
  MovingScene scene = moving(plane_of_events(
                                 R"({"name": "table", "box": [4, 1], "motion": {"keyframes": [
               {"time": 0, "position": [0, "-1/2"]}, {"time": "1/2", "position": [0, "1/2"]}]}},
             {"name": "b", "box": [1, 1], "position": [0, "1/2"], "velocity": [0, 2]})",
                                 "{}"),
                             0.1, with_events());
  scene.run(0.7);
  EXPECT_NEAR(scene.centre("b").y(), 1.5 + 2.0 * 0.2 - 5.0 * 0.04, 1e-9);
  EXPECT_NEAR(scene.simulation.account().driven_work, 10.0, 1e-7);
  EXPECT_LT(scene.simulation.account().max_gain, 1e-7);
}

/// A needle on its tip that slides with friction 3: to the right it goes on, to the left it jams.
MovingScene sliding_needle(const std::string& speed) {
  return moving(
      plane_of_events(
          kFloorOfEvents +
              R"(, {"name": "rod", "polygon": [[-1, 0], [0, "-1/50"], [1, 0], [0, "1/50"]],
          "rotation": ["5/13", "12/13"], "position": ["5/13", "12/13"], "velocity": [)" +
              speed + R"(, 0]})",
          R"({"friction": 3})"),
      0.05, with_events());
}

TEST(EventScheme, StopsPainlevesRodByAnImpactAndNamesIt) {
  MovingScene jams = sliding_needle("-3");
  jams.simulation.step();
  ASSERT_EQ(jams.simulation.incidents().size(), 1U);
  EXPECT_NE(jams.simulation.incidents()[0].what.find("\"rod\""), std::string::npos);
  EXPECT_LT(jams.simulation.account().max_gain, 1e-8);
  MovingScene goes_on = sliding_needle("3");
  goes_on.simulation.step();
  EXPECT_TRUE(goes_on.simulation.incidents().empty());
}

TEST(EventScheme, RefusesWhatItCannotDo) {
  const std::string text =
      plane_of_events(kFloorOfEvents + R"(, {"name": "b", "box": [1, 1], "position": [0, "1/2"]})",
                      R"({"friction": 0.5})");
  SimulationOptions lifting = with_events();
  lifting.friction_law = FrictionLaw::associated;
  EXPECT_THROW(moving(text, 0.1, lifting), Error);
  SimulationOptions points = with_events();
  points.model = ModelKind::nine_points;
  EXPECT_THROW(moving(text, 0.1, points), Error);
  for (double EventOptions::*field :
       {&EventOptions::tolerance, &EventOptions::event_tolerance, &EventOptions::closing_speed}) {
    SimulationOptions bad = with_events();
    bad.event.*field = -1.0;
    EXPECT_THROW(moving(text, 0.1, bad), Error);
  }
}

}  // namespace
}  // namespace collapse::testing
