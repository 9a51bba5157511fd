#include "benchmarks/peers/coulomb_of_fclib.hpp"

#include <algorithm>
#include <cmath>

#include "benchmarks/child.hpp"
#include "collapse/solver/coulomb.hpp"

namespace collapse::benchmarks {
namespace {

/// The tolerance in our measure, velocities times d and forces divided by it, that is enough for
/// FCLIB's, which adds forces to velocities as they are: residuals grow by max(d, 1/d) at most, and
/// ‖q‖ by max d.
double our_tolerance(const FclibProblem& problem, double residual) {
  const Eigen::VectorXd diagonal = problem.W.diagonal();
  double most = 0.0;
  double most_of_q = 0.0;
  for (Eigen::Index i = 0; i < problem.mu.size(); ++i) {
    const double d = 1.0 / std::sqrt(diagonal.segment<3>(3 * i).mean());
    most = std::max({most, d, 1.0 / d});
    most_of_q = std::max(most_of_q, d);
  }
  return residual / (most * most_of_q);
}

}  // namespace

CoulombOfFclib solve_fclib(const FclibProblem& problem, double residual) {
  constexpr double kRepeatFor_s = 0.2;
  CoulombOfFclib result;
  for (double spent = 0.0; spent < kRepeatFor_s;) {
    DelassusSolution solution;
    const double once = seconds([&] {
      solution = solve_coulomb(problem.W, problem.q, problem.mu,
                               {.tolerance = our_tolerance(problem, residual)});
    });
    result.seconds = spent > 0.0 ? std::min(result.seconds, once) : once;
    result.r = solution.r;
    result.steps = solution.steps;
    spent += std::max(once, 1e-3 * kRepeatFor_s);  // the clock may be too coarse
  }
  return result;
}

}  // namespace collapse::benchmarks
