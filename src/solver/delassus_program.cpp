#include "solver/delassus_program.hpp"

#include <cmath>
#include <vector>

#include "collapse/solver/coulomb.hpp"
#include "solver/common.hpp"

namespace collapse {
namespace {

// What is left of the diagonal, relative to its largest entry, when the rank is reached.
constexpr double kRank = 1e-13;
// Contacts; the factor is dense.
constexpr int kLargestProgram = 1000;
// Its residual is in another measure.
constexpr double kProgramShare = 0.2;

Eigen::MatrixXd dense_operator(const BlockRows& W) {
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(3 * W.rows(), 3 * W.rows());
  for (int i = 0; i < W.rows(); ++i) {
    for (int k = W.start[index(i)]; k < W.start[index(i) + 1]; ++k) {
      result.block<3, 3>(3 * i, 3 * W.column[index(k)]) = W.block[index(k)];
    }
  }
  return result;
}

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

Eigen::VectorXd solve_as_program(const ContactIsland& island, double tolerance,
                                 const std::function<bool()>& interrupt, DelassusEffort& effort) {
  const int n = island.contacts();
  if (n > kLargestProgram) return {};
  const Eigen::MatrixXd W = dense_operator(island.W);
  const Eigen::MatrixXd L = low_rank_factor(0.5 * (W + W.transpose()));
  if (L.cols() == 0) return {};
  const Eigen::MatrixXd rest = W - L * L.transpose();

  // Rows in the measure of the solver's cones: normals divided by the friction coefficient. Without
  // friction there is only the normal.
  std::vector<int> rows;  // of r and u, for each row of the program
  std::vector<double> scale;
  Program program;
  program.add_block(Eigen::MatrixXd::Identity(L.cols(), L.cols()), Eigen::VectorXd::Zero(L.cols()));
  for (int i = 0; i < n; ++i) {
    const bool rough = island.mu[i] > 0.0;
    const int count = rough ? 3 : 1;
    const Eigen::Vector3d own(rough ? 1.0 / island.mu[i] : 1.0, 1.0, 1.0);
    for (int k = 0; k < count; ++k) {
      rows.push_back(3 * i + k);
      scale.push_back(own[k]);
    }
    program.begin_group(rough ? Cone::second_order : Cone::nonnegative,
                        -own.cwiseProduct(island.q.segment<3>(3 * i)).head(count));
    program.add_term(0, (own.asDiagonal() * L.middleRows(3 * i, 3)).topRows(count));
  }
  const auto forces = [&](const Eigen::VectorXd& lambda) {
    Eigen::VectorXd r = Eigen::VectorXd::Zero(3 * n);
    for (std::size_t k = 0; k < rows.size(); ++k) {
      r[rows[k]] = scale[k] * lambda[static_cast<Eigen::Index>(k)];
    }
    return r;
  };

  CoulombOptions options;
  options.tolerance = kProgramShare * tolerance;
  options.solver.tolerance = options.solver.complementarity_tolerance = 0.5 * options.tolerance;
  options.solver.interrupt = interrupt;
  options.extra = [&](const Eigen::VectorXd& lambda, Eigen::VectorXd& slack) {
    const Eigen::VectorXd u = rest * forces(lambda);
    for (std::size_t k = 0; k < rows.size(); ++k) {
      slack[static_cast<Eigen::Index>(k)] += scale[k] * u[rows[k]];
    }
  };
  const CoulombSolution solution = solve_coulomb(program, options);
  effort.factorizations += solution.factorizations;
  effort.interrupted = effort.interrupted || solution.status == Status::interrupted;
  if (solution.lambda.size() != program.rows()) return {};
  return forces(solution.lambda);
}

}  // namespace collapse
