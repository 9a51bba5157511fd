#pragma once

#include <Eigen/SparseCore>
#include <vector>

#include "solver/scaling.hpp"

namespace collapse {

/// A program in the measure of Scaling, as sparse matrices, equations apart from inequalities:
///
///     minimise ½ yᵀMy − cᵀy   subject to   G y ≥ b (multipliers z ≥ 0),   J y = d (multipliers w).
struct ScaledProgram {
  using RowMatrix = Eigen::SparseMatrix<double, Eigen::RowMajor>;

  RowMatrix M;
  RowMatrix G;
  RowMatrix J;
  Eigen::VectorXd b;
  Eigen::VectorXd c;
  Eigen::VectorXd d;

  explicit ScaledProgram(const Program& program);

  /// Back to the program's own measure.
  [[nodiscard]] Eigen::VectorXd unscaled_x(const Eigen::VectorXd& y) const;
  [[nodiscard]] Eigen::VectorXd unscaled_lambda(const Eigen::VectorXd& z,
                                                const Eigen::VectorXd& w) const;

 private:
  Scaling scaling_;
  std::vector<int> inequality_rows_;  ///< the program's row behind each row of G
  std::vector<int> equation_rows_;    ///< and of J
};

}  // namespace collapse
