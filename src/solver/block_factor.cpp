#include "solver/block_factor.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>

#include "collapse/core/check.hpp"
#include "solver/common.hpp"
#include "solver/dense_kernels.hpp"

namespace collapse {
namespace {

std::span<const int> neighbours(const Graph& graph, int node) {
  return std::span(graph.adjacency)
      .subspan(index(graph.start[index(node)]),
               index(graph.start[index(node) + 1] - graph.start[index(node)]));
}

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
    for (const int neighbour : neighbours(graph, order[index(k)])) {
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
    for (const int neighbour : neighbours(graph, order[index(k)])) {
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

void BlockFactor::analyse(const Graph& graph, const std::vector<int>& first_order,
                          std::vector<int> sizes, const std::vector<int>& signs) {
  COLLAPSE_DEMAND(graph.nodes() == static_cast<int>(sizes.size()) && sizes.size() == signs.size());
  sizes_ = std::move(sizes);
  const std::vector<int> tree = elimination_tree(graph, first_order, inverse(first_order));
  std::vector<int> order;
  order.reserve(sizes_.size());
  for (const int k : postorder(tree)) order.push_back(first_order[index(k)]);
  rank_ = inverse(order);

  first_unknown_.assign(1, 0);
  for (const int size : sizes_) first_unknown_.push_back(first_unknown_.back() + size);
  unknowns_ = first_unknown_.back();
  position_.resize(sizes_.size());
  sign_.clear();
  for (const int node : order) {
    position_[index(node)] = static_cast<int>(sign_.size());
    sign_.insert(sign_.end(), index(sizes_[index(node)]), signs[index(node)]);
  }

  find_supernodes(graph, order);
  place_blocks(graph);
  place_updates();
  work_.assign(index(unknowns_), 0.0);
}

void BlockFactor::find_supernodes(const Graph& graph, const std::vector<int>& order) {
  const std::vector<int> parent = elimination_tree(graph, order, rank_);
  const std::vector<int> border = border_sizes(graph, order, rank_, parent, sizes_);
  const std::vector<Run> runs = supernode_runs(order, parent, border, sizes_);

  std::vector<int> run_of_rank(order.size());
  std::vector<std::vector<int>> children(runs.size());
  std::vector<std::vector<int>> border_ranks(runs.size());
  std::vector<int> trace(order.size(), -1);
  supernodes_.clear();
  indices_.clear();
  children_.clear();
  node_of_column_.clear();
  flops_ = 0.0;
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
      run_of_rank[index(r)] = s;
      for (const int neighbour : neighbours(graph, order[index(r)])) reach(rank_[index(neighbour)]);
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
    for (int c = 0; c < node.columns; ++c) {
      const double below = node.rows - c;
      flops_ += below * below;
    }
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
}

void BlockFactor::place_blocks(const Graph& graph) {
  block_start_.assign(1, 0);
  block_row_.clear();
  block_offset_.clear();
  std::size_t offset = 0;
  std::vector<std::vector<MatrixBlock>> of_supernode(supernodes_.size());
  std::vector<int> rows;
  for (int j = 0; j < nodes(); ++j) {
    rows.assign(1, j);
    for (const int i : neighbours(graph, j)) {
      if (rank_[index(i)] > rank_[index(j)]) rows.push_back(i);
    }
    std::sort(rows.begin(), rows.end());
    const int s = node_of_column_[index(position_[index(j)])];
    const Supernode& node = supernodes_[index(s)];
    const auto border_begin = indices_.begin() + static_cast<std::ptrdiff_t>(node.first_index);
    const auto border_end = border_begin + (node.rows - node.columns);
    for (const int i : rows) {
      block_row_.push_back(i);
      block_offset_.push_back(offset);
      MatrixBlock block{offset, sizes_[index(i)], sizes_[index(j)], 0,
                        position_[index(j)] - node.first_column};
      const int row = position_[index(i)] - node.first_column;
      block.row = row < node.columns
                      ? row
                      : node.columns + static_cast<int>(std::lower_bound(border_begin, border_end,
                                                                         position_[index(i)]) -
                                                        border_begin);
      of_supernode[index(s)].push_back(block);
      offset += index(block.rows) * index(block.columns);
    }
    block_start_.push_back(static_cast<int>(block_row_.size()));
  }
  values_.assign(offset, 0.0);
  blocks_.clear();
  for (std::size_t s = 0; s < supernodes_.size(); ++s) {
    supernodes_[s].first_block = static_cast<int>(blocks_.size());
    supernodes_[s].blocks = static_cast<int>(of_supernode[s].size());
    blocks_.insert(blocks_.end(), of_supernode[s].begin(), of_supernode[s].end());
  }
}

void BlockFactor::place_updates() {
  Arena arena;
  const auto size = [](const Supernode& node) {
    const std::size_t border = index(node.rows - node.columns);
    return border * border;
  };
  for (Supernode& node : supernodes_) {
    node.update = arena.take(size(node));
    for (int k = 0; k < node.children; ++k) {
      const Supernode& child = supernodes_[index(children_[index(node.first_child + k)])];
      arena.give_back(child.update, size(child));
    }
  }
  updates_.assign(arena.end(), 0.0);
}

bool BlockFactor::contains(int i, int j) const {
  if (rank_[index(i)] < rank_[index(j)]) std::swap(i, j);
  const auto begin = block_row_.begin() + block_start_[index(j)];
  const auto end = block_row_.begin() + block_start_[index(j) + 1];
  return std::binary_search(begin, end, i);
}

BlockFactor::Place BlockFactor::place(int i, int j) const {
  const bool transposed = rank_[index(i)] < rank_[index(j)];
  if (transposed) std::swap(i, j);
  const auto begin = block_row_.begin() + block_start_[index(j)];
  const auto end = block_row_.begin() + block_start_[index(j) + 1];
  const auto found = std::lower_bound(begin, end, i);
  COLLAPSE_ASSERT(found != end && *found == i);
  return {block_offset_[static_cast<std::size_t>(found - block_row_.begin())], transposed};
}

void BlockFactor::assemble(const Supernode& front) {
  double* panel = panel_.data() + front.panel;
  double* update = updates_.data() + front.update;
  const std::size_t rows = index(front.rows);
  const std::size_t border = index(front.rows - front.columns);
  std::fill(panel, panel + rows * index(front.columns), 0.0);
  for (std::size_t j = 0; j < border; ++j) {
    std::fill(update + j * border + j, update + (j + 1) * border, 0.0);
  }
  for (int b = front.first_block; b < front.first_block + front.blocks; ++b) {
    const MatrixBlock& block = blocks_[index(b)];
    const double* from = values_.data() + block.offset;
    for (int j = 0; j < block.columns; ++j, from += block.rows) {
      double* to = panel + index(block.column + j) * rows + index(block.row);
      for (int i = 0; i < block.rows; ++i) to[i] = from[i];
    }
  }
  for (int k = 0; k < front.children; ++k) {
    const Supernode& child = supernodes_[index(children_[index(front.first_child + k)])];
    const int* row = relative_.data() + child.first_index;
    const int size = child.rows - child.columns;
    const double* from = updates_.data() + child.update;
    for (int j = 0; j < size; ++j, from += size) {
      if (row[j] < front.columns) {
        double* to = panel + index(row[j]) * rows;
        for (int i = j; i < size; ++i) to[row[i]] += from[i];
      } else {
        double* to = update + index(row[j] - front.columns) * border;
        for (int i = j; i < size; ++i) to[row[i] - front.columns] += from[i];
      }
    }
  }
}

bool BlockFactor::eliminate(const Supernode& front) {
  double* panel = panel_.data() + front.panel;
  const double* sign = sign_.data() + front.first_column;
  if (!eliminate_columns(front.rows, front.columns, sign, panel)) return false;
  const int border = front.rows - front.columns;
  const double* below = panel + front.columns;
  subtract_product({border, border, front.columns, below, front.rows, below, front.rows, sign,
                    updates_.data() + front.update, border, true});
  return true;
}

bool BlockFactor::factorize() {
  for (const Supernode& front : supernodes_) {
    assemble(front);
    if (!eliminate(front)) return false;
  }
  return true;
}

void BlockFactor::solve(Eigen::VectorXd& b) const {
  COLLAPSE_DEMAND(b.size() == unknowns_);
  std::vector<double>& x = work_;
  for (int node = 0; node < nodes(); ++node) {
    for (int i = 0; i < sizes_[index(node)]; ++i) {
      x[index(position_[index(node)] + i)] = b[first_unknown_[index(node)] + i];
    }
  }
  for (const Supernode& front : supernodes_) {
    const double* column = panel_.data() + front.panel;
    double* own = x.data() + front.first_column;
    const int* border = indices_.data() + front.first_index;
    for (int c = 0; c < front.columns; ++c, column += front.rows) {
      const double value = own[c] /= column[c];
      for (int i = c + 1; i < front.columns; ++i) own[i] -= column[i] * value;
      for (int i = front.columns; i < front.rows; ++i) {
        x[index(border[i - front.columns])] -= column[i] * value;
      }
    }
    for (int c = 0; c < front.columns; ++c) own[c] *= sign_[index(front.first_column + c)];
  }
  for (auto front = supernodes_.rbegin(); front != supernodes_.rend(); ++front) {
    const double* column =
        panel_.data() + front->panel + index(front->rows) * index(front->columns);
    double* own = x.data() + front->first_column;
    const int* border = indices_.data() + front->first_index;
    for (int c = front->columns - 1; c >= 0; --c) {
      column -= front->rows;
      double value = own[c];
      for (int i = c + 1; i < front->columns; ++i) value -= column[i] * own[i];
      for (int i = front->columns; i < front->rows; ++i) {
        value -= column[i] * x[index(border[i - front->columns])];
      }
      own[c] = value / column[c];
    }
  }
  for (int node = 0; node < nodes(); ++node) {
    for (int i = 0; i < sizes_[index(node)]; ++i) {
      b[first_unknown_[index(node)] + i] = x[index(position_[index(node)] + i)];
    }
  }
}

}  // namespace collapse
