#include "solver/ordering.hpp"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>

#include "collapse/core/check.hpp"
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

}  // namespace collapse
