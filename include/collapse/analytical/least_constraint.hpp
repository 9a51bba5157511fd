#pragma once
/// Gauss' principle at one instant, densely:
///
///     minimise   ½ (x − x̂)ᵀ M (x − x̂)     subject to   J x = d (equations),   J x ≥ d (inequalities)
///
/// with f = M x̂. At level acceleration x = ẍ and f is the force; at level velocity x = ẋ⁺ and f = M ẋ⁻. Without regard
/// to signs, for a set of handled rows, it is the linear system of Lagrange's multipliers,
///
///     [ M  −Jᵀ ] [x]   [ f ]
///     [ −J   0 ] [λ] = [−d ]
///
/// and what the published algorithms differ in is how they find that set.

#include <vector>

#include "collapse/analytical/system.hpp"
#include "collapse/solver/solution.hpp"

namespace collapse::analytical {

struct LeastConstraint {
  Eigen::MatrixXd M;
  Eigen::VectorXd f;
  Eigen::MatrixXd J;
  Eigen::VectorXd d;
  std::vector<Relation> relations;  ///< of the rows

  [[nodiscard]] int rows() const { return static_cast<int>(d.size()); }
  [[nodiscard]] bool is_equation(int row) const {
    return relations[static_cast<std::size_t>(row)] == Relation::equal;
  }
};

/// A flag for each row.
using RowSet = std::vector<bool>;

struct Multipliers {
  Eigen::VectorXd x;
  Eigen::VectorXd lambda;  ///< of all rows, 0 where not handled
  /// Largest miss of a handled row, over the row's size: not rounding where rows contradict each other.
  double residual = 0.0;
};

/// The linear system with these rows as equations; equations are among them in any case. Rows may depend on each
/// other: then the multipliers are those of least norm, and contradictions are met in the sense of least squares.
[[nodiscard]] Multipliers solve_handled(const LeastConstraint& problem, const RowSet& handled);

/// Algorithm 3 of Jonquet, Nocent and Remion: from no inequality, adds every one of `active` with J x < d and solves
/// again until none is added. It never takes one back, so a multiplier may end negative.
struct RightAnswer {
  Multipliers multipliers;
  RowSet handled;
};
[[nodiscard]] RightAnswer solve_right(const LeastConstraint& problem, const RowSet& active);

/// The convex program over the rows of `active`, by the solver.
struct ConvexAnswer {
  Multipliers multipliers;
  Status status = Status::stalled;
  int contradiction = -1;  ///< if infeasible: the row with the largest part in the proof
};
[[nodiscard]] ConvexAnswer solve_convex(const LeastConstraint& problem, const RowSet& active,
                                        Solver& solver);
[[nodiscard]] ConvexAnswer solve_convex(const LeastConstraint& problem);

/// The problem that a program of such rows states. Throws Error if it has others, or compliance.
[[nodiscard]] LeastConstraint least_constraint_of(const Program& program);

}  // namespace collapse::analytical
