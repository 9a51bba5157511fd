#include "solver/ordering.hpp"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>

#include "collapse/core/check.hpp"
#include "solver/common.hpp"
#ifdef COLLAPSE_HAS_METIS
#include <metis.h>
#endif

namespace collapse {
namespace {

std::vector<int> minimum_degree(const Graph& graph) {
  const int n = graph.nodes();
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < n; ++i) {
    entries.emplace_back(i, i, 1.0);
    for (int k = graph.start[static_cast<std::size_t>(i)];
         k < graph.start[static_cast<std::size_t>(i) + 1]; ++k) {
      entries.emplace_back(i, graph.adjacency[static_cast<std::size_t>(k)], 1.0);
    }
  }
  Eigen::SparseMatrix<double> matrix(n, n);
  matrix.setFromTriplets(entries.begin(), entries.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
  Eigen::AMDOrdering<int>()(matrix, order);
  return {order.indices().data(), order.indices().data() + n};
}

#ifdef COLLAPSE_HAS_METIS
// Below this size minimum degree fills no more than nested dissection and is faster to find.
constexpr int kNestedDissectionFrom = 300;

std::vector<int> nested_dissection(const Graph& graph, const std::vector<int>& weight) {
  auto n = static_cast<idx_t>(graph.nodes());
  std::vector<idx_t> start(graph.start.begin(), graph.start.end());
  std::vector<idx_t> adjacency(graph.adjacency.begin(), graph.adjacency.end());
  std::vector<idx_t> weights(weight.begin(), weight.end());
  std::vector<idx_t> order(static_cast<std::size_t>(n));
  std::vector<idx_t> position(static_cast<std::size_t>(n));
  const int status = METIS_NodeND(&n, start.data(), adjacency.data(), weights.data(), nullptr,
                                  order.data(), position.data());
  COLLAPSE_DEMAND(status == METIS_OK);
  return {order.begin(), order.end()};
}
#endif

}  // namespace

std::vector<int> elimination_order(const Graph& graph,
                                   [[maybe_unused]] const std::vector<int>& weight) {
#ifdef COLLAPSE_HAS_METIS
  if (graph.nodes() >= kNestedDissectionFrom) return nested_dissection(graph, weight);
#endif
  return minimum_degree(graph);
}

std::vector<int> banded_order(const Graph& graph) {
  const auto degree = [&](int i) { return graph.start[index(i) + 1] - graph.start[index(i)]; };
  std::vector<int> order;
  std::vector<char> seen(index(graph.nodes()), 0);
  for (int root = 0; root < graph.nodes(); ++root) {
    if (seen[index(root)] != 0) continue;
    seen[index(root)] = 1;
    order.push_back(root);
    for (std::size_t at = order.size() - 1; at < order.size(); ++at) {
      const auto first = static_cast<std::ptrdiff_t>(order.size());
      for (int k = graph.start[index(order[at])]; k < graph.start[index(order[at]) + 1]; ++k) {
        const int other = graph.adjacency[index(k)];
        if (seen[index(other)] != 0) continue;
        seen[index(other)] = 1;
        order.push_back(other);
      }
      std::stable_sort(order.begin() + first, order.end(),
                       [&](int a, int b) { return degree(a) < degree(b); });
    }
  }
  std::reverse(order.begin(), order.end());
  return order;
}

}  // namespace collapse
