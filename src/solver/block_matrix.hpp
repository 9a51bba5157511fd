#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <vector>

#include "solver/ordering.hpp"

namespace collapse {

/// A symmetric matrix made of small dense blocks, one per node and one per pair of coupled nodes.
class BlockMatrix {
 public:
  /// Where the block (i, j) is: `transposed` if it is stored as block (j, i).
  struct Place {
    std::size_t offset = 0;
    bool transposed = false;
  };

  /// For nodes of `sizes` unknowns each, coupled as in `graph`. The values are zero.
  void fit(const Graph& graph, std::vector<int> sizes);

  [[nodiscard]] int nodes() const { return static_cast<int>(sizes_.size()); }
  [[nodiscard]] int unknowns() const { return first_.back(); }
  [[nodiscard]] const std::vector<int>& sizes() const { return sizes_; }
  /// Of each node its first unknown; one more at the end.
  [[nodiscard]] const std::vector<int>& first_unknown() const { return first_; }

  /// Whether there is a block for this pair.
  [[nodiscard]] bool contains(int i, int j) const;
  /// Of the block of two coupled nodes, or of a node with itself.
  [[nodiscard]] Place place(int i, int j) const;
  /// Blocks are stored by columns, with the rows of the node named first in place().
  [[nodiscard]] std::vector<double>& values() { return values_; }
  [[nodiscard]] const std::vector<double>& values() const { return values_; }

  /// Calls each(i, offset) for the blocks (i, j) that are stored, i ≥ j, in order, (j, j) first.
  template <class Each>
  void each_in_column(int j, const Each& each) const {
    for (auto k = static_cast<std::size_t>(start_[static_cast<std::size_t>(j)]);
         k < static_cast<std::size_t>(start_[static_cast<std::size_t>(j) + 1]); ++k) {
      each(row_[k], offset_[k]);
    }
  }

  /// y = A x, from the lower triangles of the diagonal blocks.
  void multiply(const Eigen::VectorXd& x, Eigen::VectorXd& y) const;

 private:
  [[nodiscard]] std::size_t find(int i, int j) const;

  std::vector<int> sizes_;
  std::vector<int> first_{0};
  std::vector<int> start_;  ///< of the blocks (i, j), i ≥ j, by column j
  std::vector<int> row_;    ///< node i
  std::vector<std::size_t> offset_;
  std::vector<double> values_;
};

}  // namespace collapse
