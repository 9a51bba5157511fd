/// Forces, mechanisms and onset accelerations against closed forms.

#include <gtest/gtest.h>

#include <cmath>

#include "collapse/formulation/force.hpp"
#include "tests/support/audit.hpp"

namespace collapse::testing {
namespace {

TEST(Forces, BalanceEveryBodyOfEveryStandingScene) {
  for (const char* name :
       {"arch", "column", "cylinders", "gate", "ladder", "pile", "seesaw", "slope", "tower"}) {
    const CheckedScene checked = check_gallery(name);
    ASSERT_EQ(checked.verdict.stability, Stability::stable) << name;
    EXPECT_LT(worst_imbalance(checked), 1e-8) << name;
  }
}

TEST(Forces, StayInsideTheFrictionCone) {
  const CheckedScene checked = check_gallery("arch");
  for (const ContactForce<2>& contact : checked.verdict.forces) {
    const double normal = contact.normal.dot(contact.force);
    const double tangential = (contact.force - normal * contact.normal).norm();
    EXPECT_GE(normal, 0.0);
    EXPECT_LE(tangential, 0.7 * normal + 1e-12);
  }
}

TEST(Forces, OfATowerAreTheWeightsAboveSharedEquallyByTheTwoEnds) {
  const CheckedScene checked = check_gallery("tower", {{"bricks", "10"}});
  ASSERT_EQ(checked.verdict.forces.size(), 20U);
  for (const ContactForce<2>& contact : checked.verdict.forces) {
    // Bricks of weight 2.5; brick k (body k) carries 11 − k of them, itself included.
    const double expected = 2.5 * (11 - contact.id.b) / 2.0;
    EXPECT_NEAR(contact.force[1], expected, 1e-8);
    EXPECT_NEAR(contact.force[0], 0.0, 1e-9);
  }
}

TEST(Forces, AreTheLeastOnesWhereNotUnique) {
  // A brick on three equal posts: equal thirds would be least for point supports, but each post
  // gives two contact points; any other equilibrium must have a larger sum of squares.
  const std::string text = R"({"collapse": 1, "dimension": 2, "gravity": [0, -10], "bodies": [
    {"name": "p1", "fixed": true, "box": [1, 1], "position": [-3, "-1/2"]},
    {"name": "p2", "fixed": true, "box": [1, 1], "position": [0, "-1/2"]},
    {"name": "p3", "fixed": true, "box": [1, 1], "position": [3, "-1/2"]},
    {"name": "beam", "mass": 6, "box": [7, 1], "position": [0, "1/2"]}]})";
  const CheckedScene checked = check_text(text);
  ASSERT_EQ(checked.verdict.forces.size(), 6U);
  // Six points symmetric about the middle: the least-norm solution is six equal forces.
  for (const ContactForce<2>& contact : checked.verdict.forces) {
    EXPECT_NEAR(contact.force.norm(), 10.0, 1e-8);
  }
}

TEST(Gate, JointForcesFollowFromTheLawOfLevers) {
  // Board of length 2 and mass 1/5 from the pin at the origin; weight of mass 1 at 5/4; rod from
  // (2, 0) to (0, 3/2). Moments about the pin: 2·T·sin α = 10·(1/5·1 + 1·5/4), sin α = 3/5.
  const CheckedScene checked = check_gallery("gate");
  ASSERT_EQ(checked.verdict.joint_forces.size(), 2U);
  const double tension = 10.0 * (0.2 + 1.25) / (2.0 * 0.6);
  EXPECT_NEAR(checked.verdict.joint_forces[1].force.norm(), tension, 1e-8);
  EXPECT_NEAR(checked.verdict.joint_forces[0].force.norm(),
              std::hypot(0.8 * tension, 12.0 - 0.6 * tension), 1e-8);
}

TEST(Mechanism, OfEveryFallingSceneIsAdmissibleAndGainsEnergy) {
  for (const char* name : {"diamond", "triangle", "wedge"}) {
    const CheckedScene checked = check_gallery(name);
    ASSERT_EQ(checked.verdict.stability, Stability::unstable) << name;
    const MotionAudit audit = audit_mechanism(checked);
    EXPECT_GT(audit.gain, 1e-3) << name;
    EXPECT_NEAR(audit.fastest, 1.0, 1e-12) << name;
    EXPECT_LT(audit.violation, 1e-9) << name;
  }
}

TEST(MovableWedge, AcceleratesAsInTheTextbook) {
  const Scene<2> scene = parse_scene(scenes::make_scene("wedge", {{"angle", "1/2"}}));
  const State<2> state = initial_state(scene);
  const ContactSet<2> set = find_contacts(scene, state);
  const FreeBodies<2> free(scene, state);
  const auto external = external_forces(scene, state, free, {});
  const Program program = acceleration_program<2>(scene, state, free, set.contacts, external);
  const Solution solution = solve(program);
  ASSERT_EQ(solution.status, Status::optimal);
  const double M = 2.0;
  const double m = 1.0;
  const double theta = std::atan(0.5);
  const double expected =
      m * 10.0 * std::sin(theta) * std::cos(theta) / (M + m * std::sin(theta) * std::sin(theta));
  EXPECT_NEAR(std::abs(solution.x[0]), expected, 1e-9);
}

TEST(FreeFall, HasMarginMinusOne) {
  const CheckedScene checked = check_text(
      R"({"collapse": 1, "dimension": 2, "bodies": [{"name": "stone", "box": [1, 1]}]})");
  EXPECT_EQ(checked.verdict.stability, Stability::unstable);
  EXPECT_NEAR(checked.verdict.margin, -1.0, 1e-12);
  ASSERT_EQ(checked.contacts.isolated.size(), 1U);
}

}  // namespace
}  // namespace collapse::testing
