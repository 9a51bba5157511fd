#include "collapse/geometry/pose.hpp"

#include <cmath>
#include <numbers>

#include "collapse/core/check.hpp"

namespace collapse {

namespace {

using Rotation = Eigen::Matrix<Rational, 2, 2>;

Rotation rotation_of(const Rational& c, const Rational& s) {
  Rotation rotation;
  rotation << c, -s, s, c;
  return rotation;
}

Rotation quarter_turns(int count) {
  static constexpr int kCosines[] = {1, 0, -1, 0};
  return rotation_of(Rational(kCosines[count % 4]), Rational(kCosines[(count + 3) % 4]));
}

/// (1 − t², 2t)/(1 + t²) for t = tan(θ/2)
Rotation rotation_of_half_tangent(double half_tangent) {
  const Rational t(half_tangent);
  const Rational scale = 1 / (1 + t * t);
  return rotation_of((1 - t * t) * scale, 2 * t * scale);
}

}  // namespace

Eigen::Matrix<Rational, 2, 2> exact_rotation(const Rational& degrees) {
  // In [−180, 180): for tan(θ/2) any rounding of θ/2 near its poles still is a small angle.
  const Rational theta = degrees - 360 * Rational(floor_of((degrees + 180) / 360));
  const Rational quarters = theta / 90;
  if (denominator(quarters) == 1) return quarter_turns(quarters.convert_to<int>() + 4);
  return rotation_of_half_tangent(std::tan(to_double(theta) * (std::numbers::pi / 180.0) / 2.0));
}

RotationFromDirection rotation_from_direction(const Rational& c, const Rational& s) {
  COLLAPSE_DEMAND(c != 0 || s != 0);
  if (const std::optional<Rational> length = exact_sqrt(c * c + s * s)) {
    return {rotation_of(c / *length, s / *length), true};
  }
  // Quarter turns back until |y| ≤ x; then tan(θ/2) = r/(1 + √(1 + r²)) with r = y/x in [−1, 1].
  Rational x = c;
  Rational y = s;
  int quarters = 0;
  while (x <= 0 || abs(y) > x) {
    const Rational old_x = x;
    x = y;
    y = -old_x;
    ++quarters;
  }
  const double r = to_double(y / x);
  const double half_tangent = r / (1.0 + std::sqrt(1.0 + r * r));
  return {quarter_turns(quarters) * rotation_of_half_tangent(half_tangent), false};
}

}  // namespace collapse
