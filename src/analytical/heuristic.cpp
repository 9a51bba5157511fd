#include "collapse/analytical/heuristic.hpp"

#include <Eigen/Dense>
#include <optional>

#include "collapse/core/error.hpp"

namespace collapse::analytical {
namespace {

class Heuristic {
 public:
  Heuristic(const Program& problem, const HeuristicOptions& options)
      : problem_(problem), options_(options), rows_(problem.rows()) {
    is_equation_.assign(static_cast<std::size_t>(rows_), false);
    for (const Program::Group& group : problem.groups()) {
      if (group.cone == Cone::second_order || group.compliance != 0.0) {
        throw Error("program", "a round cone or compliance", "equations and inequalities alone");
      }
      if (group.cone != Cone::zero) continue;
      std::fill_n(is_equation_.begin() + group.first_row, group.rows, true);
    }
    for (const Program::Block& block : problem.blocks()) {
      masses_.emplace_back(Eigen::MatrixXd(problem.mass(block)));
    }
    free_ = over_masses(problem.linear());
    b_ = accelerations_of(free_);
    negligible_ = rows_ == 0 ? 0.0 : options.tolerance * b_.cwiseAbs().maxCoeff();
    find_answers();
  }

  HeuristicAnswer answer() {
    if (b_.isZero(0.0)) return answer_of(Eigen::VectorXd::Zero(rows_), Guess::none_vanish);
    RowSet vanishing(static_cast<std::size_t>(rows_), false);
    if (const auto lambda = forces_if(vanishing)) return answer_of(*lambda, Guess::none_vanish);
    const std::optional<Eigen::VectorXd> least = least_sum();
    if (!least) return answer_of(Eigen::VectorXd::Zero(rows_), Guess::unsolved);
    const Eigen::VectorXd residual = accelerations_of(motion_of(*least));
    for (int k = 0; k < rows_; ++k) {
      vanishing[static_cast<std::size_t>(k)] = !is_equation(k) && residual[k] > negligible_;
    }
    if (const auto lambda = forces_if(vanishing)) return answer_of(*lambda, Guess::residuals);
    return answer_of(*least, Guess::neither);
  }

 private:
  [[nodiscard]] bool is_equation(int row) const {
    return is_equation_[static_cast<std::size_t>(row)];
  }

  /// M⁻¹ of a force.
  [[nodiscard]] Eigen::VectorXd over_masses(Eigen::VectorXd force) const {
    for (std::size_t i = 0; i < masses_.size(); ++i) {
      const Program::Block& block = problem_.blocks()[i];
      auto part = force.segment(block.first, block.size);
      part = masses_[i].solve(part).eval();
    }
    return force;
  }

  [[nodiscard]] Eigen::VectorXd motion_of(const Eigen::VectorXd& lambda) const {
    Eigen::VectorXd force = problem_.linear();
    problem_.add_transposed_times(lambda, force);
    return over_masses(std::move(force));
  }

  /// J x − d.
  [[nodiscard]] Eigen::VectorXd accelerations_of(const Eigen::VectorXd& x) const {
    Eigen::VectorXd a;
    problem_.rows_times(x, a);
    return a - problem_.bounds();
  }

  /// The diagonal of A: what each row's own force does to it.
  void find_answers() {
    own_ = Eigen::VectorXd::Zero(rows_);
    for (const Program::Group& group : problem_.groups()) {
      for (const Program::Term& term : problem_.terms(group)) {
        const auto J = problem_.coefficients(group, term);
        const Eigen::MatrixXd answer =
            masses_[static_cast<std::size_t>(term.block)].solve(J.transpose());
        own_.segment(group.first_row, group.rows) += (J * answer).diagonal();
      }
    }
  }

  [[nodiscard]] HeuristicAnswer answer_of(const Eigen::VectorXd& lambda, Guess guess) const {
    HeuristicAnswer answer;
    answer.guess = guess;
    answer.programs = programs_;
    answer.multipliers.lambda = lambda;
    answer.multipliers.x = motion_of(lambda);
    return answer;
  }

  Solution solve_counted(const Program& program) {
    ++programs_;
    return solve(program, options_.solver);
  }

  void add_row(Program& program, const Program::Group& group, int row, Cone cone) const {
    program.begin_row(cone, problem_.bounds()[row]);
    for (const Program::Term& term : problem_.terms(group)) {
      program.add_term(term.block, problem_.coefficients(group, term).row(row - group.first_row));
    }
  }

  /// What the linear program finds if exactly these contacts vanish: where there is an answer, it is that of the convex
  /// program over the other rows, whose motion is unique and whose rows are all tight then.
  std::optional<Eigen::VectorXd> forces_if(const RowSet& vanishing) {
    Program program;
    for (const Program::Block& block : problem_.blocks()) {
      program.add_block(problem_.mass(block), problem_.linear().segment(block.first, block.size));
    }
    std::vector<int> rows;
    for (const Program::Group& group : problem_.groups()) {
      for (int k = group.first_row; k < group.first_row + group.rows; ++k) {
        if (vanishing[static_cast<std::size_t>(k)]) continue;
        add_row(program, group, k, group.cone);
        rows.push_back(k);
      }
    }
    const Solution solution = solve_counted(program);
    if (solution.status == Status::infeasible) return std::nullopt;
    // Whatever the status: a solution is one that satisfies the rows.
    Eigen::VectorXd lambda = Eigen::VectorXd::Zero(rows_);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      lambda[rows[i]] = solution.lambda[static_cast<Eigen::Index>(i)];
    }
    const Eigen::VectorXd a = accelerations_of(motion_of(lambda));
    for (int k = 0; k < rows_; ++k) {
      const bool vanishes = vanishing[static_cast<std::size_t>(k)];
      const bool moves = vanishes ? a[k] < -negligible_ : std::abs(a[k]) > negligible_;
      if (moves || pulls(lambda, k)) return std::nullopt;
    }
    return lambda;
  }

  /// By the acceleration that it alone would cause.
  [[nodiscard]] bool pulls(const Eigen::VectorXd& lambda, int row) const {
    return !is_equation(row) && lambda[row] * own_[row] < -negligible_;
  }

  /// Least Σλ + Σ ½ρ (λ − λ')² with λ ≥ 0 and a ≥ 0, over the motion z = M⁻¹Jᵀλ and λ: what touches whom stays sparse.
  Solution least_sum(const Eigen::VectorXd& rho, const Eigen::VectorXd& near) {
    Program program;
    for (const Program::Block& block : problem_.blocks()) {
      program.add_block(Eigen::MatrixXd::Zero(block.size, block.size),
                        Eigen::VectorXd::Zero(block.size));
    }
    const int first = static_cast<int>(problem_.blocks().size());
    std::vector<std::vector<std::pair<int, Eigen::VectorXd>>> forces(problem_.blocks().size());
    for (const Program::Group& group : problem_.groups()) {
      for (int k = group.first_row; k < group.first_row + group.rows; ++k) {
        const double cost = is_equation(k) ? 0.0 : 1.0;
        program.add_block(Eigen::Matrix<double, 1, 1>(rho[k]),
                          Eigen::Matrix<double, 1, 1>(rho[k] * near[k] - cost));
        for (const Program::Term& term : problem_.terms(group)) {
          forces[static_cast<std::size_t>(term.block)].emplace_back(
              first + k, problem_.coefficients(group, term).row(k - group.first_row).transpose());
        }
      }
    }
    for (std::size_t i = 0; i < forces.size(); ++i) {
      const Program::Block& block = problem_.blocks()[i];
      program.begin_group(Cone::zero, Eigen::VectorXd::Zero(block.size));
      program.add_term(static_cast<int>(i), problem_.mass(block));
      for (const auto& [number, force] : forces[i]) program.add_term(number, -force);
    }
    for (const Program::Group& group : problem_.groups()) {
      for (int k = group.first_row; k < group.first_row + group.rows; ++k) {
        program.begin_row(group.cone, -b_[k]);
        for (const Program::Term& term : problem_.terms(group)) {
          program.add_term(term.block, problem_.coefficients(group, term).row(k - group.first_row));
        }
        if (is_equation(k)) continue;
        program.begin_row(Cone::nonnegative);
        program.add_term(first + k, Eigen::Matrix<double, 1, 1>(1.0));
      }
    }
    Solution solution = solve_counted(program);
    solution.x = solution.x.tail(rows_).eval();
    return solution;
  }

  /// The linear program, ρ = 0. Where too many λ are least for the solver, the limit of programs with ρ > 0, each about the
  /// solution before: a small ρ selects among the least, and the limit is reached after finitely many.
  std::optional<Eigen::VectorXd> least_sum() {
    const Eigen::VectorXd none = Eigen::VectorXd::Zero(rows_);
    const Solution linear = least_sum(none, none);
    if (linear.status == Status::infeasible) return std::nullopt;
    // Linear programs may end a little above the solver's tolerance, far below what counts here.
    constexpr double kSolved = 1e-9;
    if (linear.residuals.worst() <= kSolved && holds(linear.x)) return linear.x;
    constexpr double kNear =
        1e-2;  // times 1 over the force that alone would cause the largest of b
    const Eigen::VectorXd rho =
        kNear / b_.cwiseAbs().maxCoeff() * own_.cwiseMax(1e-9 * own_.maxCoeff());
    Eigen::VectorXd lambda = none;
    constexpr int kRounds = 50;
    for (int round = 0; round < kRounds; ++round) {
      const Solution solution = least_sum(rho, lambda);
      if (solution.status == Status::infeasible || !holds(solution.x)) return std::nullopt;
      const double change = (solution.x - lambda).cwiseProduct(own_).cwiseAbs().maxCoeff();
      lambda = solution.x;
      if (change <= negligible_) return lambda;
    }
    return std::nullopt;
  }

  [[nodiscard]] bool holds(const Eigen::VectorXd& lambda) const {
    const Eigen::VectorXd a = accelerations_of(motion_of(lambda));
    for (int k = 0; k < rows_; ++k) {
      const bool moves = is_equation(k) ? std::abs(a[k]) > negligible_ : a[k] < -negligible_;
      if (moves || pulls(lambda, k)) return false;
    }
    return true;
  }

  const Program& problem_;
  const HeuristicOptions& options_;
  int rows_;
  std::vector<bool> is_equation_;
  std::vector<Eigen::LLT<Eigen::MatrixXd>> masses_;  ///< of the blocks
  Eigen::VectorXd free_;                             ///< x̂
  Eigen::VectorXd b_;
  Eigen::VectorXd own_;  ///< the diagonal of A
  double negligible_ = 0.0;
  int programs_ = 0;
};

}  // namespace

std::string_view to_string(Guess guess) {
  switch (guess) {
    case Guess::none_vanish:
      return "none vanish";
    case Guess::residuals:
      return "residuals";
    case Guess::neither:
      return "neither";
    case Guess::unsolved:
      return "unsolved";
  }
  return "unsolved";
}

HeuristicAnswer solve_heuristic(const Program& program, const HeuristicOptions& options) {
  return Heuristic(program, options).answer();
}

HeuristicAnswer solve_heuristic(const LeastConstraint& problem, const HeuristicOptions& options) {
  Program program;
  program.add_block(problem.M, problem.f);
  for (int k = 0; k < problem.rows(); ++k) {
    program.begin_row(problem.is_equation(k) ? Cone::zero : Cone::nonnegative, problem.d[k]);
    program.add_term(0, problem.J.row(k));
  }
  return solve_heuristic(program, options);
}

}  // namespace collapse::analytical
