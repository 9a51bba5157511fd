#include "solver/kkt_system.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

#include "collapse/core/check.hpp"
#include "solver/ordering.hpp"

namespace collapse {
namespace {

using RowMatrix = ScaledProgram::RowMatrix;
using Entry = std::pair<int, int>;  // (column, row): sorts as the compressed columns do

/// From pairs in both directions, possibly repeated.
Graph graph_of(int nodes, std::vector<Entry>& pairs) {
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  Graph graph;
  graph.start.assign(static_cast<std::size_t>(nodes) + 1, 0);
  graph.adjacency.reserve(pairs.size());
  for (const Entry& pair : pairs) {
    ++graph.start[static_cast<std::size_t>(pair.first) + 1];
    graph.adjacency.push_back(pair.second);
  }
  for (std::size_t i = 1; i < graph.start.size(); ++i) graph.start[i] += graph.start[i - 1];
  return graph;
}

/// All couplings of variables (0 … n − 1) and equations (n …), each pair in both directions.
Graph coupling_graph(const ScaledProgram& program) {
  const auto n = static_cast<int>(program.M.rows());
  std::vector<Entry> pairs;
  const auto couple_rows_of = [&pairs](const RowMatrix& matrix) {
    for (int k = 0; k < matrix.outerSize(); ++k) {
      for (RowMatrix::InnerIterator i(matrix, k); i; ++i) {
        for (RowMatrix::InnerIterator j(matrix, k); j; ++j) {
          if (i.col() != j.col()) pairs.emplace_back(i.col(), j.col());
        }
      }
    }
  };
  couple_rows_of(program.G);
  for (int k = 0; k < program.M.outerSize(); ++k) {
    for (RowMatrix::InnerIterator j(program.M, k); j; ++j) {
      if (j.col() != k) pairs.emplace_back(k, j.col());
    }
  }
  for (int k = 0; k < program.J.outerSize(); ++k) {
    for (RowMatrix::InnerIterator j(program.J, k); j; ++j) {
      pairs.emplace_back(n + k, j.col());
      pairs.emplace_back(j.col(), n + k);
    }
  }
  return graph_of(n + static_cast<int>(program.J.rows()), pairs);
}

/// Fill-reducing order of variables and equations. If no row couples the variables of two blocks,
/// all variables are eliminated first, which costs nothing and leaves one small system for the
/// equations: a general method on the whole graph does not see that.
std::vector<int> order_of(const ScaledProgram& program, const Graph& graph) {
  const auto n = static_cast<int>(program.M.rows());
  const auto neighbours = [&graph](int i) {
    return std::span(graph.adjacency)
        .subspan(static_cast<std::size_t>(graph.start[static_cast<std::size_t>(i)]),
                 static_cast<std::size_t>(graph.start[static_cast<std::size_t>(i) + 1] -
                                          graph.start[static_cast<std::size_t>(i)]));
  };
  const auto equations = static_cast<int>(program.J.rows());
  bool uncoupled = equations > 0;
  for (int i = 0; i < n && uncoupled; ++i) {
    // Neighbours are sorted: equations come last.
    const auto variables = std::ranges::count_if(neighbours(i), [n](int j) { return j < n; });
    uncoupled = variables < program.M.innerVector(i).nonZeros();
  }
  if (!uncoupled) return elimination_order(graph);

  std::vector<Entry> pairs;
  for (int i = 0; i < n; ++i) {
    for (const int j : neighbours(i)) {
      for (const int k : neighbours(i)) {
        if (j >= n && k >= n && j != k) pairs.emplace_back(j - n, k - n);
      }
    }
  }
  std::vector<int> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  for (const int equation : elimination_order(graph_of(equations, pairs))) {
    order.push_back(n + equation);
  }
  return order;
}

}  // namespace

KktSystem::KktSystem(const ScaledProgram& program, double rho) : program_(program), rho_(rho) {
  const auto n = static_cast<int>(program.M.rows());
  const Graph graph = coupling_graph(program);
  const int size = graph.nodes();
  position_.resize(static_cast<std::size_t>(size));
  const std::vector<int> order = order_of(program, graph);
  for (int k = 0; k < size; ++k) {
    position_[static_cast<std::size_t>(order[static_cast<std::size_t>(k)])] = k;
  }

  const auto entry_of = [this](int i, int j) {
    const int p = position_[static_cast<std::size_t>(i)];
    const int q = position_[static_cast<std::size_t>(j)];
    return Entry(std::min(p, q), std::max(p, q));
  };
  std::vector<Entry> entries;
  entries.reserve(graph.adjacency.size() / 2 + static_cast<std::size_t>(size));
  for (int i = 0; i < size; ++i) {
    entries.push_back(entry_of(i, i));
    for (int k = graph.start[static_cast<std::size_t>(i)];
         k < graph.start[static_cast<std::size_t>(i) + 1]; ++k) {
      const int j = graph.adjacency[static_cast<std::size_t>(k)];
      if (j < i) entries.push_back(entry_of(i, j));
    }
  }
  std::sort(entries.begin(), entries.end());

  matrix_.resize(size, size);
  matrix_.reserve(static_cast<Eigen::Index>(entries.size()));
  std::vector<int> column_start(static_cast<std::size_t>(size) + 1, 0);
  for (const Entry& entry : entries) ++column_start[static_cast<std::size_t>(entry.first) + 1];
  for (std::size_t k = 1; k < column_start.size(); ++k) column_start[k] += column_start[k - 1];
  matrix_.resizeNonZeros(static_cast<Eigen::Index>(entries.size()));
  std::copy(column_start.begin(), column_start.end(), matrix_.outerIndexPtr());
  for (std::size_t k = 0; k < entries.size(); ++k) matrix_.innerIndexPtr()[k] = entries[k].second;

  const auto index_of = [&](int i, int j) {
    const Entry entry = entry_of(i, j);
    const int* rows = matrix_.innerIndexPtr();
    const int* const begin = rows + column_start[static_cast<std::size_t>(entry.first)];
    const int* const end = rows + column_start[static_cast<std::size_t>(entry.first) + 1];
    const int* const found = std::lower_bound(begin, end, entry.second);
    COLLAPSE_ASSERT(found != end && *found == entry.second);
    return static_cast<int>(found - rows);
  };

  constant_ = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(entries.size()));
  for (int i = 0; i < n; ++i) {
    for (RowMatrix::InnerIterator j(program.M, i); j; ++j) {
      if (j.col() <= i) constant_[index_of(i, static_cast<int>(j.col()))] += j.value();
    }
  }
  for (int k = 0; k < program.J.outerSize(); ++k) {
    constant_[index_of(n + k, n + k)] -= rho_;
    for (RowMatrix::InnerIterator j(program.J, k); j; ++j) {
      constant_[index_of(n + k, static_cast<int>(j.col()))] += j.value();
    }
  }
  first_contribution_.push_back(0);
  for (int k = 0; k < program.G.outerSize(); ++k) {
    for (RowMatrix::InnerIterator i(program.G, k); i; ++i) {
      for (RowMatrix::InnerIterator j(program.G, k); j && j.col() <= i.col(); ++j) {
        contributions_.push_back({index_of(static_cast<int>(i.col()), static_cast<int>(j.col())),
                                  i.value() * j.value()});
      }
    }
    first_contribution_.push_back(static_cast<int>(contributions_.size()));
  }
  Eigen::Map<Eigen::VectorXd>(matrix_.valuePtr(), constant_.size()) = constant_;
  factor_.analyzePattern(matrix_);
}

bool KktSystem::factorize(const Eigen::VectorXd& D) {
  D_ = D;
  Eigen::Map<Eigen::VectorXd> values(matrix_.valuePtr(), constant_.size());
  values = constant_;
  for (Eigen::Index k = 0; k < D.size(); ++k) {
    const int end = first_contribution_[static_cast<std::size_t>(k) + 1];
    for (int e = first_contribution_[static_cast<std::size_t>(k)]; e < end; ++e) {
      const Contribution& contribution = contributions_[static_cast<std::size_t>(e)];
      values[contribution.entry] += D[k] * contribution.value;
    }
  }
  factor_.factorize(matrix_);
  return factor_.info() == Eigen::Success;
}

void KktSystem::solve_once(const Eigen::VectorXd& p, const Eigen::VectorXd& q, Eigen::VectorXd& y,
                           Eigen::VectorXd& w) const {
  // In the symmetric form the unknown of the equations is −w.
  const Eigen::Index n = p.size();
  Eigen::VectorXd right(n + q.size());
  for (Eigen::Index i = 0; i < right.size(); ++i) {
    right[position_[static_cast<std::size_t>(i)]] = i < n ? p[i] : q[i - n];
  }
  const Eigen::VectorXd solution = factor_.solve(right);
  y.resize(n);
  w.resize(q.size());
  for (Eigen::Index i = 0; i < right.size(); ++i) {
    const double value = solution[position_[static_cast<std::size_t>(i)]];
    (i < n ? y[i] : w[i - n]) = i < n ? value : -value;
  }
}

void KktSystem::solve(const Eigen::VectorXd& p, const Eigen::VectorXd& q, Eigen::VectorXd& y,
                      Eigen::VectorXd& w) const {
  solve_once(p, q, y, w);
  const Eigen::VectorXd Gy = program_.G * y;
  const Eigen::VectorXd p_left = p - program_.M * y - program_.G.transpose() * D_.cwiseProduct(Gy) +
                                 program_.J.transpose() * w;
  const Eigen::VectorXd q_left = q - program_.J * y - rho_ * w;
  Eigen::VectorXd dy;
  Eigen::VectorXd dw;
  solve_once(p_left, q_left, dy, dw);
  y += dy;
  w += dw;
}

}  // namespace collapse
