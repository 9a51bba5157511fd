#include "collapse/formulation/onset.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/onset_scene.hpp"

namespace collapse::testing {
namespace {

std::string onset_scene(const std::string& rest) {
  return R"({"collapse": 1, "dimension": 2, "gravity": [0, -10], )" + rest + "}";
}

const std::string kGroundPlane =
    R"({"name": "ground", "fixed": true, "plane": {"normal": [0, 1], "offset": 0}})";

TEST(OnsetAnswer, OfASceneWithNothingFreeIsRest) {
  const Onset<2> onset = onset_of(onset_scene(R"("bodies": [)" + kGroundPlane + "]")).onset;
  EXPECT_TRUE(onset.decided);
  EXPECT_FALSE(onset.moves);
  EXPECT_TRUE(onset.bodies.empty());
}

TEST(OnsetAnswer, WithoutLoadsAndVelocitiesNothingMoves) {
  const Onset<2> onset = onset_of(R"({"collapse": 1, "dimension": 2, "gravity": [0, 0],
                                      "bodies": [{"name": "stone", "box": [1, 1]}]})")
                             .onset;
  EXPECT_TRUE(onset.decided);
  EXPECT_FALSE(onset.moves);
}

TEST(OnsetAnswer, OfABodyInFreeFallIsGravity) {
  const OnsetScene result =
      onset_of(onset_scene(R"("bodies": [{"name": "stone", "box": [1, 1], "spin": 3}])"));
  ASSERT_TRUE(result.onset.decided);
  EXPECT_LT((result.of("stone").linear - Vec<2>(0.0, -10.0)).norm(), 1e-12);
  EXPECT_NEAR(result.onset.share, 1.0, 1e-12);
}

TEST(OnsetAnswer, CountsLoadsThatActAndCallsProgress) {
  const std::string text =
      onset_scene(R"("bodies": [)" + kGroundPlane +
                  R"(, {"name": "brick", "box": [2, 1], "mass": 4, "position": [0, "1/2"]}],
      "loads": [{"name": "push", "body": "brick", "at": [-1, "1/2"], "force": [3, 0]}])");
  OnsetOptions options;
  options.loads = {{0, 2.0}};
  int calls = 0;
  options.progress = [&](int number) { EXPECT_EQ(number, ++calls); };
  const OnsetScene result = onset_of(text, options);
  EXPECT_NEAR(result.of("brick").linear[0], 1.5, 1e-10);
  EXPECT_EQ(result.onset.programs, calls);
  EXPECT_FALSE(onset_of(text).onset.moves);
}

// --- forces that are not unique -----------------------------------------------------------------

/// A beam on three fixed posts, the middle one under its centre.
const std::string kBeam = onset_scene(R"("bodies": [
    {"name": "left", "fixed": true, "polygon": [[-3, -1], [-2, -1], ["-5/2", 0]]},
    {"name": "middle", "fixed": true, "polygon": [["-1/2", -1], ["1/2", -1], [0, 0]]},
    {"name": "right", "fixed": true, "polygon": [[2, -1], [3, -1], ["5/2", 0]]},
    {"name": "beam", "box": [6, 1], "mass": 3, "position": [0, "1/2"]}])");

TEST(OnsetForces, OfABeamOnThreePostsAreTheLeastWithTheirRanges) {
  OnsetOptions options;
  options.ranges = true;
  const OnsetScene result = onset_of(kBeam, options);
  ASSERT_TRUE(result.onset.decided);
  ASSERT_EQ(result.onset.contacts.size(), 3U);
  for (const OnsetContact<2>& contact : result.onset.contacts) {
    EXPECT_NEAR(contact.force[1], 10.0, 1e-8);
    ASSERT_TRUE(contact.range.has_value());
    EXPECT_FALSE(contact.unique);
    EXPECT_NEAR((*contact.range)[0], 0.0, 1e-6);
    const bool middle = result.scene.body_name(contact.id.a) == "middle";
    EXPECT_NEAR((*contact.range)[1], middle ? 30.0 : 15.0, 1e-6);
  }
}

TEST(OnsetForces, AreUniqueOnTwoPosts) {
  OnsetOptions options;
  options.ranges = true;
  const OnsetScene result =
      onset_of(onset_scene(R"("bodies": [)" + kGroundPlane +
                           R"(, {"name": "brick", "box": [2, 1], "position": [0, "1/2"]}])"),
               options);
  for (const OnsetContact<2>& contact : result.onset.contacts) {
    EXPECT_TRUE(contact.unique);
    EXPECT_NEAR((*contact.range)[0], 10.0, 1e-6);
    EXPECT_NEAR((*contact.range)[1], 10.0, 1e-6);
  }
}

TEST(OnsetForces, HaveNoRangeUnlessAskedFor) {
  for (const auto& contact : onset_of(kBeam).onset.contacts) {
    EXPECT_FALSE(contact.range.has_value());
    EXPECT_FALSE(contact.unique);
  }
}

// --- several motions ----------------------------------------------------------------------------

const std::string kJammed = R"({"collapse": 1, "dimension": 2, "gravity": [0, -10],
  "materials": {"default": {"friction": "1/2"}}, "bodies": [
  {"name": "left", "fixed": true, "plane": {"normal": [1, 0], "offset": 0}},
  {"name": "right", "fixed": true, "plane": {"normal": [-1, 0], "offset": -1}},
  {"name": "block", "box": [1, 1], "position": ["1/2", 3]}]})";

TEST(JammedBlock, MayStayOrFallByCoulombsLaw) {
  const Onset<2> onset = onset_of(kJammed).onset;
  EXPECT_FALSE(onset.decided);
  EXPECT_NE(onset.reason.find("more than one motion"), std::string::npos) << onset.reason;
  EXPECT_NE(onset.reason.find("\"block\""), std::string::npos) << onset.reason;
}

TEST(JammedBlock, StaysByTheAssociatedLawWithForcesThatNothingBounds) {
  OnsetOptions options;
  options.friction_law = FrictionLaw::associated;
  options.ranges = true;
  const Onset<2> onset = onset_of(kJammed, options).onset;
  EXPECT_TRUE(onset.decided);
  EXPECT_FALSE(onset.moves);
  for (const OnsetContact<2>& contact : onset.contacts) {
    ASSERT_TRUE(contact.range.has_value());
    EXPECT_TRUE(std::isinf((*contact.range)[1]));
    EXPECT_FALSE(contact.unique);
  }
}

// --- velocities that contacts and joints do not allow -------------------------------------------

std::string brick_moving(const std::string& velocity, const std::string& friction = "0") {
  return onset_scene(R"("materials": {"default": {"friction": )" + friction + R"(}}, "bodies": [)" +
                     kGroundPlane +
                     R"(, {"name": "brick", "box": [2, 1], "position": [0, "1/2"], "velocity": )" +
                     velocity + "}]");
}

TEST(OnsetVelocities, OfACollisionLeaveItUndecidedNamingTheBodies) {
  const Onset<2> onset = onset_of(brick_moving("[1, -0.5]")).onset;
  EXPECT_FALSE(onset.decided);
  EXPECT_TRUE(onset.bodies.empty());
  EXPECT_NE(onset.reason.find("\"brick\" on \"ground\" collides"), std::string::npos)
      << onset.reason;
}

TEST(OnsetVelocities, OfPartingBodiesLetThemFly) {
  const OnsetScene result = onset_of(brick_moving("[1, 0.5]"));
  ASSERT_TRUE(result.onset.decided) << result.onset.reason;
  EXPECT_LT((result.of("brick").linear - Vec<2>(0.0, -10.0)).norm(), 1e-12);
  for (const OnsetContact<2>& contact : result.onset.contacts) {
    EXPECT_EQ(contact.state, ContactState::parting);
    EXPECT_NEAR(contact.acceleration, -10.0, 1e-12);
  }
}

TEST(OnsetVelocities, WithinTheToleranceAreNone) {
  EXPECT_TRUE(onset_of(brick_moving("[1, -1e-7]")).onset.decided);
  EXPECT_FALSE(onset_of(brick_moving("[1, -1e-5]")).onset.decided);
  EXPECT_FALSE(onset_of(brick_moving("[1e-6, -1e-11]")).onset.decided);
}

TEST(OnsetVelocities, OfSlidingAreNotForTheAssociatedLaw) {
  OnsetOptions options;
  options.friction_law = FrictionLaw::associated;
  const Onset<2> onset = onset_of(brick_moving("[1, 0]", "0.3"), options).onset;
  EXPECT_FALSE(onset.decided);
  EXPECT_NE(onset.reason.find("associated law"), std::string::npos) << onset.reason;
  EXPECT_TRUE(onset_of(brick_moving("[1, 0]"), options).onset.decided);
}

TEST(OnsetVelocities, ThatTearAJointLeaveItUndecided) {
  const Onset<2> onset =
      onset_of(onset_scene(R"("bodies": [{"name": "bob", "box": [1, 1], "position": [2, 0],
          "velocity": [1, 0]}],
          "joints": [{"type": "pin", "bodies": ["bob", "world"], "at": [0, 0]}])"))
          .onset;
  EXPECT_FALSE(onset.decided);
  EXPECT_NE(onset.reason.find("\"bob\""), std::string::npos) << onset.reason;
}

// --- corner on corner ---------------------------------------------------------------------------

TEST(OnsetOfCorners, LetsABodyFallPastTheCornerItOnlyTouches) {
  const OnsetScene result = onset_of(onset_scene(R"("bodies": [
      {"name": "block", "fixed": true, "box": [2, 2]},
      {"name": "brick", "box": [2, 2], "position": [2, 2]}])"));
  ASSERT_EQ(result.contacts.corners.size(), 1U);
  ASSERT_TRUE(result.onset.decided) << result.onset.reason;
  EXPECT_LT((result.of("brick").linear - Vec<2>(0.0, -10.0)).norm(), 1e-12);
}

/// A square on its corner, on the corner of another, moving sideways with the given velocity.
std::string tip_on_tip(const std::string& velocity, const std::string& friction = "0") {
  const std::string square = R"("polygon": [[-1, 0], [0, -1], [1, 0], [0, 1]])";
  return onset_scene(R"("materials": {"default": {"friction": )" + friction +
                     R"(}}, "bodies": [{"name": "lower", "fixed": true, )" + square +
                     R"(}, {"name": "upper", )" + square + R"(, "position": [0, 2], "velocity": )" +
                     velocity + "}]");
}

TEST(OnsetOfCorners, IsUndecidedWhereABodyMayFallToEitherSide) {
  for (const char* friction : {"0", "0.5"}) {
    const OnsetScene result = onset_of(tip_on_tip("[0, 0]", friction));
    ASSERT_EQ(result.contacts.corners.size(), 1U);
    EXPECT_FALSE(result.onset.decided);
    EXPECT_NE(result.onset.reason.find("\"upper\" on \"lower\""), std::string::npos)
        << result.onset.reason;
  }
}

TEST(OnsetOfCorners, IsDecidedByAVelocityAlongOneSide) {
  // Down the right side of the lower square: as on a slope of 45°.
  const OnsetScene result = onset_of(tip_on_tip("[1, -1]"));
  ASSERT_TRUE(result.onset.decided) << result.onset.reason;
  // The corner is held along the side's normal, which does not pass through the upper's centre.
  const Vec<2> n(std::sqrt(0.5), std::sqrt(0.5));
  const double m = result.mass("upper").mass;
  const double lever = std::sqrt(0.5);
  const double N =
      m * 10.0 * std::sqrt(0.5) / (1.0 + m * lever * lever / result.mass("upper").inertia(0, 0));
  EXPECT_LT((result.of("upper").linear - (Vec<2>(0.0, -10.0) + N / m * n)).norm(), 1e-9);
  EXPECT_TRUE(onset_of(tip_on_tip("[1, 0]")).onset.decided);
  EXPECT_FALSE(onset_of(tip_on_tip("[0, -1]")).onset.decided);
}

// --- edges flush at their ends ------------------------------------------------------------------

TEST(OnsetOfFlushBricks, KnowsWhichCornerSlidesAlongWhichEdge) {
  // The upper brick turns clockwise about its right end, which lies on the right end of the lower one,
  // and slides.
  for (const double slide : {1.0, -1.0}) {
    const OnsetScene result = onset_of(onset_scene(
        R"("bodies": [{"name": "lower", "fixed": true, "box": [2, 1], "position": [0, "-1/2"]},
           {"name": "upper", "box": [2, 1], "position": [0, "1/2"], "velocity": [)" +
        std::to_string(slide + 0.5) + R"(, 1], "spin": -1}])"));
    ASSERT_TRUE(result.onset.decided) << result.onset.reason;
    EXPECT_EQ(result.opening(), 1U);
    // Of the upper's point at (1, 0), without what its spin adds: ω² times its depth below the centre.
    const BodyAcceleration<2> upper = result.of("upper");
    const double lift = upper.linear[1] + upper.angular[0] + 0.5;
    // To the left its own corner slides along the lower's edge, which does not turn: no acceleration. To
    // the right the lower's corner slides along its edge, which turns: 2 ω times the speed.
    EXPECT_NEAR(lift, slide > 0.0 ? -2.0 * slide : 0.0, 1e-9) << slide;
  }
}

}  // namespace
}  // namespace collapse::testing
