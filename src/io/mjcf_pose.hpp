#pragma once
/// Positions and orientations of MJCF in exact numbers: quaternions need no unit length, so they turn rational points
/// into rational points.

#include <array>
#include <string>

#include "collapse/geometry/dim.hpp"

namespace collapse::foreign {

struct Quaternion {
  Rational w{1};
  ExactVec<3> v = ExactVec<3>::Zero();

  [[nodiscard]] Quaternion operator*(const Quaternion& other) const;
  [[nodiscard]] ExactVec<3> turned(const ExactVec<3>& point) const;
  [[nodiscard]] bool is_identity() const { return v == ExactVec<3>::Zero(); }
};

/// Where a frame lies in its parent: x ↦ turn x + position.
struct MjcfPose {
  ExactVec<3> position = ExactVec<3>::Zero();
  Quaternion turn;

  [[nodiscard]] MjcfPose operator*(const MjcfPose& inner) const;
  [[nodiscard]] ExactVec<3> operator()(const ExactVec<3>& point) const;
};

/// The rational rotation about an axis whose tan(θ/2) is the double; multiples of 90° exact.
[[nodiscard]] Quaternion turn_about(const ExactVec<3>& axis, const Rational& angle, bool degrees);
/// The least rotation that takes z to `direction`.
[[nodiscard]] Quaternion turn_z_to(const ExactVec<3>& direction);
/// The rotation whose x axis is `x`, with `y` in the half plane of its y axis.
[[nodiscard]] Quaternion turn_to_axes(const ExactVec<3>& x, const ExactVec<3>& y);

/// The square root, exact where it is rational, else the shortest decimal of the nearest double.
[[nodiscard]] Rational root_of(const Rational& value);
/// The shortest decimal number that is read as this double.
[[nodiscard]] Rational shortest(double value);
/// `value`, or where that is a long fraction (a turn has been at work) the nearest double's shortest decimal.
[[nodiscard]] Rational readable(const Rational& value);

}  // namespace collapse::foreign
