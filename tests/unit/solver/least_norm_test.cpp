#include <gtest/gtest.h>

#include <Eigen/LU>
#include <array>
#include <cmath>

#include "benchmarks/problems.hpp"
#include "collapse/solver/solution.hpp"
#include "solver/scaling.hpp"

namespace collapse {
namespace {

Solution solve_with_least_norm(const Program& program) {
  SolverOptions options;
  options.least_norm = true;
  Solution solution = solve(program, options);
  EXPECT_EQ(solution.status, Status::optimal);
  EXPECT_LE(compute_residuals(program, solution.x, solution.lambda).worst(), 1e-11);
  return solution;
}

TEST(LeastNorm, CopiesOfARowShareItsLoad) {
  for (const Cone cone : {Cone::zero, Cone::nonnegative}) {
    Program program;
    program.add_block(Eigen::MatrixXd::Identity(1, 1), Eigen::VectorXd::Constant(1, -6.0));
    for (int copy = 0; copy < 3; ++copy) {
      program.begin_row(cone);
      program.add_term(0, Eigen::MatrixXd::Ones(1, 1));
    }
    const Solution solution = solve_with_least_norm(program);
    for (const double force : solution.lambda) EXPECT_NEAR(force, 2.0, 1e-11);
  }
}

TEST(LeastNorm, ABeamOnThreeSupportsHasTheForcesOfTheClosedForm) {
  // Mass and inertia 1, weight 1, supports at x: rows (1, x) of length ℓ = √(1 + x²). The least
  // Σ(ℓ f)² with Σf = 1 and Σ x f = 0 is at f = (a + b x)/ℓ².
  const std::array<double, 3> x = {-1.0, 0.0, 2.0};
  Program program;
  program.add_block(Eigen::MatrixXd::Identity(2, 2), Eigen::Vector2d(-1.0, 0.0));
  Eigen::Matrix2d sums = Eigen::Matrix2d::Zero();
  for (const double at : x) {
    program.begin_row(Cone::nonnegative);
    program.add_term(0, Eigen::RowVector2d(1.0, at));
    const Eigen::Vector2d row(1.0, at);
    sums += row * row.transpose() / (1.0 + at * at);
  }
  const Eigen::Vector2d ab = sums.inverse() * Eigen::Vector2d(1.0, 0.0);
  const Solution solution = solve_with_least_norm(program);
  for (int i = 0; i < 3; ++i) {
    const double at = x[static_cast<std::size_t>(i)];
    EXPECT_NEAR(solution.lambda[i], (ab[0] + ab[1] * at) / (1.0 + at * at), 1e-11);
  }
}

TEST(LeastNorm, ContactsWithSlackStayWithoutForceAndSlidingOnesOnTheirRay) {
  // A point pressed on the ground and pushed beyond friction, by two copies of the contact, under an open
  // ceiling. Rows (normal/μ, tangent), μ = ½.
  Program program;
  program.add_block(Eigen::MatrixXd::Identity(3, 3), Eigen::Vector3d(-1.0, 3.0, 0.0));
  Eigen::Matrix3d contact = Eigen::Matrix3d::Identity();
  contact(0, 0) = 2.0;
  for (int copy = 0; copy < 2; ++copy) {
    program.begin_group(Cone::second_order, Eigen::Vector3d::Zero());
    program.add_term(0, contact);
  }
  program.begin_row(Cone::nonnegative, -100.0);
  program.add_term(0, Eigen::RowVector3d(-1.0, 0.0, 0.0));
  const Solution solution = solve_with_least_norm(program);
  EXPECT_NEAR((solution.lambda.segment(0, 3) - solution.lambda.segment(3, 3)).norm(), 0.0, 1e-11);
  EXPECT_GT(solution.lambda[0], 0.1);
  // The residual, 1e-12, sees the difference only in part: most of z − s is slack here.
  EXPECT_NEAR(solution.lambda[1], -solution.lambda[0], 1e-10);
  EXPECT_NEAR(solution.lambda[2], 0.0, 1e-11);
  EXPECT_EQ(solution.lambda[6], 0.0);
}

TEST(LeastNorm, IsLessThanWhatTheIterationEndsWithAndDoesNotDependOnIt) {
  benchmarks::WallOptions friction;
  friction.friction = 0.5;
  for (const Program& program : {benchmarks::wall(6, 6, friction), benchmarks::cube_stack(3, 3, 3),
                                 benchmarks::wall(6, 6)}) {
    const Solution any = solve(program);
    const Solution least = solve_with_least_norm(program);
    // Another way to the same x: from the last solution of a program nearby.
    SolverOptions options;
    options.least_norm = true;
    Solver solver(options);
    Program nearby = program;
    nearby.set_bounds(program.bounds().array() - 0.01);
    solver.solve(nearby);
    const Solution& other = solver.solve(program);
    const Scaling measure(program);
    EXPECT_LE(least.lambda.cwiseQuotient(measure.row).norm(),
              (1.0 + 1e-9) * any.lambda.cwiseQuotient(measure.row).norm());
    EXPECT_LE((other.lambda - least.lambda).norm(), 1e-8 * least.lambda.norm());
  }
}

}  // namespace
}  // namespace collapse
