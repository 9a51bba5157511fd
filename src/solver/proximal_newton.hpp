#pragma once

#include "collapse/solver/solution.hpp"
#include "solver/kkt_system.hpp"
#include "solver/weights.hpp"

namespace collapse {

/// Whether every inequality and cone has compliance to speak of, in the measure of Scaling.
[[nodiscard]] bool is_soft(const Program& program);

/// The proximal method of multipliers with Newton's method inside, for a program in the measure of
/// Scaling. Given multipliers z̄ and ρ > 0, the multipliers become a function of the variables,
///
///     z(y) = Π(ξ),   ξ = (ρ z̄ − (G y − b)) / (E + ρ),
///
/// and y minimises the convex and once differentiable function φ with φ'(y) = M y − c − Gᵀz(y): a
/// Newton step with H = M + Gᵀ Π'(ξ) G/(E + ρ) and an exact line search always makes progress,
/// whatever the starting point. Then z̄ becomes z(y), until nothing changes any more. With compliance
/// E ≫ ρ one round is enough; for hard rows the rounds find the active set that Newton's method on the
/// optimality conditions themselves (newton.hpp) then finishes with.
class ProximalNewton {
 public:
  struct Options {
    double tolerance = 1e-10;
    double rho = 1e-6;
    int max_rounds = 20;
    int max_steps = 100;  ///< factorisations in all
  };

  /// Improves (y, z); never leaves it worse. Returns the residuals of what it leaves.
  Residuals improve(const Program& program, KktSystem& system, const Options& options,
                    Eigen::VectorXd& y, Eigen::VectorXd& z, Effort& effort);

 private:
  void evaluate(const Eigen::VectorXd& Gy);
  void linearise();
  void look();
  [[nodiscard]] bool step(KktSystem& system, Effort& effort);
  [[nodiscard]] double slope(double length);
  [[nodiscard]] double line_search();

  const Program* program_ = nullptr;
  double rho_ = 0.0;
  Weights weights_;
  Eigen::VectorXd y_, centre_y_, centre_z_;
  Eigen::VectorXd Gy_, point_, z_;     ///< G y, ξ and z(y)
  Eigen::VectorXd forces_, gradient_;  ///< Gᵀz, M y − c − Gᵀz + δ (y − ȳ)
  Eigen::VectorXd dy_, Gdy_, Mdy_, linear_part_, rows_, axis_, delta_, slack_;
  double curvature_ = 0.0;     ///< dyᵀ(M + δ) dy
  double smooth_slope_ = 0.0;  ///< dyᵀ((M + δ) y − c)
};

}  // namespace collapse
