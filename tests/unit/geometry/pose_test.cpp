#include "collapse/geometry/pose.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "collapse/core/random.hpp"

namespace collapse {
namespace {

using Rotation = Eigen::Matrix<Rational, 2, 2>;

constexpr double kRounding = 1e-15;  ///< a few units in the last place of 1

void expect_orthogonal(const Rotation& rotation) {
  EXPECT_EQ(rotation(0, 0) * rotation(0, 0) + rotation(1, 0) * rotation(1, 0), 1);
  EXPECT_EQ(rotation(0, 0), rotation(1, 1));
  EXPECT_EQ(rotation(0, 1), -rotation(1, 0));
}

void expect_direction(const Rotation& rotation, double c, double s) {
  EXPECT_NEAR(to_double(rotation(0, 0)), c, kRounding);
  EXPECT_NEAR(to_double(rotation(1, 0)), s, kRounding);
}

TEST(ExactRotation, QuarterTurnsAreExact) {
  const int cosines[] = {1, 0, -1, 0};
  for (int quarters = -9; quarters <= 9; ++quarters) {
    const Rotation rotation = exact_rotation(Rational(90 * quarters));
    EXPECT_EQ(rotation(0, 0), cosines[(quarters + 12) % 4]) << quarters;
    EXPECT_EQ(rotation(1, 0), cosines[(quarters + 11) % 4]) << quarters;
    expect_orthogonal(rotation);
  }
}

TEST(ExactRotation, IsOrthogonalWithoutRoundingAndNearTheAngle) {
  Random random(5);
  for (int i = 0; i < 2000; ++i) {
    const Rational degrees = Rational(random.below(360000) - 180000, 1000);
    const Rotation rotation = exact_rotation(degrees);
    expect_orthogonal(rotation);
    const double radians = to_double(degrees) * std::numbers::pi / 180.0;
    expect_direction(rotation, std::cos(radians), std::sin(radians));
  }
}

TEST(ExactRotation, IsTheRationalRotationOfTheDoubleHalfTangent) {
  const Rational t(std::tan(30.0 * (std::numbers::pi / 180.0) / 2.0));
  const Rotation rotation = exact_rotation(Rational(30));
  EXPECT_EQ(rotation(0, 0), (1 - t * t) / (1 + t * t));
  EXPECT_EQ(rotation(1, 0), 2 * t / (1 + t * t));
}

TEST(ExactRotation, WholeTurnsMakeNoDifference) {
  const Rational whole = 360 * *parse_rational("1e60");
  EXPECT_EQ(exact_rotation(Rational(37) + whole), exact_rotation(Rational(37)));
  EXPECT_EQ(exact_rotation(Rational(-37) - whole), exact_rotation(Rational(-37)));
  EXPECT_EQ(exact_rotation(Rational(323)), exact_rotation(Rational(-37)));
}

TEST(ExactRotation, StaysFiniteBesideHalfATurn) {
  for (const char* text :
       {"179.999999999", "-179.99999999999999999", "180.0000000000001", "1e-300", "-1e-300"}) {
    const Rational degrees = *parse_rational(text);
    const Rotation rotation = exact_rotation(degrees);
    expect_orthogonal(rotation);
    expect_direction(rotation, std::abs(to_double(degrees)) > 1.0 ? -1.0 : 1.0,
                     std::sin(to_double(degrees) * std::numbers::pi / 180.0));
  }
}

TEST(RotationFromDirection, IsExactWhereTheLengthIsRational) {
  const RotationFromDirection turned = rotation_from_direction(Rational(-3, 7), Rational(4, 7));
  EXPECT_TRUE(turned.exact);
  EXPECT_EQ(turned.rotation(0, 0), Rational(-3, 5));
  EXPECT_EQ(turned.rotation(1, 0), Rational(4, 5));
  expect_orthogonal(turned.rotation);
}

TEST(RotationFromDirection, IsOrthogonalAndNearestWithinRoundingOtherwise) {
  Random random(6);
  for (int i = 0; i < 2000; ++i) {
    const int c = random.below(2001) - 1000;
    const int s = random.below(2001) - 1000;
    if (c == 0 && s == 0) continue;
    const RotationFromDirection turned = rotation_from_direction(Rational(c), Rational(s));
    expect_orthogonal(turned.rotation);
    const double length = std::hypot(c, s);
    expect_direction(turned.rotation, c / length, s / length);
    EXPECT_EQ(turned.exact, exact_sqrt(Rational(c * c + s * s)).has_value());
  }
}

TEST(RotationFromDirection, SurvivesHugeAndTinyEntries) {
  const Rational huge = *parse_rational("1e300");
  const Rational tiny = *parse_rational("1e-300");
  const double half = std::sqrt(0.5);
  expect_direction(rotation_from_direction(huge, -huge).rotation, half, -half);
  expect_direction(rotation_from_direction(-tiny, tiny).rotation, -half, half);
  expect_direction(rotation_from_direction(tiny, huge).rotation, 0.0, 1.0);
  expect_direction(rotation_from_direction(-huge, -tiny).rotation, -1.0, 0.0);
}

TEST(Pose, ComposeAppliesTheFirstFirst) {
  const ExactPose<2> first{exact_rotation(Rational(30)), {Rational(1), Rational(2)}};
  const ExactPose<2> second{exact_rotation(Rational(90)), {Rational(-5), Rational(1, 3)}};
  const ExactVec<2> point(Rational(7), Rational(-2));
  EXPECT_EQ(compose(second, first).apply(point), second.apply(first.apply(point)));
}

TEST(Pose, ToDoubleRoundsEntryByEntry) {
  const ExactPose<2> pose{exact_rotation(Rational(90)), {Rational(1, 3), Rational(1, 10)}};
  const Pose<2> rounded = to_double<2>(pose);
  EXPECT_EQ(rounded.position, Vec<2>(1.0 / 3.0, 0.1));
  EXPECT_EQ(rounded.apply(Vec<2>(1.0, 0.0)), Vec<2>(1.0 / 3.0, 1.1));
}

}  // namespace
}  // namespace collapse
