#pragma once

#include <algorithm>

#include "collapse/solver/solution.hpp"
#include "solver/scaling.hpp"

namespace collapse {

/// max |λ − Π_K(λ − s)| over the rows of one group; |s| for equations.
[[nodiscard]] double natural_residual(const Program::Group& group, const double* lambda,
                                      const double* slack);

/// dual = Mx − c − Gᵀλ, forces = Gᵀλ, slack = Gx − b + Eλ.
void optimality_defects(const Program& program, const Eigen::VectorXd& x,
                        const Eigen::VectorXd& lambda, Eigen::VectorXd& dual,
                        Eigen::VectorXd& forces, Eigen::VectorXd& slack);

/// Of a program in its own measure, from its defects.
[[nodiscard]] Residuals scaled_residuals(const Program& program, const Eigen::VectorXd& dual,
                                         const Eigen::VectorXd& forces,
                                         const Eigen::VectorXd& lambda,
                                         const Eigen::VectorXd& slack);

/// Whether all are below their tolerances, or below so many times them.
[[nodiscard]] inline bool within(const Residuals& residuals, const SolverOptions& options,
                                 double slack = 1.0) {
  return std::max(residuals.stationarity, residuals.equations) <= slack * options.tolerance &&
         residuals.complementarity <= slack * options.complementarity_tolerance;
}

/// compute_residuals() with memory of its own.
class Judge {
 public:
  Residuals judge(const Program& program, const Eigen::VectorXd& x, const Eigen::VectorXd& lambda);

 private:
  Scaling scaling_;
  Eigen::VectorXd forces_, dual_, slack_, lambda_;
};

}  // namespace collapse
