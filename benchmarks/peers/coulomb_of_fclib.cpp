#include "benchmarks/peers/coulomb_of_fclib.hpp"

#include <cmath>

#include "benchmarks/child.hpp"
#include "collapse/solver/coulomb.hpp"

namespace collapse::benchmarks {
namespace {

// What is left of the diagonal, relative to its largest entry, when the rank is reached.
constexpr double kRank = 1e-13;
// In the solver's own measure; FCLIB's residual of 1e-8 is met with room to spare.
constexpr double kTolerance = 2e-9;

/// L with A ≈ L Lᵀ for a positive semidefinite A: Cholesky with diagonal pivots.
Eigen::MatrixXd low_rank_factor(const Eigen::MatrixXd& A) {
  Eigen::MatrixXd L = Eigen::MatrixXd::Zero(A.rows(), A.cols());
  Eigen::VectorXd left = A.diagonal();
  const double enough = kRank * left.maxCoeff();
  Eigen::Index k = 0;
  for (; k < A.cols(); ++k) {
    Eigen::Index pivot = 0;
    const double value = left.maxCoeff(&pivot);
    if (!(value > enough)) break;
    L.col(k) = (A.col(pivot) - L.leftCols(k) * L.row(pivot).head(k).transpose()) / std::sqrt(value);
    left -= L.col(k).cwiseAbs2();
    left[pivot] = 0.0;
  }
  L.conservativeResize(Eigen::NoChange, k);
  return L;
}

}  // namespace

CoulombOfFclib solve_fclib(const FclibProblem& problem) {
  CoulombOfFclib result;
  result.seconds = seconds([&] {
    const Eigen::MatrixXd W = problem.W;
    const Eigen::MatrixXd L = low_rank_factor(0.5 * (W + W.transpose()));
    const Eigen::MatrixXd rest = W - L * L.transpose();
    // Rows in the measure of the solver's cones: normals divided by the friction coefficient.
    Eigen::VectorXd scale = Eigen::VectorXd::Ones(problem.q.size());
    for (Eigen::Index i = 0; i < problem.mu.size(); ++i) scale[3 * i] = 1.0 / problem.mu[i];
    Program program;
    program.add_block(Eigen::MatrixXd::Identity(L.cols(), L.cols()),
                      Eigen::VectorXd::Zero(L.cols()));
    for (Eigen::Index i = 0; i < problem.mu.size(); ++i) {
      const auto own = scale.segment(3 * i, 3);
      program.begin_group(Cone::second_order, -own.cwiseProduct(problem.q.segment(3 * i, 3)));
      program.add_term(0, own.asDiagonal() * L.middleRows(3 * i, 3));
    }
    CoulombOptions options;
    options.tolerance = kTolerance;
    options.solver.tolerance = options.solver.complementarity_tolerance = 0.5 * kTolerance;
    options.extra = [&](const Eigen::VectorXd& lambda, Eigen::VectorXd& slack) {
      slack += scale.cwiseProduct(rest * scale.cwiseProduct(lambda));
    };
    result.r = scale.cwiseProduct(solve_coulomb(program, options).lambda);
  });
  return result;
}

}  // namespace collapse::benchmarks
