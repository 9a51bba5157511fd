#pragma once
/// Exact Coulomb friction. Programs with second-order cones know the *associated* law: the slack
/// s = (t, u) of a contact and its multiplier are in dual cones and orthogonal, so that sliding lifts by
/// the sliding speed ‖u‖ (in the rows' own measure, where the friction coefficient is scaled in).
/// Coulomb's law takes that lift away:
///
///     K* ∋ ŝ ⟂ λ ∈ K   with   ŝ = s + (‖u‖, 0).
///
/// This is no longer the optimality condition of a program. It is solved as a sequence of programs: with
/// the lift of the last solution as a given shift, the next solution is that of a program.

#include <functional>

#include "collapse/solver/solution.hpp"

namespace collapse {

struct CoulombOptions {
  SolverOptions solver;      ///< of the programs
  double tolerance = 1e-10;  ///< on CoulombSolution::residual
  int max_rounds = 200;      ///< programs
  /// Adds to the slacks what depends on the multipliers otherwise, such as the unsymmetric part of a
  /// given operator. It has to be small against the rest.
  std::function<void(const Eigen::VectorXd& lambda, Eigen::VectorXd& slack)> extra = {};
};

struct CoulombSolution {
  Status status = Status::stalled;
  Eigen::VectorXd x;
  Eigen::VectorXd lambda;
  double residual = 0.0;  ///< coulomb_residual of it
  int rounds = 0;
  int factorizations = 0;
};

/// max |λ − Π(λ − ŝ)| over all groups with the slacks s given, in the measure of Residuals; |s| for
/// equations, and s for ŝ where there is no cone.
[[nodiscard]] double coulomb_residual(const Program& program, const Eigen::VectorXd& slack,
                                      const Eigen::VectorXd& lambda);

/// Stalled if the rounds do not settle: Coulomb's law may have no solution, or several.
[[nodiscard]] CoulombSolution solve_coulomb(const Program& program,
                                            const CoulombOptions& options = {});

}  // namespace collapse
