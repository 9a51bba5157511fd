/// Rotations in space.

#include <cmath>
#include <numbers>

#include "collapse/core/check.hpp"
#include "collapse/geometry/pose.hpp"

namespace collapse {

namespace {

using ExactRotation3 = Eigen::Matrix<Rational, 3, 3>;

/// About axis k by the plane's rotation of that angle, so that a plane scene put into space is turned by the same
/// numbers.
ExactRotation3 about_coordinate_axis(int k, const Rational& degrees) {
  const Eigen::Matrix<Rational, 2, 2> turn = exact_rotation(degrees);
  const int i = (k + 1) % 3;
  const int j = (k + 2) % 3;
  ExactRotation3 rotation = ExactRotation3::Identity();
  rotation(i, i) = turn(0, 0);
  rotation(i, j) = turn(0, 1);
  rotation(j, i) = turn(1, 0);
  rotation(j, j) = turn(1, 1);
  return rotation;
}

/// The angle in [−180, 180): reduced before it is rounded if the length is rational.
double reduced_degrees(const Rational& squared_length, const Rational& largest) {
  if (const std::optional<Rational> length = exact_sqrt(squared_length)) {
    return to_double(*length - 360 * Rational(floor_of((*length + 180) / 360)));
  }
  const double length =
      to_double(largest) * std::sqrt(to_double(squared_length / (largest * largest)));
  return std::remainder(length, 360.0);
}

/// sin(x)/x
double sinc(double x) { return x == 0.0 ? 1.0 : std::sin(x) / x; }

}  // namespace

ExactRotation3 rotation_from_quaternion(const Rational& w, const Rational& x, const Rational& y,
                                        const Rational& z) {
  const Rational squared_length = w * w + x * x + y * y + z * z;
  COLLAPSE_DEMAND(squared_length > 0);
  const Rational s = 2 / squared_length;
  ExactRotation3 rotation;
  rotation << 1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y),
      s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x), s * (x * z - w * y),
      s * (y * z + w * x), 1 - s * (x * x + y * y);
  return rotation;
}

RotationFromVector rotation_from_vector(const ExactVec<3>& degrees) {
  Rational squared_length = 0;
  Rational largest = 0;
  int along = 0;  // the axis of the largest entry
  int entries = 0;
  for (int k = 0; k < 3; ++k) {
    if (degrees[k] == 0) continue;
    ++entries;
    squared_length += degrees[k] * degrees[k];
    const Rational size = abs(degrees[k]);
    if (size <= largest) continue;
    largest = size;
    along = k;
  }
  if (entries == 0) return {ExactRotation3::Identity(), true};
  if (entries == 1) {
    const Rational& angle = degrees[along];
    return {about_coordinate_axis(along, angle), denominator(Rational(angle / 90)) == 1};
  }
  const double half_turn =
      reduced_degrees(squared_length, largest) * (std::numbers::pi / 180.0) / 2.0;
  const ExactVec<3> scaled = degrees / largest;
  const Vec<3> vector = std::sin(half_turn) * to_double<3>(scaled).normalized();
  // Any quaternion near the right one gives a rotation without rounding.
  return {rotation_from_quaternion(Rational(std::cos(half_turn)), Rational(vector[0]),
                                   Rational(vector[1]), Rational(vector[2])),
          false};
}

/// I + (sin θ/θ) [t]ₓ + ((1 − cos θ)/θ²) [t]ₓ² for t of length θ, with 1 − cos θ = 2 sin²(θ/2): nothing cancels
/// however small the angle.
Eigen::Matrix<double, 3, 3> rotation_by(const Vec<3>& turn) {
  const double angle = turn.stableNorm();
  const double half_sinc = sinc(angle / 2.0);
  const double b = half_sinc * half_sinc / 2.0;
  Eigen::Matrix<double, 3, 3> across;
  across << 0.0, -turn[2], turn[1], turn[2], 0.0, -turn[0], -turn[1], turn[0], 0.0;
  return Eigen::Matrix<double, 3, 3>::Identity() + sinc(angle) * across + b * (across * across);
}

}  // namespace collapse
