#include "collapse/analytical/heuristic.hpp"

#include <Eigen/Dense>
#include <optional>

namespace collapse::analytical {
namespace {

class Heuristic {
 public:
  Heuristic(const LeastConstraint& problem, double tolerance)
      : problem_(problem), mass_(problem.M), rows_(problem.rows()) {
    A_ = problem.J * mass_.solve(problem.J.transpose());
    b_ = problem.J * mass_.solve(problem.f) - problem.d;
    negligible_ = rows_ == 0 ? 0.0 : tolerance * b_.cwiseAbs().maxCoeff();
  }

  HeuristicAnswer answer() {
    if (b_.isZero(0.0)) return answer_of(Eigen::VectorXd::Zero(rows_), Guess::none_vanish);
    RowSet vanishing(static_cast<std::size_t>(rows_), false);
    if (const auto lambda = forces_if(vanishing)) return answer_of(*lambda, Guess::none_vanish);
    const std::optional<Eigen::VectorXd> least = least_sum();
    if (!least) return {};
    const Eigen::VectorXd residual = A_ * *least + b_;
    for (int k = 0; k < rows_; ++k) {
      vanishing[static_cast<std::size_t>(k)] =
          !problem_.is_equation(k) && residual[k] > negligible_;
    }
    if (const auto lambda = forces_if(vanishing)) return answer_of(*lambda, Guess::residuals);
    return answer_of(*least, Guess::neither);
  }

 private:
  [[nodiscard]] HeuristicAnswer answer_of(const Eigen::VectorXd& lambda, Guess guess) const {
    HeuristicAnswer answer;
    answer.guess = guess;
    answer.multipliers.lambda = lambda;
    answer.multipliers.x = mass_.solve(problem_.f + problem_.J.transpose() * lambda);
    return answer;
  }

  /// The forces as one block of variables, λ ≥ 0 where rows are inequalities.
  Program over_forces(const Eigen::MatrixXd& mass, const Eigen::VectorXd& linear) const {
    Program program;
    program.add_block(mass, linear);
    for (int k = 0; k < rows_; ++k) {
      if (problem_.is_equation(k)) continue;
      program.begin_row(Cone::nonnegative);
      program.add_term(0, Eigen::RowVectorXd::Unit(rows_, k));
    }
    return program;
  }

  void add_acceleration_row(Program& program, Cone cone, int row) const {
    program.begin_row(cone, -b_[row]);
    program.add_term(0, A_.row(row));
  }

  /// What the linear program finds if exactly these contacts vanish. Of its solutions the one of least norm.
  std::optional<Eigen::VectorXd> forces_if(const RowSet& vanishing) const {
    Program program =
        over_forces(Eigen::MatrixXd::Identity(rows_, rows_), Eigen::VectorXd::Zero(rows_));
    for (int k = 0; k < rows_; ++k) {
      const bool vanishes = vanishing[static_cast<std::size_t>(k)];
      add_acceleration_row(program, vanishes ? Cone::nonnegative : Cone::zero, k);
      if (!vanishes) continue;
      program.begin_row(Cone::zero);
      program.add_term(0, Eigen::RowVectorXd::Unit(rows_, k));
    }
    const Solution solution = solve(program);
    if (solution.status == Status::infeasible) return std::nullopt;
    // Whatever the status: a solution is one that satisfies the rows.
    const Eigen::VectorXd a = A_ * solution.x + b_;
    for (int k = 0; k < rows_; ++k) {
      const bool vanishes = vanishing[static_cast<std::size_t>(k)];
      const bool moves = vanishes ? a[k] < -negligible_ : std::abs(a[k]) > negligible_;
      if (moves || pulls(solution.x, k)) return std::nullopt;
    }
    return solution.x;
  }

  /// By the acceleration that it alone would cause.
  [[nodiscard]] bool pulls(const Eigen::VectorXd& lambda, int row) const {
    return !problem_.is_equation(row) && lambda[row] * A_(row, row) < -negligible_;
  }

  /// Least Σλ + Σ ½ρ (λ − λ')² with λ ≥ 0 and a ≥ 0.
  [[nodiscard]] Solution least_sum(const Eigen::VectorXd& rho, const Eigen::VectorXd& near) const {
    Eigen::VectorXd cost = Eigen::VectorXd::Ones(rows_);
    for (int k = 0; k < rows_; ++k) {
      if (problem_.is_equation(k)) cost[k] = 0.0;
    }
    Program program = over_forces(rho.asDiagonal(), rho.cwiseProduct(near) - cost);
    for (int k = 0; k < rows_; ++k) {
      add_acceleration_row(program, problem_.is_equation(k) ? Cone::zero : Cone::nonnegative, k);
    }
    return solve(program);
  }

  /// The linear program, ρ = 0; where too many λ are least for the solver, as the limit of programs with ρ > 0, each about
  /// the solution before, which is reached after finitely many.
  std::optional<Eigen::VectorXd> least_sum() const {
    const Eigen::VectorXd none = Eigen::VectorXd::Zero(rows_);
    const Solution linear = least_sum(none, none);
    if (linear.status == Status::infeasible) return std::nullopt;
    if (linear.status == Status::optimal) return linear.x;
    constexpr double kNear =
        1e-2;  // times 1 over the force that alone would cause the largest of b
    const Eigen::VectorXd rho =
        kNear / b_.cwiseAbs().maxCoeff() * A_.diagonal().cwiseMax(1e-9 * A_.diagonal().maxCoeff());
    Eigen::VectorXd lambda = none;
    constexpr int kRounds = 50;
    for (int round = 0; round < kRounds; ++round) {
      const Solution solution = least_sum(rho, lambda);
      if (solution.status == Status::infeasible || !holds(solution.x)) return std::nullopt;
      const double change = (solution.x - lambda).cwiseProduct(A_.diagonal()).cwiseAbs().maxCoeff();
      lambda = solution.x;
      if (change <= negligible_) return lambda;
    }
    return std::nullopt;
  }

  [[nodiscard]] bool holds(const Eigen::VectorXd& lambda) const {
    const Eigen::VectorXd a = A_ * lambda + b_;
    for (int k = 0; k < rows_; ++k) {
      const bool moves =
          problem_.is_equation(k) ? std::abs(a[k]) > negligible_ : a[k] < -negligible_;
      if (moves || pulls(lambda, k)) return false;
    }
    return true;
  }

  const LeastConstraint& problem_;
  Eigen::LLT<Eigen::MatrixXd> mass_;
  int rows_;
  Eigen::MatrixXd A_;
  Eigen::VectorXd b_;
  double negligible_ = 0.0;
};

}  // namespace

HeuristicAnswer solve_heuristic(const LeastConstraint& problem, double tolerance) {
  return Heuristic(problem, tolerance).answer();
}

}  // namespace collapse::analytical
