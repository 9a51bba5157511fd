#include "solver/block_factor.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <map>
#include <numeric>

#include "collapse/core/check.hpp"
#include "core/parallel.hpp"
#include "solver/common.hpp"
#include "solver/dense_kernels.hpp"

namespace collapse {
namespace {

std::vector<int> inverse(const std::vector<int>& order) {
  std::vector<int> rank(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) rank[index(order[k])] = static_cast<int>(k);
  return rank;
}

/// Parent of each rank in the elimination tree: the first later one that its column reaches.
std::vector<int> elimination_tree(const Graph& graph, const std::vector<int>& order,
                                  const std::vector<int>& rank) {
  std::vector<int> parent(order.size(), -1);
  std::vector<int> ancestor(order.size(), -1);  // shortcuts towards the root
  for (int k = 0; k < static_cast<int>(order.size()); ++k) {
    for (const int neighbour : graph.neighbours(order[index(k)])) {
      for (int i = rank[index(neighbour)]; i < k && i >= 0;) {
        const int next = ancestor[index(i)];
        ancestor[index(i)] = k;
        if (next < 0) parent[index(i)] = k;
        if (next == k) break;
        i = next;
      }
    }
  }
  return parent;
}

/// The ranks so that every subtree is contiguous and children come before their parents.
std::vector<int> postorder(const std::vector<int>& parent) {
  const int n = static_cast<int>(parent.size());
  std::vector<int> first_child(parent.size(), -1);
  std::vector<int> next_sibling(parent.size(), -1);
  std::vector<int> stack;
  for (int k = n - 1; k >= 0; --k) {
    if (parent[index(k)] < 0) continue;
    next_sibling[index(k)] = first_child[index(parent[index(k)])];
    first_child[index(parent[index(k)])] = k;
  }
  std::vector<int> result;
  result.reserve(parent.size());
  for (int root = 0; root < n; ++root) {
    if (parent[index(root)] >= 0) continue;
    stack.push_back(root);
    while (!stack.empty()) {
      const int k = stack.back();
      int& child = first_child[index(k)];
      if (child >= 0) {
        stack.push_back(child);
        child = next_sibling[index(child)];
      } else {
        result.push_back(k);
        stack.pop_back();
      }
    }
  }
  return result;
}

/// For each rank, the unknowns below it in its column of L: it walks, for every row, up the tree from
/// each of its neighbours until it meets its own traces.
std::vector<int> border_sizes(const Graph& graph, const std::vector<int>& order,
                              const std::vector<int>& rank, const std::vector<int>& parent,
                              const std::vector<int>& sizes) {
  std::vector<int> count(order.size(), 0);
  std::vector<int> trace(order.size(), -1);
  for (int k = 0; k < static_cast<int>(order.size()); ++k) {
    trace[index(k)] = k;
    for (const int neighbour : graph.neighbours(order[index(k)])) {
      for (int i = rank[index(neighbour)]; i < k && trace[index(i)] != k; i = parent[index(i)]) {
        count[index(i)] += sizes[index(order[index(k)])];
        trace[index(i)] = k;
      }
    }
  }
  return count;
}

/// A run of ranks to be eliminated together.
struct Run {
  int first = 0;       ///< rank
  int columns = 0;     ///< unknowns
  int border = 0;      ///< unknowns
  double zeros = 0.0;  ///< stored in vain
};

/// Whether one larger front is cheaper than two, in spite of zeros in it.
bool worth_merging(const Run& merged) {
  const double rows = merged.columns + merged.border;
  const double share = merged.zeros / (rows * merged.columns);
  if (merged.columns <= 12) return share < 0.6;
  if (merged.columns <= 48) return share < 0.2;
  return share < 0.05;
}

std::vector<Run> supernode_runs(const std::vector<int>& order, const std::vector<int>& parent,
                                const std::vector<int>& border, const std::vector<int>& sizes) {
  std::vector<Run> runs;
  for (int k = 0; k < static_cast<int>(order.size()); ++k) {
    Run run{k, sizes[index(order[index(k)])], border[index(k)], 0.0};
    // The run before ends just below this one if its last rank's parent is this rank.
    while (!runs.empty() && parent[index(run.first) - 1] == run.first) {
      const Run& below = runs.back();
      Run merged{below.first, below.columns + run.columns, run.border, below.zeros + run.zeros};
      merged.zeros +=
          static_cast<double>(below.columns) * (run.columns + run.border - below.border);
      if (!worth_merging(merged)) break;
      run = merged;
      runs.pop_back();
    }
    runs.push_back(run);
  }
  return runs;
}

// Products in all, and the share of a subtree, below which dividing the work is not worth it.
constexpr double kWorthSplitting = 2e7;
constexpr double kLargestPart = 0.1;

/// Hands out ranges of memory, the first gap that fits.
class Arena {
 public:
  std::size_t take(std::size_t size) {
    for (auto gap = gaps_.begin(); gap != gaps_.end(); ++gap) {
      if (gap->second < size) continue;
      const std::size_t offset = gap->first;
      const std::size_t rest = gap->second - size;
      gaps_.erase(gap);
      if (rest > 0) gaps_[offset + size] = rest;
      return offset;
    }
    const std::size_t offset = end_;
    end_ += size;
    return offset;
  }

  void give_back(std::size_t offset, std::size_t size) {
    if (size == 0) return;
    auto gap = gaps_.emplace(offset, size).first;
    if (const auto next = std::next(gap);
        next != gaps_.end() && gap->first + gap->second == next->first) {
      gap->second += next->second;
      gaps_.erase(next);
    }
    if (gap == gaps_.begin()) return;
    if (const auto previous = std::prev(gap); previous->first + previous->second == gap->first) {
      previous->second += gap->second;
      gaps_.erase(gap);
    }
  }

  [[nodiscard]] std::size_t end() const { return end_; }

 private:
  std::map<std::size_t, std::size_t> gaps_;  ///< offset, size
  std::size_t end_ = 0;
};

}  // namespace

bool BlockFactor::analyse(const BlockMatrix& matrix, const Graph& graph,
                          const std::vector<int>& first_order, const std::vector<int>& signs,
                          const Limits& most) {
  COLLAPSE_DEMAND(graph.nodes() == matrix.nodes() &&
                  matrix.nodes() == static_cast<int>(signs.size()));
  sizes_ = matrix.sizes();
  first_unknown_ = matrix.first_unknown();
  const std::vector<int> tree = elimination_tree(graph, first_order, inverse(first_order));
  std::vector<int> order;
  order.reserve(sizes_.size());
  for (const int k : postorder(tree)) order.push_back(first_order[index(k)]);
  rank_ = inverse(order);

  unknowns_ = first_unknown_.back();
  position_.resize(sizes_.size());
  sign_.clear();
  for (const int node : order) {
    position_[index(node)] = static_cast<int>(sign_.size());
    sign_.insert(sign_.end(), index(sizes_[index(node)]), signs[index(node)]);
  }

  if (!find_supernodes(graph, order, most)) return false;
  place_blocks(matrix);
  find_subtrees();
  place_updates();
  work_.assign(index(unknowns_), 0.0);
  int longest = 0;
  for (const Supernode& node : supernodes_) longest = std::max(longest, node.rows - node.columns);
  border_.assign(index(longest), 0.0);
  return true;
}

bool BlockFactor::find_supernodes(const Graph& graph, const std::vector<int>& order,
                                  const Limits& most) {
  const std::vector<int> parent = elimination_tree(graph, order, rank_);
  const std::vector<int> border = border_sizes(graph, order, rank_, parent, sizes_);
  const std::vector<Run> runs = supernode_runs(order, parent, border, sizes_);

  double numbers = 0.0;
  double products = 0.0;
  for (const Run& run : runs) {
    const double rows = run.columns + run.border;
    numbers += run.columns * rows;
    products += run.columns * rows * rows;
  }
  if (numbers > most.numbers || products > most.products) return false;
  std::vector<std::vector<int>> children(runs.size());
  std::vector<std::vector<int>> border_ranks(runs.size());
  std::vector<int> trace(order.size(), -1);
  supernodes_.clear();
  indices_.clear();
  children_.clear();
  node_of_column_.clear();
  std::size_t panel = 0;
  for (int s = 0; s < static_cast<int>(runs.size()); ++s) {
    const int first = runs[index(s)].first;
    const int last = s + 1 < static_cast<int>(runs.size()) ? runs[index(s) + 1].first
                                                           : static_cast<int>(order.size());
    std::vector<int>& ranks = border_ranks[index(s)];
    const auto reach = [&](int r) {
      if (r < last || trace[index(r)] == s) return;
      trace[index(r)] = s;
      ranks.push_back(r);
    };
    for (int r = first; r < last; ++r) {
      for (const int neighbour : graph.neighbours(order[index(r)])) reach(rank_[index(neighbour)]);
    }
    for (const int child : children[index(s)]) {
      for (const int r : border_ranks[index(child)]) reach(r);
      border_ranks[index(child)] = {};
    }
    std::sort(ranks.begin(), ranks.end());

    Supernode node;
    node.first_column = position_[index(order[index(first)])];
    node.columns = runs[index(s)].columns;
    node.first_index = indices_.size();
    for (const int r : ranks) {
      const int n = order[index(r)];
      for (int i = 0; i < sizes_[index(n)]; ++i) indices_.push_back(position_[index(n)] + i);
    }
    node.rows = node.columns + static_cast<int>(indices_.size() - node.first_index);
    node.panel = panel;
    panel += index(node.rows) * index(node.columns);
    node.first_child = static_cast<int>(children_.size());
    node.children = static_cast<int>(children[index(s)].size());
    children_.insert(children_.end(), children[index(s)].begin(), children[index(s)].end());
    node_of_column_.insert(node_of_column_.end(), index(node.columns), s);
    supernodes_.push_back(node);
    // The parent has not been seen yet: its number is that of the run that will hold this rank.
    if (!ranks.empty()) {
      const auto run = std::upper_bound(runs.begin(), runs.end(), ranks.front(),
                                        [](int r, const Run& other) { return r < other.first; });
      children[index(static_cast<int>(run - runs.begin()) - 1)].push_back(s);
    }
  }
  panel_.assign(panel, 0.0);

  relative_.resize(indices_.size());
  for (Supernode& node : supernodes_) {
    if (node.rows == node.columns) continue;
    node.parent = node_of_column_[index(indices_[node.first_index])];
    const Supernode& above = supernodes_[index(node.parent)];
    const int* border_of_parent = indices_.data() + above.first_index;
    int at = 0;
    for (int k = 0; k < node.rows - node.columns; ++k) {
      const int unknown = indices_[node.first_index + index(k)];
      int& row = relative_[node.first_index + index(k)];
      if (unknown < above.first_column + above.columns) {
        row = unknown - above.first_column;
      } else {
        while (border_of_parent[at] != unknown) ++at;
        row = above.columns + at;
      }
    }
  }
  return true;
}

void BlockFactor::place_blocks(const BlockMatrix& matrix) {
  std::vector<std::vector<MatrixBlock>> of_supernode(supernodes_.size());
  for (int j = 0; j < matrix.nodes(); ++j) {
    matrix.each_in_column(j, [&](int i, std::size_t offset) {
      MatrixBlock block{offset, sizes_[index(i)], sizes_[index(j)], 0, 0, false};
      block.transposed = rank_[index(i)] < rank_[index(j)];
      const int below = position_[index(block.transposed ? j : i)];
      const int above = position_[index(block.transposed ? i : j)];
      const int s = node_of_column_[index(above)];
      const Supernode& node = supernodes_[index(s)];
      block.column = above - node.first_column;
      block.row = below - node.first_column;
      if (block.row >= node.columns) {
        const auto border = indices_.begin() + static_cast<std::ptrdiff_t>(node.first_index);
        const auto found = std::lower_bound(border, border + (node.rows - node.columns), below);
        block.row = node.columns + static_cast<int>(found - border);
      }
      of_supernode[index(s)].push_back(block);
    });
  }
  blocks_.clear();
  for (std::size_t s = 0; s < supernodes_.size(); ++s) {
    supernodes_[s].first_block = static_cast<int>(blocks_.size());
    supernodes_[s].blocks = static_cast<int>(of_supernode[s].size());
    blocks_.insert(blocks_.end(), of_supernode[s].begin(), of_supernode[s].end());
  }
}

/// Splits the tree, always its most expensive part, until no part is much of the whole.
void BlockFactor::find_subtrees() {
  subtrees_.clear();
  const int count = static_cast<int>(supernodes_.size());
  std::vector<double> cost(supernodes_.size(), 0.0);  // of the subtree below each
  std::vector<int> first(supernodes_.size());
  std::vector<std::pair<double, int>> parts;  // a heap
  double total = 0.0;
  for (int s = 0; s < count; ++s) {
    const Supernode& node = supernodes_[index(s)];
    const double own = static_cast<double>(node.columns) * node.rows * node.rows;
    cost[index(s)] += own;
    total += own;
    first[index(s)] = node.children > 0 ? first[index(children_[index(node.first_child)])] : s;
    if (node.parent >= 0) {
      cost[index(node.parent)] += cost[index(s)];
    } else {
      parts.emplace_back(cost[index(s)], s);
    }
  }
  if (total < kWorthSplitting) return;
  std::make_heap(parts.begin(), parts.end());
  while (!parts.empty() && parts.front().first > kLargestPart * total) {
    std::pop_heap(parts.begin(), parts.end());
    const Supernode& node = supernodes_[index(parts.back().second)];
    parts.pop_back();
    for (int k = 0; k < node.children; ++k) {
      const int child = children_[index(node.first_child + k)];
      parts.emplace_back(cost[index(child)], child);
      std::push_heap(parts.begin(), parts.end());
    }
  }
  for (const auto& [part, root] : parts) subtrees_.push_back({first[index(root)], root});
  std::sort(subtrees_.begin(), subtrees_.end(),
            [](const Subtree& a, const Subtree& b) { return a.first < b.first; });
}

/// Memory of update matrices is used again, within each subtree and above them.
void BlockFactor::place_updates() {
  const auto size = [](const Supernode& node) {
    const std::size_t border = index(node.rows - node.columns);
    return border * border;
  };
  const auto place = [&](Arena& arena, Supernode& node) {
    node.update = arena.take(size(node));
    for (int k = 0; k < node.children; ++k) {
      const Supernode& child = supernodes_[index(children_[index(node.first_child + k)])];
      arena.give_back(child.update, size(child));
    }
  };
  // The roots' updates last until all subtrees are done.
  Arena above;
  for (const Subtree& tree : subtrees_) {
    Supernode& root = supernodes_[index(tree.root)];
    root.update = above.take(size(root));
  }
  std::size_t end = 0;
  int next = 0;
  for (const Subtree& tree : subtrees_) {
    for (; next < tree.first; ++next) place(above, supernodes_[index(next)]);
    next = tree.root + 1;
  }
  for (; next < static_cast<int>(supernodes_.size()); ++next) {
    place(above, supernodes_[index(next)]);
  }
  end = above.end();
  for (const Subtree& tree : subtrees_) {
    Arena within;
    for (int s = tree.first; s < tree.root; ++s) place(within, supernodes_[index(s)]);
    for (int s = tree.first; s < tree.root; ++s) supernodes_[index(s)].update += end;
    end += within.end();
  }
  updates_.assign(end, 0.0);
}

/// The columns to be eliminated: of the matrix, and of what the children have left over.
void BlockFactor::assemble_columns(const BlockMatrix& matrix, const Supernode& front) {
  double* const panel = panel_.data() + front.panel;
  const std::size_t rows = index(front.rows);
  std::fill(panel, panel + rows * index(front.columns), 0.0);
  for (int b = front.first_block; b < front.first_block + front.blocks; ++b) {
    const MatrixBlock& block = blocks_[index(b)];
    const double* from = matrix.values().data() + block.offset;
    double* const to = panel + index(block.column) * rows + index(block.row);
    const std::size_t along = block.transposed ? rows : 1;
    const std::size_t across = block.transposed ? 1 : rows;
    for (std::size_t j = 0; j < index(block.columns); ++j, from += block.rows) {
      for (std::size_t i = 0; i < index(block.rows); ++i) to[i * along + j * across] = from[i];
    }
  }
  for (int k = 0; k < front.children; ++k) {
    const Supernode& child = supernodes_[index(children_[index(front.first_child + k)])];
    const int* const row = relative_.data() + child.first_index;
    const int size = child.rows - child.columns;
    const double* from = updates_.data() + child.update;
    for (int j = 0; j < size && row[j] < front.columns; ++j, from += size) {
      double* const to = panel + index(row[j]) * rows;
      for (int i = j; i < size; ++i) to[row[i]] += from[i];
    }
  }
}

/// The rest of what the children have left over, to what this front leaves.
void BlockFactor::add_updates(const Supernode& front) {
  const int border = front.rows - front.columns;
  double* const update = updates_.data() + front.update;
  for (int k = 0; k < front.children; ++k) {
    const Supernode& child = supernodes_[index(children_[index(front.first_child + k)])];
    const int* const row = relative_.data() + child.first_index;
    const int size = child.rows - child.columns;
    int j = 0;
    while (j < size && row[j] < front.columns) ++j;
    const double* from = updates_.data() + child.update + index(j) * index(size);
    for (; j < size; ++j, from += size) {
      double* const to = update + index(row[j] - front.columns) * index(border);
      for (int i = j; i < size; ++i) to[row[i] - front.columns] += from[i];
    }
  }
}

bool BlockFactor::eliminate(const BlockMatrix& matrix, const Supernode& front) {
  assemble_columns(matrix, front);
  double* panel = panel_.data() + front.panel;
  const double* sign = sign_.data() + front.first_column;
  if (!eliminate_columns(front.rows, front.columns, sign, panel)) return false;
  const int border = front.rows - front.columns;
  const double* below = panel + front.columns;
  subtract_product({border, border, front.columns, below, front.rows, below, front.rows, sign,
                    updates_.data() + front.update, border, true, true});
  add_updates(front);
  return true;
}

bool BlockFactor::eliminate_range(const BlockMatrix& matrix, int first, int last) {
  for (int s = first; s < last; ++s) {
    if (!eliminate(matrix, supernodes_[index(s)])) return false;
  }
  return true;
}

bool BlockFactor::factorize(const BlockMatrix& matrix) {
  std::atomic<bool> definite = true;
  run_tasks(static_cast<int>(subtrees_.size()), [&](int k) {
    const Subtree& tree = subtrees_[index(k)];
    if (!eliminate_range(matrix, tree.first, tree.root + 1)) definite = false;
  });
  int next = 0;
  for (const Subtree& tree : subtrees_) {
    if (!definite || !eliminate_range(matrix, next, tree.first)) return false;
    next = tree.root + 1;
  }
  return definite && eliminate_range(matrix, next, static_cast<int>(supernodes_.size()));
}

void BlockFactor::solve(Eigen::VectorXd& b) const {
  COLLAPSE_DEMAND(b.size() == unknowns_);
  std::vector<double>& x = work_;
  for (int node = 0; node < static_cast<int>(sizes_.size()); ++node) {
    for (int i = 0; i < sizes_[index(node)]; ++i) {
      x[index(position_[index(node)] + i)] = b[first_unknown_[index(node)] + i];
    }
  }
  for (const Supernode& front : supernodes_) {
    double* const own = x.data() + front.first_column;
    const int* const border = indices_.data() + front.first_index;
    const int below = front.rows - front.columns;
    for (int i = 0; i < below; ++i) border_[index(i)] = x[index(border[i])];
    solve_front(front.rows, front.columns, panel_.data() + front.panel, own, border_.data());
    for (int i = 0; i < below; ++i) x[index(border[i])] = border_[index(i)];
    for (int c = 0; c < front.columns; ++c) own[c] *= sign_[index(front.first_column + c)];
  }
  for (auto front = supernodes_.rbegin(); front != supernodes_.rend(); ++front) {
    const int* const border = indices_.data() + front->first_index;
    for (int i = 0; i < front->rows - front->columns; ++i) border_[index(i)] = x[index(border[i])];
    solve_front_transposed(front->rows, front->columns, panel_.data() + front->panel,
                           x.data() + front->first_column, border_.data());
  }
  for (int node = 0; node < static_cast<int>(sizes_.size()); ++node) {
    for (int i = 0; i < sizes_[index(node)]; ++i) {
      b[first_unknown_[index(node)] + i] = x[index(position_[index(node)] + i)];
    }
  }
}

}  // namespace collapse
