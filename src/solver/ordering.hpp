#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace collapse {

/// A symmetric graph in compressed form: the neighbours of node i are adjacency[start[i]] …, sorted.
struct Graph {
  std::vector<int> start;
  std::vector<int> adjacency;

  [[nodiscard]] int nodes() const { return static_cast<int>(start.size()) - 1; }
  [[nodiscard]] std::span<const int> neighbours(int node) const {
    const auto first = static_cast<std::size_t>(start[static_cast<std::size_t>(node)]);
    const auto last = static_cast<std::size_t>(start[static_cast<std::size_t>(node) + 1]);
    return std::span(adjacency).subspan(first, last - first);
  }
};

/// An elimination order with little fill: the node to be eliminated k-th. `weight` is the number of
/// unknowns of each node. Nested dissection (METIS) for large graphs where it is built in,
/// approximate minimum degree otherwise.
[[nodiscard]] std::vector<int> elimination_order(const Graph& graph,
                                                 const std::vector<int>& weight);

/// An order in which neighbours are near each other (the reverse of Cuthill and McKee's).
[[nodiscard]] std::vector<int> banded_order(const Graph& graph);

}  // namespace collapse
