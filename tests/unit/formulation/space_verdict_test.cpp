#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/space_structure.hpp"

namespace collapse::testing {
namespace {

/// A unit cube on a floor, gravity leaning by `tangent` towards the azimuth.
SpaceStructure leaning_cube(double tangent, double azimuth, double friction) {
  SpaceStructure structure;
  const int ground = structure.ground();
  const int cube = structure.add(SpaceStructure::box(1, 1, 1), {0, 0, 0.5});
  structure.bed(ground, cube, {0, 0, 0}, {0.5, 0, 0}, {0, 0.5, 0}, friction);
  structure.scene.gravity = NumberVec<3>(
      exactly(Vec<3>(10 * tangent * std::cos(azimuth), 10 * tangent * std::sin(azimuth), -10.0)));
  return structure;
}

Eigen::Matrix3d some_rotation() {
  return Eigen::AngleAxisd(1.1, Vec<3>(0.3, -0.5, 0.8).normalized()).toRotationMatrix();
}

TEST(CubeOnASlopeInSpace, SticksAndSlidesAtItsFrictionInEveryDirection) {
  for (const double azimuth : {0.0, 0.3, 0.7853981633974483, 1.1, 2.0, 4.0}) {
    EXPECT_EQ(leaning_cube(0.5 * 0.9999, azimuth, 0.5).check().stability, Stability::stable)
        << azimuth;
    EXPECT_EQ(leaning_cube(0.5 * 1.0001, azimuth, 0.5).check().stability, Stability::unstable)
        << azimuth;
    EXPECT_EQ(leaning_cube(0.5, azimuth, 0.5).check().stability, Stability::undecided) << azimuth;
  }
}

TEST(CubeOnASlopeInSpace, HasTheShareOfFrictionItDoesNotNeedForAMargin) {
  const Verdict<3> verdict = leaning_cube(0.4, 0.6, 0.5).check();
  ASSERT_EQ(verdict.stability, Stability::stable);
  EXPECT_LE(verdict.margin, 0.2 + 1e-9);
  EXPECT_GE(verdict.margin, 0.2 / 1.1);
  EXPECT_EQ(verdict.strength, Strength::unknown);
}

TEST(CubeOnASlopeInSpace, MovesDownTheSlopeAndLiftsByItsFriction) {
  const double azimuth = 0.9;
  const Verdict<3> verdict = leaning_cube(0.6, azimuth, 0.5).check();
  ASSERT_EQ(verdict.stability, Stability::unstable);
  const Vec<3> along(std::cos(azimuth), std::sin(azimuth), 0.5);
  EXPECT_NEAR((verdict.mechanism[0].velocity - along.normalized()).norm(), 0.0, 1e-8);
  EXPECT_LT(verdict.mechanism[0].spin.norm(), 1e-8);
}

TEST(SpaceVerdict, DoesNotChangeWhenEverythingIsTurned) {
  for (const double tangent : {0.3, 0.7}) {
    SpaceStructure structure = leaning_cube(tangent, 0.4, 0.5);
    const Verdict<3> straight = structure.check();
    structure.turn(some_rotation(), {1, 2, 3});
    const Verdict<3> turned = structure.check();
    EXPECT_EQ(turned.stability, straight.stability);
    EXPECT_NEAR(turned.margin, straight.margin, 1e-9);
    for (std::size_t c = 0; c < straight.forces.size(); ++c) {
      EXPECT_NEAR(
          (some_rotation().transpose() * turned.forces[c].force - straight.forces[c].force).norm(),
          0.0, 1e-7);
    }
  }
}

/// Gravity leans right between two edges of a pyramid with an even number of sides, by a share of the friction.
Verdict<3> between_edges(double share, FrictionCone cone, int sides) {
  SpaceStructure structure = leaning_cube(0.0, 0.0, 0.5);
  const auto tangents = tangents_of<3>(Vec<3>::UnitZ());
  const double angle = 3.141592653589793 / sides;
  const Vec<3> across = std::cos(angle) * tangents.col(0) + std::sin(angle) * tangents.col(1);
  structure.scene.gravity =
      NumberVec<3>(exactly(Vec<3>(5 * share * across - 10 * Vec<3>::UnitZ())));
  CheckOptions options;
  options.cone = cone;
  options.sides = sides;
  return structure.check(options);
}

TEST(Pyramids, InsideAndAroundTheConeProveWhatTheyCan) {
  for (const int sides : {4, 8, 16}) {
    const double inner = std::cos(3.141592653589793 / sides);
    EXPECT_EQ(between_edges(0.999 * inner, FrictionCone::inner, sides).stability,
              Stability::stable);
    const Verdict<3> open = between_edges(1.001 * inner, FrictionCone::inner, sides);
    EXPECT_EQ(open.stability, Stability::undecided);
    EXPECT_FALSE(open.mechanism.empty());
    EXPECT_NE(open.reason.find("inside"), std::string::npos);
    // Around: the edges are where the inner one has its faces.
    const Verdict<3> held = between_edges(0.999 / inner, FrictionCone::outer, sides);
    EXPECT_EQ(held.stability, Stability::undecided);
    EXPECT_FALSE(held.forces.empty());
    EXPECT_EQ(between_edges(1.001 / inner, FrictionCone::outer, sides).stability,
              Stability::unstable);
  }
}

TEST(Pyramids, OfFewerThanThreeSidesAreRefused) {
  CheckOptions options;
  options.sides = 2;
  EXPECT_ANY_THROW((void)leaning_cube(0.1, 0, 0.5).check(options));
}

/// Three touching unit spheres on a floor and a fourth on top; they touch in this order.
SpaceStructure four_spheres(double friction) {
  SpaceStructure structure;
  const int ground = structure.ground();
  std::vector<Vec<3>> centres;
  const double radius = 2 / std::sqrt(3.0);
  for (int i = 0; i < 3; ++i) {
    const double angle = 2 * 3.141592653589793 * i / 3;
    centres.emplace_back(radius * std::cos(angle), radius * std::sin(angle), 1);
  }
  centres.emplace_back(0, 0, 1 + std::sqrt(4 - radius * radius));
  std::vector<int> ball;
  for (const Vec<3>& centre : centres)
    ball.push_back(structure.add(make_sphere(Rational(1)), centre));
  const Feature round{FeatureKind::ball, 0};
  for (std::size_t i = 0; i < 3; ++i) {
    structure.touch(ground, ball[i], {centres[i][0], centres[i][1], 0}, {0, 0, 1}, friction,
                    {FeatureKind::half_space, 0}, round);
  }
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = i + 1; j < 4; ++j) {
      structure
          .touch(ball[i], ball[j], (centres[i] + centres[j]) / 2, centres[j] - centres[i], friction,
                 round, round)
          .normal_turns = true;
    }
  }
  std::sort(structure.contacts.contacts.begin(), structure.contacts.contacts.end(),
            [](const auto& x, const auto& y) { return x.id < y.id; });
  return structure;
}

TEST(FourSpheres, StandFromRootThreeLessRootTwoOn) {
  const double least = std::sqrt(3.0) - std::sqrt(2.0);
  EXPECT_EQ(four_spheres(0.9999 * least).check().stability, Stability::unstable);
  EXPECT_EQ(four_spheres(1.0001 * least).check().stability, Stability::stable);
}

/// A plate on points, loaded beside its middle by leaning gravity about it: `lean` shifts the line of its weight.
TEST(Table, WithFourLegsHasTheLeastForcesOfThem) {
  SpaceStructure structure;
  const int ground = structure.ground();
  const int table = structure.add(SpaceStructure::box(2, 1, 1), {0.2, 0.1, 0.5});
  const std::vector<Vec<3>> feet{{-1, -0.5, 0}, {-1, 0.5, 0}, {1, -0.5, 0}, {1, 0.5, 0}};
  for (const Vec<3>& foot : feet) structure.touch(ground, table, foot, {0, 0, 1}, 0.0);
  const Verdict<3> verdict = structure.check();
  ASSERT_EQ(verdict.stability, Stability::stable);
  EXPECT_EQ(verdict.strength, Strength::strong);
  // Least Σ r²: linear in the place of the foot, r = W/4 (1 + x X/1² + y Y/0.5²).
  const double weight = 10 * structure.scene.bodies[1].mass.mass;
  for (std::size_t i = 0; i < feet.size(); ++i) {
    const double expected = weight / 4 * (1 + feet[i][0] * 0.2 + feet[i][1] * 0.1 / 0.25);
    EXPECT_NEAR(verdict.forces[i].force[2], expected, 1e-7 * weight);
  }
}

TEST(Tripod, StandsWhileItsCentreIsWithinItsFeet) {
  // The centre's shares of the feet are its barycentric coordinates; one is zero on a side.
  for (const double x : {-0.49, 0.49, 0.51}) {
    SpaceStructure structure;
    const int ground = structure.ground();
    const int stool = structure.add(SpaceStructure::box(1, 1, 1), {x, 0, 0.5});
    structure.touch(ground, stool, {-0.5, -1, 0}, {0, 0, 1}, 0.3);
    structure.touch(ground, stool, {-0.5, 1, 0}, {0, 0, 1}, 0.3);
    structure.touch(ground, stool, {0.5, 0, 0}, {0, 0, 1}, 0.3);
    const Verdict<3> verdict = structure.check();
    if (x > 0.5) {
      EXPECT_EQ(verdict.stability, Stability::unstable);
      continue;
    }
    ASSERT_EQ(verdict.stability, Stability::stable) << x;
    EXPECT_NEAR(verdict.forces[2].force[2], 10 * (x + 0.5), 1e-6);
    EXPECT_NEAR(verdict.forces[0].force[2], 10 * (0.5 - x) / 2, 1e-6);
  }
}

TEST(HeldAtPoints, ABoardOnAnEdgeIsUndecidedInBalanceAndFallsOtherwise) {
  for (const double offset : {0.0, 1e-3, -1e-3}) {
    SpaceStructure structure;
    const int edge = structure.add(SpaceStructure::box(1, 1, 1), {0, 0, -0.5}, true);
    const int board = structure.add(SpaceStructure::box(4, 1, 0.25), {offset, 0, 0.125});
    structure.touch(edge, board, {0, -0.5, 0}, {0, 0, 1}, 0.5);
    structure.touch(edge, board, {0, 0.5, 0}, {0, 0, 1}, 0.5);
    EXPECT_EQ(structure.check().stability,
              offset == 0.0 ? Stability::undecided : Stability::unstable);
  }
}

TEST(HeldAtPoints, ACylinderOnItsSideIsNeutralAndStands) {
  for (const double friction : {0.0, 0.5}) {
    SpaceStructure structure;
    const int ground = structure.ground();
    const Eigen::Matrix3d lying =
        Eigen::AngleAxisd(0.5 * 3.141592653589793, Vec<3>::UnitY()).toRotationMatrix();
    const int roller =
        structure.add(make_cylinder(Rational(1), Rational(3)), {0, 0, 1}, false, lying);
    for (const double x : {-1.5, 1.5}) {
      structure.touch(ground, roller, {x, 0, 0}, {0, 0, 1}, friction, {FeatureKind::half_space, 0},
                      {FeatureKind::cylinder, 0});
    }
    EXPECT_EQ(structure.check().stability, Stability::stable) << friction;
  }
}

// --- corners ------------------------------------------------------------------------------------

/// A cube beside a fixed one, whose lower edge lies along the other's upper edge; on the far side it is held by
/// `props` points in the air below it.
SpaceStructure edge_along_edge(bool propped) {
  SpaceStructure structure;
  const int base = structure.add(SpaceStructure::box(1, 1, 1), {-0.5, 0, -0.5}, true);
  const int cube = structure.add(SpaceStructure::box(1, 1, 1), {0.5, 0, 0.5});
  for (const double y : {-0.5, 0.5}) {
    CornerContact<3> corner;
    corner.id = {base,
                 cube,
                 {FeatureKind::edge, 0},
                 {FeatureKind::edge, 0},
                 static_cast<std::uint8_t>(y > 0 ? 1 : 0)};
    corner.point = {0, y, 0};
    corner.normals = {Vec<3>(1, 0, 0), Vec<3>(0, 0, 1)};
    structure.contacts.corners.push_back(corner);
  }
  if (propped) {
    const int prop = structure.add(SpaceStructure::box(1, 1, 1), {0.5, 0, -0.5}, true);
    for (const auto& [x, y] : {std::pair(0.2, -0.4), {0.2, 0.4}, {0.8, 0.0}}) {
      Contact<3>& contact = structure.touch(cube, prop, {x, y, 0}, {0, 0, -1}, 0.0);
      EXPECT_EQ(contact.friction, 0.0);
    }
  }
  return structure;
}

TEST(EdgeAlongEdge, HoldsNothingThatMayPartSideways) {
  EXPECT_EQ(edge_along_edge(false).check().stability, Stability::unstable);
  EXPECT_EQ(edge_along_edge(true).check().stability, Stability::stable);
}

// --- joints -------------------------------------------------------------------------------------

SpaceStructure held_box(JointType type, const Vec<3>& at) {
  SpaceStructure structure;
  const int box = structure.add(SpaceStructure::box(1, 1, 2), {0, 0, 0});
  Joint<3> joint;
  joint.type = type;
  joint.a = kWorld;
  joint.b = box;
  joint.at_a = joint.at_b = NumberVec<3>(exactly(at));
  joint.axis = Vec<3>(0, 0, 1);
  structure.scene.joints.push_back(joint);
  return structure;
}

TEST(JointsInSpace, ADoorHangsOnItsHinge) {
  SpaceStructure door = held_box(JointType::hinge, {-0.5, 0, 0.3});
  for (const bool turned : {false, true}) {
    if (turned) door.turn(some_rotation());
    const Verdict<3> verdict = door.check();
    ASSERT_EQ(verdict.stability, Stability::stable);
    const Eigen::Matrix3d R = turned ? some_rotation() : Eigen::Matrix3d::Identity();
    // Weight 20 half a unit beside the axis.
    EXPECT_NEAR((verdict.joint_forces[0].force - R * Vec<3>(0, 0, 20)).norm(), 0.0, 1e-9);
    EXPECT_NEAR((verdict.joint_forces[0].torque - R * Vec<3>(0, -10, 0)).norm(), 0.0, 1e-9);
  }
}

TEST(JointsInSpace, ADoorOnALevelHingeFalls) {
  SpaceStructure door = held_box(JointType::hinge, {-0.5, 0, 0.3});
  door.scene.joints[0].axis = Vec<3>(0, 1, 0);
  EXPECT_EQ(door.check().stability, Stability::unstable);
}

TEST(JointsInSpace, ABallHoldsForcesOnlyAndAWeldEverything) {
  EXPECT_EQ(held_box(JointType::pin, {-0.5, 0.2, 0.3}).check().stability, Stability::unstable);
  const Verdict<3> verdict = held_box(JointType::weld, {-0.5, 0.2, 0.3}).check();
  ASSERT_EQ(verdict.stability, Stability::stable);
  EXPECT_NEAR((verdict.joint_forces[0].torque - Vec<3>(-4, -10, 0)).norm(), 0.0, 1e-9);
}

TEST(JointsInSpace, MissWhatTheBodiesTurnedApart) {
  SpaceStructure door = held_box(JointType::hinge, {-0.5, 0, 0.3});
  State<3> state = initial_state(door.scene);
  const Vec<3> turn(1e-4, 2e-4, 0.3);
  // Turned about the joint's point, a little across the axis and a lot about it.
  const Eigen::Matrix3d R = Eigen::AngleAxisd(turn.norm(), turn.normalized()).toRotationMatrix();
  const Vec<3> at(-0.5, 0, 0.3);
  state.poses[0].rotation = R;
  state.poses[0].position = at - R * at;
  const JointRows<3> rows = joint_rows(door.scene, state, door.scene.joints[0]);
  ASSERT_EQ(rows.size(), 5U);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(rows[k].error, 0.0, 1e-15);
  // The axis is off by |e × Re|, times the reach of the box.
  const double off = Vec<3>::UnitZ().cross(R * Vec<3>::UnitZ()).norm();
  EXPECT_NEAR(std::hypot(rows[3].error, rows[4].error), std::sqrt(1.5) * off, 1e-12);
}

}  // namespace
}  // namespace collapse::testing
