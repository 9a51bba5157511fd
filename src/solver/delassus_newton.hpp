#pragma once

#include <Eigen/Core>
#include <functional>

#include "solver/block_lu.hpp"

namespace collapse {

/// The point of K = { ‖r_T‖ ≤ μ r_N } nearest to x.
[[nodiscard]] Eigen::Vector3d project_on_friction_cone(double mu, const Eigen::Vector3d& x);

/// u + (μ‖u_T‖, 0, 0).
[[nodiscard]] Eigen::Vector3d with_lift(double mu, const Eigen::Vector3d& u);

/// Contacts that act on each other, in a measure where diagonal blocks of W and the length of q are
/// about one: K* ∋ û ⟂ r ∈ K with u = W r + q.
struct ContactIsland {
  BlockRows W;
  Eigen::VectorXd q;
  Eigen::VectorXd mu;

  [[nodiscard]] int contacts() const { return static_cast<int>(mu.size()); }
};

/// What it took, of all islands.
struct DelassusEffort {
  int steps = 0;
  int factorizations = 0;
  bool interrupted = false;
};

/// Solves an island on its forces alone. Sweeps of projected Gauss–Seidel bring most contacts to what
/// they will be (open, sticking, sliding); then semismooth Newton's method on
///
///     F(r) = r − Π(r − û) = 0,       (1 − V + V C (W + ρ)) Δr = −F,
///
/// with V the derivative of the projection Π on K, C = 1 + e₀ (0, μ u_T/‖u_T‖)ᵀ that of û, and ρ from a
/// proximal step: W mostly has no full rank, and forces that are not unique should stay where they are.
class DelassusNewton {
 public:
  explicit DelassusNewton(const ContactIsland& island);

  /// Improves r until ‖F‖ ≤ tolerance or `max_steps` are done; returns ‖F‖, that of the
  /// best r met.
  double solve(double tolerance, int max_steps, const std::function<bool()>& interrupt,
               Eigen::VectorXd& r, DelassusEffort& effort);
  /// ‖F‖.
  [[nodiscard]] double residual(const Eigen::VectorXd& r);

 private:
  void sweep(Eigen::VectorXd& r) const;
  double newton(double tolerance, int max_steps, const std::function<bool()>& interrupt,
                Eigen::VectorXd& r, DelassusEffort& effort);
  double search(const Eigen::VectorXd& r, const Eigen::VectorXd& step, double limit,
                Eigen::VectorXd& tried, double& norm);
  [[nodiscard]] bool find_direction(const Eigen::VectorXd& r, double rho, Eigen::VectorXd& step);

  const ContactIsland& island_;
  BlockLu lu_;
  BlockRows jacobian_;
  Eigen::VectorXd velocity_;  ///< u of the r evaluated last
  Eigen::VectorXd defect_;    ///< F
};

}  // namespace collapse
