#include "collapse/analytical/least_constraint.hpp"

#include <Eigen/Dense>

#include "collapse/core/check.hpp"
#include "collapse/core/error.hpp"

namespace collapse::analytical {
namespace {

std::vector<int> chosen_rows(const LeastConstraint& problem, const RowSet& chosen) {
  std::vector<int> rows;
  for (int k = 0; k < problem.rows(); ++k) {
    if (problem.is_equation(k) || chosen[static_cast<std::size_t>(k)]) rows.push_back(k);
  }
  return rows;
}

}  // namespace

Multipliers solve_handled(const LeastConstraint& problem, const RowSet& handled) {
  const Eigen::LLT<Eigen::MatrixXd> mass(problem.M);
  COLLAPSE_DEMAND(mass.info() == Eigen::Success);
  Multipliers answer{mass.solve(problem.f), Eigen::VectorXd::Zero(problem.rows()), 0.0};
  const std::vector<int> rows = chosen_rows(problem, handled);
  if (rows.empty()) return answer;
  // In coordinates of mass 1, z = Lᵀ(x − x̂), and with rows of length 1: B z = r, z = Bᵀ μ.
  const Eigen::MatrixXd J = problem.J(rows, Eigen::all);
  Eigen::MatrixXd B = mass.matrixL().solve(J.transpose()).transpose();
  Eigen::VectorXd lengths = B.rowwise().norm();
  lengths = (lengths.array() > 0.0).select(lengths, 1.0);
  B.array().colwise() /= lengths.array();
  const Eigen::VectorXd r = (problem.d(rows) - J * answer.x).cwiseQuotient(lengths);
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> by_rows;
  constexpr double kDependent = 1e-10;
  by_rows.setThreshold(kDependent);
  by_rows.compute(B);
  const Eigen::VectorXd z = by_rows.solve(r);
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> by_columns;
  by_columns.setThreshold(kDependent);
  by_columns.compute(B.transpose());
  answer.lambda(rows) = by_columns.solve(z).cwiseQuotient(lengths);
  answer.x += mass.matrixU().solve(z);
  answer.residual = (B * z - r).cwiseAbs().maxCoeff();
  return answer;
}

RightAnswer solve_right(const LeastConstraint& problem, const RowSet& active) {
  RightAnswer answer;
  answer.handled.assign(static_cast<std::size_t>(problem.rows()), false);
  for (bool grows = true; grows;) {
    answer.multipliers = solve_handled(problem, answer.handled);
    grows = false;
    const Eigen::VectorXd excess = problem.J * answer.multipliers.x - problem.d;
    for (int k = 0; k < problem.rows(); ++k) {
      const auto at = static_cast<std::size_t>(k);
      if (!active[at] || answer.handled[at] || problem.is_equation(k)) continue;
      // A row that depends on handled ones and agrees with them misses by rounding.
      const double size = problem.J.row(k).cwiseAbs().dot(answer.multipliers.x.cwiseAbs());
      if (excess[k] >= -1e-12 * (size + std::abs(problem.d[k]))) continue;
      answer.handled[at] = true;
      grows = true;
    }
  }
  return answer;
}

ConvexAnswer solve_convex(const LeastConstraint& problem, const RowSet& active, Solver& solver) {
  Program program;
  program.add_block(problem.M, problem.f);
  const std::vector<int> rows = chosen_rows(problem, active);
  for (const int k : rows) {
    Program::Traits traits;
    traits.id = static_cast<std::uint64_t>(k) + 1;
    program.begin_group(problem.is_equation(k) ? Cone::zero : Cone::nonnegative,
                        problem.d.segment<1>(k), traits);
    program.add_term(0, problem.J.row(k));
  }
  const Solution& solution = solver.solve(program);
  ConvexAnswer answer{{solution.x, Eigen::VectorXd::Zero(problem.rows()), 0.0}, solution.status};
  if (solution.status == Status::infeasible) {
    Eigen::Index largest = 0;
    solution.ray.cwiseAbs().maxCoeff(&largest);
    answer.contradiction = rows[static_cast<std::size_t>(largest)];
    return answer;
  }
  if (!rows.empty()) answer.multipliers.lambda(rows) = solution.lambda;
  answer.multipliers.residual = solution.residuals.worst();
  return answer;
}

ConvexAnswer solve_convex(const LeastConstraint& problem) {
  Solver solver;
  return solve_convex(problem, RowSet(static_cast<std::size_t>(problem.rows()), true), solver);
}

LeastConstraint least_constraint_of(const Program& program) {
  const int n = program.variables();
  LeastConstraint problem;
  problem.M = Eigen::MatrixXd::Zero(n, n);
  problem.f = program.linear();
  problem.J = Eigen::MatrixXd::Zero(program.rows(), n);
  problem.d = program.bounds();
  for (const Program::Block& block : program.blocks()) {
    problem.M.block(block.first, block.first, block.size, block.size) = program.mass(block);
  }
  for (const Program::Group& group : program.groups()) {
    if (group.cone == Cone::second_order || group.compliance != 0.0) {
      throw Error("program", "a round cone or compliance", "equations and inequalities alone");
    }
    const Relation relation = group.cone == Cone::zero ? Relation::equal : Relation::at_least;
    problem.relations.insert(problem.relations.end(), static_cast<std::size_t>(group.rows),
                             relation);
    for (const Program::Term& term : program.terms(group)) {
      const Program::Block& block = program.blocks()[static_cast<std::size_t>(term.block)];
      problem.J.block(group.first_row, block.first, group.rows, block.size) =
          program.coefficients(group, term);
    }
  }
  return problem;
}

}  // namespace collapse::analytical
