#include "benchmarks/solver.hpp"

#include <fmt/core.h>

#include <cmath>
#include <stdexcept>

#include "benchmarks/child.hpp"
#include "benchmarks/problems.hpp"
#include "collapse/solver/solution.hpp"

namespace collapse::benchmarks {
namespace {

/// { bodies, contacts, iterations, Newton steps, analysis s, factor s, solve s, total s, residual, next
/// step s } of one program and of the step after it, from the first one's solution.
std::vector<double> measure_solve(const Program& program, double tolerance) {
  SolverOptions options;
  options.tolerance = options.complementarity_tolerance = tolerance;
  Solver solver(options);
  const Solution cold = solver.solve(program);
  NextStepOptions undisturbed;
  undisturbed.disturbance = 0.0;
  const Program next = next_step(program, cold.x, undisturbed);
  const double warm = solver.solve(next).effort.total_seconds;
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

Table solver_growth(const std::string& what, const std::vector<int>& sizes,
                    const std::function<Program(int size)>& make, double tolerance,
                    const std::function<void(const std::string&)>& progress) {
  Table table;
  table.title = fmt::format("the solver on {}, to {:.0e}", what, tolerance);
  table.columns = {"bodies",  "contacts", "iterations", "newton", "analysis s", "factor s",
                   "solve s", "total s",  "residual",   "next s", "peak MB",    "growth"};
  for (const int size : sizes) {
    progress(fmt::format("{}, {}", what, size));
    const ChildResult result = run_in_child([&] { return measure_solve(make(size), tolerance); });
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
  return table;
}

}  // namespace

Table solver_walls(const std::function<void(const std::string&)>& progress) {
  return solver_growth(
      "square walls with friction ½", {10, 32, 100, 316},
      [](int side) { return wall(side, side, {.friction = 0.5}); }, 1e-10, progress);
}

Table solver_piles(const std::function<void(const std::string&)>& progress) {
  return solver_growth(
      "disordered piles with compliance 1e-5", {100, 316, 1000, 3162},
      [](int n) { return pile(n, 1, {.compliance = 1e-5}); }, 1e-9, progress);
}

Table solver_islands(const std::function<void(const std::string&)>& progress) {
  return solver_growth(
      "towers of ten bricks", {10, 100, 1000, 10000},
      [](int count) { return islands(count, 10, 1); }, 1e-10, progress);
}

}  // namespace collapse::benchmarks
