#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <functional>
#include <memory>
#include <string_view>

#include "collapse/solver/program.hpp"

namespace collapse {

/// How a solve ended. Every caller looks at it.
enum class Status {
  optimal,          ///< all residuals below their tolerances
  infeasible,       ///< no x satisfies the rows: Solution::ray proves it
  unbounded,        ///< the objective falls for ever along Solution::ray
  stalled,          ///< no further progress; the residuals say how far it got
  iteration_limit,  ///< likewise
  interrupted,      ///< the callback said so; likewise
};

[[nodiscard]] std::string_view to_string(Status status);

/// How far a pair (x, λ) is from optimal, free of units: zero means solved.
///
/// In the measure of src/solver/scaling.hpp: variables in 1/√Mᵢᵢ, rows normalised to length one, and
/// everything relative to the size of c and b in that measure:
struct Residuals {
  double stationarity = 0.0;  ///< max |Mx − c − Gᵀλ| / max(1, |Gᵀλ|)
  double equations = 0.0;     ///< max |Gx − b + Eλ| over rows with K* = {0}
  double complementarity = 0.0;  ///< natural residual of the others: max |λ − Π(λ − (Gx − b + Eλ))|
  [[nodiscard]] double worst() const {
    return std::max({stationarity, equations, complementarity});
  }
};

/// The one judge of all solvers. Costs two products with G. NaN in the input gives infinity.
[[nodiscard]] Residuals compute_residuals(const Program& program, const Eigen::VectorXd& x,
                                          const Eigen::VectorXd& lambda);

/// How well a ray proves its claim, in the same measure. Zero is a perfect proof; with 1e-9 any point
/// that contradicts the claim is further away than 1e9.
///
/// Infeasible, λ ∈ K:            (|Gᵀλ| + |Eλ|) / bᵀλ,                infinite unless bᵀλ > 0.
/// Unbounded, x:                 (|Mx| + distance of Gx from K*) / cᵀx, infinite unless cᵀx > 0.
[[nodiscard]] double infeasibility_defect(const Program& program, const Eigen::VectorXd& lambda);
[[nodiscard]] double unboundedness_defect(const Program& program, const Eigen::VectorXd& x);

/// What a solve cost. All seconds but the total are summed over the threads.
struct Effort {
  int islands = 0;
  int warm_islands = 0;       ///< solved from the last solution
  int iterations = 0;         ///< of the interior-point method, the most of any island
  int newton_steps = 0;       ///< of the polish, of all islands
  int factorizations = 0;     ///< of all islands
  int iterative_islands = 0;  ///< solved by conjugate gradients, without a factor
  int cg_iterations = 0;      ///< of all of them
  double analysis_seconds = 0.0;
  double factor_seconds = 0.0;  ///< with assembly
  double solve_seconds = 0.0;
  double total_seconds = 0.0;
  std::size_t factor_entries = 0;  ///< numbers in L, complete or not
};

struct Solution {
  Status status = Status::stalled;
  Eigen::VectorXd x;
  Eigen::VectorXd lambda;
  Residuals residuals;
  Eigen::VectorXd ray;  ///< multipliers if infeasible, variables if unbounded, otherwise empty
  Effort effort;
};

/// How the linear systems of an island are solved.
enum class LinearMethod {
  /// Iterative for islands of 300 blocks and more, most of them of more than three variables, if every
  /// row has compliance (1e-7 and more, in the measure of Residuals); direct for others, and where the
  /// iteration does not converge.
  automatic,
  direct,  ///< by a factor
  /// By conjugate gradients with an incomplete factor. Without compliance it hardly converges.
  iterative,
};

struct SolverOptions {
  double tolerance = 1e-12;  ///< on the residuals
  /// On Residuals::complementarity alone. Where both force and slack of a row tend to zero it comes
  /// down only with the square root of their product, and costs iterations.
  double complementarity_tolerance = 1e-12;
  int max_iterations = 200;
  /// Where multipliers are not unique: those of least norm (in the measure of Residuals) instead of those
  /// that the iteration happens to end with. Costs about another solve.
  bool least_norm = false;
  /// Of islands and of subtrees in large ones; 0: one per core. The answer does not depend on it.
  int threads = 0;
  LinearMethod linear = LinearMethod::automatic;
  /// Bytes. Where a factor would need more, the iterative method is used. Neither holds for islands with
  /// equations or blocks of more than six variables, which need a factor.
  double factor_memory = 4e9;
  /// Solver: start from the last solution, by the ids of groups. What it finds is the same to the
  /// tolerances; how fast depends on how much has changed.
  bool warm_start = true;
  /// Called now and then, by one thread at a time; `true` stops the solve.
  std::function<bool()> interrupt = {};

  /// Throws Error naming the field if a value makes no sense.
  void validate() const;
};

/// Keeps orders, patterns, memory and the last solution from one program to the next: a program whose
/// blocks and touching pairs are those of the last one (or fewer pairs) is solved without analysis and
/// allocation, and one whose solution is near the last one in a few factorisations.
class Solver {
 public:
  explicit Solver(SolverOptions options = {});
  ~Solver();
  Solver(Solver&&) noexcept;
  Solver& operator=(Solver&&) noexcept;

  /// The solution is overwritten by the next solve.
  const Solution& solve(const Program& program);

  /// Where the next solve begins: a value of every variable, thought to be near the solution. Without it, soft programs
  /// (every row has compliance) begin with the variables that balance the last multipliers; others always do.
  void begin_at(Eigen::VectorXd x);

  /// Variables and multipliers near which the interior-point method of the next solve begins, instead of anywhere: a
  /// solution of much the same program, too far for Newton's method.
  void begin_near(Eigen::VectorXd x, Eigen::VectorXd lambda);

  /// Of the solves from now on, both of the options.
  void set_tolerance(double tolerance);

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

/// A single program.
[[nodiscard]] Solution solve(const Program& program, const SolverOptions& options = {});

}  // namespace collapse
