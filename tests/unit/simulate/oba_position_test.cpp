/// The position update alone: targets that overlap, and what is made of them.

#include "simulate/oba_position.hpp"

#include <gtest/gtest.h>

#include "contact/space/motion_contacts_space.hpp"
#include "tests/support/space_structure.hpp"

namespace collapse::testing {
namespace {

/// Bodies with targets given by hand.
struct Wishes {
  explicit Wishes(const SpaceStructure& structure, const SimulationOptions& given = {})
      : scene(structure.scene), options(given), world(scene, options), position(world, options) {
    start = targets = initial_state(scene).poses;
    for (const Body<3>& body : scene.bodies) movable.push_back(body.free() ? 1 : 0);
  }
  void wish(int body, const Vec<3>& way, const Vec<3>& turn = Vec<3>::Zero()) {
    Twist<3> displacement;
    displacement << way, turn;
    targets[static_cast<std::size_t>(body)] =
        world.moved(body, start[static_cast<std::size_t>(body)], displacement);
  }
  bool update() { return position.update({start, targets, movable, 1.0 / 30.0}, poses, report); }
  [[nodiscard]] Vec<3> centre(int body) const { return world.centre(body, poses); }
  [[nodiscard]] double overlap() const { return contacts::deepest_overlap(scene, poses); }

  Scene<3> scene;
  SimulationOptions options;
  simulate::World<3> world;
  simulate::ObaPosition position;
  std::vector<Pose<3>> start;
  std::vector<Pose<3>> targets;
  std::vector<Pose<3>> poses;
  std::vector<std::uint8_t> movable;
  simulate::StepReport<3> report;
};

TEST(TwoCubes, WhoseTargetsDoNotOverlapGoThere) {
  SpaceStructure structure;
  const int left = structure.add(SpaceStructure::box(1, 1, 1), Vec<3>(-0.6, 0, 0));
  const int right = structure.add(SpaceStructure::box(1, 1, 1), Vec<3>(0.6, 0, 0));
  Wishes wishes(structure);
  wishes.wish(left, Vec<3>(0.05, 1, 0), Vec<3>(1, 0, 0));
  wishes.wish(right, Vec<3>(-0.05, -1, 0));
  ASSERT_TRUE(wishes.update());
  EXPECT_EQ(wishes.report.programs, 0);
  EXPECT_EQ(wishes.poses, wishes.targets);
}

/// They meet in the middle, or the heavier one pushes more: by mass, Δ in the inverse ratio.
TEST(TwoCubesPushedIntoEachOther, ShareTheOverlapByTheirWeights) {
  for (const ObaObjective objective : {ObaObjective::mass, ObaObjective::size}) {
    SpaceStructure structure;
    const int left = structure.add(SpaceStructure::box(1, 1, 1), Vec<3>(-0.6, 0, 0));
    const int right = structure.add(SpaceStructure::box(1, 1, 1), Vec<3>(0.6, 0, 0));
    structure.scene.bodies[0].mass = structure.scene.bodies[0].mass.scaled(Number(Rational(3)));
    SimulationOptions options;
    options.oba.objective = objective;
    Wishes wishes(structure, options);
    wishes.wish(left, Vec<3>(0.3, 0, 0));
    wishes.wish(right, Vec<3>(-0.3, 0, 0));
    ASSERT_TRUE(wishes.update());
    const double share = objective == ObaObjective::mass ? 0.25 : 0.5;
    EXPECT_NEAR(wishes.centre(left).x(), -0.3 - 0.4 * share, 1e-6);
    EXPECT_NEAR(wishes.centre(right).x(), 0.3 + 0.4 * (1.0 - share), 1e-6);
    EXPECT_LE(wishes.overlap(), 1e-6);
    EXPECT_TRUE(wishes.report.settled);
  }
}

/// The middle one wants nothing and is a little apart from the right one: their pair is left out until they meet.
TEST(ThreeCubesInARow, StayApartWhereOneIsPushedOutOfReach) {
  SpaceStructure structure;
  const int left = structure.add(SpaceStructure::box(1, 1, 1), Vec<3>(-1, 0, 0));
  const int middle = structure.add(SpaceStructure::box(1, 1, 1), Vec<3>::Zero());
  const int right = structure.add(SpaceStructure::box(1, 1, 1), Vec<3>(1.02, 0, 0));
  Wishes wishes(structure);
  wishes.wish(left, Vec<3>(0.15, 0, 0));
  ASSERT_TRUE(wishes.update());
  EXPECT_LE(wishes.overlap(), 1e-6);
  EXPECT_GT(wishes.centre(middle)[0], 0.02);
  EXPECT_NEAR(wishes.centre(right)[0] - wishes.centre(middle)[0], 1.0, 1e-6);
  EXPECT_EQ(wishes.report.crowd.rollbacks, 0);
}

/// 60 cubes in a row that want to be closer together, and one that wants to turn by half a radian beside another.
TEST(CrowdBesideACubeThatSpins, EndsWithoutOverlapAndLetsItTurn) {
  SpaceStructure structure;
  for (int i = 0; i < 60; ++i) structure.add(SpaceStructure::box(1, 1, 1), Vec<3>(i, 0, 0));
  const int spinning = structure.add(SpaceStructure::box(1, 1, 1), Vec<3>(0, 20, 0));
  const int beside = structure.add(SpaceStructure::box(1, 1, 1), Vec<3>(1.02, 20, 0));
  Wishes wishes(structure);
  for (int i = 0; i < 60; ++i) wishes.wish(i, Vec<3>(-0.002 * i, 0, 0));
  wishes.wish(spinning, Vec<3>::Zero(), Vec<3>(0, 0, 0.5));
  ASSERT_TRUE(wishes.update());
  EXPECT_LE(wishes.overlap(), 1e-6);
  const Twist<3> turned = wishes.world.displacement(spinning, wishes.start[60], wishes.poses[60]);
  EXPECT_GT(turned[5], 0.3);
  EXPECT_GT(wishes.centre(beside)[0], 1.02);
}

/// Work is the weight times the height; what a body wants of itself is no work of others.
TEST(GivenPlate, DoesWorkOnWhatItLifts) {
  for (const ObaObjective objective : {ObaObjective::mass, ObaObjective::size}) {
    SpaceStructure structure;
    const int plate = structure.add(SpaceStructure::box(4, 4, 1), Vec<3>(0, 0, -0.52), true);
    const int cube = structure.add(SpaceStructure::box(1, 1, 1), Vec<3>(0, 0, 0.5));
    SimulationOptions options;
    options.oba.objective = objective;
    Wishes wishes(structure, options);
    wishes.wish(plate, Vec<3>(0, 0, 0.1));
    wishes.wish(cube, Vec<3>(0.2, 0, 0.03));
    ASSERT_TRUE(wishes.update());
    EXPECT_NEAR(wishes.centre(cube)[2], 0.58, 1e-6);
    const double weight = 10.0 * wishes.scene.bodies[1].mass.mass;
    EXPECT_NEAR(wishes.report.driven_work, weight * 0.05, 1e-5 * weight);
  }
}

/// Between balls there is no plane: one row for both. The free one goes around the fixed one.
TEST(BallBesideAFixedOne, EndsWhereItTouchesNearestToItsTarget) {
  SpaceStructure structure;
  structure.add(make_sphere(Rational(1, 2)), Vec<3>::Zero(), true);
  const int ball = structure.add(make_sphere(Rational(1, 4)), Vec<3>(0, 0.1, 0.8));
  Wishes wishes(structure);
  wishes.wish(ball, Vec<3>(0, 0.2, -0.4));
  ASSERT_TRUE(wishes.update());
  // From the fixed ball's centre towards the target (0, 0.3, 0.4), at the sum of the radii.
  EXPECT_NEAR((wishes.centre(ball) - Vec<3>(0, 0.45, 0.6)).norm(), 0.0, 1e-3);
  EXPECT_NEAR(wishes.centre(ball).norm(), 0.75, 1e-6);
  EXPECT_TRUE(wishes.report.settled);
}

/// A sphere has its centre as only point.
TEST(SphereAndCube, EndWhereTheyTouch) {
  SpaceStructure structure;
  const int cube = structure.add(SpaceStructure::box(1, 1, 1), Vec<3>::Zero(), true);
  const int ball = structure.add(make_sphere(Rational(1, 2)), Vec<3>(0.2, 0.1, 1.3));
  Wishes wishes(structure);
  wishes.wish(ball, Vec<3>(0.1, 0.0, -0.9), Vec<3>(3, 0, 0));
  ASSERT_TRUE(wishes.update());
  EXPECT_EQ(wishes.poses[static_cast<std::size_t>(cube)], wishes.start[0]);
  EXPECT_NEAR((wishes.centre(ball) - Vec<3>(0.3, 0.1, 1.0)).norm(), 0.0, 1e-6);
}

/// A plank in a slot too narrow for it that is to lie across it. Turning that way brings corners to the walls that were
/// far from them.
struct PlankInASlot : public ::testing::Test {
  static constexpr double kTurn = -1.7707963;

  static SpaceStructure plank() {
    SpaceStructure structure;
    structure.add(SpaceStructure::box(1, 4, 1), Vec<3>(-0.85, 0, 0), true);
    structure.add(SpaceStructure::box(1, 4, 1), Vec<3>(0.85, 0, 0), true);
    structure.add(SpaceStructure::box(0.2, 1.2, 0.5), Vec<3>::Zero(), false,
                  rotation_by(Vec<3>(0, 0, 0.2)));
    return structure;
  }
  static double turned(const Wishes& wishes) {
    return wishes.world.displacement(2, wishes.start[2], wishes.poses[2])[5];
  }
};

/// All at once its ends are behind both walls, where no turn helps: back, and by smaller steps.
TEST_F(PlankInASlot, IsRolledBackAndEndsWithoutOverlap) {
  SimulationOptions options;
  options.oba.largest_turn = 2.0;
  Wishes wishes(plank(), options);
  wishes.wish(2, Vec<3>::Zero(), Vec<3>(0, 0, kTurn));
  ASSERT_TRUE(wishes.update());
  EXPECT_GE(wishes.report.crowd.rollbacks, 1);
  EXPECT_FALSE(wishes.report.crushed);
  EXPECT_LE(wishes.overlap(), 1e-6);
  // As far as it goes: until 0.2 cos φ + 1.2 sin φ is the width 0.7 of the slot, with φ counted from upright.
  EXPECT_NEAR(turned(wishes), -0.2 - 0.44794, 1e-3);
}

/// The same with the bound as published.
TEST_F(PlankInASlot, NeedsNoRollBackBySmallTurns) {
  Wishes wishes(plank());
  wishes.wish(2, Vec<3>::Zero(), Vec<3>(0, 0, kTurn));
  ASSERT_TRUE(wishes.update());
  EXPECT_EQ(wishes.report.crowd.rollbacks, 0);
  EXPECT_LE(wishes.overlap(), 1e-6);
  EXPECT_NEAR(turned(wishes), -0.2 - 0.44794, 1e-3);
}

/// Twenty cubes that all want to be in one place.
TEST(Crowd, EndsWithoutOverlapHoweverItIsPushed) {
  SpaceStructure structure;
  structure.ground();
  for (int k = 0; k < 20; ++k) {
    structure.add(SpaceStructure::box(1, 1, 1),
                  Vec<3>(1.9 * (k % 3), 1.9 * (k / 3 % 3), 1.0 + 1.9 * (k / 9)), false,
                  rotation_by(Vec<3>(0.1 * (k % 4), 0.05 * (k % 5), 0.3 * k)));
  }
  Wishes wishes(structure);
  for (int k = 1; k <= 20; ++k) {
    const Vec<3> way = Vec<3>(1.9, 1.9, 0.5) - wishes.start[static_cast<std::size_t>(k)].position;
    wishes.wish(k, 0.5 * way, Vec<3>(0.2, 0, 0));
  }
  ASSERT_LE(contacts::deepest_overlap(wishes.scene, wishes.start), 0.0);
  ASSERT_TRUE(wishes.update());
  EXPECT_LE(wishes.overlap(), 1e-6);
  EXPECT_FALSE(wishes.report.crushed);
}

/// Bodies that are not convex have a plane for each pair of parts: a hook goes into the mouth of another.
TEST(BodiesOfParts, MayReachIntoEachOther) {
  SpaceStructure structure;
  const Shape<3> channel = unite(
      {moved(SpaceStructure::box(1, 3, 3), {}),
       moved(SpaceStructure::box(3, 1, 3), {ExactPose<3>{}.rotation, exactly(Vec<3>(1, 1, 0))}),
       moved(SpaceStructure::box(3, 1, 3), {ExactPose<3>{}.rotation, exactly(Vec<3>(1, -1, 0))})});
  structure.add(channel, Vec<3>::Zero(), true);
  const int block = structure.add(SpaceStructure::box(0.9, 0.9, 0.9), Vec<3>(3.5, 0, 0));
  Wishes wishes(structure);
  wishes.wish(block, Vec<3>(-3.2, 0, 0));
  ASSERT_TRUE(wishes.update());
  EXPECT_NEAR(wishes.centre(block).x(), 0.95, 1e-6);
  EXPECT_LE(wishes.overlap(), 1e-6);
}

}  // namespace
}  // namespace collapse::testing
