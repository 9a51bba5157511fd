#include "collapse/formulation/verdict.hpp"

#include <gtest/gtest.h>

#include "tests/support/checked_scene.hpp"

namespace collapse::testing {
namespace {

std::string scene_of(const std::string& rest) {
  return R"({"collapse": 1, "dimension": 2, "gravity": [0, -10], )" + rest + "}";
}

const std::string kGround =
    R"({"name": "ground", "fixed": true, "plane": {"normal": [0, 1], "offset": 0}})";

TEST(Check, OfASceneWithNothingFreeStands) {
  const Verdict<2> verdict = check_text(scene_of(R"("bodies": [)" + kGround + "]")).verdict;
  EXPECT_EQ(verdict.stability, Stability::stable);
  EXPECT_EQ(verdict.margin, 1.0);
}

TEST(Check, WithoutGravityEverythingStands) {
  const Verdict<2> verdict = check_text(R"({"collapse": 1, "dimension": 2, "gravity": [0, 0],
                     "bodies": [{"name": "stone", "box": [1, 1]}]})")
                                 .verdict;
  EXPECT_EQ(verdict.stability, Stability::stable);
}

TEST(Check, ReportsProgramsAndCallsProgress) {
  int calls = 0;
  CheckOptions options;
  options.progress = [&](int number) { EXPECT_EQ(number, ++calls); };
  const Verdict<2> verdict = check_text(scenes::make_scene("tower"), options).verdict;
  EXPECT_EQ(verdict.programs, calls);
  EXPECT_GT(verdict.iterations, calls);
}

// --- the margin -------------------------------------------------------------------------------

TEST(Margin, OfABrickIsTheShareOfItsBedThatIsNotNeeded) {
  // A brick of length 1 whose centre lies 1/8 inside the edge of a block: overlap of length 5/8,
  // from the edge inwards; its middle is 5/16 from the edge. Narrowed by τ the bed ends 5/16·τ from
  // the edge, and the brick falls for 5/16·τ > 1/8.
  const Verdict<2> verdict =
      check_text(scene_of(R"("bodies": [{"name": "block", "fixed": true, "box": [2, 1]},
                            {"name": "brick", "box": [1, "1/4"], "position": ["7/8", "5/8"]}])"))
          .verdict;
  ASSERT_EQ(verdict.stability, Stability::stable);
  EXPECT_LE(verdict.margin, 0.4);
  EXPECT_GE(verdict.margin, 0.4 / 1.1);
}

TEST(Margin, OfASlopeIsTheShareOfFrictionThatIsNotNeeded) {
  const Verdict<2> verdict =
      check_gallery("slope", {{"slope", "1/2"}, {"aspect", "9"}, {"friction", "5/8"}}).verdict;
  ASSERT_EQ(verdict.stability, Stability::stable);
  EXPECT_LE(verdict.margin, 0.2);
  EXPECT_GE(verdict.margin, 0.2 / 1.1);
}

TEST(Margin, IsOnlyABoundInLargeScenesUnlessAskedFor) {
  CheckOptions options;
  options.margin_bodies = 5;
  const std::string text = scenes::make_scene("column");
  const Verdict<2> bound = check_text(text, options).verdict;
  EXPECT_TRUE(bound.margin_is_bound);
  options.full_margin = true;
  const Verdict<2> full = check_text(text, options).verdict;
  EXPECT_FALSE(full.margin_is_bound);
  EXPECT_GT(full.margin, bound.margin);
}

// --- too close to call ------------------------------------------------------------------------

std::string board_on_tip(const std::string& offset) {
  return scene_of(R"("bodies": [
    {"name": "tip", "fixed": true, "polygon": [[-1, -1], [1, -1], [0, 0]]},
    {"name": "board", "box": [4, "1/4"], "position": [")" +
                  offset + R"(", "1/8"]}])");
}

TEST(BoardOnATip, IsUndecidedInBalanceAndFallsOtherwise) {
  EXPECT_EQ(check_text(board_on_tip("0")).verdict.stability, Stability::undecided);
  EXPECT_EQ(check_text(board_on_tip("1/1000")).verdict.stability, Stability::unstable);
  EXPECT_EQ(check_text(board_on_tip("-1/1000")).verdict.stability, Stability::unstable);
  EXPECT_NE(check_text(board_on_tip("1e-12")).verdict.stability, Stability::stable);
}

TEST(DiskOnADisk, IsNotCalledStable) {
  const std::string text = scene_of(R"("bodies": [
    {"name": "lower", "fixed": true, "disk": 1, "position": [0, 1]},
    {"name": "upper", "disk": 1, "position": [0, 3]}])");
  EXPECT_EQ(check_text(text).verdict.stability, Stability::undecided);
}

TEST(DiskInACradle, OfCornersStands) {
  const std::string text = scene_of(R"("bodies": [
    {"name": "left", "fixed": true, "box": [1, 1]},
    {"name": "right", "fixed": true, "box": [1, 1], "position": [7, 0]},
    {"name": "disk", "disk": 5, "position": ["7/2", "9/2"]}])");
  EXPECT_EQ(check_text(text).verdict.stability, Stability::stable);
}

TEST(DiskInACradle, OfDisksStands) {
  const std::string text = scene_of(R"("bodies": [
    {"name": "left", "fixed": true, "disk": 5, "position": [-6, -8]},
    {"name": "right", "fixed": true, "disk": 5, "position": [6, -8]},
    {"name": "disk", "disk": 5}])");
  EXPECT_EQ(check_text(text).verdict.stability, Stability::stable);
}

TEST(FarFromTheOrigin, WhereCoordinatesAreRoundedNothingIsClaimed) {
  const std::string text =
      scene_of(R"("bodies": [)" + kGround + R"(, {"name": "lower", "box": [1, 1],
    "position": [100000000000000, "1/2"]}, {"name": "upper", "box": [1, 1],
    "position": ["100000000000000.501", "3/2"]}])");
  EXPECT_EQ(check_text(text).verdict.stability, Stability::undecided);
}

TEST(DiskOnAFloor, Stands) {
  for (const char* friction : {"0", "1/2"}) {
    const std::string text = scene_of(std::string(R"("materials": {"default": {"friction": ")") +
                                      friction + R"("}}, "bodies": [)" + kGround +
                                      R"(, {"name": "disk", "disk": 1, "position": [0, 1]}])");
    EXPECT_EQ(check_text(text).verdict.stability, Stability::stable) << friction;
  }
}

TEST(TiltedFloor, WithoutFrictionIsNeverCalledLevel) {
  for (const char* tilt : {"1e-3", "1e-6", "1e-8", "1e-9"}) {
    const std::string text = scene_of(std::string(
                                          R"("bodies": [{"name": "ground", "fixed": true, "plane":
          {"normal": [)") + tilt + R"(, 1], "offset": 0}},
          {"name": "disk", "disk": 1, "position": [0, 1]}])");
    EXPECT_NE(check_text(text).verdict.stability, Stability::stable) << tilt;
  }
}

TEST(Dumbbell, BalancedOnOneOfItsDisksIsNotCalledStable) {
  const std::string text =
      scene_of(R"("bodies": [)" + kGround +
               R"(, {"name": "dumbbell", "parts": [{"disk": 1, "position": [0, 1]},
                                                   {"disk": 1, "position": [0, 3]}]}])");
  EXPECT_EQ(check_text(text).verdict.stability, Stability::undecided);
}

TEST(MassRatios, DoNotHideALightBodyThatFalls) {
  for (const char* heavy : {"1e3", "1e6", "1e9", "1e12"}) {
    const std::string start = R"("bodies": [)" + kGround + R"(, {"name": "heavy", "mass": ")" +
                              heavy + R"(", "box": [2, 2], "position": [0, 1]}, )";
    // Far away in the air, and tipping over the heavy body's edge.
    EXPECT_EQ(check_text(scene_of(start + R"({"name": "light", "mass": 1, "box": [1, 1],
                                             "position": [9, 9]}])"))
                  .verdict.stability,
              Stability::unstable)
        << heavy;
    EXPECT_NE(check_text(scene_of(start + R"({"name": "light", "mass": 1, "box": [1, 1],
                                             "position": ["11/10", "5/2"]}])"))
                  .verdict.stability,
              Stability::stable)
        << heavy;
  }
}

TEST(MassRatios, UpToAMillionAreDecided) {
  for (const char* heavy : {"1e3", "1e6", "1e9", "1e12"}) {
    const Stability stability =
        check_text(scene_of(R"("bodies": [)" + kGround + R"(, {"name": "heavy", "mass": ")" +
                            heavy +
                            R"(", "box": [2, 2], "position": [0, 1]}, {"name": "light", "mass": 1,
                             "box": [1, 1], "position": ["9/10", "5/2"]}])"))
            .verdict.stability;
    EXPECT_NE(stability, Stability::unstable) << heavy;
    const bool decidable = std::string(heavy) == "1e3" || std::string(heavy) == "1e6";
    EXPECT_TRUE(!decidable || stability == Stability::stable) << heavy;
  }
}

// --- loads ------------------------------------------------------------------------------------

std::string pushed_block() {
  return scene_of(R"("materials": {"default": {"friction": "1/2"}},
    "loads": [{"name": "quake", "acceleration": [10, 0]},
              {"name": "hook", "body": "block", "at": [0, 1], "force": [10, 0]}],
    "bodies": [)" +
                  kGround + R"(, {"name": "block", "box": [4, 1], "position": [0, "1/2"]}])");
}

Stability with_load(int load, double factor) {
  CheckOptions options;
  options.loads = {{load, factor}};
  return check_text(pushed_block(), options).verdict.stability;
}

TEST(Loads, ActOnlyWhereNamedAndScaleWithTheirFactor) {
  EXPECT_EQ(check_text(pushed_block()).verdict.stability, Stability::stable);
  // Friction 1/2: slides from half of gravity on; the block weighs 40 and is pulled at its top.
  EXPECT_EQ(with_load(0, 0.499), Stability::stable);
  EXPECT_EQ(with_load(0, 0.501), Stability::unstable);
  EXPECT_EQ(with_load(1, 1.998), Stability::stable);
  EXPECT_EQ(with_load(1, 2.002), Stability::unstable);
  EXPECT_EQ(with_load(1, -1.998), Stability::stable);
}

// --- joints -----------------------------------------------------------------------------------

TEST(Joints, WeldHoldsACantilever) {
  const CheckedScene checked = check_text(scene_of(R"("bodies": [
      {"name": "beam", "mass": 1, "box": [2, "1/4"], "position": [1, 0]}],
    "joints": [{"type": "weld", "bodies": ["world", "beam"], "at": [0, 0]}])"));
  ASSERT_EQ(checked.verdict.stability, Stability::stable) << checked.verdict.reason;
  ASSERT_EQ(checked.verdict.joint_forces.size(), 1U);
  EXPECT_NEAR(checked.verdict.joint_forces[0].force[1], 10.0, 1e-9);
  EXPECT_NEAR(checked.verdict.joint_forces[0].torque[0], 10.0, 1e-9);
}

TEST(Joints, WeldHoldsFromAnywhere) {
  const CheckedScene checked = check_text(scene_of(R"("bodies": [
      {"name": "beam", "mass": 1, "box": [2, "1/4"]}],
    "joints": [{"type": "weld", "bodies": ["beam", "world"], "at": [1000, 0]}])"));
  ASSERT_EQ(checked.verdict.stability, Stability::stable) << checked.verdict.reason;
  // On the world: the weight, and its torque about the place of the weld.
  EXPECT_NEAR(checked.verdict.joint_forces[0].force[1], -10.0, 1e-9);
  EXPECT_NEAR(checked.verdict.joint_forces[0].torque[0], 10000.0, 1e-6);
}

TEST(Joints, DiskOnTopOfARodIsNotCalledStable) {
  const CheckedScene checked = check_text(scene_of(R"("bodies": [
      {"name": "disk", "disk": 1, "position": [0, 3]}],
    "joints": [{"type": "rod", "bodies": ["world", "disk"], "at": [[0, 0], [0, 3]]}])"));
  EXPECT_EQ(checked.verdict.stability, Stability::undecided);
}

TEST(Joints, PinAloneLetsABeamSwing) {
  const CheckedScene checked = check_text(scene_of(R"("bodies": [
      {"name": "beam", "mass": 1, "box": [2, "1/4"], "position": [1, 0]}],
    "joints": [{"type": "pin", "bodies": ["world", "beam"], "at": [0, 0]}])"));
  ASSERT_EQ(checked.verdict.stability, Stability::unstable);
  // It turns about the pin.
  const BodyMotion<2>& motion = checked.verdict.mechanism[0];
  EXPECT_NEAR(motion.velocity[0], 0.0, 1e-9);
  EXPECT_NEAR(motion.velocity[1], motion.spin[0] * 1.0, 1e-9);
  EXPECT_LT(motion.spin[0], 0.0);
}

TEST(Joints, RedundantOnesShareTheLoadEqually) {
  const CheckedScene checked = check_text(scene_of(R"("bodies": [
      {"name": "beam", "mass": 1, "box": [2, "1/4"]}],
    "joints": [{"type": "pin", "bodies": ["world", "beam"], "at": [-1, 0]},
               {"type": "pin", "bodies": ["world", "beam"], "at": [1, 0]}])"));
  ASSERT_EQ(checked.verdict.stability, Stability::stable) << checked.verdict.reason;
  for (const JointForce<2>& joint : checked.verdict.joint_forces) {
    EXPECT_NEAR(joint.force[0], 0.0, 1e-9);
    EXPECT_NEAR(joint.force[1], 5.0, 1e-9);
  }
}

TEST(Joints, BetweenBodiesThatAreNotFreeDoNothing) {
  const CheckedScene checked = check_text(
      scene_of(R"("bodies": [)" + kGround + R"(, {"name": "post", "fixed": true, "box": [1, 1],
        "position": [9, 9]}, {"name": "brick", "box": [1, 1], "position": [0, "1/2"]}],
      "joints": [{"type": "pin", "bodies": ["world", "post"], "at": [9, 9]}])"));
  EXPECT_EQ(checked.verdict.stability, Stability::stable);
  ASSERT_EQ(checked.verdict.joint_forces.size(), 1U);
  EXPECT_NEAR(checked.verdict.joint_forces[0].force.norm(), 0.0, 1e-9);
}

TEST(Joints, HangingPendulumIsNotCalledUnstable) {
  const CheckedScene checked = check_text(scene_of(R"("bodies": [
      {"name": "bob", "box": [1, 1], "position": [0, -2]}],
    "joints": [{"type": "rod", "bodies": ["world", "bob"], "at": [[0, 0], [0, -2]]}])"));
  EXPECT_NE(checked.verdict.stability, Stability::unstable);
}

// --- corner on corner -------------------------------------------------------------------------

std::string boxes(const std::string& friction, const std::string& bodies) {
  return scene_of(R"("materials": {"default": {"friction": ")" + friction + R"("}}, "bodies": [)" +
                  kGround + "," + bodies + "]");
}

// A cube whose lower left corner sits on the upper right corner of another, with nothing else.
const std::string kCornerTower =
    R"({"name": "lower", "fixed": true, "box": [1, 1], "position": [0, "1/2"]},
       {"name": "upper", "box": [1, 1], "position": [1, "3/2"]})";

TEST(CornerOnCorner, AloneCannotHoldACube) {
  const CheckedScene checked = check_text(boxes("0", kCornerTower));
  ASSERT_EQ(checked.contacts.corners.size(), 1U);
  EXPECT_EQ(checked.verdict.stability, Stability::unstable);
  EXPECT_EQ(checked.verdict.corner_contacts, 1);
}

TEST(CornerOnCorner, WithFrictionStillCannotHoldACubeThatTurns) {
  EXPECT_EQ(check_text(boxes("1/2", kCornerTower)).verdict.stability, Stability::unstable);
}

// A brick that rests on one supporting block but would tip, were it not for a corner below its far
// corner: with the vertical normal it stands, with the horizontal one it falls, and it may choose.
TEST(CornerOnCorner, ThatCouldHoldButNeedNotDoesNotHold) {
  const CheckedScene checked = check_text(boxes("0", R"(
    {"name": "left", "fixed": true, "box": [1, 1], "position": [0, "1/2"]},
    {"name": "right", "fixed": true, "box": [1, 1], "position": [3, "1/2"]},
    {"name": "beam", "box": [2, "1/4"], "position": ["3/2", "9/8"]})"));
  // Beam from 1/2 to 5/2: both of its lower corners sit exactly on corners.
  ASSERT_EQ(checked.contacts.corners.size(), 2U);
  EXPECT_EQ(checked.verdict.stability, Stability::unstable);
}

TEST(CornerOnCorner, WithFrictionThatMightHoldIsUndecidedAndNamed) {
  const CheckedScene checked = check_text(boxes("1", R"(
    {"name": "left", "fixed": true, "box": [1, 1], "position": [0, "1/2"]},
    {"name": "right", "fixed": true, "box": [1, 1], "position": [3, "1/2"]},
    {"name": "beam", "box": [2, "1/4"], "position": ["3/2", "9/8"]})"));
  ASSERT_EQ(checked.verdict.stability, Stability::undecided);
  EXPECT_NE(checked.verdict.reason.find("\"beam\" on \"left\""), std::string::npos)
      << checked.verdict.reason;
}

TEST(CornerOnCorner, ThatIsNotNeededDoesNoHarm) {
  const CheckedScene checked = check_text(boxes("0", R"(
    {"name": "left", "box": [1, 1], "position": [0, "1/2"]},
    {"name": "right", "box": [1, 1], "position": [1, "1/2"]},
    {"name": "top", "box": [1, 1], "position": [1, "3/2"]})"));
  ASSERT_EQ(checked.contacts.corners.size(), 1U);
  EXPECT_EQ(checked.verdict.stability, Stability::stable);
}

// --- non-convex bodies ------------------------------------------------------------------------

TEST(NonConvexBodies, GiveTheSameVerdictHoweverTheyAreMade) {
  const std::string l_polygon = R"("polygon": [[0, 0], [1, 0], [1, 2], [3, 2], [3, 3], [0, 3]])";
  const std::string l_parts =
      R"("parts": [{"box": [1, 3], "position": ["1/2", "3/2"]},
                   {"box": [2, 1], "position": [2, "5/2"]}])";
  const std::string l_overlapping =
      R"("parts": [{"box": [1, 3], "position": ["1/2", "3/2"]},
                   {"box": [3, 1], "position": ["3/2", "5/2"]}])";
  for (const char* counterweight : {"1", "2", "5"}) {
    Stability first = Stability::undecided;
    double margin = 0.0;
    for (const std::string& shape : {l_polygon, l_parts, l_overlapping}) {
      const CheckedScene checked =
          check_text(scene_of(R"("bodies": [)" + kGround + R"(, {"name": "hook", )" + shape +
                              R"(}, {"name": "weight", "mass": ")" + counterweight +
                              R"(", "box": ["1/2", "1/2"], "position": ["1/4", "13/4"]}])"));
      if (shape == l_polygon) {
        first = checked.verdict.stability;
        margin = checked.verdict.margin;
      }
      EXPECT_EQ(checked.verdict.stability, first);
      EXPECT_NEAR(checked.verdict.margin, margin, 1e-9);
      EXPECT_EQ(checked.contacts.contacts.size(), 4U);
    }
  }
}

}  // namespace
}  // namespace collapse::testing
