#include <gtest/gtest.h>

#include <limits>

#include "collapse/core/error.hpp"
#include "collapse/solver/solution.hpp"
#include "tests/support/random_program.hpp"

namespace collapse::testing {
namespace {

Eigen::MatrixXd scalar_mass(double m) { return Eigen::MatrixXd::Constant(1, 1, m); }
Eigen::VectorXd scalar(double x) { return Eigen::VectorXd::Constant(1, x); }

/// minimise ½(x − 3)² subject to x ≥ bound.
Program half_line(double bound) {
  Program program;
  program.add_block(scalar_mass(1.0), scalar(3.0));
  program.begin_row(Cone::nonnegative, bound);
  program.add_term(0, scalar(1.0));
  return program;
}

TEST(Solver, FindsTheConstrainedMinimumOnTheHalfLine) {
  const Solution inactive = solve(half_line(1.0));
  ASSERT_EQ(inactive.status, Status::optimal);
  EXPECT_NEAR(inactive.x[0], 3.0, 1e-11);
  EXPECT_NEAR(inactive.lambda[0], 0.0, 1e-11);
  const Solution active = solve(half_line(5.0));
  ASSERT_EQ(active.status, Status::optimal);
  EXPECT_NEAR(active.x[0], 5.0, 1e-11);
  EXPECT_NEAR(active.lambda[0], 2.0, 1e-11);
}

TEST(Solver, TakesEquationsThatDependOnEachOther) {
  // minimise ½(x² + y²) subject to x + y = 2, twice.
  Program program;
  program.add_block(Eigen::MatrixXd::Identity(2, 2), Eigen::VectorXd::Zero(2));
  for (int copy = 0; copy < 2; ++copy) {
    program.begin_row(Cone::zero, 2.0);
    program.add_term(0, Eigen::RowVectorXd::Ones(2));
  }
  const Solution solution = solve(program);
  ASSERT_EQ(solution.status, Status::optimal);
  EXPECT_NEAR(solution.x[0], 1.0, 1e-11);
  EXPECT_NEAR(solution.x[1], 1.0, 1e-11);
  EXPECT_NEAR(solution.lambda.sum(), 1.0, 1e-10);
}

TEST(Solver, SolvesProgramsWithoutRowsAndWithoutForces) {
  Program free;
  free.add_block(scalar_mass(4.0), scalar(2.0));
  EXPECT_NEAR(solve(free).x[0], 0.5, 1e-12);
  Program nothing;
  nothing.add_block(scalar_mass(1.0), scalar(0.0));
  nothing.begin_row(Cone::nonnegative);
  nothing.add_term(0, scalar(1.0));
  const Solution rest = solve(nothing);
  EXPECT_EQ(rest.status, Status::optimal);
  EXPECT_NEAR(rest.x[0], 0.0, 1e-12);
}

TEST(Solver, SaysSoWhenAProgramHasNoSolution) {
  // x ≥ 1 and −x ≥ 1.
  Program program;
  program.add_block(scalar_mass(1.0), scalar(0.0));
  program.begin_row(Cone::nonnegative, 1.0);
  program.add_term(0, scalar(1.0));
  program.begin_row(Cone::nonnegative, 1.0);
  program.add_term(0, scalar(-1.0));
  const Solution solution = solve(program);
  EXPECT_NE(solution.status, Status::optimal);
  EXPECT_GT(solution.residuals.worst(), 1e-3);
  EXPECT_TRUE(solution.x.allFinite());
}

TEST(Solver, RefusesOptionsThatMakeNoSense) {
  SolverOptions options;
  options.tolerance = 0.0;
  EXPECT_THROW((void)solve(half_line(1.0), options), Error);
  options.tolerance = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW((void)solve(half_line(1.0), options), Error);
  options.tolerance = 1e-9;
  options.max_iterations = 0;
  EXPECT_THROW((void)solve(half_line(1.0), options), Error);
}

TEST(Residuals, OfNanAreInfinite) {
  const Program program = half_line(1.0);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(compute_residuals(program, scalar(nan), scalar(0.0)).worst(),
            std::numeric_limits<double>::infinity());
  EXPECT_EQ(compute_residuals(program, scalar(0.0), scalar(nan)).worst(),
            std::numeric_limits<double>::infinity());
}

TEST(Solver, SolvesThousandsOfRandomProgramsToTheAccuracyItClaims) {
  int optimal = 0;
  constexpr int kPrograms = 3000;
  for (int seed = 0; seed < kPrograms; ++seed) {
    const RandomProgram random = random_program(static_cast<std::uint64_t>(seed));
    const Solution solution = solve(random.program);
    ASSERT_TRUE(solution.x.allFinite() && solution.lambda.allFinite()) << seed;
    if (solution.status != Status::optimal) continue;
    ++optimal;
    EXPECT_EQ(fault_of(random, solution), "") << seed;
  }
  EXPECT_GE(optimal, kPrograms * 99 / 100);
}

}  // namespace
}  // namespace collapse::testing
