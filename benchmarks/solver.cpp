#include "benchmarks/solver.hpp"

#include <fmt/core.h>

#include <cmath>
#include <stdexcept>

#include "benchmarks/child.hpp"
#include "benchmarks/problems.hpp"
#include "collapse/solver/solution.hpp"

namespace collapse::benchmarks {
namespace {

constexpr int kSettledSteps = 5;

/// { bodies, contacts, iterations, Newton steps, analysis s, factor s, solve s, total s, residual, settled
/// s } of one program and of one like it that differs by what a step changes at rest, from the first one's
/// solution.
std::vector<double> measure_solve(const Program& program, double tolerance, double disturbance) {
  SolverOptions options;
  options.tolerance = options.complementarity_tolerance = tolerance;
  Solver solver(options);
  const Solution cold = solver.solve(program);
  const Eigen::VectorXd at_rest = Eigen::VectorXd::Zero(program.variables());
  double warm = 0.0;
  for (int step = 1; step <= kSettledSteps; ++step) {
    NextStepOptions options_of_step;
    options_of_step.disturbance = disturbance;
    options_of_step.seed = static_cast<std::uint64_t>(step);
    warm += solver.solve(next_step(program, at_rest, options_of_step)).effort.total_seconds;
  }
  warm /= kSettledSteps;
  return {static_cast<double>(program.blocks().size()),
          static_cast<double>(program.groups().size()),
          static_cast<double>(cold.effort.iterations),
          static_cast<double>(cold.effort.newton_steps),
          cold.effort.analysis_seconds,
          cold.effort.factor_seconds,
          cold.effort.solve_seconds,
          cold.effort.total_seconds,
          cold.residuals.worst(),
          warm};
}

/// The slope of the line through the logarithms.
double fitted_exponent(const Table& table) {
  const auto rows = static_cast<Eigen::Index>(table.rows.size());
  Eigen::VectorXd x(rows);
  Eigen::VectorXd y(rows);
  for (Eigen::Index i = 0; i < rows; ++i) {
    x[i] = std::log(table.rows[static_cast<std::size_t>(i)][0]);
    y[i] = std::log(table.rows[static_cast<std::size_t>(i)][7]);
  }
  x.array() -= x.mean();
  return x.dot(y) / x.squaredNorm();
}

Table solver_growth(const std::string& what, const std::vector<int>& sizes,
                    const std::function<Program(int size)>& make, double tolerance,
                    double disturbance, const std::function<void(const std::string&)>& progress) {
  Table table;
  table.title = fmt::format("the solver on {}, to {:.0e}", what, tolerance);
  table.columns = {"bodies",  "contacts", "iterations", "newton",    "analysis s", "factor s",
                   "solve s", "total s",  "residual",   "settled s", "peak MB",    "growth"};
  for (const int size : sizes) {
    progress(fmt::format("{}, {}", what, size));
    const ChildResult result =
        run_in_child([&] { return measure_solve(make(size), tolerance, disturbance); });
    if (!result.ended_well || result.values.size() != 10) {
      throw std::runtime_error(fmt::format("{}, {}: ended badly", what, size));
    }
    std::vector<double> row = result.values;
    row.push_back(result.peak_megabytes);
    double exponent = 0.0;  // e of time ~ bodiesᵉ between this row and the last
    if (!table.rows.empty()) {
      const std::vector<double>& last = table.rows.back();
      exponent = std::log(row[7] / last[7]) / std::log(row[0] / last[0]);
    }
    row.push_back(exponent);
    table.rows.push_back(row);
  }
  table.title += fmt::format("; total ~ bodies^{:.2f}", fitted_exponent(table));
  return table;
}

}  // namespace

Table solver_walls(const std::function<void(const std::string&)>& progress) {
  return solver_growth(
      "square walls with friction ½", {10, 32, 100, 316},
      [](int side) { return wall(side, side, {.friction = 0.5}); }, 1e-10, 0.0, progress);
}

Table solver_piles(const std::function<void(const std::string&)>& progress) {
  return solver_growth(
      "disordered piles with compliance 1e-4", {100, 316, 1000, 3162, 10000},
      [](int n) { return pile(n, 1, {.compliance = 1e-4, .open_share = 0.0}); }, 1e-9, 1e-6,
      progress);
}

Table solver_islands(const std::function<void(const std::string&)>& progress) {
  return solver_growth(
      "towers of ten bricks", {10, 100, 1000, 10000},
      [](int count) { return islands(count, 10, 1); }, 1e-10, 0.0, progress);
}

}  // namespace collapse::benchmarks
