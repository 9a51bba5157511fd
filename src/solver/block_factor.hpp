#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "solver/block_matrix.hpp"
#include "solver/ordering.hpp"

namespace collapse {

/// The factorisation P A Pᵀ = L S Lᵀ, S = diag(±1), of a symmetric quasi-definite matrix of blocks,
/// which exists without pivoting in any order.
///
/// Multifrontal: nodes with the same structure are eliminated together (supernodes), each in a dense
/// front that gathers what the subtrees below it have left over. Written by hand because the packages
/// that do this well are GPL, know nothing of blocks, or analyse the pattern anew for every matrix;
/// simplicial codes, Eigen's among them, are several times slower (the README has the figures).
///
/// Subtrees are eliminated on several threads; what is computed does not depend on their number.
///
/// Order, structure and all memory are fixed by `analyse`; `factorize` and `solve` allocate nothing.
class BlockFactor {
 public:
  /// What a factor may take at most.
  struct Limits {
    double numbers = std::numeric_limits<double>::infinity();   ///< of L
    double products = std::numeric_limits<double>::infinity();  ///< about, to make it
  };

  /// For matrices of the blocks that `matrix` has, whose nodes are positive definite or (sign −1)
  /// negative definite, coupled as in `graph`, to be eliminated about in this order. False, with nothing
  /// to be used, if L would take more than `most`.
  [[nodiscard]] bool analyse(const BlockMatrix& matrix, const Graph& graph,
                             const std::vector<int>& order, const std::vector<int>& signs,
                             const Limits& most);

  /// False if a pivot has the wrong sign: the matrix is not quasi-definite in this precision.
  [[nodiscard]] bool factorize(const BlockMatrix& matrix);
  /// Solves A x = b in place; unknowns in the order of the nodes.
  void solve(Eigen::VectorXd& b) const;

  /// Numbers of L.
  [[nodiscard]] std::size_t factor_entries() const { return panel_.size(); }

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

  /// Supernodes that can be eliminated while others are: first … root, the last of them.
  struct Subtree {
    int first = 0;
    int root = 0;
  };

  /// A block of the matrix and where it goes in its front.
  struct MatrixBlock {
    std::size_t offset = 0;
    int rows = 0;
    int columns = 0;
    int row = 0;     ///< in the front
    int column = 0;  ///< in the front
    bool transposed = false;
  };

  [[nodiscard]] bool find_supernodes(const Graph& graph, const std::vector<int>& order,
                                     const Limits& most);
  void place_blocks(const BlockMatrix& matrix);
  void find_subtrees();
  void place_updates();
  [[nodiscard]] bool eliminate_range(const BlockMatrix& matrix, int first, int last);
  void assemble_columns(const BlockMatrix& matrix, const Supernode& front);
  void add_updates(const Supernode& front);
  [[nodiscard]] bool eliminate(const BlockMatrix& matrix, const Supernode& front);

  int unknowns_ = 0;
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
  std::vector<Subtree> subtrees_;
  std::vector<MatrixBlock> blocks_;
  std::vector<double> panel_;
  std::vector<double> updates_;
  mutable std::vector<double> work_, border_;
};

}  // namespace collapse
