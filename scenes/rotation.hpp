#pragma once
/// Rational points of the unit circle, for scenes with angles whose faces must meet exactly.

#include "scenes/document.hpp"

namespace collapse::scenes {

/// (cos θ, sin θ) for the half tangent t = tan(θ/2): rational where t is.
[[nodiscard]] Point circle_point(const Rational& half_tangent);

/// tan(θ/2) for an angle in radians, 0 ≤ θ < π: the simplest fraction within 1e-9 of it (so the
/// angle is right to 2e-9 and exact arithmetic stays short).
[[nodiscard]] Rational half_tangent(double angle);

}  // namespace collapse::scenes
