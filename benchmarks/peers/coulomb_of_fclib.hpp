#pragma once

#include "benchmarks/peers/fclib.hpp"

namespace collapse::benchmarks {

struct CoulombOfFclib {
  Eigen::VectorXd r;     ///< contact forces, as in the file
  double seconds = 0.0;  ///< from W, q and μ to r
  int steps = 0;         ///< of Newton's method
};

/// Our solver on a problem given by its operator W, from r = 0 to `fclib_residual` ≤ `residual`. The
/// shortest of several runs where they are short, as for the others.
[[nodiscard]] CoulombOfFclib solve_fclib(const FclibProblem& problem, double residual = 1e-8);

}  // namespace collapse::benchmarks
