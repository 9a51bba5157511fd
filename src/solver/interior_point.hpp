#pragma once

#include "collapse/solver/solution.hpp"
#include "solver/kkt_system.hpp"
#include "solver/nesterov_todd.hpp"
#include "solver/newton.hpp"
#include "solver/weights.hpp"

namespace collapse {

/// A point of the method: variables, slacks, multipliers. In the rows of equations s = 0.
struct Iterate {
  Eigen::VectorXd y;
  Eigen::VectorXd s;
  Eigen::VectorXd z;

  [[nodiscard]] bool finite() const { return y.allFinite() && s.allFinite() && z.allFinite(); }
};

/// Mehrotra's predictor–corrector method with the scaling of Nesterov and Todd, for a program in the
/// measure of Scaling. Slacks s = G y − b + E z are variables of their own (they stay accurate however
/// small they get), and the multipliers take proximal steps: each Newton step solves
///
///     M y − c − Gᵀz + δ (y − ȳ) = 0,      G y − b + E z − s + ρ (z − z̄) = 0,
///
/// ȳ and z̄ being the current point. The last terms vanish as the iteration converges, so the answer is
/// that of the program itself; but the weights D = (W² + E + ρ)⁻¹ in M + GᵀDG stay below 1/ρ. Without
/// this bound the mass, which alone holds the directions that no contact resists, drowns in the
/// rounding of GᵀDG as soon as the scene is not aligned with the axes. δ is for variables without mass.
///
/// What a step leaves of the second line is ρ times the change of the multipliers. With a constant ρ it is
/// soon more than the products: multipliers that belong together (many, in a wall) then drift slowly
/// towards what the gaps between the rows demand, and the products vanish before they get there. So ρ falls
/// with the products.
class InteriorPoint {
 public:
  /// The next run begins near the variables and multipliers that are put here, in the measure of its program: at a point
  /// as central as they are far from solving it.
  [[nodiscard]] Iterate& begin_near() {
    near_ = true;
    return at_;
  }

  /// Solves from a point of its own (or see begin_near), with a system that is prepared for the program.
  Status run(const Program& program, KktSystem& system, Newton& newton,
             const SolverOptions& options, Effort& effort);

  /// The best point seen.
  [[nodiscard]] Iterate& best() { return best_; }
  /// After infeasible (multipliers) or unbounded (variables).
  [[nodiscard]] const Eigen::VectorXd& ray() const { return ray_; }
  [[nodiscard]] int iterations() const { return iterations_; }

  /// Whether a direction proves that the program is infeasible or unbounded; if so it becomes ray().
  bool is_ray(const Program& program, const Eigen::VectorXd& candidate, Status claim);

 private:
  void start(Effort& effort);
  void start_near();
  [[nodiscard]] bool take_short_cut(Newton& newton, const SolverOptions& options, Effort& effort);
  void measure_defects();
  [[nodiscard]] bool factorize(Effort& effort);
  void newton_direction(const Eigen::VectorXd& shift, double left, Iterate& direction,
                        Effort& effort);
  [[nodiscard]] double corrector(double target, double left, Iterate& direction, Effort& effort);
  [[nodiscard]] double step_to_boundary(const Iterate& direction) const;
  [[nodiscard]] double mu() const;
  [[nodiscard]] Status find_ray();

  const Program* program_ = nullptr;
  KktSystem* system_ = nullptr;
  NesterovTodd scaling_;
  Weights weights_;
  int degree_ = 0;  ///< inequalities and cones
  int iterations_ = 0;
  bool near_ = false;  ///< at_ has y and z to begin near
  double rho_ = kProximal;
  double least_rho_ = 0.0;
  Iterate at_;
  Iterate best_;
  Iterate short_cut_;
  Iterate predictor_;
  Iterate direction_;
  Eigen::VectorXd forces_;  ///< Gᵀz
  Eigen::VectorXd dual_;    ///< M y − c − Gᵀz
  Eigen::VectorXd slack_;   ///< G y − b + E z
  Eigen::VectorXd primal_;  ///< slack − s
  Eigen::VectorXd ray_;
  Eigen::VectorXd shift_, scaled_s_, scaled_z_, product_, quotient_, work_;
};

}  // namespace collapse
