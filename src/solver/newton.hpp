#pragma once

#include "collapse/solver/solution.hpp"
#include "solver/kkt_system.hpp"
#include "solver/weights.hpp"

namespace collapse {

/// Semismooth Newton's method for the optimality conditions of a program in the measure of Scaling,
///
///     M y − c − Gᵀz = 0,      z − Π(z − s) = 0  with  s = G y − b + E z.
///
/// The second line, the natural map, holds exactly at a solution, without a central path: from a point
/// near one it converges in a few steps to the accuracy of the arithmetic, where the interior-point
/// method has lost the digits of t − ‖u‖ at the boundary of a cone. With V the derivative of Π, which
/// has the axes of z − s, a step solves
///
///     (1 − V + V (E + ρ)) Δz + V G Δy = −(z − Π(z − s)),
///
/// that is Δz = −(D G Δy + Q r) with Q = (1 − V + V (E + ρ))⁻¹ and D = Q V. The proximal term ρ, as in
/// the interior-point method, makes dependent active rows harmless: multipliers that are not unique
/// stay near those they had.
class Newton {
 public:
  struct Options {
    double tolerance = 1e-12;
    int max_steps = 30;
  };

  /// Improves (y, z) as long as the residuals come down; never leaves it worse. Returns the residuals
  /// of what it leaves.
  Residuals polish(const Program& program, KktSystem& system, const Options& options,
                   Eigen::VectorXd& y, Eigen::VectorXd& z, Effort& effort);

 private:
  Residuals measure(const Eigen::VectorXd& y, const Eigen::VectorXd& z);
  void linearise(const Eigen::VectorXd& z);
  [[nodiscard]] bool find_direction(KktSystem& system, Effort& effort);

  const Program* program_ = nullptr;
  Weights weights_;  ///< D
  Eigen::VectorXd forces_, dual_, slack_, Gdy_;
  Eigen::VectorXd scaled_defect_;  ///< Q (z − Π(z − s))
  Eigen::VectorXd dy_, dz_, work_;
  Eigen::VectorXd y_, z_;  ///< tried
};

}  // namespace collapse
