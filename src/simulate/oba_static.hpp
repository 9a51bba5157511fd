#pragma once
/// What external forces do to the velocities in a frame where bodies touch (docs/theory/oba.md), in one of three ways:
///
///     impulses        v⁺ = v + h M⁻¹f, then the momentum program without bounce
///     accelerations   minimise ½ aᵀMa − fᵀa   subject to   n·u(a) ≥ 0,   J a = 0,     v⁺ = v + h a
///     cones           the same with   μ⁻¹ n·(u(a) − â) ≥ ‖t·(u(a) − â)‖   in place of it, â = −u(v)/h to begin with;
///                     where u(a) ends on the side of its cone, â moves below it and the program is solved again

#include "simulate/oba_momentum.hpp"

namespace collapse::simulate {

class ObaStatic {
 public:
  ObaStatic(const World<3>& world, const SimulationOptions& options, ObaMomentum& momentum);

  /// Over a frame of length h that begins at the touch's poses; frozen bodies are fixed and get nothing. Adds to
  /// `impulses`. False if it was interrupted.
  [[nodiscard]] bool apply(const ObaTouch& touch, double h, std::span<const std::uint8_t> frozen,
                           std::vector<Twist<3>>& velocities, ObaImpulses& impulses,
                           StepReport<3>& report);
  /// See Simulation::forget.
  void forget();

 private:
  [[nodiscard]] bool by_accelerations(const ObaTouch& touch, double h,
                                      std::span<const std::uint8_t> frozen,
                                      std::span<const Twist<3>> before,
                                      std::vector<Twist<3>>& velocities, ObaImpulses& impulses,
                                      StepReport<3>& report);
  [[nodiscard]] bool move_tips(const ObaTouch& touch, std::span<const Twist<3>> accelerations,
                               const ObaImpulses& found, std::vector<Vec<3>>& tips) const;

  const World<3>& world_;
  const SimulationOptions& options_;
  ObaMomentum& momentum_;
  ObaProgram program_;
};

}  // namespace collapse::simulate
