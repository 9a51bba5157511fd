#pragma once

#include "collapse/geometry/dim.hpp"

namespace collapse {

/// Where a body is: world point = rotation · body point + position.
template <class Scalar, int Dim>
struct BasicPose {
  using Point = Eigen::Matrix<Scalar, Dim, 1>;

  Eigen::Matrix<Scalar, Dim, Dim> rotation = Eigen::Matrix<Scalar, Dim, Dim>::Identity();
  Point position = Point::Zero();

  [[nodiscard]] Point apply(const Point& point) const { return rotation * point + position; }
  [[nodiscard]] Point turn(const Point& direction) const { return rotation * direction; }
  [[nodiscard]] bool operator==(const BasicPose& other) const {
    return rotation == other.rotation && position == other.position;
  }
};

template <int Dim>
using Pose = BasicPose<double, Dim>;

/// With a rotation matrix that is orthogonal without rounding.
template <int Dim>
using ExactPose = BasicPose<Rational, Dim>;

/// `first`, then `second`: apply(compose(second, first), p) = second.apply(first.apply(p)).
template <class Scalar, int Dim>
[[nodiscard]] BasicPose<Scalar, Dim> compose(const BasicPose<Scalar, Dim>& second,
                                             const BasicPose<Scalar, Dim>& first) {
  return {second.rotation * first.rotation, second.apply(first.position)};
}

/// The rotation by `degrees`: multiples of 90 are exact; otherwise the rational rotation of
/// t = tan(θ/2) taken as a double, (1 − t², 2t)/(1 + t²), which is orthogonal without rounding.
[[nodiscard]] Eigen::Matrix<Rational, 2, 2> exact_rotation(const Rational& degrees);

/// The rotation that takes the x axis to the direction (c, s), not both zero, and whether it is
/// exact: it is if the length of (c, s) is rational. Otherwise it is the rational rotation nearest
/// to it within rounding.
struct RotationFromDirection {
  Eigen::Matrix<Rational, 2, 2> rotation;
  bool exact = false;
};
[[nodiscard]] RotationFromDirection rotation_from_direction(const Rational& c, const Rational& s);

/// The rotation of the quaternion w + xi + yj + zk, not zero, of any length: exact.
[[nodiscard]] Eigen::Matrix<Rational, 3, 3> rotation_from_quaternion(const Rational& w,
                                                                     const Rational& x,
                                                                     const Rational& y,
                                                                     const Rational& z);

/// The rotation about `degrees` as an axis, by its length in degrees, and whether it is exact: multiples of 90
/// about an axis of coordinates are. Otherwise the rational rotation nearest to it within rounding.
struct RotationFromVector {
  Eigen::Matrix<Rational, 3, 3> rotation;
  bool exact = false;
};
[[nodiscard]] RotationFromVector rotation_from_vector(const ExactVec<3>& degrees);

/// The rotation by |turn| (radians) about `turn`: the exponential map.
[[nodiscard]] Eigen::Matrix<double, 3, 3> rotation_by(const Vec<3>& turn);

/// The nearest doubles, entry by entry.
template <int Dim>
[[nodiscard]] Vec<Dim> to_double(const ExactVec<Dim>& point) {
  return point.unaryExpr([](const Rational& x) { return to_double(x); });
}

template <int Dim>
[[nodiscard]] Pose<Dim> to_double(const ExactPose<Dim>& pose) {
  return {pose.rotation.unaryExpr([](const Rational& x) { return to_double(x); }),
          to_double<Dim>(pose.position)};
}

}  // namespace collapse
