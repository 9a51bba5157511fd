#pragma once

#include "benchmarks/peers/fclib.hpp"

namespace collapse::benchmarks {

struct CoulombOfFclib {
  Eigen::VectorXd r;     ///< contact forces, as in the file
  double seconds = 0.0;  ///< from W, q and μ to r
};

/// Our solver on a problem given by its operator W. The symmetric part of W is factorised, W + Wᵀ =
/// 2 L Lᵀ with as many columns as its rank, which makes
///
///     minimise ½‖x‖²   subject to   L x + q ∈ K*
///
/// a program with the multipliers r; what is left of W, the antisymmetric part first of all, goes into
/// the rounds of solve_coulomb.
[[nodiscard]] CoulombOfFclib solve_fclib(const FclibProblem& problem);

}  // namespace collapse::benchmarks
