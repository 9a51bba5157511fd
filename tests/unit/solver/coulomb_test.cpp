#include "collapse/solver/coulomb.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace collapse {
namespace {

/// One point of mass 1 on a plane with friction μ, with the velocity it would have without contact.
Program sliding_point(double friction, const Eigen::Vector3d& free_velocity) {
  Program program;
  program.add_block(Eigen::Matrix3d::Identity(), free_velocity);
  program.begin_group(Cone::second_order, Eigen::Vector3d::Zero(), {0.0, 1, {}});
  program.add_term(0, Eigen::Vector3d(1.0 / friction, 1.0, 1.0).asDiagonal().toDenseMatrix());
  return program;
}

TEST(Coulomb, ASlidingPointStaysOnItsPlane) {
  // Pressed down by 1 and moving with 2 along (3, 4)/5: the impulse takes μ = ½ of the speed.
  const Eigen::Vector3d velocity(-1.0, 1.2, 1.6);
  const Program program = sliding_point(0.5, velocity);
  const CoulombSolution exact = solve_coulomb(program);
  ASSERT_EQ(exact.status, Status::optimal);
  EXPECT_TRUE(exact.x.isApprox(Eigen::Vector3d(0.0, 0.9, 1.2), 1e-9)) << exact.x;
  EXPECT_TRUE(exact.lambda.isApprox(Eigen::Vector3d(0.5, -0.3, -0.4), 1e-9)) << exact.lambda;
  // The associated law lifts it by μ times the speed.
  const Solution associated = solve(program);
  const double lift = associated.x[0];
  EXPECT_NEAR(lift, 0.5 * associated.x.tail(2).norm(), 1e-10);
  EXPECT_GT(lift, 0.1);
}

TEST(Coulomb, AStickingPointIsTheSameUnderBothLaws) {
  const Program program = sliding_point(0.9, {-1.0, 0.3, 0.4});
  const CoulombSolution exact = solve_coulomb(program);
  ASSERT_EQ(exact.status, Status::optimal);
  EXPECT_LE(exact.x.norm(), 1e-9);
  EXPECT_TRUE(exact.lambda.isApprox(Eigen::Vector3d(0.9, -0.3, -0.4), 1e-9)) << exact.lambda;
}

TEST(Coulomb, TheResidualIsThatOfTheLaw) {
  const Program program = sliding_point(0.5, {-1.0, 1.2, 1.6});
  const CoulombSolution exact = solve_coulomb(program);
  Eigen::VectorXd slack;
  program.slack(exact.x, exact.lambda, slack);
  EXPECT_LE(coulomb_residual(program, slack, exact.lambda), 1e-9);
  const Solution associated = solve(program);
  program.slack(associated.x, associated.lambda, slack);
  EXPECT_GT(coulomb_residual(program, slack, associated.lambda), 0.05);
}

TEST(Coulomb, AnUnsymmetricPartIsTakenIntoAccount) {
  // u = (1 + A) r + velocity with A antisymmetric: the answer satisfies the law with A in it.
  const Program program = sliding_point(0.5, {-1.0, 1.2, 1.6});
  Eigen::Matrix3d A = Eigen::Matrix3d::Zero();
  A(0, 1) = 0.02;
  A(1, 0) = -0.02;
  CoulombOptions options;
  options.extra = [&A](const Eigen::VectorXd& lambda, Eigen::VectorXd& slack) {
    slack += A * lambda;
  };
  const CoulombSolution solution = solve_coulomb(program, options);
  ASSERT_EQ(solution.status, Status::optimal);
  Eigen::VectorXd slack;
  program.slack(solution.x, solution.lambda, slack);
  slack += A * solution.lambda;
  EXPECT_LE(coulomb_residual(program, slack, solution.lambda), 1e-9);
  EXPECT_GT((A * solution.lambda).norm(), 1e-3);
}

}  // namespace
}  // namespace collapse
