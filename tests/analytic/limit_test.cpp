/// How far from collapse, against closed forms and published values.

#include <gtest/gtest.h>

#include <cmath>

#include "collapse/formulation/limit.hpp"
#include "tests/support/checked_scene.hpp"
#include "tests/support/space_structure.hpp"

namespace collapse::testing {
namespace {

constexpr double kTurn = 2 * 3.141592653589793;

struct PlaneScene {
  explicit PlaneScene(const std::string& text)
      : scene(parse_scene(text)),
        state(initial_state(scene)),
        contacts(find_contacts(scene, state)) {}

  [[nodiscard]] TiltLimit<2> tilt(double x) const {
    return find_tilt<2>(scene, state, contacts, Vec<2>(x, 0));
  }
  [[nodiscard]] TiltLimit<2> tilt() const { return find_tilt<2>(scene, state, contacts); }
  [[nodiscard]] Limit<2> load(int number) const {
    return find_limit<2>(scene, state, contacts, number);
  }
  [[nodiscard]] Limit<2> friction() const { return find_least_friction<2>(scene, state, contacts); }

  Scene<2> scene;
  State<2> state;
  ContactSet<2> contacts;
};

PlaneScene gallery_scene(const std::string& name, const SceneOptions& options) {
  return PlaneScene(scenes::make_scene(name, options));
}

std::string plane_text(const std::string& rest) {
  return R"({"collapse": 1, "dimension": 2, "gravity": [0, -10], "bodies": [
    {"name": "ground", "fixed": true, "plane": {"normal": [0, 1], "offset": 0}},)" +
         rest + "}";
}

/// Power of loads on a mechanism.
template <int Dim>
double power_on(const Scene<Dim>& scene, const Limit<Dim>& limit, const Vec<Dim>& acceleration) {
  double power = 0.0;
  for (const BodyMotion<Dim>& motion : limit.mechanism) {
    power += scene.bodies[static_cast<std::size_t>(motion.body)].mass.mass *
             acceleration.dot(motion.velocity);
  }
  return power;
}

TEST(LimitTilt, OfABlockIsItsFrictionOrItsWidthOverItsHeight) {
  const std::string block = R"({"name": "block", "box": [1, 2], "position": [0, 1]}],
    "materials": {"default": {"friction": ")";
  const TiltLimit<2> slides = PlaneScene(plane_text(block + R"(2/5"}})")).tilt(1);
  ASSERT_EQ(slides.limit.status, LimitStatus::found) << slides.limit.reason;
  EXPECT_NEAR(slides.limit.factor, 0.4, 1e-9);
  const TiltLimit<2> tips = PlaneScene(plane_text(block + R"(3/5"}})")).tilt(-1);
  ASSERT_EQ(tips.limit.status, LimitStatus::found) << tips.limit.reason;
  EXPECT_NEAR(tips.limit.factor, 0.5, 1e-9);
}

TEST(LimitTilt, OfAMechanismIsProvedByItsPower) {
  const PlaneScene wall = gallery_scene("wall", {{"courses", "4"}, {"friction", "3/5"}});
  const TiltLimit<2> tilt = wall.tilt(1);
  ASSERT_EQ(tilt.limit.status, LimitStatus::found) << tilt.limit.reason;
  const double g = wall.scene.gravity.value.norm();
  const double gained = power_on<2>(wall.scene, tilt.limit, g * tilt.direction);
  const double needed = -power_on<2>(wall.scene, tilt.limit, wall.scene.gravity.value);
  EXPECT_GT(gained, 0.0);
  EXPECT_NEAR(needed / gained, tilt.limit.factor, 1e-7);
  EXPECT_LE(tilt.limit.upper - tilt.limit.lower, 1e-6);
}

/// Courses of whole bricks of 0.4 × 0.175 in half bond, the first one with half bricks at its ends.
std::string ferris_wall(int courses, int width) {
  std::string bodies;
  for (int c = 0; c < courses; ++c) {
    // In fifths: a brick is two of them long.
    std::vector<int> joints{0};
    for (int x = c % 2 == 0 ? 1 : 2; x < 2 * width; x += 2) joints.push_back(x);
    joints.push_back(2 * width);
    for (std::size_t i = 1; i < joints.size(); ++i) {
      const int middle = joints[i - 1] + joints[i];
      bodies += R"({"name": ")" + std::to_string(c) + "." + std::to_string(i) + R"(", "box": [")" +
                std::to_string(joints[i] - joints[i - 1]) + R"(/5", "7/40"], "position": [")" +
                std::to_string(middle) + R"(/10", ")" + std::to_string(7 * (2 * c + 1)) +
                R"(/80"]},)";
    }
  }
  bodies.back() = ']';
  return plane_text(bodies + R"(, "materials": {"default": {"friction": "13/20"}})");
}

TEST(LimitTilt, OfTheWallOfFerrisAndTinLoi) {
  // 33 blocks, six courses five bricks wide: 0.642859, with associated friction.
  const PlaneScene wall(ferris_wall(6, 5));
  EXPECT_EQ(wall.scene.bodies.size(), 34U);
  const TiltLimit<2> tilt = wall.tilt(1);
  ASSERT_EQ(tilt.limit.status, LimitStatus::found) << tilt.limit.reason;
  EXPECT_NEAR(tilt.limit.factor, 0.642859, 1e-6);
}

TEST(LimitFriction, OfALadderIsTheTangentOfHalfItsLean) {
  const Limit<2> limit =
      gallery_scene("ladder", {{"half-tangent", "2/5"}, {"friction", "9/10"}}).friction();
  ASSERT_EQ(limit.status, LimitStatus::found) << limit.reason;
  EXPECT_NEAR(limit.factor, 0.4, 1e-8);
}

TEST(LimitFriction, OfThreeCylindersIsTwoLessRootThree) {
  const Limit<2> limit = gallery_scene("cylinders", {{"friction", "1/2"}}).friction();
  ASSERT_EQ(limit.status, LimitStatus::found) << limit.reason;
  EXPECT_NEAR(limit.factor, 2 - std::sqrt(3.0), 1e-7);
}

TEST(LimitFriction, OfAnArchIsWhatMilankovitchFound) {
  // As thick as 0.25 R: hinges need no friction beyond 0.309215, below which no thickness stands.
  const Limit<2> limit =
      gallery_scene("arch", {{"voussoirs", "40"}, {"thickness", "1/4"}, {"friction", "1"}})
          .friction();
  ASSERT_EQ(limit.status, LimitStatus::found) << limit.reason;
  EXPECT_NEAR(limit.factor, 0.309215, 2e-3);
}

TEST(LimitLoad, OfAPushedBlockIsItsFrictionTimesItsWeight) {
  const PlaneScene scene(plane_text(R"({"name": "block", "box": [4, 1], "position": [0, "1/2"]}],
    "materials": {"default": {"friction": "1/2"}},
    "loads": [{"name": "push", "body": "block", "at": [0, "1/2"], "force": [1, 0]},
              {"name": "down", "body": "block", "at": [1, 1], "force": [0, -1]},
              {"name": "lift", "body": "block", "at": [1, 1], "force": [0, 1]}])"));
  const Limit<2> push = scene.load(0);
  ASSERT_EQ(push.status, LimitStatus::found) << push.reason;
  EXPECT_NEAR(push.factor, 20, 1e-7);
  EXPECT_EQ(scene.load(1).status, LimitStatus::unbounded);
  // Lifted one unit beside its middle it turns about its far end: 40·2 = s·3.
  const Limit<2> lift = scene.load(2);
  ASSERT_EQ(lift.status, LimitStatus::found) << lift.reason;
  EXPECT_NEAR(lift.factor, 80.0 / 3, 1e-6);
}

TEST(LimitLoad, OfWhatFallsByItselfIsNone) {
  const TiltLimit<2> tilt = PlaneScene(plane_text(R"({"name": "block", "box": [1, 1],
                                                     "position": [0, 3]}])"))
                                .tilt(1);
  EXPECT_EQ(tilt.limit.status, LimitStatus::falls);
  EXPECT_FALSE(tilt.limit.mechanism.empty());
}

// --- in space -----------------------------------------------------------------------------------

SpaceStructure column_in_space(int blocks, double x, double y, double height, double friction) {
  SpaceStructure structure;
  int below = structure.ground();
  for (int i = 0; i < blocks; ++i) {
    const int block = structure.add(SpaceStructure::box(x, y, height), {0, 0, height * (i + 0.5)});
    structure.bed(below, block, {0, 0, height * i}, {x / 2, 0, 0}, {0, y / 2, 0}, friction);
    below = block;
  }
  return structure;
}

TEST(LimitInSpace, OfAColumnInEveryDirection) {
  // All of it tips about a side, or a corner, of its base.
  const SpaceStructure column = column_in_space(5, 1, 0.75, 0.5, 0.9);
  const State<3> state = initial_state(column.scene);
  for (int k = 0; k < 12; ++k) {
    const double angle = kTurn * k / 12 + 0.1;
    const double expected =
        std::min(1.0 / 2.5 / std::abs(std::cos(angle)), 0.75 / 2.5 / std::abs(std::sin(angle)));
    const TiltLimit<3> tilt = find_tilt<3>(column.scene, state, column.contacts,
                                           Vec<3>(std::cos(angle), std::sin(angle), 0.5));
    ASSERT_EQ(tilt.limit.status, LimitStatus::found) << tilt.limit.reason;
    EXPECT_NEAR(tilt.limit.factor, expected, 1e-7) << angle;
  }
  const TiltLimit<3> least = find_tilt<3>(column.scene, state, column.contacts);
  ASSERT_EQ(least.limit.status, LimitStatus::found);
  EXPECT_NEAR(least.limit.factor, 0.3, 1e-7);
  EXPECT_NEAR(std::abs(least.direction[1]), 1.0, 1e-4);
  EXPECT_GE(least.at_least, 0.99 * 0.3);
  EXPECT_LE(least.at_least, 0.3 + 1e-9);
}

TEST(LimitInSpace, OfFrictionIsThatOfTheConeOrOfThePyramid) {
  const SpaceStructure block = column_in_space(1, 2, 2, 0.5, 0.4);
  const State<3> state = initial_state(block.scene);
  LimitOptions options;
  const TiltLimit<3> round = find_tilt<3>(block.scene, state, block.contacts, options);
  ASSERT_EQ(round.limit.status, LimitStatus::found) << round.limit.reason;
  EXPECT_NEAR(round.limit.factor, 0.4, 1e-7);
  options.cone = FrictionCone::inner;
  const TiltLimit<3> inner = find_tilt<3>(block.scene, state, block.contacts, options);
  ASSERT_EQ(inner.limit.status, LimitStatus::found) << inner.limit.reason;
  EXPECT_NEAR(inner.limit.factor, 0.4 * std::cos(kTurn / 16), 1e-6);
  options.cone = FrictionCone::outer;
  const TiltLimit<3> outer = find_tilt<3>(block.scene, state, block.contacts, options);
  ASSERT_EQ(outer.limit.status, LimitStatus::found) << outer.limit.reason;
  EXPECT_NEAR(outer.limit.factor, 0.4, 1e-6);
}

TEST(LimitInSpace, OfTheFrictionOfALeaningBlockIsTheSlope) {
  SpaceStructure block = column_in_space(1, 2, 2, 0.5, 0.0);
  block.scene.gravity = NumberVec<3>(exactly(Vec<3>(1.5, 2, -10)));
  const Limit<3> limit =
      find_least_friction<3>(block.scene, initial_state(block.scene), block.contacts);
  ASSERT_EQ(limit.status, LimitStatus::found) << limit.reason;
  EXPECT_NEAR(limit.factor, 0.25, 1e-7);
}

}  // namespace
}  // namespace collapse::testing
