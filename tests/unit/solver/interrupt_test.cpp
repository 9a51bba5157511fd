#include <gtest/gtest.h>

#include <cmath>

#include "benchmarks/problems.hpp"
#include "collapse/solver/solution.hpp"

namespace collapse {
namespace {

using benchmarks::pile;

/// Solves, the callback saying stop at the given call. Returns the number of calls; with `warm` those of a
/// second solve that begins with the solution of the first.
int solve_until(int last_call, const Program& program, SolverOptions options, bool warm) {
  int calls = 0;
  bool first = warm;
  options.interrupt = [&] { return !first && ++calls == last_call; };
  options.warm_start = warm;
  Solver solver(options);
  Program next = program;
  if (warm) {
    solver.solve(program);
    next.set_bounds(1.01 * program.bounds());
    first = false;
  }
  const Solution& solution = solver.solve(next);
  EXPECT_TRUE(std::isfinite(solution.residuals.worst())) << last_call;
  EXPECT_EQ(solution.status == Status::interrupted, calls == last_call) << last_call;
  return calls;
}

/// Wherever it is stopped.
void expect_stops(const Program& program, const SolverOptions& options, bool warm = false) {
  const int all = solve_until(1'000'000, program, options, warm);
  EXPECT_GT(all, warm ? 2 : 10);
  for (int k = 1; k <= all; ++k) EXPECT_EQ(solve_until(k, program, options, warm), k);
}

TEST(Interrupt, StopsTheInteriorPointAndNewtonsMethod) {
  expect_stops(pile(30, 1), {.tolerance = 1e-10});
}

TEST(Interrupt, StopsProximalNewton) {
  expect_stops(pile(30, 1, {.compliance = 1e-5}), {.tolerance = 1e-10});
}

TEST(Interrupt, StopsConjugateGradients) {
  const Program program = pile(200, 1, {.compliance = 1e-6});
  SolverOptions options{.tolerance = 1e-9, .linear = LinearMethod::iterative};
  const int factorizations = solve(program, options).effort.factorizations;
  const int all = solve_until(1'000'000, program, options, false);
  EXPECT_GT(all, factorizations) << "not only before each step, but within";
  for (int k = 1; k <= all; k += 7) EXPECT_EQ(solve_until(k, program, options, false), k);
}

TEST(Interrupt, StopsWarmStarts) {
  expect_stops(pile(30, 1, {.compliance = 1e-4}), {.tolerance = 1e-10}, true);
}

TEST(Interrupt, StopsTheSearchForTheLeastNorm) {
  expect_stops(pile(30, 1), {.tolerance = 1e-10, .least_norm = true});
}

TEST(Interrupt, IsForgottenByTheNextSolve) {
  bool stop = true;
  SolverOptions options;
  options.interrupt = [&stop] { return stop; };
  Solver solver(options);
  const Program program = pile(30, 1, {.compliance = 1e-5});
  EXPECT_EQ(solver.solve(program).status, Status::interrupted);
  stop = false;
  EXPECT_EQ(solver.solve(program).status, Status::optimal);
}

}  // namespace
}  // namespace collapse
