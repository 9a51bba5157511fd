#pragma once

#include <limits>
#include <vector>

#include "collapse/solver/program.hpp"
#include "collapse/solver/solution.hpp"
#include "solver/block_factor.hpp"
#include "solver/incomplete_factor.hpp"
#include "solver/interrupt.hpp"
#include "solver/weights.hpp"

namespace collapse {

/// ρ and δ below, in the scaled measure: 1/ρ times the unit roundoff is the relative error of a Newton
/// step, and ρ times the change of the multipliers is what a step leaves of the constraints. (1e-11 for
/// the equations alone saves iterations but loses arches, whose pivots then drown in rounding.)
inline constexpr double kProximal = 1e-8;

/// The linear system of one Newton step, D ≥ 0 being the weights of the inequalities and cones, J the
/// rows of the equations:
///
///     (M + δ + GᵀDG) y − Jᵀw = p,      J y + (ρ + E) w = q.
///
/// Reduced to the variables' space, it has one off-diagonal block per pair of blocks that share a
/// group. It is symmetric quasi-definite (in y and −w), so it can be factorised without pivoting in
/// any order, also when rows of J depend on each other. δ is zero but in blocks whose mass is not
/// safely positive definite.
class KktSystem {
 public:
  /// For a scaled program, which has to live as long as the system is used. The order and the pattern
  /// of the factor of the last program are kept if they cover this one: if it has the same blocks and
  /// equations, and every pair of blocks that share a group did so then. `interrupt` likewise has to live.
  void prepare(const Program& program, const SolverOptions& options, Interrupt& interrupt);

  /// Another ρ than kProximal, until the next prepare().
  void set_proximal(double rho);

  /// False if the factorisation broke down, or if the solve is to end: every method that comes here for a
  /// step can be interrupted.
  /// Newton's steps change few weights at a time: with `near_the_last` an incomplete factor is kept
  /// for as long as it serves.
  [[nodiscard]] bool factorize(const Weights& D, bool near_the_last = false);

  /// On entry y = p, and q in the rows of the equations; on exit the solution, w in those rows. Other
  /// rows are left alone. By a factor, with one step of iterative refinement unless much less than `left` of p and q
  /// is left without; or by conjugate gradients until the error is `accuracy` of the solution (in the energy norm,
  /// about) and nothing of p more than `left` is left.
  void solve(Eigen::VectorXd& y, Eigen::VectorXd& rows, double accuracy,
             double left = std::numeric_limits<double>::infinity());

  /// y = M⁻¹(c + Gᵀz), the variables that balance the multipliers z. False where a block has no safe
  /// mass: then z does not tell.
  [[nodiscard]] bool balance(const Eigen::VectorXd& z, Eigen::VectorXd& y) const;

  /// Whether the solve is to end.
  [[nodiscard]] bool interrupted() const { return interrupt_->came(); }
  /// Whether there is no factor and systems are solved by conjugate gradients.
  [[nodiscard]] bool is_iterative() const { return iterative_; }
  /// Of conjugate gradients, since prepare().
  [[nodiscard]] int cg_iterations() const { return cg_iterations_; }
  [[nodiscard]] std::size_t factor_entries() const {
    return iterative_ ? incomplete_.factor_entries() : factor_.factor_entries();
  }
  [[nodiscard]] bool has_massless() const { return has_massless_; }
  /// δ per variable.
  [[nodiscard]] const Eigen::VectorXd& delta() const { return delta_; }

 private:
  void build_graph();
  void analyse(const SolverOptions& options);
  void assemble(const Weights& D);
  void solve_iteratively(Eigen::VectorXd& y, double accuracy, double left);
  [[nodiscard]] bool covers_program() const;
  void place_terms();
  void place_constants();
  void solve_once(Eigen::VectorXd& y, Eigen::VectorXd& rows);

  const Program* program_ = nullptr;
  const Weights* weights_ = nullptr;
  Interrupt* interrupt_ = nullptr;
  double rho_ = kProximal;
  bool has_massless_ = false;
  Eigen::VectorXd delta_;
  std::vector<int> equation_node_;  ///< node of each group, −1 unless it is an equation
  int nodes_ = 0;
  std::vector<std::pair<int, int>> pairs_;  ///< of coupled nodes, in both directions
  Graph graph_;
  BlockMatrix matrix_;
  BlockFactor factor_;
  std::vector<double> constants_;           ///< the part of the matrix that does not depend on D
  std::vector<BlockMatrix::Place> places_;  ///< of the pairs of terms (a ≥ b) of each group
  std::vector<double> scratch_;
  bool iterative_ = false;
  bool was_direct_ = false;  ///< analysed for a factor because that was asked for
  bool stale_ = false;       ///< the incomplete factor is that of a matrix before
  int last_iterations_ = 0;
  int cg_iterations_ = 0;
  IncompleteFactor incomplete_;
  Eigen::VectorXd preconditioned_, direction_, product_;
  Eigen::VectorXd right_;
  Eigen::VectorXd p_, q_, Gy_, DGy_, p_left_, q_left_;
};

}  // namespace collapse
