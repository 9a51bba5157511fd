#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <vector>

#include "collapse/solver/program.hpp"
#include "solver/block_lu.hpp"

namespace collapse {

/// A linear system over the variables of a program, gathered block by block and solved by the factor that suits it:
/// dense for small ones, BlockLu where all blocks consist of triples of variables, as those of bodies do, and a
/// general sparse one for the rest.
class UnsymmetricSystem {
 public:
  /// For blocks of the matrix that are on the diagonal or couple two blocks of one group.
  explicit UnsymmetricSystem(const Program& program);

  void clear();
  /// `row` and `column` are the first variables of blocks of the program.
  void add(int row, int column, const Eigen::MatrixXd& block);
  /// In place. False if it has no solution to speak of.
  [[nodiscard]] bool solve(Eigen::VectorXd& b);

 private:
  enum class Kind { dense, triples, sparse };

  void find_pattern(const Program& program);

  int size_;
  Kind kind_ = Kind::dense;
  Eigen::MatrixXd dense_;
  BlockRows rows_;
  BlockLu lu_;
  std::vector<Eigen::Triplet<double>> entries_;
};

}  // namespace collapse
