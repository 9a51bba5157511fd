#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <utility>
#include <vector>

#include "solver/block_matrix.hpp"

namespace collapse {

/// An incomplete Cholesky factorisation of a positive definite matrix of blocks, to precondition with:
///
///     A ≈ R L Lᵀ Rᵀ,      R = the Cholesky factors of the diagonal blocks of A.
///
/// Between the R all diagonal blocks are 1, so that blocks of L can be judged by their size alone: those
/// below a tolerance are dropped. L is in single precision, which is more than what dropping leaves. By
/// hand because no package has it for blocks.
///
/// Memory is kept from one factorisation to the next.
class IncompleteFactor {
 public:
  static constexpr int kLargest = 6;  ///< size of a block

  /// For matrices of the blocks that `matrix` has, in this order of elimination.
  void analyse(const BlockMatrix& matrix, const std::vector<int>& order);

  /// If dropping has made it break down, a multiple of 1 is added to R⁻¹ A R⁻ᵀ and it is begun anew.
  /// False if the matrix is not positive definite.
  [[nodiscard]] bool factorize(const BlockMatrix& matrix);

  /// x ≈ A⁻¹ b.
  void solve(const Eigen::VectorXd& b, Eigen::VectorXd& x) const;

  /// Numbers of L.
  [[nodiscard]] std::size_t factor_entries() const { return lower_.size() + diagonal_.size(); }

 private:
  /// A block of the matrix in its column of L.
  struct Source {
    int column = 0;  ///< rank
    int row = 0;     ///< rank
    std::size_t offset = 0;
    bool transposed = false;
  };

  template <int N>
  [[nodiscard]] bool scale(const BlockMatrix& matrix);
  template <int N>
  [[nodiscard]] bool eliminate(float shift);
  template <int N>
  void substitute() const;
  // The same for any machine, and for one with vectors of eight.
  template <int N>
  [[nodiscard]] bool eliminate_anywhere(float shift);
  template <int N>
  [[nodiscard]] bool eliminate_avx2(float shift);
  template <int N>
  void substitute_anywhere() const;
  template <int N>
  void substitute_avx2() const;
  template <int N>
  void keep_column(int column, std::size_t own_blocks);

  int size_ = 0;  ///< of the blocks of L, 3 or 6; smaller ones are padded
  std::vector<int> order_, rank_;
  std::vector<int> sizes_, first_unknown_;
  std::vector<Source> sources_;
  std::vector<int> first_source_;  ///< of each column
  std::vector<double> root_;       ///< R by nodes, with the reciprocals of its diagonal
  std::vector<float> scaled_;      ///< R⁻¹ A R⁻ᵀ below the diagonal, like sources_

  std::vector<int> start_, row_;  ///< L below the diagonal, by columns
  std::vector<float> lower_;      ///< packed
  std::vector<float> square_;     ///< of the norm of each of its blocks
  std::vector<float> diagonal_;   ///< inverses of its diagonal blocks

  // While a column is made: its blocks as far as they are gathered, and which columns before it have a
  // block in each row, as lists.
  std::vector<int> gathered_row_;
  std::vector<float> gathered_;
  std::vector<int> slot_;  ///< of each row in gathered_, or −1
  std::vector<int> head_, next_, at_;
  std::vector<std::pair<float, int>> by_size_;
  std::vector<std::pair<int, int>> by_row_;
  mutable std::vector<float> work_;
};

}  // namespace collapse
