#pragma once
/// Contact forces as Baraff had them in 1989. Relative accelerations at the contacts are a = A λ + b with
/// A = J M⁻¹ Jᵀ and b = J x̂ − d; wanted are λ ≥ 0 with a ≥ 0 and λᵀa = 0. If it were known which contacts vanish (a > 0,
/// λ = 0), a linear program would answer:
///
///     find λ ≥ 0   with   a_k = 0 for the others,   λ_j = 0 and a_j ≥ 0 for those that vanish
///
/// The heuristic guesses that none vanishes; if that has no solution, it takes the λ of least sum with λ ≥ 0, a ≥ 0 and
/// guesses that those vanish whose a is not zero there; if that has no solution either, this λ is its answer. The convex
/// program (solve_convex) answers the question itself.

#include <string_view>

#include "collapse/analytical/least_constraint.hpp"

namespace collapse::analytical {

/// Which guess was right.
enum class Guess {
  none_vanish,
  residuals,  ///< the second
  neither,    ///< the forces are those of least sum: they prevent overlap, and add energy
  unsolved,   ///< there are no forces of least sum: the rows contradict each other
};

[[nodiscard]] std::string_view to_string(Guess guess);

struct HeuristicAnswer {
  Multipliers multipliers;  ///< without forces if unsolved
  Guess guess = Guess::unsolved;
  int programs = 0;  ///< that were solved for it
};

struct HeuristicOptions {
  double tolerance = 1e-8;  ///< what counts as zero among accelerations, over the largest of b
  SolverOptions solver;
};

[[nodiscard]] HeuristicAnswer solve_heuristic(const LeastConstraint& problem,
                                              const HeuristicOptions& options = {});

/// The same for a program of equations and inequalities without compliance; what is sparse in it stays so. Throws Error
/// if there are other rows.
[[nodiscard]] HeuristicAnswer solve_heuristic(const Program& program,
                                              const HeuristicOptions& options = {});

}  // namespace collapse::analytical
