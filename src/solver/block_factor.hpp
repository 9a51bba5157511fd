#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "solver/ordering.hpp"

namespace collapse {

/// A symmetric quasi-definite matrix made of small dense blocks, and its factorisation P A Pᵀ = L S Lᵀ
/// with S = diag(±1), which exists without pivoting in any order.
///
/// Multifrontal: nodes with the same structure are eliminated together (supernodes), each in a dense
/// front that gathers what the subtrees below it have left over. Written by hand because the packages
/// that do this well are GPL, know nothing of blocks, or analyse the pattern anew for every matrix;
/// simplicial codes, Eigen's among them, are several times slower (the README has the figures).
///
/// Order, structure and all memory are fixed by `analyse`; `factorize` and `solve` allocate nothing.
class BlockFactor {
 public:
  /// Where the block (i, j) of the matrix is: `transposed` if it is stored as block (j, i).
  struct Place {
    std::size_t offset = 0;
    bool transposed = false;
  };

  /// For nodes of `sizes` unknowns each, positive definite or (sign −1) negative definite, coupled as
  /// in `graph`, to be eliminated about in this order.
  void analyse(const Graph& graph, const std::vector<int>& order, std::vector<int> sizes,
               const std::vector<int>& signs);

  /// Whether the analysed pattern has a block for this pair.
  [[nodiscard]] bool contains(int i, int j) const;
  /// Of the block of two coupled nodes, or of a node with itself.
  [[nodiscard]] Place place(int i, int j) const;
  /// Blocks are stored by columns, with the rows of the node named in place().
  [[nodiscard]] std::vector<double>& values() { return values_; }
  [[nodiscard]] int nodes() const { return static_cast<int>(sizes_.size()); }
  [[nodiscard]] int unknowns() const { return unknowns_; }
  [[nodiscard]] const std::vector<int>& sizes() const { return sizes_; }

  /// False if a pivot has the wrong sign: the matrix is not quasi-definite in this precision.
  [[nodiscard]] bool factorize();
  /// Solves A x = b in place; unknowns in the order of the nodes.
  void solve(Eigen::VectorXd& b) const;

  /// Numbers of L, and of the largest set of pending update matrices.
  [[nodiscard]] std::size_t factor_entries() const { return panel_.size(); }
  [[nodiscard]] std::size_t update_entries() const { return updates_.size(); }
  [[nodiscard]] double flops() const { return flops_; }

 private:
  /// A set of nodes eliminated together.
  struct Supernode {
    int first_column = 0;  ///< unknowns in elimination order
    int columns = 0;
    int rows = 0;                 ///< of its front: columns, then the border
    std::size_t first_index = 0;  ///< of its border unknowns in indices_, rows − columns of them
    std::size_t panel = 0;        ///< offset of its rows × columns part of L
    std::size_t update = 0;       ///< offset of its (rows − columns)² update matrix
    int parent = -1;
    int first_block = 0;  ///< its blocks of the matrix in blocks_
    int blocks = 0;
    int first_child = 0;  ///< in children_
    int children = 0;
  };

  /// A block of the matrix and where it goes in its front.
  struct MatrixBlock {
    std::size_t offset = 0;
    int rows = 0;
    int columns = 0;
    int row = 0;     ///< in the front
    int column = 0;  ///< in the front
  };

  void find_supernodes(const Graph& graph, const std::vector<int>& order);
  void place_blocks(const Graph& graph);
  void place_updates();
  void assemble(const Supernode& front);
  [[nodiscard]] bool eliminate(const Supernode& front);

  int unknowns_ = 0;
  double flops_ = 0.0;
  std::vector<int> sizes_;
  std::vector<int> first_unknown_;   ///< of each node, in the order of the nodes
  std::vector<int> rank_;            ///< of each node in the elimination order
  std::vector<int> position_;        ///< of each node's first unknown in elimination order
  std::vector<double> sign_;         ///< of each unknown, in elimination order
  std::vector<int> node_of_column_;  ///< supernode that eliminates each unknown
  std::vector<Supernode> supernodes_;
  std::vector<int> indices_;   ///< borders: unknowns in elimination order
  std::vector<int> relative_;  ///< the same as rows of the parent's front
  std::vector<int> children_;
  std::vector<MatrixBlock> blocks_;
  std::vector<int> block_start_;  ///< of the blocks (i, j), j ranked before i, by column j
  std::vector<int> block_row_;    ///< node i
  std::vector<std::size_t> block_offset_;
  std::vector<double> values_;
  std::vector<double> panel_;
  std::vector<double> updates_;
  mutable std::vector<double> work_;
};

}  // namespace collapse
