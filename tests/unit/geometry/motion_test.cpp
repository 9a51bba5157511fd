#include "collapse/geometry/motion.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/unit/geometry/solids.hpp"

namespace collapse {
namespace {

struct RandomMotion {
  Pose<3> pose;
  Vec<3> centre;
  Twist<3> twist;

  explicit RandomMotion(Random& random) {
    const auto vector = [&] {
      return Vec<3>(random.between(-2, 2), random.between(-2, 2), random.between(-2, 2));
    };
    pose.rotation = rotation_by(vector());
    pose.position = vector();
    centre = vector();
    twist << vector(), vector();
  }

  [[nodiscard]] double speed_at(const Vec<3>& body_point) const {
    const Vec<3> spin = twist.tail<3>();
    return (twist.head<3>() + spin.cross(pose.apply(body_point) - centre)).norm();
  }
};

TEST(FastestPoint, OfABoxIsACorner) {
  Random random(81);
  const Shape<3> box = make_box(at(1, 2, 3));
  for (int i = 0; i < 50; ++i) {
    const RandomMotion motion(random);
    double fastest = 0.0;
    for (int k = 0; k < 8; ++k) {
      fastest = std::max(
          fastest, motion.speed_at(Vec<3>((k & 1) != 0 ? 0.5 : -0.5, (k & 2) != 0 ? 1.0 : -1.0,
                                          (k & 4) != 0 ? 1.5 : -1.5)));
    }
    EXPECT_NEAR(fastest_point(box, motion.pose, motion.centre, motion.twist), fastest, 1e-13);
  }
}

TEST(FastestPoint, OfRoundSolidsIsWhatFineSamplesApproach) {
  Random random(82);
  for (int i = 0; i < 30; ++i) {
    const RandomMotion motion(random);
    const Shape<3> cylinder = make_cylinder(Rational(3, 2), Rational(2));
    const Shape<3> sphere = make_sphere(Rational(3, 2));
    const Shape<3> capsule = make_capsule(Rational(3, 2), Rational(2));
    double rim = 0.0;
    double ball = 0.0;
    double ends = 0.0;
    constexpr int kSteps = 400;
    for (int a = 0; a < kSteps; ++a) {
      const double phi = 2.0 * std::numbers::pi * a / kSteps;
      const Vec<3> around(1.5 * std::cos(phi), 1.5 * std::sin(phi), 0.0);
      for (const double z : {-1.0, 1.0}) {
        rim = std::max(rim, motion.speed_at(around + Vec<3>(0, 0, z)));
      }
      for (int b = 0; b <= kSteps / 2; ++b) {
        const double theta = 2.0 * std::numbers::pi * b / kSteps;
        const Vec<3> point = std::sin(theta) * around + Vec<3>(0, 0, 1.5 * std::cos(theta));
        ball = std::max(ball, motion.speed_at(point));
        ends = std::max(ends, motion.speed_at(point + Vec<3>(0, 0, point[2] < 0 ? -1.0 : 1.0)));
      }
    }
    // A point is at most half a step from a sample: the speed, flat at its maximum, is short by its square over two.
    const double step = std::numbers::pi / kSteps;
    const double short_by = 10.0 * step * step;
    const auto expect_between = [&](const Shape<3>& shape, double sampled) {
      const double fastest = fastest_point(shape, motion.pose, motion.centre, motion.twist);
      EXPECT_GE(fastest, sampled - 1e-12);
      EXPECT_LE(fastest, sampled * (1.0 + short_by));
    };
    expect_between(cylinder, rim);
    expect_between(sphere, ball);
    expect_between(capsule, ends);
  }
}

TEST(FastestPoint, OfACylinderInSpecialMotionsIsTheClosedForm) {
  const Shape<3> cylinder = make_cylinder(Rational(2), Rational(6));
  const Vec<3> centre = Vec<3>::Zero();
  Twist<3> twist;
  twist << 0, 0, 0, 0, 0, 5;
  EXPECT_NEAR(fastest_point(cylinder, {}, centre, twist), 10.0, 1e-14) << "about its axis";
  twist << 0, 0, 0, 4, 0, 0;
  EXPECT_NEAR(fastest_point(cylinder, {}, centre, twist), 4.0 * std::sqrt(13.0), 1e-13);
  twist << 3, 0, 4, 0, 0, 0;
  EXPECT_NEAR(fastest_point(cylinder, {}, centre, twist), 5.0, 1e-14) << "without spin";
  twist << 3, 0, 0, 0, 0, 5;
  EXPECT_NEAR(fastest_point(cylinder, {}, centre, twist), 13.0, 1e-13);
  twist.setZero();
  EXPECT_EQ(fastest_point(cylinder, {}, centre, twist), 0.0);
}

}  // namespace
}  // namespace collapse
