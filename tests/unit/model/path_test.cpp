#include "collapse/model/path.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "collapse/core/random.hpp"
#include "collapse/model/state.hpp"

namespace collapse {
namespace {

Keyframe<3> keyframe(const Rational& time, const ExactVec<3>& position,
                     const Eigen::Matrix<Rational, 3, 3>& rotation) {
  return {Number(time), {rotation, position}};
}

Body<3> body_between(const Keyframe<3>& first, const Keyframe<3>& second) {
  Body<3> body;
  body.shape = make_box(ExactVec<3>(Rational(1), Rational(2), Rational(3)));
  body.mass = mass_properties(body.shape);
  body.mass.centre = Vec<3>(0.1, -0.2, 0.3);  // off the origin, so that the spin moves it
  body.motion = {first, second};
  return body;
}

const ExactVec<3> kStart(Rational(0), Rational(0), Rational(0));

TEST(PathInSpace, TurnsEvenlyTheShorterWay) {
  const auto identity = rotation_from_quaternion(1, 0, 0, 0);
  // 2 acos(3/5), about 106°, about −z; the other way round would be 254°.
  const auto turned = rotation_from_quaternion(3, 0, 0, -4);
  const Body<3> body =
      body_between(keyframe(1, kStart, identity),
                   keyframe(3, ExactVec<3>(Rational(4), Rational(0), Rational(2)), turned));
  const double whole = 2.0 * std::acos(0.6);
  for (const double share : {0.0, 0.25, 0.5, 0.9, 1.0}) {
    const Pose<3> pose = path_pose(body, 1.0 + 2.0 * share);
    const Eigen::AngleAxisd expected(share * whole, -Vec<3>::UnitZ());
    EXPECT_LT((pose.rotation - expected.toRotationMatrix()).norm(), 1e-15);
    EXPECT_LT((pose.position - share * Vec<3>(4, 0, 2)).norm(), 1e-15);
  }
  EXPECT_EQ(path_pose(body, 0.0), to_double(body.motion[0].pose));
  EXPECT_EQ(path_pose(body, 9.0), to_double(body.motion[1].pose));
}

TEST(PathInSpace, IsSphericalInterpolationOfQuaternions) {
  Random random(91);
  for (int i = 0; i < 100; ++i) {
    const auto entry = [&] { return Rational(random.below(21) - 10); };
    const Rational w[2] = {11 + entry(), 11 + entry()};
    const Rational x[2] = {entry(), entry()};
    const Rational y[2] = {entry(), entry()};
    const Rational z[2] = {entry(), entry()};
    const Body<3> body =
        body_between(keyframe(0, kStart, rotation_from_quaternion(w[0], x[0], y[0], z[0])),
                     keyframe(1, kStart, rotation_from_quaternion(w[1], x[1], y[1], z[1])));
    const auto quaternion = [&](int k) {
      return Eigen::Quaterniond(to_double(w[k]), to_double(x[k]), to_double(y[k]), to_double(z[k]))
          .normalized();
    };
    const double share = random.between(0, 1);
    const Eigen::Matrix3d expected = quaternion(0).slerp(share, quaternion(1)).toRotationMatrix();
    EXPECT_LT((path_pose(body, share).rotation - expected).norm(), 1e-13);
  }
}

TEST(PathInSpace, VelocityIsTheDerivativeOfThePose) {
  Random random(92);
  for (int i = 0; i < 50; ++i) {
    const auto entry = [&] { return Rational(random.below(21) - 10, 5); };
    const auto rotation = [&] { return rotation_from_quaternion(3, entry(), entry(), entry()); };
    const auto position = [&] { return ExactVec<3>(entry(), entry(), entry()); };
    const Body<3> body =
        body_between(keyframe(0, position(), rotation()), keyframe(2, position(), rotation()));
    const double time = random.between(0.1, 1.9);
    const double h = 1e-5;
    const Pose<3> before = path_pose(body, time - h);
    const Pose<3> after = path_pose(body, time + h);
    const Twist<3> velocity = path_velocity(body, time);
    const Vec<3> moved = after.apply(body.mass.centre) - before.apply(body.mass.centre);
    const Vec<3> turned = turn_of<3>(after.rotation * before.rotation.transpose());
    // Central differences: h² times third derivatives of order ω³, and rounding over h.
    EXPECT_LT((velocity.head<3>() - moved / (2.0 * h)).norm(), 1e-8);
    EXPECT_LT((velocity.tail<3>() - turned / (2.0 * h)).norm(), 1e-8);
  }
}

TEST(PathInSpace, IsHeldOutsideItsTimes) {
  const Body<3> body = body_between(keyframe(1, kStart, rotation_from_quaternion(1, 0, 0, 0)),
                                    keyframe(2, kStart, rotation_from_quaternion(1, 1, 0, 0)));
  EXPECT_EQ(path_velocity(body, 0.5), Twist<3>(Twist<3>::Zero()));
  EXPECT_EQ(path_velocity(body, 2.0), Twist<3>(Twist<3>::Zero()));
  EXPECT_NEAR(path_velocity(body, 1.0)[3], std::numbers::pi / 2.0, 1e-15);
  Scene<3> scene;
  scene.bodies.push_back(body);
  EXPECT_EQ(initial_state(scene).velocities[0], Twist<3>(Twist<3>::Zero()));
}

}  // namespace
}  // namespace collapse
