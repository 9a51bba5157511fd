#include <gtest/gtest.h>

#include <array>
#include <limits>

#include "collapse/core/error.hpp"
#include "collapse/solver/solution.hpp"
#include "tests/support/program_judge.hpp"

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

TEST(Solver, ProvesThatAProgramHasNoFeasiblePoint) {
  // x ≥ 1 and −x ≥ 1: their sum says 0 ≥ 2.
  Program program;
  program.add_block(scalar_mass(1.0), scalar(0.0));
  program.begin_row(Cone::nonnegative, 1.0);
  program.add_term(0, scalar(1.0));
  program.begin_row(Cone::nonnegative, 1.0);
  program.add_term(0, scalar(-1.0));
  const Solution solution = solve(program);
  ASSERT_EQ(solution.status, Status::infeasible);
  ASSERT_EQ(solution.ray.size(), 2);
  EXPECT_GT(solution.ray[0], 0.0);
  EXPECT_NEAR(solution.ray[0], solution.ray[1], 1e-8 * solution.ray[0]);
  EXPECT_LE(infeasibility_defect(program, solution.ray), 1e-9);
  EXPECT_GT(solution.residuals.worst(), 1e-3);
  EXPECT_TRUE(solution.x.allFinite());
}

TEST(Solver, ProvesThatAnObjectiveHasNoMinimum) {
  // minimise −x subject to x ≥ y, x and y without mass.
  Program program;
  program.add_block(scalar_mass(0.0), scalar(1.0));
  program.add_block(scalar_mass(0.0), scalar(0.0));
  program.begin_row(Cone::nonnegative);
  program.add_term(0, scalar(1.0));
  program.add_term(1, scalar(-1.0));
  const Solution solution = solve(program);
  ASSERT_EQ(solution.status, Status::unbounded);
  EXPECT_GT(solution.ray[0], 0.0);
  EXPECT_LE(unboundedness_defect(program, solution.ray), 1e-9);
}

TEST(Solver, FindsThePointOfACone) {
  // The point of the cone t ≥ ‖u‖ next to (t, u) = (1, 3, 4): half of (6, 18/5, 24/5).
  Program program;
  program.add_block(Eigen::MatrixXd::Identity(3, 3), Eigen::Vector3d(1.0, 3.0, 4.0));
  program.begin_group(Cone::second_order, Eigen::VectorXd::Zero(3));
  program.add_term(0, Eigen::MatrixXd::Identity(3, 3));
  const Solution solution = solve(program);
  ASSERT_EQ(solution.status, Status::optimal);
  EXPECT_TRUE(solution.x.isApprox(Eigen::Vector3d(3.0, 1.8, 2.4), 1e-11)) << solution.x;
  EXPECT_TRUE(solution.lambda.isApprox(Eigen::Vector3d(2.0, -1.2, -1.6), 1e-11)) << solution.lambda;
}

TEST(Solver, SolvesLinearProgramsOverMasslessVariables) {
  // The largest factor f with f ≤ 3 x, x ≤ 2: the multipliers are the prices 1 and 3.
  Program program;
  program.add_block(Eigen::MatrixXd::Zero(2, 2), Eigen::Vector2d(1.0, 0.0));
  program.begin_row(Cone::nonnegative);
  program.add_term(0, Eigen::RowVector2d(-1.0, 3.0));
  program.begin_row(Cone::nonnegative, -2.0);
  program.add_term(0, Eigen::RowVector2d(0.0, -1.0));
  const Solution solution = solve(program);
  ASSERT_EQ(solution.status, Status::optimal);
  EXPECT_NEAR(solution.x[0], 6.0, 1e-9);
  EXPECT_NEAR(solution.lambda[0], 1.0, 1e-9);
  EXPECT_NEAR(solution.lambda[1], 3.0, 1e-9);
}

TEST(Solver, ComplianceGivesWayInProportionToTheMultiplier) {
  // minimise ½x² + x subject to x + λ/2 ≥ 0: the multiplier is 1 + x, and x = −λ/2.
  Program program;
  program.add_block(scalar_mass(1.0), scalar(-1.0));
  program.begin_group(Cone::nonnegative, scalar(0.0), {0.5, 0, {}});
  program.add_term(0, scalar(1.0));
  const Solution solution = solve(program);
  ASSERT_EQ(solution.status, Status::optimal);
  EXPECT_NEAR(solution.x[0], -1.0 / 3.0, 1e-11);
  EXPECT_NEAR(solution.lambda[0], 2.0 / 3.0, 1e-11);
}

TEST(Solver, RowsWithoutVariablesAreTrueOrProofs) {
  Program program;
  program.add_block(scalar_mass(1.0), scalar(1.0));
  program.begin_row(Cone::nonnegative, -1.0);  // 0 ≥ −1
  EXPECT_EQ(solve(program).status, Status::optimal);
  program.begin_row(Cone::nonnegative, 1.0);  // 0 ≥ 1
  const Solution solution = solve(program);
  EXPECT_EQ(solution.status, Status::infeasible);
  EXPECT_LE(infeasibility_defect(program, solution.ray), 1e-9);
  EXPECT_EQ(solve(Program()).status, Status::optimal);
}

TEST(Solver, StopsWhenItIsTold) {
  SolverOptions options;
  int calls = 0;
  options.interrupt = [&calls] { return ++calls == 3; };
  const Solution solution = solve(half_line(5.0), options);
  EXPECT_EQ(solution.status, Status::interrupted);
  EXPECT_EQ(calls, 3);
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

// The judge of the next test: in its measure a billionth too much in one variable is an error, unless
// multipliers are so large that it is nothing beside their forces.
TEST(ProgramJudge, SeesAnErrorOfABillionth) {
  int all = 0;
  int seen = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const RandomProgram random = random_program(seed);
    Solution solution = solve(random.program);
    if (solution.status != Status::optimal) continue;
    const Measure measure(random);
    const Eigen::Index j = Random(seed).below(random.program.variables());
    solution.x[j] += 1e-9 * measure.t * measure.S[j];
    ++all;
    if (!fault_of(random, solution).empty()) ++seen;
  }
  EXPECT_GT(all, 80);
  EXPECT_GE(seen, all * 95 / 100);
}

TEST(Solver, AnswersThousandsOfRandomProgramsWithoutAWrongWord) {
  // Of each kind: how many there were, and how many got the answer of their kind.
  struct Count {
    int all = 0;
    int answered = 0;
  };
  std::array<Count, 3> counts;
  constexpr int kPrograms = 4000;
  for (int seed = 0; seed < kPrograms; ++seed) {
    const RandomProgram random = random_program(static_cast<std::uint64_t>(seed));
    const Solution solution = solve(random.program);
    EXPECT_EQ(fault_of(random, solution), "") << seed;
    Count& count = counts.at(static_cast<std::size_t>(random.kind));
    ++count.all;
    if (random.kind == Kind::solvable) {
      // Not all reach 1e-12, but all come near.
      EXPECT_LE(solution.residuals.worst(), 1e-4) << seed;
      if (solution.status == Status::optimal) ++count.answered;
    } else if (solution.status == Status::infeasible || solution.status == Status::unbounded) {
      ++count.answered;
    }
  }
  EXPECT_GE(counts[0].answered, counts[0].all * 97 / 100);
  EXPECT_GE(counts[1].answered, counts[1].all * 90 / 100);  // some are infeasible by a hair
  EXPECT_GE(counts[2].answered, counts[2].all * 97 / 100);
}

}  // namespace
}  // namespace collapse::testing
