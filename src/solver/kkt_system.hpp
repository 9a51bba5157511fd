#pragma once

#include <Eigen/SparseCholesky>
#include <vector>

#include "solver/scaled_program.hpp"

namespace collapse {

/// The linear system of one interior-point step, with D ≥ 0 diagonal and ρ > 0:
///
///     (M + GᵀDG) y − Jᵀw = p,      J y + ρ w = q.
///
/// Reduced to the variables' space, it has one off-diagonal block per pair of blocks that share a
/// row. It is symmetric quasi-definite (in y and −w), so it can be factorised without pivoting in
/// any order, also when rows of J depend on each other. The fill-reducing order and the pattern of
/// the factor are found once.
class KktSystem {
 public:
  KktSystem(const ScaledProgram& program, double rho);

  /// False if the factorisation broke down.
  [[nodiscard]] bool factorize(const Eigen::VectorXd& D);

  /// With one step of iterative refinement.
  void solve(const Eigen::VectorXd& p, const Eigen::VectorXd& q, Eigen::VectorXd& y,
             Eigen::VectorXd& w) const;

 private:
  using Matrix = Eigen::SparseMatrix<double>;  // lower triangle, in elimination order

  /// One product G_ki·G_kj and the entry of the matrix that D_k times it is added to.
  struct Contribution {
    int entry = 0;
    double value = 0.0;
  };

  void solve_once(const Eigen::VectorXd& p, const Eigen::VectorXd& q, Eigen::VectorXd& y,
                  Eigen::VectorXd& w) const;

  const ScaledProgram& program_;
  double rho_ = 0.0;
  std::vector<int> position_;  ///< of each variable, then each equation, in elimination order
  Matrix matrix_;
  Eigen::VectorXd constant_;                 ///< entries of the matrix that do not depend on D
  std::vector<Contribution> contributions_;  ///< row after row of G
  std::vector<int> first_contribution_;      ///< of each row, and the end
  Eigen::VectorXd D_;
  Eigen::SimplicialLDLT<Matrix, Eigen::Lower, Eigen::NaturalOrdering<int>> factor_;
};

}  // namespace collapse
