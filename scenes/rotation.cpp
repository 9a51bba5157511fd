#include "scenes/rotation.hpp"

#include <cmath>

namespace collapse::scenes {
namespace {

/// The fraction of the smallest denominator in [low, high], 0 < low < high (Stern and Brocot).
Rational simplest_between(const Rational& low, const Rational& high) {
  const Integer whole = numerator(low) / denominator(low);
  if (Rational(whole) == low) return low;
  if (Rational(whole + 1) <= high) return whole + 1;
  return whole + 1 / simplest_between(1 / (high - whole), 1 / (low - whole));
}

}  // namespace

Point circle_point(const Rational& half_tangent) {
  const Rational square = half_tangent * half_tangent;
  return Point((1 - square) / (1 + square), 2 * half_tangent / (1 + square));
}

Rational half_tangent(double angle) {
  static const Rational kTolerance(1, 1'000'000'000);
  const Rational t(std::tan(angle / 2));
  return t <= kTolerance ? Rational(0) : simplest_between(t - kTolerance, t + kTolerance);
}

}  // namespace collapse::scenes
