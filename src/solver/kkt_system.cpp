#include "solver/kkt_system.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <numeric>

#include "collapse/core/check.hpp"
#include "solver/common.hpp"
#include "solver/ordering.hpp"

namespace collapse {
namespace {

/// From pairs in both directions, possibly repeated.
void make_graph(int nodes, std::vector<std::pair<int, int>>& pairs, Graph& graph) {
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  graph.start.assign(index(nodes) + 1, 0);
  graph.adjacency.clear();
  for (const auto& [from, to] : pairs) {
    ++graph.start[index(from) + 1];
    graph.adjacency.push_back(to);
  }
  for (std::size_t i = 1; i < graph.start.size(); ++i) graph.start[i] += graph.start[i - 1];
}

/// If no group couples two blocks, all blocks are eliminated first, which costs nothing and leaves
/// one small system for the equations: a general method on the whole graph does not see that.
std::vector<int> order_of(const Graph& graph, int blocks, const std::vector<int>& sizes) {
  const auto last_neighbour_is_equation = [&](int i) {
    // Sorted: an equation's node comes after all blocks.
    const int begin = graph.start[index(i)];
    return begin == graph.start[index(i) + 1] || graph.adjacency[index(begin)] >= blocks;
  };
  const int nodes = graph.nodes();
  bool uncoupled = nodes > blocks;
  for (int i = 0; i < blocks && uncoupled; ++i) uncoupled = last_neighbour_is_equation(i);
  if (!uncoupled) return elimination_order(graph, sizes);

  std::vector<std::pair<int, int>> pairs;
  for (int i = 0; i < blocks; ++i) {
    for (int k = graph.start[index(i)]; k < graph.start[index(i) + 1]; ++k) {
      for (int l = graph.start[index(i)]; l < graph.start[index(i) + 1]; ++l) {
        if (k != l) {
          pairs.emplace_back(graph.adjacency[index(k)] - blocks,
                             graph.adjacency[index(l)] - blocks);
        }
      }
    }
  }
  Graph equations;
  make_graph(nodes - blocks, pairs, equations);
  std::vector<int> order(index(blocks));
  std::iota(order.begin(), order.end(), 0);
  const std::vector<int> weights(sizes.begin() + blocks, sizes.end());
  for (const int equation : elimination_order(equations, weights)) {
    order.push_back(blocks + equation);
  }
  return order;
}

// A block is safely definite if no pivot of its scaled mass (diagonal 1) is below this.
constexpr double kLeastPivot = 1e-6;

template <class Matrix>
bool pivots_are_safe(const Eigen::Ref<const Eigen::MatrixXd>& mass) {
  const Eigen::LDLT<Matrix> factor(mass);
  return factor.info() == Eigen::Success && factor.vectorD().minCoeff() > kLeastPivot;
}

// Without allocation.
constexpr int kSmall = 6;
using SmallMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kSmall, kSmall>;

bool safely_definite(const Eigen::Ref<const Eigen::MatrixXd>& mass) {
  return mass.rows() <= kSmall ? pivots_are_safe<SmallMatrix>(mass)
                               : pivots_are_safe<Eigen::MatrixXd>(mass);
}

bool is_diagonal(const Eigen::Ref<const Eigen::MatrixXd>& mass) {
  for (Eigen::Index j = 0; j < mass.cols(); ++j) {
    for (Eigen::Index i = 0; i < mass.rows(); ++i) {
      if (i != j && mass(i, j) != 0.0) return false;
    }
  }
  return true;
}

/// block += Aᵀ B for A (rows × m), B (rows × n), all by columns; block (m × n), or its transpose.
void add_product(int rows, int m, int n, const double* A, const double* B, bool transposed,
                 double* block) {
  for (int j = 0; j < n; ++j, B += rows) {
    const double* a = A;
    for (int i = 0; i < m; ++i, a += rows) {
      double sum = 0.0;
      for (int r = 0; r < rows; ++r) sum += a[r] * B[r];
      block[transposed ? i * n + j : j * m + i] += sum;
    }
  }
}

}  // namespace

void KktSystem::build_graph() {
  const Program& program = *program_;
  nodes_ = static_cast<int>(program.blocks().size());
  equation_node_.clear();
  pairs_.clear();
  for (const Program::Group& group : program.groups()) {
    const bool equation = group.cone == Cone::zero;
    const int node = equation ? nodes_++ : -1;
    equation_node_.push_back(node);
    for (const Program::Term& a : program.terms(group)) {
      if (equation) {
        pairs_.emplace_back(node, a.block);
        pairs_.emplace_back(a.block, node);
        continue;
      }
      for (const Program::Term& b : program.terms(group)) {
        if (a.block != b.block) pairs_.emplace_back(a.block, b.block);
      }
    }
  }
}

bool KktSystem::covers_program() const {
  const Program& program = *program_;
  if (factor_.nodes() != nodes_) return false;
  for (std::size_t k = 0; k < program.blocks().size(); ++k) {
    if (factor_.sizes()[k] != program.blocks()[k].size) return false;
  }
  for (std::size_t k = 0; k < program.groups().size(); ++k) {
    const int node = equation_node_[k];
    if (node >= 0 && factor_.sizes()[index(node)] != program.groups()[k].rows) return false;
  }
  return std::all_of(pairs_.begin(), pairs_.end(), [this](const auto& pair) {
    return factor_.contains(pair.first, pair.second);
  });
}

void KktSystem::prepare(const Program& program) {
  program_ = &program;
  rho_ = kProximal;
  build_graph();
  if (!covers_program()) {
    std::vector<int> sizes;
    for (const Program::Block& block : program.blocks()) sizes.push_back(block.size);
    std::vector<int> signs(sizes.size(), 1);
    for (const Program::Group& group : program.groups()) {
      if (group.cone != Cone::zero) continue;
      sizes.push_back(group.rows);
      signs.push_back(-1);
    }
    make_graph(nodes_, pairs_, graph_);
    factor_.analyse(graph_, order_of(graph_, static_cast<int>(program.blocks().size()), sizes),
                    sizes, signs);
  }
  delta_.setZero(program.variables());
  has_massless_ = false;
  for (const Program::Block& block : program.blocks()) {
    const auto mass = program.mass(block);
    if (is_diagonal(mass) ? mass.diagonal().minCoeff() > kLeastPivot : safely_definite(mass)) {
      continue;
    }
    has_massless_ = true;
    delta_.segment(block.first, block.size).setConstant(kProximal);
  }
  place_terms();
  place_constants();
  gather_large();
  right_.resize(factor_.unknowns());
}

void KktSystem::place_terms() {
  const Program& program = *program_;
  places_.clear();
  std::size_t largest = 0;
  for (const Program::Group& group : program.groups()) {
    if (group.cone == Cone::zero) continue;
    const std::span<const Program::Term> terms = program.terms(group);
    for (std::size_t a = 0; a < terms.size(); ++a) {
      const int size = program.blocks()[index(terms[a].block)].size;
      largest = std::max(largest, index(group.rows) * index(size));
      for (std::size_t b = 0; b <= a; ++b) {
        places_.push_back(factor_.place(terms[a].block, terms[b].block));
      }
    }
  }
  scratch_.resize(largest);
}

void KktSystem::place_constants() {
  const Program& program = *program_;
  constants_.assign(factor_.values().size(), 0.0);
  for (std::size_t k = 0; k < program.blocks().size(); ++k) {
    const Program::Block& block = program.blocks()[k];
    double* to = constants_.data() + factor_.place(static_cast<int>(k), static_cast<int>(k)).offset;
    Eigen::Map<Eigen::MatrixXd> diagonal(to, block.size, block.size);
    diagonal = program.mass(block);
    for (int i = 0; i < block.size; ++i) diagonal(i, i) += delta_[block.first + i];
  }
  for (std::size_t k = 0; k < program.groups().size(); ++k) {
    const Program::Group& group = program.groups()[k];
    if (group.cone != Cone::zero) continue;
    const int node = equation_node_[k];
    for (const Program::Term& term : program.terms(group)) {
      const BlockFactor::Place place = factor_.place(node, term.block);
      const auto A = program.coefficients(group, term);
      double* to = constants_.data() + place.offset;
      for (Eigen::Index j = 0; j < A.cols(); ++j) {
        for (Eigen::Index i = 0; i < A.rows(); ++i) {
          to[place.transposed ? i * A.cols() + j : j * A.rows() + i] = A(i, j);
        }
      }
    }
  }
  set_proximal(rho_);
}

void KktSystem::set_proximal(double rho) {
  rho_ = rho;
  for (std::size_t k = 0; k < program_->groups().size(); ++k) {
    const Program::Group& group = program_->groups()[k];
    const int node = equation_node_[k];
    if (node < 0) continue;
    double* diagonal = constants_.data() + factor_.place(node, node).offset;
    for (int i = 0; i < group.rows; ++i) {
      diagonal[i * (group.rows + 1)] = -(rho_ + group.compliance);
    }
  }
}

/// The groups that touch one block only, all at once: the rows of one after the other as one matrix.
void KktSystem::gather_large() {
  const Program& program = *program_;
  large_.clear();
  large_rows_.resize(0, 0);
  Eigen::Index rows = 0;
  for (std::size_t k = 0; k < program.groups().size(); ++k) {
    const Program::Group& group = program.groups()[k];
    if (is_large(program, group)) {
      large_.push_back(k);
      rows += group.rows;
    }
  }
  if (large_.empty()) return;
  const Program::Group& first = program.groups()[large_.front()];
  const auto A = program.coefficients(first, program.terms(first).front());
  large_rows_.resize(rows, A.cols());
  Eigen::Index at = 0;
  for (const std::size_t k : large_) {
    const Program::Group& group = program.groups()[k];
    large_rows_.middleRows(at, group.rows) =
        program.coefficients(group, program.terms(group).front());
    at += group.rows;
  }
  large_weighted_.resize(rows, A.cols());
}

/// Whether the group's only block is the program's only one, and so large that products with it are
/// worth the set-up of Eigen's.
bool KktSystem::is_large(const Program& program, const Program::Group& group) {
  constexpr int kLarge = 32;
  return group.cone != Cone::zero && group.terms == 1 && program.blocks().size() == 1 &&
         program.blocks().front().size >= kLarge;
}

void KktSystem::add_large(const Weights& D) {
  Eigen::Index at = 0;
  for (const std::size_t k : large_) {
    const Program::Group& group = program_->groups()[k];
    const auto A = large_rows_.middleRows(at, group.rows);
    auto DA = large_weighted_.middleRows(at, group.rows);
    if (group.cone == Cone::nonnegative) {
      DA = Eigen::Map<const Eigen::VectorXd>(D.of(k), group.rows).asDiagonal() * A;
    } else {
      DA = Eigen::Map<const Eigen::MatrixXd>(D.of(k), group.rows, group.rows).lazyProduct(A);
    }
    at += group.rows;
  }
  const auto size = static_cast<Eigen::Index>(factor_.sizes().front());
  Eigen::Map<Eigen::MatrixXd> block(factor_.values().data() + factor_.place(0, 0).offset, size,
                                    size);
  block.triangularView<Eigen::Lower>() += large_rows_.transpose() * large_weighted_;
}

bool KktSystem::factorize(const Weights& D) {
  const Program& program = *program_;
  weights_ = &D;
  std::vector<double>& values = factor_.values();
  std::copy(constants_.begin(), constants_.end(), values.begin());
  if (!large_.empty()) add_large(D);
  auto place = places_.begin();
  for (std::size_t k = 0; k < program.groups().size(); ++k) {
    const Program::Group& group = program.groups()[k];
    if (group.cone == Cone::zero) continue;
    if (is_large(program, group)) {
      ++place;
      continue;
    }
    const int rows = group.rows;
    const double* d = D.of(k);
    const std::span<const Program::Term> terms = program.terms(group);
    for (std::size_t a = 0; a < terms.size(); ++a) {
      // D A, then the products with all terms up to this one.
      const auto A = program.coefficients(group, terms[a]);
      const auto size = static_cast<int>(A.cols());
      double* DA = scratch_.data();
      for (int j = 0; j < size; ++j) {
        const double* column = A.data() + index(j) * index(rows);
        double* to = DA + j * rows;
        if (group.cone == Cone::nonnegative) {
          for (int i = 0; i < rows; ++i) to[i] = d[i] * column[i];
          continue;
        }
        std::fill(to, to + rows, 0.0);
        for (int r = 0; r < rows; ++r) {
          for (int i = 0; i < rows; ++i) to[i] += d[r * rows + i] * column[r];
        }
      }
      for (std::size_t b = 0; b <= a; ++b, ++place) {
        const auto B = program.coefficients(group, terms[b]);
        add_product(rows, size, static_cast<int>(B.cols()), DA, B.data(), place->transposed,
                    values.data() + place->offset);
      }
    }
  }
  return factor_.factorize();
}

bool KktSystem::balance(const Eigen::VectorXd& z, Eigen::VectorXd& y) const {
  if (has_massless_) return false;
  y = program_->linear();
  program_->add_transposed_times(z, y);
  for (const Program::Block& block : program_->blocks()) {
    auto part = y.segment(block.first, block.size);
    if (block.size <= kSmall) {
      const SmallMatrix mass = program_->mass(block);
      mass.llt().solveInPlace(part);
    } else {
      program_->mass(block).llt().solveInPlace(part);
    }
  }
  return y.allFinite();
}

void KktSystem::solve_once(Eigen::VectorXd& y, Eigen::VectorXd& rows) {
  // In the symmetric form the unknown of the equations is −w.
  const Eigen::Index n = y.size();
  right_.head(n) = y;
  Eigen::Index at = n;
  for (const Program::Group& group : program_->groups()) {
    if (group.cone != Cone::zero) continue;
    right_.segment(at, group.rows) = rows.segment(group.first_row, group.rows);
    at += group.rows;
  }
  factor_.solve(right_);
  y = right_.head(n);
  at = n;
  for (const Program::Group& group : program_->groups()) {
    if (group.cone != Cone::zero) continue;
    rows.segment(group.first_row, group.rows) = -right_.segment(at, group.rows);
    at += group.rows;
  }
}

void KktSystem::solve(Eigen::VectorXd& y, Eigen::VectorXd& rows) {
  const Program& program = *program_;
  p_ = y;
  q_ = rows;
  solve_once(y, rows);
  // What is left: p − (M + δ) y − Gᵀ D G y + Jᵀ w, and q − J y − (ρ + E) w.
  program.rows_times(y, Gy_);
  weights_->multiply(program, Gy_, DGy_);
  q_left_ = q_;
  for (const Program::Group& group : program.groups()) {
    if (group.cone != Cone::zero) continue;
    const auto w = rows.segment(group.first_row, group.rows);
    DGy_.segment(group.first_row, group.rows) = -w;
    q_left_.segment(group.first_row, group.rows) -=
        Gy_.segment(group.first_row, group.rows) + (rho_ + group.compliance) * w;
  }
  program.mass_times(y, p_left_);
  p_left_ += delta_.cwiseProduct(y);
  program.add_transposed_times(DGy_, p_left_);
  p_left_ = p_ - p_left_;
  solve_once(p_left_, q_left_);
  y += p_left_;
  for (const Program::Group& group : program.groups()) {
    if (group.cone != Cone::zero) continue;
    rows.segment(group.first_row, group.rows) += q_left_.segment(group.first_row, group.rows);
  }
}

}  // namespace collapse
