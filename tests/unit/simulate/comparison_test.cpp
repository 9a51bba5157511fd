#include "collapse/simulate/comparison.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "collapse/core/error.hpp"
#include "tests/support/moving_scene.hpp"

namespace collapse::testing {
namespace {

const std::string kTwoBoxes = R"({"collapse": 1, "dimension": 2, "gravity": [0, -10], "bodies": [
  {"name": "fixed", "box": [1, 1], "position": [50, 0], "fixed": true},
  {"name": "left", "box": [6, 8]},
  {"name": "right", "box": [6, 8], "position": [20, 1]}]})";

TEST(MotionDistance, IsTheWayOfTheCentrePlusTheAngleTimesTheReach) {
  const Scene<2> scene = parse_scene<2>(kTwoBoxes);
  const State<2> start = initial_state(scene);
  EXPECT_EQ(motion_distance(scene, start, start), 0.0);
  State<2> moved = start;
  moved.poses[1].position += Vec<2>(3.0, -4.0);
  EXPECT_NEAR(motion_distance(scene, start, moved), 5.0, 1e-12);
  for (const double angle : {1e-9, 1e-3, 2.0}) {
    State<2> turned = start;
    turned.poses[2].rotation = Eigen::Rotation2Dd(angle).toRotationMatrix();
    EXPECT_NEAR(motion_distance(scene, start, turned), 5.0 * angle, 1e-14 + 1e-9 * angle);
  }
  // What cannot move has no error.
  State<2> wrong = start;
  wrong.poses[0].position.x() += 1.0;
  EXPECT_EQ(motion_distance(scene, start, wrong), 0.0);
}

TEST(MotionDistance, MeasuresAnglesInSpaceToo) {
  const Scene<3> scene = parse_scene<3>(space_scene(R"({"name": "b", "box": [2, 4, 4]})"));
  const State<3> start = initial_state(scene);
  State<3> turned = start;
  const Vec<3> axis = Vec<3>(1.0, 2.0, -2.0) / 3.0;
  turned.poses[0].rotation = Eigen::AngleAxisd(0.25, axis).toRotationMatrix();
  EXPECT_NEAR(motion_distance(scene, start, turned), 3.0 * 0.25, 1e-12);
}

TEST(MovingSize, IsThatOfTheBoxAroundWhatIsFree) {
  const Scene<2> scene = parse_scene<2>(kTwoBoxes);
  EXPECT_DOUBLE_EQ(moving_size(scene, initial_state(scene)), 30.0);
}

TEST(ObservedOrder, IsTheExponentOfTheStep) {
  EXPECT_NEAR(*observed_order(0.1, 3e-2, 0.05, 7.5e-3), 2.0, 1e-12);
  EXPECT_NEAR(*observed_order(0.3, 1e-3, 0.1, 3e-3), -1.0, 1e-12);
  EXPECT_FALSE(observed_order(0.1, 0.0, 0.05, 1e-3));
  EXPECT_FALSE(observed_order(0.1, 1e-3, 0.05, std::nan("")));
}

ComparisonOptions until(double time, double interval, int halvings) {
  ComparisonOptions options;
  options.schemes = {SchemeKind::position};
  options.interval = interval;
  options.intervals = std::llround(time / interval);
  options.halvings = halvings;
  return options;
}

const std::string kFallingDisk = R"({"collapse": 1, "dimension": 2, "gravity": [0, -10],
  "bodies": [{"name": "b", "disk": "1/2"}]})";

TEST(CompareSchemes, FindsTheErrorOfAFreeFallThatIsKnown) {
  const Scene<2> scene = parse_scene<2>(kFallingDisk);
  const Comparison comparison = compare_schemes(scene, until(1.0, 0.25, 2));
  EXPECT_EQ(comparison.size, 1.0);
  EXPECT_EQ(comparison.reference.doubt, "");
  EXPECT_LT(comparison.reference.error, 1e-12);
  ASSERT_EQ(comparison.schemes.size(), 1U);
  ASSERT_EQ(comparison.schemes[0].trials.size(), 3U);
  SimulationOptions plain;
  for (const Trial& trial : comparison.schemes[0].trials) {
    MovingScene moved = moving(kFallingDisk, trial.step, plain);
    moved.run(1.0);
    EXPECT_NEAR(trial.error_at_end, std::abs(moved.centre("b").y() + 5.0), 1e-9);
    EXPECT_GE(trial.error, trial.error_at_end);
    EXPECT_EQ(trial.cost.steps, 4 * trial.steps_per_interval);
  }
}

TEST(CompareSchemes, TellsWhySchemesDoNotTakeAScene) {
  const Scene<2> scene = parse_scene<2>(kFallingDisk);
  ComparisonOptions options = until(0.5, 0.25, 0);
  options.schemes = {SchemeKind::oba, SchemeKind::position};
  const Comparison comparison = compare_schemes(scene, options);
  ASSERT_EQ(comparison.schemes.size(), 2U);
  EXPECT_NE(comparison.schemes[0].refusal.find("scenes in space"), std::string::npos);
  EXPECT_TRUE(comparison.schemes[0].trials.empty());
  EXPECT_EQ(comparison.schemes[1].refusal, "");
  EXPECT_EQ(comparison.schemes[1].trials.size(), 1U);
}

TEST(CompareSchemes, LeavesOpenWhatNoToleranceDetermines) {
  // Three links that swing from the horizontal: errors grow tenfold every second or so.
  const Scene<2> scene = parse_scene<2>(R"({"collapse": 1, "dimension": 2, "gravity": [0, -10],
    "bodies": [{"name": "1", "box": [1, "1/5"], "position": ["1/2", 0]},
               {"name": "2", "box": [1, "1/5"], "position": ["3/2", 0]},
               {"name": "3", "box": [1, "1/5"], "position": ["5/2", 0]}],
    "joints": [{"type": "pin", "bodies": ["world", "1"], "at": [0, 0]},
               {"type": "pin", "bodies": ["1", "2"], "at": [1, 0]},
               {"type": "pin", "bodies": ["2", "3"], "at": [2, 0]}],
    "ignore": [["1", "3"]]})");
  ComparisonOptions options = until(20.0, 0.25, 0);
  options.simulation.event.tolerance = 1e-4;
  const Comparison comparison = compare_schemes(scene, options);
  EXPECT_NE(comparison.reference.doubt.find("no tolerance determines the motion"),
            std::string::npos)
      << comparison.reference.doubt << comparison.reference.error;
  EXPECT_TRUE(comparison.schemes.empty());
}

TEST(CompareSchemes, StopsWhereItIsInterrupted) {
  const Scene<2> scene = parse_scene<2>(kFallingDisk);
  ComparisonOptions options = until(1.0, 0.25, 2);
  int asked = 0;
  options.progress = [&](const std::string& /*what*/, double /*share*/) { ++asked; };
  options.simulation.interrupt = [&] { return asked >= 10; };
  const Comparison comparison = compare_schemes(scene, options);
  EXPECT_TRUE(comparison.interrupted);
  EXPECT_LE(asked, 11);
}

TEST(CompareSchemes, RefusesOptionsThatMakeNoSense) {
  const auto refused = [](const auto& change) {
    ComparisonOptions options = until(1.0, 0.25, 2);
    change(options);
    try {
      options.validate();
    } catch (const Error& error) {
      return error.place();
    }
    return std::string();
  };
  EXPECT_EQ(refused([](ComparisonOptions&) {}), "");
  EXPECT_EQ(refused([](ComparisonOptions& o) { o.interval = 0.0; }), "step");
  EXPECT_EQ(refused([](ComparisonOptions& o) { o.intervals = 0; }), "until");
  EXPECT_EQ(refused([](ComparisonOptions& o) { o.halvings = 21; }), "halvings");
  EXPECT_EQ(refused([](ComparisonOptions& o) { o.simulation.event.tolerance = 5e-3; }),
            "tolerance");
}

}  // namespace
}  // namespace collapse::testing
