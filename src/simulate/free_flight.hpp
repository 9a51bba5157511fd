#pragma once
/// How a body moves that nothing touches, over a step. The centre falls by the schemes' first-order rule,
/// v₁ = v₀ + h f/m and x₁ = x₀ + h v₁. The turn is the implicit midpoint rule with Cayley's map: in the body's axes,
/// with s = ω₀ + ω₁,
///
///     I s − 2 I ω₀ + ¼ h s × I s = h τ,      R₁ = R₀ cay(½ h s),
///
/// and exact about an axis of inertia. Without torque it keeps angular momentum and energy to rounding, however long
/// the step.

#include "collapse/model/scene.hpp"

namespace collapse::simulate {

/// Over one step, in world axes.
template <int Dim>
struct Flight {
  Twist<Dim> way;       ///< of the centre of mass, and the turn
  Twist<Dim> velocity;  ///< at the end
  /// velocity − way/h, without rounding: what the spin at the end has over its mean. Zero in the plane, and where all
  /// axes of inertia are alike.
  Twist<Dim> drift = Twist<Dim>::Zero();
};

/// `force`: with its torque about the centre of mass, of the start.
template <int Dim>
[[nodiscard]] Flight<Dim> free_flight(const MassProperties<Dim>& mass, const Pose<Dim>& pose,
                                      const Twist<Dim>& velocity, const Twist<Dim>& force,
                                      double h);
template <>
Flight<2> free_flight<2>(const MassProperties<2>& mass, const Pose<2>& pose,
                         const Twist<2>& velocity, const Twist<2>& force, double h);
template <>
Flight<3> free_flight<3>(const MassProperties<3>& mass, const Pose<3>& pose,
                         const Twist<3>& velocity, const Twist<3>& force, double h);

}  // namespace collapse::simulate
