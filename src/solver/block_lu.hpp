#pragma once

#include <Eigen/Core>
#include <Eigen/LU>
#include <vector>

namespace collapse {

/// A square matrix of 3 × 3 blocks, row after row: those of row i are start[i] … start[i + 1] − 1, with
/// their columns ascending. The diagonal is there, and with each block its transposed place.
struct BlockRows {
  std::vector<int> start = {0};
  std::vector<int> column;
  std::vector<Eigen::Matrix3d> block;

  [[nodiscard]] int rows() const { return static_cast<int>(start.size()) - 1; }
  /// Number of the block (i, j), which must be there.
  [[nodiscard]] int find(int i, int j) const;
};

/// P A = L U for such a matrix. Multifrontal like BlockFactor, but for unsymmetric values. Rows are
/// exchanged only within a front: enough for the matrices of a Newton step, whose principal minors are
/// far from zero thanks to the proximal term.
class BlockLu {
 public:
  /// Order and structure, for all matrices with this pattern.
  void analyse(const BlockRows& pattern);
  /// False if a pivot vanishes.
  [[nodiscard]] bool factorize(const BlockRows& matrix);
  /// Solves A x = b in place.
  void solve(Eigen::VectorXd& b) const;

 private:
  /// A block of the matrix and the rows and columns of its front where it goes.
  struct Entry {
    int block = 0;
    int row = 0;
    int column = 0;
  };

  /// Block rows that are eliminated together, and those that this changes.
  struct Front {
    std::vector<int> own;
    std::vector<int> border;
    std::vector<Entry> entries;
    std::vector<int> children;
    std::vector<int> place;  ///< of each border row in the parent's front
    Eigen::PartialPivLU<Eigen::MatrixXd> lu;
    Eigen::MatrixXd below;   ///< L₂₁
    Eigen::MatrixXd beside;  ///< U₁₂ᵀ
    Eigen::MatrixXd update;  ///< what is left for the parent
  };

  void find_fronts(const BlockRows& pattern, const std::vector<int>& order,
                   const std::vector<int>& rank);
  void place_entries(const BlockRows& pattern, const std::vector<int>& rank);
  void assemble(const Front& front, const BlockRows& matrix, Eigen::MatrixXd& dense);

  std::vector<Front> fronts_;  ///< children before parents
  std::vector<int> front_of_;  ///< of each block row
};

}  // namespace collapse
