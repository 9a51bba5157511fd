#include "solver/kkt_system.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "collapse/core/check.hpp"
#include "solver/common.hpp"
#include "solver/ordering.hpp"
#include "solver/proximal_newton.hpp"

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
    const std::span<const int> neighbours = graph.neighbours(i);
    return neighbours.empty() || neighbours.front() >= blocks;
  };
  const int nodes = graph.nodes();
  bool uncoupled = nodes > blocks;
  for (int i = 0; i < blocks && uncoupled; ++i) uncoupled = last_neighbour_is_equation(i);
  if (!uncoupled) return elimination_order(graph, sizes);

  std::vector<std::pair<int, int>> pairs;
  for (int i = 0; i < blocks; ++i) {
    for (const int k : graph.neighbours(i)) {
      for (const int l : graph.neighbours(i)) {
        if (k != l) pairs.emplace_back(k - blocks, l - blocks);
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

// An island of so many blocks is large enough for conjugate gradients.
constexpr int kLargeIsland = 300;
// Where most blocks have three variables, or fewer, a factor may take so many products for each number of its matrix.
// 3,600 bricks of a wall in the plane take 1,200 and 22,500 take 3,000: there a step takes 0.8 of what it takes with
// conjugate gradients. Balls of a pile in space take 1,500 (1,000 of them: as long either way), 3,800 (2,000: 1.4 times
// as long with a factor) and 11,000 (4,000: twice as long).
constexpr double kWorthFactor = 3000.0;
constexpr int kMostIterations = 300;
// An incomplete factor of an earlier matrix is tried again if the last solve needed no more iterations than
// this, and given up after so many: a new one costs about as much as ten to twenty.
constexpr int kServes = 3;
constexpr int kServesNoMore = 8;
// Iterations between two questions whether to go on.
constexpr int kAsk = 8;

// A factor alone gives at least these digits.
constexpr double kWithoutRefinement = 0.05;
// A solution is not refined if no more than this of what may be left is.
constexpr double kRefined = 1e-3;

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

/// block += Aᵀ B for A (rows × m), B (rows × n), both by rows; block (m × n) by columns. Sizes that are
/// known to the compiler (not 0) are unrolled. Of a block on the diagonal only the lower triangle is wanted.
template <int Rows, int M, int N, bool Diagonal = false>
void add_product(int rows, int m, int n, const double* A, const double* B, double* block) {
  if constexpr (Rows > 0) rows = Rows;
  if constexpr (M > 0) {
    for (int j = 0; j < N; ++j) {
      std::array<double, index(M)> sum;
      for (int i = Diagonal ? j : 0; i < M; ++i) sum[index(i)] = A[i] * B[j];
      for (int r = 1; r < rows; ++r) {
        for (int i = Diagonal ? j : 0; i < M; ++i) sum[index(i)] += A[r * M + i] * B[r * N + j];
      }
      for (int i = Diagonal ? j : 0; i < M; ++i) block[j * M + i] += sum[index(i)];
    }
  } else {
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < m; ++i) {
        double sum = 0.0;
        for (int r = 0; r < rows; ++r) sum += A[r * m + i] * B[r * n + j];
        block[j * m + i] += sum;
      }
    }
  }
}

/// out = D A for A (rows × n) by rows and D symmetric or (nonnegative cone) diagonal.
template <int Rows, int N>
void weigh(Cone cone, int rows, int n, const double* D, const double* A, double* out) {
  if constexpr (Rows > 0) rows = Rows;
  if constexpr (N > 0) n = N;
  for (int r = 0; r < rows; ++r, out += n) {
    if (cone == Cone::nonnegative) {
      for (int j = 0; j < n; ++j) out[j] = D[r] * A[r * n + j];
      continue;
    }
    for (int j = 0; j < n; ++j) {
      double sum = 0.0;
      for (int i = 0; i < rows; ++i) sum += D[r * rows + i] * A[i * n + j];
      out[j] = sum;
    }
  }
}

/// Calls use<Rows, M, N> with the sizes that programs of contacts have, and zeros for others: bodies in the plane (3) and
/// in space (6), or their places and planes (3); one row, Coulomb's cone or a pyramid of eight sides, and points of a face.
template <class Use>
void with_sizes(int rows, int m, int n, const Use& use) {
  if (rows == 1 && m == 6 && n == 6) return use.template operator()<1, 6, 6>();
  if (rows == 1 && m == 6 && n == 3) return use.template operator()<1, 6, 3>();
  if (rows == 1 && m == 3 && n == 6) return use.template operator()<1, 3, 6>();
  if (rows == 1 && m == 3 && n == 3) return use.template operator()<1, 3, 3>();
  if (rows == 2 && m == 3 && n == 3) return use.template operator()<2, 3, 3>();
  if (rows == 3 && m == 6 && n == 6) return use.template operator()<3, 6, 6>();
  if (rows == 8 && m == 6 && n == 6) return use.template operator()<8, 6, 6>();
  if (m == 6 && n == 6) return use.template operator()<0, 6, 6>();
  if (m == 6 && n == 3) return use.template operator()<0, 6, 3>();
  if (m == 3 && n == 6) return use.template operator()<0, 3, 6>();
  if (m == 3 && n == 3) return use.template operator()<0, 3, 3>();
  use.template operator()<0, 0, 0>();
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
  if (matrix_.nodes() != nodes_) return false;
  for (std::size_t k = 0; k < program.blocks().size(); ++k) {
    if (matrix_.sizes()[k] != program.blocks()[k].size) return false;
  }
  for (std::size_t k = 0; k < program.groups().size(); ++k) {
    const int node = equation_node_[k];
    if (node >= 0 && matrix_.sizes()[index(node)] != program.groups()[k].rows) return false;
  }
  return std::all_of(pairs_.begin(), pairs_.end(), [this](const auto& pair) {
    return matrix_.contains(pair.first, pair.second);
  });
}

void KktSystem::analyse(const SolverOptions& options) {
  const Program& program = *program_;
  const int blocks = static_cast<int>(program.blocks().size());
  std::vector<int> sizes;
  for (const Program::Block& block : program.blocks()) sizes.push_back(block.size);
  std::vector<int> signs(sizes.size(), 1);
  for (const Program::Group& group : program.groups()) {
    if (group.cone != Cone::zero) continue;
    sizes.push_back(group.rows);
    signs.push_back(-1);
  }
  make_graph(nodes_, pairs_, graph_);
  matrix_.fit(graph_, sizes);
  const auto is_spatial = [](int size) { return size > 3; };
  const bool possible = nodes_ == blocks &&
                        *std::max_element(sizes.begin(), sizes.end()) <= IncompleteFactor::kLargest;
  const bool large =
      options.linear == LinearMethod::automatic && blocks >= kLargeIsland && is_soft(program);
  const bool advisable =
      options.linear == LinearMethod::iterative ||
      (large && 2 * std::count_if(sizes.begin(), sizes.end(), is_spatial) > blocks);
  BlockFactor::Limits most;
  if (possible) {
    most.numbers = options.factor_memory / sizeof(double);
    if (large) most.products = kWorthFactor * static_cast<double>(matrix_.values().size());
  }
  iterative_ = (possible && advisable) ||
               !factor_.analyse(matrix_, graph_, order_of(graph_, blocks, sizes), signs, most);
  if (iterative_) {
    factor_ = {};
    incomplete_.analyse(matrix_, banded_order(graph_));
  } else {
    incomplete_ = {};
  }
  last_iterations_ = 0;
}

void KktSystem::prepare(const Program& program, const SolverOptions& options,
                        Interrupt& interrupt) {
  program_ = &program;
  interrupt_ = &interrupt;
  rho_ = kProximal;
  cg_iterations_ = 0;
  build_graph();
  const bool other_method = options.linear == LinearMethod::direct ? iterative_ : was_direct_;
  if (!covers_program() || other_method) {
    was_direct_ = options.linear == LinearMethod::direct;
    analyse(options);
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
  right_.resize(matrix_.unknowns());
}

void KktSystem::place_terms() {
  const Program& program = *program_;
  places_.clear();
  std::size_t largest = 0;
  for (const Program::Group& group : program.groups()) {
    if (group.cone == Cone::zero) continue;
    const std::span<const Program::Term> terms = program.terms(group);
    std::size_t size = 0;
    for (std::size_t a = 0; a < terms.size(); ++a) {
      size += index(program.blocks()[index(terms[a].block)].size);
      for (std::size_t b = 0; b <= a; ++b) {
        places_.push_back(matrix_.place(terms[a].block, terms[b].block));
      }
    }
    largest = std::max(largest, 2 * index(group.rows) * size);
  }
  scratch_.resize(largest);
}

void KktSystem::place_constants() {
  const Program& program = *program_;
  constants_.assign(matrix_.values().size(), 0.0);
  for (std::size_t k = 0; k < program.blocks().size(); ++k) {
    const Program::Block& block = program.blocks()[k];
    double* to = constants_.data() + matrix_.place(static_cast<int>(k), static_cast<int>(k)).offset;
    Eigen::Map<Eigen::MatrixXd> diagonal(to, block.size, block.size);
    diagonal = program.mass(block);
    for (int i = 0; i < block.size; ++i) diagonal(i, i) += delta_[block.first + i];
  }
  for (std::size_t k = 0; k < program.groups().size(); ++k) {
    const Program::Group& group = program.groups()[k];
    if (group.cone != Cone::zero) continue;
    const int node = equation_node_[k];
    for (const Program::Term& term : program.terms(group)) {
      const BlockMatrix::Place place = matrix_.place(node, term.block);
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
    double* diagonal = constants_.data() + matrix_.place(node, node).offset;
    for (int i = 0; i < group.rows; ++i) {
      diagonal[i * (group.rows + 1)] = -(rho_ + group.compliance);
    }
  }
}

/// M + δ + GᵀDG and J.
void KktSystem::assemble(const Weights& D) {
  const Program& program = *program_;
  std::vector<double>& values = matrix_.values();
  std::copy(constants_.begin(), constants_.end(), values.begin());
  auto place = places_.begin();
  for (std::size_t k = 0; k < program.groups().size(); ++k) {
    const Program::Group& group = program.groups()[k];
    if (group.cone == Cone::zero) continue;
    const int rows = group.rows;
    const std::span<const Program::Term> terms = program.terms(group);
    const double* const d = D.of(k);
    const int numbers = group.cone == Cone::nonnegative ? rows : rows * rows;
    if (std::all_of(d, d + numbers, [](double weight) { return weight == 0.0; })) {
      place += static_cast<std::ptrdiff_t>(terms.size() * (terms.size() + 1) / 2);
      continue;
    }
    // Rows of A and of D A, term after term.
    double* at = scratch_.data();
    for (const Program::Term& term : terms) {
      const auto A = program.coefficients(group, term);
      const int size = static_cast<int>(A.cols());
      for (int r = 0; r < rows; ++r) {
        for (int j = 0; j < size; ++j) at[r * size + j] = A(r, j);
      }
      double* const weighted = at + rows * size;
      with_sizes(rows, size, size, [&]<int Rows, int M, int N> {
        weigh<Rows, N>(group.cone, rows, size, d, at, weighted);
      });
      at += 2 * rows * size;
    }
    const double* a = scratch_.data();
    for (std::size_t i = 0; i < terms.size(); ++i) {
      const int size_a = program.blocks()[index(terms[i].block)].size;
      const double* b = scratch_.data();
      for (std::size_t j = 0; j <= i; ++j, ++place) {
        const int size_b = program.blocks()[index(terms[j].block)].size;
        double* const to = values.data() + place->offset;
        const double* const left = place->transposed ? b : a;
        const double* const right = place->transposed ? a + rows * size_a : b + rows * size_b;
        const int m = place->transposed ? size_b : size_a;
        const int n = place->transposed ? size_a : size_b;
        const bool diagonal = terms[i].block == terms[j].block;
        with_sizes(rows, m, n, [&]<int Rows, int M, int N> {
          if (diagonal && M > 0) {
            add_product<Rows, M, N, true>(rows, m, n, left, right, to);
          } else {
            add_product<Rows, M, N>(rows, m, n, left, right, to);
          }
        });
        b += 2 * rows * size_b;
      }
      a += 2 * rows * size_a;
    }
  }
}

bool KktSystem::factorize(const Weights& D, bool near_the_last) {
  if (interrupt_->wanted()) return false;
  weights_ = &D;
  assemble(D);
  if (!iterative_) return factor_.factorize(matrix_);
  stale_ = near_the_last && last_iterations_ > 0 && last_iterations_ <= kServes;
  return stale_ || incomplete_.factorize(matrix_);
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

void KktSystem::solve_iteratively(Eigen::VectorXd& y, double accuracy, double left) {
  p_left_ = y;
  y.setZero();
  double square = 0.0;  // of what is left, in the norm of the preconditioner
  const auto restart = [&] {
    incomplete_.solve(p_left_, preconditioned_);
    direction_ = preconditioned_;
    square = p_left_.dot(preconditioned_);
    last_iterations_ = 0;
  };
  restart();
  const double enough = accuracy * accuracy * square;
  for (int k = 0; k < kMostIterations && (square > enough || largest(p_left_) > left); ++k) {
    if (k % kAsk == kAsk - 1 && interrupt_->wanted()) return;
    if (stale_ && last_iterations_ >= kServesNoMore) {
      stale_ = false;
      if (!incomplete_.factorize(matrix_)) return;
      restart();
    }
    ++cg_iterations_;
    ++last_iterations_;
    matrix_.multiply(direction_, product_);
    const double curvature = direction_.dot(product_);
    if (!(curvature > 0.0)) return;
    y += (square / curvature) * direction_;
    p_left_ -= (square / curvature) * product_;
    incomplete_.solve(p_left_, preconditioned_);
    const double next = p_left_.dot(preconditioned_);
    direction_ = preconditioned_ + (next / square) * direction_;
    square = next;
  }
}

void KktSystem::solve(Eigen::VectorXd& y, Eigen::VectorXd& rows, double accuracy, double left) {
  if (iterative_) {
    solve_iteratively(y, accuracy, left);
    return;
  }
  const Program& program = *program_;
  p_ = y;
  q_ = rows;
  solve_once(y, rows);
  if (accuracy > kWithoutRefinement) return;
  // What is left: p − (M + δ) y − Gᵀ D G y + Jᵀ w, and q − J y − (ρ + E) w.
  program.rows_times(y, Gy_);
  weights_->multiply(program, Gy_, DGy_);
  q_left_ = q_;
  double equations_left = 0.0;
  for (const Program::Group& group : program.groups()) {
    if (group.cone != Cone::zero) continue;
    const auto w = rows.segment(group.first_row, group.rows);
    DGy_.segment(group.first_row, group.rows) = -w;
    auto q = q_left_.segment(group.first_row, group.rows);
    q -= Gy_.segment(group.first_row, group.rows) + (rho_ + group.compliance) * w;
    equations_left = std::max(equations_left, q.lpNorm<Eigen::Infinity>());
  }
  program.mass_times(y, p_left_);
  p_left_ += delta_.cwiseProduct(y);
  program.add_transposed_times(DGy_, p_left_);
  p_left_ = p_ - p_left_;
  if (std::max(largest(p_left_), equations_left) <= kRefined * left && std::isfinite(left)) return;
  solve_once(p_left_, q_left_);
  y += p_left_;
  for (const Program::Group& group : program.groups()) {
    if (group.cone != Cone::zero) continue;
    rows.segment(group.first_row, group.rows) += q_left_.segment(group.first_row, group.rows);
  }
}

}  // namespace collapse
