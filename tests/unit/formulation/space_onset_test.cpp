#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "formulation/contact_motion.hpp"
#include "tests/support/space_structure.hpp"

namespace collapse::testing {
namespace {

constexpr double kPi = 3.141592653589793;

/// Gravity of 10 on a slope of angle `slope` that goes down towards the azimuth, in the slope's own axes.
Vec<3> gravity_on_slope(double slope, double azimuth) {
  return {10 * std::sin(slope) * std::cos(azimuth), 10 * std::sin(slope) * std::sin(azimuth),
          -10 * std::cos(slope)};
}

SpaceStructure box_on_slope(double slope, double azimuth, double friction) {
  SpaceStructure structure;
  const int ground = structure.ground();
  const int box = structure.add(SpaceStructure::box(4, 4, 1), {0, 0, 0.5});
  structure.bed(ground, box, {0, 0, 0}, {2, 0, 0}, {0, 2, 0}, friction);
  structure.scene.gravity = NumberVec<3>(exactly(gravity_on_slope(slope, azimuth)));
  return structure;
}

SpaceStructure ball_on_slope(double slope, double azimuth, double friction) {
  SpaceStructure structure;
  const int ground = structure.ground();
  const int ball = structure.add(make_sphere(Rational(1, 2)), {0, 0, 0.5});
  structure.touch(ground, ball, {0, 0, 0}, {0, 0, 1}, friction, {FeatureKind::half_space, 0},
                  {FeatureKind::ball, 0});
  structure.scene.gravity = NumberVec<3>(exactly(gravity_on_slope(slope, azimuth)));
  return structure;
}

OnsetOptions associated(FrictionCone cone = FrictionCone::circular, int sides = 8) {
  OnsetOptions options;
  options.friction_law = FrictionLaw::associated;
  options.cone = cone;
  options.sides = sides;
  return options;
}

TEST(OnsetInSpace, ABlockSlidesDownASlopeInAnyDirection) {
  for (const double azimuth : {0.0, 0.5, 2.2}) {
    const Onset<3> onset = box_on_slope(0.6, azimuth, 0.4).onset();
    ASSERT_TRUE(onset.decided) << onset.reason;
    const Vec<3> down(std::cos(azimuth), std::sin(azimuth), 0);
    const double a = 10 * (std::sin(0.6) - 0.4 * std::cos(0.6));
    EXPECT_NEAR((onset.bodies[0].linear - a * down).norm(), 0.0, 1e-8);
    EXPECT_LT(onset.bodies[0].angular.norm(), 1e-8);
    for (const OnsetContact<3>& contact : onset.contacts) {
      EXPECT_EQ(contact.state, ContactState::slipping);
    }
    EXPECT_LT(onset.residual, 1e-8);
  }
}

TEST(OnsetInSpace, UnderTheAssociatedLawSlidingLifts) {
  const double azimuth = 0.8;
  const double mu = 0.4;
  const Onset<3> onset = box_on_slope(0.6, azimuth, mu).onset(associated());
  ASSERT_TRUE(onset.decided) << onset.reason;
  const Vec<3> way = Vec<3>(std::cos(azimuth), std::sin(azimuth), mu).normalized();
  const double a = way.dot(gravity_on_slope(0.6, azimuth));
  EXPECT_NEAR((onset.bodies[0].linear - a * way).norm(), 0.0, 1e-8);
}

TEST(OnsetInSpace, PyramidsBelongToTheAssociatedLaw) {
  const SpaceStructure structure = box_on_slope(0.6, 0.0, 0.4);
  OnsetOptions options;
  options.cone = FrictionCone::inner;
  EXPECT_ANY_THROW((void)structure.onset(options));
  // With many sides the pyramids meet the cone from both sides.
  const double round = structure.onset(associated()).bodies[0].linear.norm();
  const Onset<3> inner = structure.onset(associated(FrictionCone::inner, 64));
  const Onset<3> outer = structure.onset(associated(FrictionCone::outer, 64));
  ASSERT_TRUE(inner.decided) << inner.reason;
  ASSERT_TRUE(outer.decided) << outer.reason;
  EXPECT_NEAR(inner.bodies[0].linear.norm(), round, 0.01 * round);
  EXPECT_NEAR(outer.bodies[0].linear.norm(), round, 0.01 * round);
  EXPECT_LT(inner.residual, 1e-8);
}

TEST(OnsetInSpace, ASphereRollsWithFiveSeventhsOrSlips) {
  const double slope = 0.5;
  for (const double azimuth : {0.0, 1.3}) {
    const Vec<3> down(std::cos(azimuth), std::sin(azimuth), 0);
    const Vec<3> axis = Vec<3>::UnitZ().cross(down);
    const Onset<3> rolls = ball_on_slope(slope, azimuth, 0.5).onset();
    ASSERT_TRUE(rolls.decided) << rolls.reason;
    const double a = 10 * std::sin(slope) * 5 / 7;
    EXPECT_NEAR((rolls.bodies[0].linear - a * down).norm(), 0.0, 1e-8);
    EXPECT_NEAR((rolls.bodies[0].angular - a / 0.5 * axis).norm(), 0.0, 1e-7);
    EXPECT_EQ(rolls.contacts[0].state, ContactState::resting);
    // Less friction than 2/7 of the slope's tangent.
    const Onset<3> slips = ball_on_slope(slope, azimuth, 0.1).onset();
    ASSERT_TRUE(slips.decided) << slips.reason;
    const double b = 10 * (std::sin(slope) - 0.1 * std::cos(slope));
    EXPECT_NEAR((slips.bodies[0].linear - b * down).norm(), 0.0, 1e-8);
    EXPECT_NEAR((slips.bodies[0].angular - 2.5 * 0.1 * 10 * std::cos(slope) / 0.5 * axis).norm(),
                0.0, 1e-7);
  }
}

TEST(OnsetInSpace, ASlidingBlockIsSlowedAgainstItsVelocity) {
  SpaceStructure structure = box_on_slope(0.0, 0.0, 0.4);
  structure.scene.bodies[1].velocity = NumberVec<3>(exactly(Vec<3>(3, 4, 0)));
  const Onset<3> onset = structure.onset();
  ASSERT_TRUE(onset.decided) << onset.reason;
  EXPECT_NEAR((onset.bodies[0].linear - Vec<3>(-2.4, -3.2, 0)).norm(), 0.0, 1e-8);
}

TEST(OnsetInSpace, ARollingSphereRollsOn) {
  SpaceStructure structure = ball_on_slope(0.0, 0.0, 0.5);
  structure.scene.bodies[1].velocity = NumberVec<3>(exactly(Vec<3>(3, 0, 0)));
  structure.scene.bodies[1].spin = Vec<3>(0, 6, 0);
  const Onset<3> onset = structure.onset();
  ASSERT_TRUE(onset.decided) << onset.reason;
  EXPECT_LT(onset.bodies[0].linear.norm(), 1e-8);
  EXPECT_LT(onset.bodies[0].angular.norm(), 1e-8);
}

TEST(OnsetInSpace, ABodyInFlightObeysEulersEquations) {
  SpaceStructure structure;
  const int box = structure.add(SpaceStructure::box(1, 2, 3), {0, 0, 0});
  structure.scene.bodies[0].spin = Vec<3>(1, 2, 3);
  structure.turn(Eigen::AngleAxisd(0.7, Vec<3>(1, 2, 2).normalized()).toRotationMatrix());
  const Onset<3> onset = structure.onset();
  ASSERT_TRUE(onset.decided) << onset.reason;
  EXPECT_NEAR((onset.bodies[0].linear - structure.scene.gravity.value).norm(), 0.0, 1e-9);
  // I ω̇ = −ω × Iω, in body axes with I = m/12 (13, 10, 5).
  const Vec<3> expected(-2.0 * 3.0 * (5 - 10) / 13.0, -3.0 * 1.0 * (13 - 5) / 10.0,
                        -1.0 * 2.0 * (10 - 13) / 5.0);
  const Eigen::Matrix3d R = structure.scene.bodies[static_cast<std::size_t>(box)].pose.rotation;
  EXPECT_NEAR((R.transpose() * onset.bodies[0].angular - expected).norm(), 0.0, 1e-9);
}

// --- joints -------------------------------------------------------------------------------------

SpaceStructure pendulum(const Vec<3>& spin) {
  SpaceStructure structure;
  const int rod = structure.add(SpaceStructure::box(2, 0.25, 0.5), {1, 0, 0});
  Joint<3> joint;
  joint.type = JointType::hinge;
  joint.b = rod;
  joint.axis = Vec<3>::UnitY();
  structure.scene.joints.push_back(joint);
  structure.scene.bodies[0].spin = spin;
  structure.scene.bodies[0].velocity = NumberVec<3>(exactly(Vec<3>(spin.cross(Vec<3>(1, 0, 0)))));
  return structure;
}

TEST(HingeInSpace, OfAPendulumLetsItSwing) {
  const double omega = 1.5;
  const Onset<3> onset = pendulum({0, omega, 0}).onset();
  ASSERT_TRUE(onset.decided) << onset.reason;
  // About y at one end: I = m (1 + (2² + 0.5²)/12); the torque of gravity is m·10·1 about +y.
  const double alpha = 10 / (1 + 4.25 / 12);
  EXPECT_NEAR(onset.bodies[0].angular[1], alpha, 1e-9);
  EXPECT_NEAR((onset.bodies[0].linear - Vec<3>(-omega * omega, 0, -alpha)).norm(), 0.0, 1e-9);
  const double mass = 0.25;
  EXPECT_NEAR((onset.joint_forces[0].force - mass * Vec<3>(-omega * omega, 0, 10 - alpha)).norm(),
              0.0, 1e-9);
}

TEST(HingeInSpace, RefusesSpinsAcrossItsAxis) { EXPECT_FALSE(pendulum({0, 0, 1}).onset().decided); }

TEST(HingeInSpace, CarriesTheTorqueOfARotorThatIsTurned) {
  // A frame turns about z, a rotor spins about the frame's x axis: t·(ω̇_b − ω̇_a) = t·(ω_a × ω_b).
  SpaceStructure structure;
  structure.scene.gravity = NumberVec<3>();
  const int frame = structure.add(SpaceStructure::box(1, 1, 1), {0, 0, 0});
  const int rotor = structure.add(SpaceStructure::box(1, 1, 2), {0, 0, 0});
  Joint<3> joint;
  joint.type = JointType::hinge;
  joint.a = frame;
  joint.b = rotor;
  joint.axis = Vec<3>::UnitX();
  structure.scene.joints.push_back(joint);
  structure.scene.bodies[0].spin = Vec<3>(0, 0, 2);
  structure.scene.bodies[1].spin = Vec<3>(3, 0, 2);
  const Onset<3> onset = structure.onset();
  ASSERT_TRUE(onset.decided) << onset.reason;
  const Vec<3> relative = onset.bodies[1].angular - onset.bodies[0].angular;
  const Vec<3> rate = Vec<3>(0, 0, 2).cross(Vec<3>(3, 0, 2));
  EXPECT_NEAR(relative[1], rate[1], 1e-9);
  EXPECT_NEAR(relative[2], rate[2], 1e-9);
  // All angular momentum is kept: Σ I ω̇ + ω × Iω = 0.
  Vec<3> sum = Vec<3>::Zero();
  for (std::size_t i = 0; i < 2; ++i) {
    const Inertia<3>& inertia = structure.scene.bodies[i].mass.inertia;
    const Vec<3>& spin = structure.scene.bodies[i].spin;
    sum += inertia * onset.bodies[i].angular + spin.cross(inertia * spin);
  }
  EXPECT_LT(sum.norm(), 1e-9);
}

// --- terms of velocity --------------------------------------------------------------------------

/// Two bodies that move evenly: the second derivative of a gap by differences, against β.
class EvenMotion {
 public:
  EvenMotion() {
    const Vec<3> v_a(0.3, -0.2, 0.1);
    const Vec<3> w_a(0.5, 0.7, -0.4);
    const Vec<3> v_b(-0.4, 0.6, 0.2);
    const Vec<3> w_b(-0.3, 0.9, 0.8);
    set(0, v_a, w_a);
    set(1, v_b, w_b);
  }

  void add(const Shape<3>& a, const Vec<3>& at_a, const Shape<3>& b, const Vec<3>& at_b,
           const Eigen::Matrix3d& rotation_b = Eigen::Matrix3d::Identity()) {
    structure.add(a, at_a);
    structure.add(b, at_b, false, rotation_b);
    for (std::size_t i = 0; i < 2; ++i) {
      structure.scene.bodies[i].velocity = NumberVec<3>(exactly(velocity_[i]));
      structure.scene.bodies[i].spin = spin_[i];
    }
  }

  /// Where a point of a body that is at `point` now will be after `time`.
  [[nodiscard]] Vec<3> later(std::size_t body, const Vec<3>& point, double time) const {
    const Vec<3> centre = structure.scene.bodies[body].pose.position;
    const Eigen::Matrix3d turn =
        Eigen::AngleAxisd(time * spin_[body].norm(), spin_[body].normalized()).toRotationMatrix();
    return centre + time * velocity_[body] + turn * (point - centre);
  }

  void expect(const std::function<double(double)>& gap, const Contact<3>& contact) {
    const State<3> state = initial_state(structure.scene);
    const auto facing = facing_of(structure.scene, state, contact, 1e-6);
    ASSERT_TRUE(facing.has_value());
    const double beta =
        contact.normal.dot(contact_motion(structure.scene, state, contact, *facing).beta);
    const double h = 1e-3;
    const double by_differences =
        (-gap(2 * h) + 16 * gap(h) - 30 * gap(0) + 16 * gap(-h) - gap(-2 * h)) / (12 * h * h);
    EXPECT_NEAR(beta, by_differences, 1e-7);
    EXPECT_GT(std::abs(beta), 1e-2);  // that the test tests something
  }

  SpaceStructure structure;

 private:
  void set(std::size_t i, const Vec<3>& v, const Vec<3>& w) {
    velocity_[i] = v;
    spin_[i] = w;
  }
  std::array<Vec<3>, 2> velocity_;
  std::array<Vec<3>, 2> spin_;
};

double line_distance(const Vec<3>& p, const Vec<3>& d, const Vec<3>& q, const Vec<3>& e) {
  return d.cross(e).normalized().dot(q - p);
}

TEST(TermsOfVelocity, OfAVertexOnAFace) {
  EvenMotion motion;
  motion.add(SpaceStructure::box(2, 2, 2), {0, 0, -1}, SpaceStructure::box(1, 1, 1),
             {0.3, 0.2, 0.5});
  const Vec<3> vertex(-0.2, -0.3, 0);
  const Contact<3>& contact = motion.structure.touch(0, 1, vertex, {0, 0, 1}, 0.0);
  motion.expect(
      [&](double t) {
        const Vec<3> p = motion.later(0, {0, 0, 0}, t);
        const Vec<3> n = motion.later(0, {0, 0, 1}, t) - p;
        return n.dot(motion.later(1, vertex, t) - p);
      },
      contact);
}

TEST(TermsOfVelocity, OfTwoEdgesThatCross) {
  EvenMotion motion;
  const Shape<3> box = SpaceStructure::box(2, 2, 2);
  motion.add(box, {0, 0, -1}, box, {0.2, 0.3, 1});
  // An edge of a along x, one of b along y, as the surface numbers them.
  const auto edge_along = [&](int axis) {
    const Surface& surface = box.boundary;
    for (std::size_t i = 0; i < surface.edges.size(); ++i) {
      const Vec<3> way = surface.points[static_cast<std::size_t>(surface.edges[i].to)] -
                         surface.points[static_cast<std::size_t>(surface.edges[i].from)];
      if (std::abs(way[axis]) > 1) return static_cast<std::uint32_t>(i);
    }
    return std::uint32_t{0};
  };
  const Vec<3> place(0.1, 0.1, 0);
  const Contact<3>& contact =
      motion.structure.touch(0, 1, place, {0, 0, 1}, 0.0, {FeatureKind::edge, edge_along(0)},
                             {FeatureKind::edge, edge_along(1)});
  motion.expect(
      [&](double t) {
        const Vec<3> p = motion.later(0, place, t);
        const Vec<3> q = motion.later(1, place, t);
        return line_distance(p, motion.later(0, place + Vec<3>::UnitX(), t) - p, q,
                             motion.later(1, place + Vec<3>::UnitY(), t) - q);
      },
      contact);
}

TEST(TermsOfVelocity, OfABallOnAnEdge) {
  EvenMotion motion;
  const Shape<3> box = SpaceStructure::box(2, 2, 2);
  const Vec<3> place(0.4, 0, 0);
  const Vec<3> n = Vec<3>(0, 0.6, 0.8);
  motion.add(box, {0, -1, -1}, make_sphere(Rational(1, 2)), place + 0.5 * n);
  std::uint32_t edge = 0;
  for (std::size_t i = 0; i < box.boundary.edges.size(); ++i) {
    const Vec<3> way = box.boundary.points[static_cast<std::size_t>(box.boundary.edges[i].to)] -
                       box.boundary.points[static_cast<std::size_t>(box.boundary.edges[i].from)];
    if (std::abs(way[0]) > 1) edge = static_cast<std::uint32_t>(i);
  }
  const Contact<3>& contact = motion.structure.touch(0, 1, place, n, 0.0, {FeatureKind::edge, edge},
                                                     {FeatureKind::ball, 0});
  motion.expect(
      [&](double t) {
        const Vec<3> p = motion.later(0, place, t);
        const Vec<3> d = motion.later(0, place + Vec<3>::UnitX(), t) - p;
        return d.cross(motion.later(1, place + 0.5 * n, t) - p).norm() - 0.5;
      },
      contact);
}

TEST(TermsOfVelocity, OfCapsulesAcrossEachOther) {
  EvenMotion motion;
  // Along z in their own axes: a lies along x, b along y above it.
  const Shape<3> capsule = make_capsule(Rational(1, 4), Rational(2));
  const Eigen::Matrix3d along_y = Eigen::AngleAxisd(-kPi / 2, Vec<3>::UnitX()).toRotationMatrix();
  motion.add(capsule, {0, 0, 0}, capsule, {0.5, 0.3, 0.2}, along_y);
  const Vec<3> place(0.25, 0, 0.2);
  const Contact<3>& contact = motion.structure.touch(
      0, 1, place, {1, 0, 0}, 0.0, {FeatureKind::capsule, 0}, {FeatureKind::capsule, 0});
  motion.expect(
      [&](double t) {
        const Vec<3> p = motion.later(0, {0, 0, 0.2}, t);
        const Vec<3> q = motion.later(1, {0.5, 0, 0.2}, t);
        return std::abs(line_distance(p, motion.later(0, {0, 0, 1}, t) - p, q,
                                      motion.later(1, {0.5, 1, 0.2}, t) - q)) -
               0.5;
      },
      contact);
}

TEST(TermsOfVelocity, OfTwoBalls) {
  EvenMotion motion;
  const Vec<3> n = Vec<3>(0.48, 0.6, 0.64);
  motion.add(make_sphere(Rational(1)), {0, 0, 0}, make_sphere(Rational(1, 2)), 1.5 * n);
  const Contact<3>& contact =
      motion.structure.touch(0, 1, n, n, 0.0, {FeatureKind::ball, 0}, {FeatureKind::ball, 0});
  motion.expect(
      [&](double t) {
        return (motion.later(1, 1.5 * n, t) - motion.later(0, {0, 0, 0}, t)).norm();
      },
      contact);
}

TEST(TermsOfVelocity, OfACylindersRimOnAFace) {
  EvenMotion motion;
  const double lean = 0.6;
  const Eigen::Matrix3d leaning = Eigen::AngleAxisd(lean, Vec<3>::UnitY()).toRotationMatrix();
  const Vec<3> axis = leaning * Vec<3>::UnitZ();
  const Vec<3> outwards = leaning * Vec<3>::UnitX();  // of the rim's lowest point
  const Vec<3> middle(0.2, 0.1, std::sin(lean));      // of the lower rim, of radius 1
  motion.add(SpaceStructure::box(4, 4, 2), {0, 0, -1}, make_cylinder(Rational(1), Rational(2)),
             middle + axis, leaning);
  const Vec<3> lowest = middle + outwards;
  ASSERT_NEAR(lowest[2], 0.0, 1e-12);
  const Contact<3>& contact = motion.structure.touch(
      0, 1, lowest, {0, 0, 1}, 0.0, {FeatureKind::face, 0}, {FeatureKind::cylinder, 0});
  motion.expect(
      [&](double t) {
        const Vec<3> p = motion.later(0, {0, 0, 0}, t);
        const Vec<3> n = motion.later(0, {0, 0, 1}, t) - p;
        const Vec<3> m = motion.later(1, middle, t);
        const Vec<3> a = motion.later(1, middle + axis, t) - m;
        return n.dot(m - p) - (n - a.dot(n) * a).norm();
      },
      contact);
}

TEST(TermsOfVelocity, OfTheEndOfACylinderOnAFace) {
  // At its rim: a point of the cylinder over the face, whose plane it keeps to, not the other way round.
  EvenMotion motion;
  motion.add(SpaceStructure::box(4, 4, 2), {0, 0, -1}, make_cylinder(Rational(1), Rational(2)),
             {0.2, 0.1, 1});
  const Vec<3> rim = Vec<3>(0.2, 0.1, 0) + Vec<3>(0.6, 0.8, 0);
  const Contact<3>& contact = motion.structure.touch(
      0, 1, rim, {0, 0, 1}, 0.0, {FeatureKind::face, 0}, {FeatureKind::cylinder, 0});
  motion.expect(
      [&](double t) {
        const Vec<3> p = motion.later(0, {0, 0, 0}, t);
        const Vec<3> n = motion.later(0, {0, 0, 1}, t) - p;
        return n.dot(motion.later(1, rim, t) - p);
      },
      contact);
}

}  // namespace
}  // namespace collapse::testing
