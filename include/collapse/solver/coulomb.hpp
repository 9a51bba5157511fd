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
///
/// Problems that come without bodies, as the operator W that takes contact forces to velocities (also
/// named after Delassus), are solved on W itself, sparse as it is.

#include <Eigen/SparseCore>
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
  /// Rows along which forces act, where they are not those along which motion is measured (a contact
  /// that slides): M x − c = Hᵀλ, with H the rows of this program, which has the blocks, groups and
  /// terms of the other one. M has to be invertible. Null: H = G.
  const Program* forces = nullptr;
  /// Lifts to begin with, one number per row: another start may lead to another solution. Empty: none.
  Eigen::VectorXd start = {};
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

struct DelassusOptions {
  double tolerance = 1e-10;    ///< on DelassusSolution::residual
  int max_steps = 800;         ///< of Newton's method, for each island
  Eigen::VectorXd start = {};  ///< forces to begin with; empty: none
  /// Called before each step, from one thread; `true` stops the solve.
  std::function<bool()> interrupt = {};
};

struct DelassusSolution {
  Status status = Status::stalled;  ///< optimal, stalled or interrupted
  Eigen::VectorXd r;                ///< contact forces, always finite
  double residual = 0.0;            ///< coulomb_residual of it
  int islands = 0;                  ///< contacts that do not act on each other are solved apart
  int programs = 0;                 ///< islands left to a program, see below
  int steps = 0;                    ///< of Newton's method, of all islands
  int factorizations = 0;           ///< likewise, those of programs included
};

/// How far r is from Coulomb's law at contacts with the velocities u = W r + q, three rows each (normal,
/// tangent, tangent), and the friction coefficients μ:
///
///     K* ∋ û ⟂ r ∈ K,   û = u + (μ‖u_T‖, 0, 0),   K = { ‖r_T‖ ≤ μ r_N }.
///
/// ‖r − Π_K(r − û)‖/‖q‖, free of units: velocities of a contact times d and forces divided by it, with
/// d⁻² the mean of its three diagonal entries of W; normals, where μ > 1, times d/μ. Infinite if r is
/// not finite.
[[nodiscard]] double coulomb_residual(const Eigen::SparseMatrix<double>& W,
                                      const Eigen::VectorXd& q, const Eigen::VectorXd& mu,
                                      const Eigen::VectorXd& r);

/// Forces that satisfy this law. W is used as it is stored; it should be near to symmetric and positive
/// semidefinite, of whatever rank. An island on which Newton's method fails is solved as a program, with
/// a dense factor of W. Throws Error if sizes do not fit, a number is not finite or a μ is negative.
[[nodiscard]] DelassusSolution solve_coulomb(const Eigen::SparseMatrix<double>& W,
                                             const Eigen::VectorXd& q, const Eigen::VectorXd& mu,
                                             const DelassusOptions& options = {});

}  // namespace collapse
