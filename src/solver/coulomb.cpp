#include "collapse/solver/coulomb.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "collapse/core/error.hpp"
#include "solver/anderson.hpp"
#include "solver/coulomb_newton.hpp"
#include "solver/residuals.hpp"
#include "solver/scaling.hpp"

namespace collapse {
namespace {

/// What forces along other rows than the program's do to the motion: M⁻¹(H − G)ᵀλ.
class TurnedForces {
 public:
  TurnedForces(const Program& program, const Program* forces)
      : program_(program), forces_(forces) {}

  [[nodiscard]] bool any() const { return forces_ != nullptr; }

  [[nodiscard]] Eigen::VectorXd motion(const Eigen::VectorXd& lambda) const {
    Eigen::VectorXd sum = Eigen::VectorXd::Zero(program_.variables());
    program_.add_transposed_times(-lambda, sum);
    forces_->add_transposed_times(lambda, sum);
    for (const Program::Block& block : program_.blocks()) {
      auto part = sum.segment(block.first, block.size);
      part = program_.mass(block).ldlt().solve(part).eval();
    }
    return sum;
  }

 private:
  const Program& program_;
  const Program* forces_;
};

/// What the true slacks have beyond G x − b + E λ: the lift of every cone, and the extra part.
Eigen::VectorXd shift_of(const Program& program, const Eigen::VectorXd& extra,
                         const Eigen::VectorXd& slack) {
  Eigen::VectorXd shift = extra;
  for (const Program::Group& group : program.groups()) {
    if (group.cone != Cone::second_order) continue;
    shift[group.first_row] += slack.segment(group.first_row + 1, group.rows - 1).norm();
  }
  return shift;
}

// A round that is worse than the best by this factor was led astray by the acceleration.
constexpr double kAstray = 3.0;
constexpr int kPatientRounds = 40;
// Newton's method is tried again whenever the residual has come down by this.
constexpr double kTryNewton = 0.3;
// A program is solved to this share of what the law itself still lacks.
constexpr double kProgramAccuracy = 1e-2;

}  // namespace

double coulomb_residual(const Program& program, const Eigen::VectorXd& slack,
                        const Eigen::VectorXd& lambda) {
  if (!slack.allFinite() || !lambda.allFinite()) return std::numeric_limits<double>::infinity();
  const Scaling scaling(program);
  double worst = 0.0;
  Eigen::VectorXd s;
  Eigen::VectorXd z;
  for (const Program::Group& group : program.groups()) {
    s = slack.segment(group.first_row, group.rows);
    if (group.cone == Cone::second_order) s[0] += s.tail(group.rows - 1).norm();
    s.array() *= scaling.row.segment(group.first_row, group.rows).array() / scaling.solution;
    z = lambda.segment(group.first_row, group.rows)
            .cwiseQuotient(scaling.row.segment(group.first_row, group.rows)) /
        scaling.multipliers;
    worst = std::max(worst, natural_residual(group, z.data(), s.data()));
  }
  return worst;
}

CoulombSolution solve_coulomb(const Program& program, const CoulombOptions& options) {
  if (options.max_rounds < 1) {
    throw Error("CoulombOptions.max_rounds", std::to_string(options.max_rounds), "at least 1");
  }
  Solver solver(options.solver);
  Program shifted = program;
  Anderson anderson;
  CoulombNewton newton(program, options);
  const TurnedForces turned(program, options.forces);
  solver.set_tolerance(1e-4);
  double last_try = std::numeric_limits<double>::infinity();
  CoulombSolution best;
  best.residual = std::numeric_limits<double>::infinity();
  Eigen::VectorXd extra = Eigen::VectorXd::Zero(program.rows());
  Eigen::VectorXd shift = options.start.size() > 0 ? options.start : extra;
  Eigen::VectorXd slack;
  Eigen::VectorXd x;
  // Slacks of x with the extra part; `extra` then is all they have beyond those of the program that
  // knows neither that part nor H.
  const auto take_slacks = [&](const Eigen::VectorXd& lambda) {
    extra.setZero();
    if (options.extra) options.extra(lambda, extra);
    program.slack(x, lambda, slack);
    slack += extra;
    if (!turned.any()) return;
    Eigen::VectorXd rows;
    program.rows_times(turned.motion(lambda), rows);
    extra += rows;
  };
  int best_round = 0;
  int factorizations = 0;
  int round = 0;
  for (; round < options.max_rounds && round - best_round <= kPatientRounds; ++round) {
    shifted.set_bounds(program.bounds() - shift);
    const Solution& solution = solver.solve(shifted);
    factorizations += solution.effort.factorizations;
    if (solution.status == Status::interrupted || solution.status == Status::infeasible ||
        solution.status == Status::unbounded) {
      best.status = solution.status;
      break;
    }
    x = solution.x;
    if (turned.any()) x += turned.motion(solution.lambda);
    take_slacks(solution.lambda);
    const double residual = coulomb_residual(program, slack, solution.lambda);
    if (residual < best.residual) {
      best.residual = residual;
      best.x = x;
      best.lambda = solution.lambda;
      best_round = round;
    } else if (residual > kAstray * best.residual) {
      anderson.forget();
    }
    if (best.residual <= options.tolerance) {
      best.status = Status::optimal;
      break;
    }
    // Near a solution Newton's method takes a short cut; where it does not, the rounds go on.
    if (residual < kTryNewton * last_try) {
      last_try = residual;
      const Eigen::VectorXd before = x;
      Eigen::VectorXd lambda = solution.lambda;
      const double improved = newton.improve(x, lambda);
      if (improved < best.residual) {
        best.residual = improved;
        best.x = x;
        best.lambda = lambda;
        best_round = round;
        // The next round starts from here.
        take_slacks(lambda);
        anderson.forget();
      } else {
        x = before;
      }
      if (improved <= options.tolerance) {
        best.status = Status::optimal;
        break;
      }
    }
    shift = anderson.next(shift, shift_of(program, extra, slack));
    solver.set_tolerance(std::clamp(kProgramAccuracy * residual, options.solver.tolerance, 1e-4));
  }
  best.rounds = round + 1;
  best.factorizations = factorizations;
  return best;
}

}  // namespace collapse
