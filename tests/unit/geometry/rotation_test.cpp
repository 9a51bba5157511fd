#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "collapse/core/random.hpp"
#include "collapse/geometry/pose.hpp"

namespace collapse {
namespace {

using ExactMatrix = Eigen::Matrix<Rational, 3, 3>;

ExactVec<3> vector_of(const Rational& x, const Rational& y, const Rational& z) { return {x, y, z}; }

Eigen::Matrix3d rounded(const ExactMatrix& rotation) {
  return rotation.unaryExpr([](const Rational& x) { return to_double(x); });
}

void expect_exactly_orthogonal(const ExactMatrix& rotation) {
  EXPECT_EQ(ExactMatrix(rotation * rotation.transpose()), ExactMatrix(ExactMatrix::Identity()));
  EXPECT_GT(rounded(rotation).determinant(), 0.0);
}

TEST(RotationFromQuaternion, IsExactForAnyLength) {
  // A third of a turn about (1, 1, 1) takes x to y to z.
  ExactMatrix cycle;
  cycle << 0, 0, 1, 1, 0, 0, 0, 1, 0;
  EXPECT_EQ(rotation_from_quaternion(7, 7, 7, 7), cycle);
  EXPECT_EQ(rotation_from_quaternion(-3, 0, 0, 0), ExactMatrix(ExactMatrix::Identity()));
  Random random(71);
  for (int i = 0; i < 200; ++i) {
    const auto entry = [&] { return Rational(random.below(41) - 20, 1 + random.below(7)); };
    const Rational w = entry();
    const Rational x = entry();
    const Rational y = entry();
    const Rational z = 1 + abs(entry());
    const ExactMatrix rotation = rotation_from_quaternion(w, x, y, z);
    expect_exactly_orthogonal(rotation);
    const Eigen::Quaterniond same(to_double(w), to_double(x), to_double(y), to_double(z));
    EXPECT_LT((rounded(rotation) - same.normalized().toRotationMatrix()).norm(), 1e-14);
  }
}

TEST(RotationFromVector, OfQuarterTurnsAboutAxesIsExact) {
  for (int axis = 0; axis < 3; ++axis) {
    for (int quarters = -5; quarters <= 5; ++quarters) {
      ExactVec<3> degrees = vector_of(0, 0, 0);
      degrees[axis] = 90 * quarters;
      const RotationFromVector result = rotation_from_vector(degrees);
      EXPECT_TRUE(result.exact);
      Vec<3> turn = Vec<3>::Zero();
      turn[axis] = quarters * std::numbers::pi / 2.0;
      EXPECT_LT((rounded(result.rotation) - rotation_by(turn)).norm(), 1e-14);
      expect_exactly_orthogonal(result.rotation);
    }
  }
}

TEST(RotationFromVector, AboutZIsThePlanesRotation) {
  for (const char* text : {"10", "-33.3", "179.99", "725"}) {
    const Rational degrees = *parse_rational(text);
    const RotationFromVector result = rotation_from_vector(vector_of(0, 0, degrees));
    EXPECT_FALSE(result.exact);
    EXPECT_EQ((result.rotation.topLeftCorner<2, 2>()), exact_rotation(degrees));
  }
}

TEST(RotationFromVector, IsOrthogonalWithoutRoundingAndNearTheAngle) {
  Random random(72);
  for (int i = 0; i < 300; ++i) {
    const auto entry = [&] { return Rational(random.below(40001) - 20000, 37); };
    const ExactVec<3> degrees = vector_of(entry(), entry(), entry());
    const RotationFromVector result = rotation_from_vector(degrees);
    expect_exactly_orthogonal(result.rotation);
    const Vec<3> vector = to_double<3>(degrees);
    const Eigen::AngleAxisd same(vector.norm() * std::numbers::pi / 180.0, vector.normalized());
    EXPECT_LT((rounded(result.rotation) - same.toRotationMatrix()).norm(), 1e-13);
  }
  // 2, 3, 6 has length 7: a million turns and a bit are reduced before rounding.
  const Rational turns = Rational(360) * 1000000 + 30;
  const RotationFromVector many =
      rotation_from_vector(vector_of(2 * turns / 7, 3 * turns / 7, 6 * turns / 7));
  const Eigen::AngleAxisd once(std::numbers::pi / 6.0, Vec<3>(2, 3, 6) / 7.0);
  EXPECT_LT((rounded(many.rotation) - once.toRotationMatrix()).norm(), 1e-15);
}

TEST(RotationBy, IsTheExponentialMap) {
  Random random(73);
  for (int i = 0; i < 500; ++i) {
    const Vec<3> axis(random.between(-1, 1), random.between(-1, 1), random.between(-1, 1));
    const Vec<3> turn = axis * std::pow(10.0, random.between(-20, 1));
    const Eigen::Matrix3d rotation = rotation_by(turn);
    EXPECT_LT((rotation * rotation.transpose() - Eigen::Matrix3d::Identity()).norm(), 2e-14);
    const Eigen::AngleAxisd same(turn.norm(), turn.normalized());
    EXPECT_LT((rotation - same.toRotationMatrix()).norm(), 2e-14);
    // Half a turn twice is the whole.
    EXPECT_LT((rotation_by(turn / 2.0) * rotation_by(turn / 2.0) - rotation).norm(), 2e-14);
  }
}

TEST(RotationBy, KeepsTinyAngles) {
  for (const double angle : {1e-3, 1e-8, 1e-20, 1e-160, 1e-300}) {
    const Eigen::Matrix3d rotation = rotation_by(Vec<3>(0.0, 0.0, angle));
    EXPECT_NEAR(rotation(1, 0) / angle, 1.0, 1e-6 * (angle > 1e-4 ? 1.0 : 1e-9));
    EXPECT_EQ(rotation(0, 1), -rotation(1, 0));
  }
  EXPECT_EQ(rotation_by(Vec<3>::Zero()), Eigen::Matrix3d(Eigen::Matrix3d::Identity()));
}

}  // namespace
}  // namespace collapse
