#include "collapse/solver/coulomb.hpp"

#include <gtest/gtest.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "collapse/core/error.hpp"

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

TEST(Coulomb, ForcesMayActAlongOtherRowsThanMotionIsMeasured) {
  // A block of mass 2 (position, angle) that slides on two corners at (±1, −h): normal rows, friction
  // drags to the left. N₁ + N₂ = m g, and moments about the centre.
  const double mu = 0.4;
  const double h = 0.5;
  Program program;
  program.add_block(Eigen::Vector3d(2.0, 2.0, 1.5).asDiagonal().toDenseMatrix(),
                    Eigen::Vector3d(0.0, -20.0, 0.0));
  Program forces = program;
  for (const double x : {-1.0, 1.0}) {
    program.begin_row(Cone::nonnegative);
    program.add_term(0, Eigen::RowVector3d(0.0, 1.0, x));
    forces.begin_row(Cone::nonnegative);
    forces.add_term(0, Eigen::RowVector3d(-mu, 1.0, x - mu * h));
  }
  CoulombOptions options;
  options.forces = &forces;
  const CoulombSolution solution = solve_coulomb(program, options);
  ASSERT_EQ(solution.status, Status::optimal);
  EXPECT_LT((solution.x - Eigen::Vector3d(-mu * 10.0, 0.0, 0.0)).norm(), 1e-9);
  EXPECT_NEAR(solution.lambda[0] + solution.lambda[1], 20.0, 1e-8);
  EXPECT_NEAR(solution.lambda[1] - solution.lambda[0], mu * h * 20.0, 1e-8);
}

TEST(Coulomb, WhatIsJammedStaysOrFallsDependingOnTheStart) {
  // A point of mass 1 between two walls, pulled down by 1: squeezed it stays, and nothing squeezes it.
  Program program;
  program.add_block(Eigen::Matrix2d::Identity(), Eigen::Vector2d(0.0, -1.0));
  for (const double side : {1.0, -1.0}) {
    program.begin_group(Cone::second_order, Eigen::Vector2d::Zero());
    program.add_term(0, Eigen::Vector2d(side / 0.5, 1.0).asDiagonal().toDenseMatrix());
  }
  const CoulombSolution stays = solve_coulomb(program);
  ASSERT_EQ(stays.status, Status::optimal);
  EXPECT_LT(stays.x.norm(), 1e-9);
  CoulombOptions options;
  options.start = Eigen::Vector4d(1.0, 0.0, 1.0, 0.0);
  const CoulombSolution falls = solve_coulomb(program, options);
  ASSERT_EQ(falls.status, Status::optimal);
  EXPECT_LT((falls.x - Eigen::Vector2d(0.0, -1.0)).norm(), 1e-9);
}

/// W = HᵀH and q = Hᵀv: contacts of a system with unit masses that would move with v without them.
struct Contacts {
  Eigen::MatrixXd H;  ///< a column per contact row
  Eigen::SparseMatrix<double> W;
  Eigen::VectorXd q;
  Eigen::VectorXd mu;
};

Contacts random_contacts(int contacts, int velocities, unsigned seed) {
  std::mt19937 random(seed);
  const auto number = [&random] {
    return static_cast<double>(random()) / static_cast<double>(std::mt19937::max()) * 2.0 - 1.0;
  };
  Contacts result;
  result.H.resize(velocities, 3 * contacts);
  for (double& entry : result.H.reshaped()) entry = number();
  Eigen::VectorXd free_velocity(velocities);
  for (double& entry : free_velocity) entry = number();
  // One motion opens all contacts, so that there is a solution; at first all of them are closing.
  result.mu.resize(contacts);
  for (int i = 0; i < contacts; ++i) {
    result.H(0, 3 * i) = 1.5;
    result.H.block(0, 3 * i + 1, 1, 2).setZero();
    result.mu[i] = 0.4 + 0.3 * number();
  }
  free_velocity[0] = -3.0;
  result.W = (result.H.transpose() * result.H).sparseView();
  result.q = result.H.transpose() * free_velocity;
  return result;
}

/// W = 1, one contact.
Eigen::SparseMatrix<double> unit_operator() {
  Eigen::SparseMatrix<double> W(3, 3);
  W.setIdentity();
  return W;
}

TEST(CoulombByOperator, APointSlidesOrSticksAsInClosedForm) {
  // Pressed down by 1 and moving with 2 along (3, 4)/5, as above.
  const Eigen::Vector3d velocity(-1.0, 1.2, 1.6);
  const DelassusSolution sliding =
      solve_coulomb(unit_operator(), velocity, Eigen::VectorXd::Constant(1, 0.5));
  ASSERT_EQ(sliding.status, Status::optimal);
  EXPECT_TRUE(sliding.r.isApprox(Eigen::Vector3d(1.0, -0.3, -0.4), 1e-9)) << sliding.r;
  const DelassusSolution sticking =
      solve_coulomb(unit_operator(), velocity, Eigen::VectorXd::Constant(1, 2.5));
  ASSERT_EQ(sticking.status, Status::optimal);
  EXPECT_TRUE(sticking.r.isApprox(-velocity, 1e-9)) << sticking.r;
  const DelassusSolution leaving =
      solve_coulomb(unit_operator(), -velocity, Eigen::VectorXd::Constant(1, 0.5));
  ASSERT_EQ(leaving.status, Status::optimal);
  EXPECT_LE(leaving.r.norm(), 1e-9);
}

TEST(CoulombByOperator, ABlockOnASlopeSlidesBeyondItsFrictionAngle) {
  // Mass m on four corners of a slope of angle φ, for a time h: it takes m g h cos φ of normal impulse
  // altogether, and m g h sin φ or μ of the normal impulse along the slope. The corners share it in many
  // ways: W has rank 3 of 12.
  constexpr double kMass = 2.0;
  constexpr double kImpulse = kMass * 9.81 * 0.01;
  constexpr double kFriction = 0.5;
  for (const double angle : {0.3, 0.4636, 0.4637, 0.7}) {  // the friction angle is 0.46365
    const Eigen::Vector3d weight(-kImpulse * std::cos(angle), kImpulse * std::sin(angle), 0.0);
    Eigen::MatrixXd H(3, 12);
    for (int i = 0; i < 4; ++i) H.middleCols<3>(3 * i).setIdentity();
    const Eigen::SparseMatrix<double> W = (H.transpose() * H / kMass).sparseView();
    const DelassusSolution solution =
        solve_coulomb(W, H.transpose() * weight / kMass, Eigen::VectorXd::Constant(4, kFriction));
    ASSERT_EQ(solution.status, Status::optimal) << angle;
    const double along = std::min(std::sin(angle), kFriction * std::cos(angle));
    const Eigen::Vector3d expected = kImpulse * Eigen::Vector3d(std::cos(angle), -along, 0.0);
    EXPECT_TRUE((H * solution.r).isApprox(expected, 1e-8)) << angle;
  }
}

TEST(CoulombByOperator, WithoutFrictionThereAreOnlyNormalForces) {
  Contacts contacts = random_contacts(6, 20, 3);
  contacts.mu.setZero();
  const DelassusSolution solution = solve_coulomb(contacts.W, contacts.q, contacts.mu);
  ASSERT_EQ(solution.status, Status::optimal);
  const Eigen::VectorXd u = contacts.W * solution.r + contacts.q;
  int loaded = 0;
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(solution.r.segment<2>(3 * i + 1).norm(), 0.0);
    EXPECT_NEAR(std::min(solution.r[3 * i], u[3 * i]), 0.0, 1e-8);
    loaded += solution.r[3 * i] > 1e-6 ? 1 : 0;
  }
  EXPECT_GT(loaded, 0);
}

TEST(CoulombByOperator, AgreesWithTheProgramOfTheSameContacts) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const Contacts contacts = random_contacts(4, 14, seed);  // 12 rows: forces are unique
    const Eigen::VectorXd free_velocity =
        contacts.H.transpose().completeOrthogonalDecomposition().solve(contacts.q);
    Program program;
    program.add_block(Eigen::MatrixXd::Identity(14, 14), free_velocity);
    for (int i = 0; i < 4; ++i) {
      program.begin_group(Cone::second_order, Eigen::Vector3d::Zero());
      program.add_term(0, Eigen::Vector3d(1.0 / contacts.mu[i], 1.0, 1.0).asDiagonal() *
                              contacts.H.middleCols(3 * i, 3).transpose());
    }
    const CoulombSolution by_program = solve_coulomb(program);
    const DelassusSolution by_operator = solve_coulomb(contacts.W, contacts.q, contacts.mu);
    ASSERT_EQ(by_program.status, Status::optimal) << seed;
    ASSERT_EQ(by_operator.status, Status::optimal) << seed;
    const Eigen::VectorXd velocity = free_velocity + contacts.H * by_operator.r;
    EXPECT_LE((velocity - by_program.x).norm(), 1e-7 * free_velocity.norm()) << seed;
  }
}

TEST(CoulombByOperator, AnOperatorWithoutFullRankIsSolved) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const Contacts contacts = random_contacts(12, 10, seed);  // rank 10 of 36
    const DelassusSolution solution = solve_coulomb(contacts.W, contacts.q, contacts.mu);
    EXPECT_EQ(solution.status, Status::optimal) << seed << ": " << solution.residual;
    EXPECT_EQ(solution.residual, coulomb_residual(contacts.W, contacts.q, contacts.mu, solution.r));
  }
}

TEST(CoulombByOperator, WhatNewtonDoesNotSolveIsLeftToAProgram) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    Contacts contacts = random_contacts(8, 10, seed);
    contacts.mu[2] = contacts.mu[5] = 0.0;
    const DelassusSolution solution =
        solve_coulomb(contacts.W, contacts.q, contacts.mu, {.max_steps = 1});
    EXPECT_EQ(solution.status, Status::optimal) << seed << ": " << solution.residual;
    EXPECT_EQ(solution.steps, 1);
    EXPECT_EQ(solution.programs, 1);
    EXPECT_GT(solution.factorizations, 1);
  }
}

TEST(CoulombByOperator, AnUnsymmetricOperatorIsUsedAsItIs) {
  Contacts contacts = random_contacts(5, 16, 7);
  contacts.W.coeffRef(0, 4) += 0.05;
  contacts.W.coeffRef(3, 1) -= 0.05;
  const DelassusSolution solution = solve_coulomb(contacts.W, contacts.q, contacts.mu);
  ASSERT_EQ(solution.status, Status::optimal);
  // The law, written out with this W.
  const Eigen::VectorXd u = contacts.W * solution.r + contacts.q;
  for (int i = 0; i < 5; ++i) {
    const double mu = contacts.mu[i];
    const Eigen::Vector2d force = solution.r.segment<2>(3 * i + 1);
    const Eigen::Vector2d sliding = u.segment<2>(3 * i + 1);
    EXPECT_NEAR(std::min(solution.r[3 * i], u[3 * i]), 0.0, 1e-7);
    EXPECT_LE(force.norm(), mu * solution.r[3 * i] + 1e-7);
    EXPECT_NEAR(force.dot(sliding), -mu * solution.r[3 * i] * sliding.norm(), 1e-7);
  }
}

TEST(CoulombByOperator, AChainOfContactsIsSolvedWhateverTheUnits) {
  // 100 points in a row, each on its own plane and held to the next by friction: a W of many fronts.
  constexpr int kPoints = 100;
  Eigen::MatrixXd H = Eigen::MatrixXd::Zero(3 * kPoints, 6 * kPoints - 3);
  Eigen::VectorXd free_velocity(3 * kPoints);
  for (int i = 0; i < kPoints; ++i) {
    H.block<3, 3>(3 * i, 6 * i).setIdentity();
    free_velocity.segment<3>(3 * i) << -1.0, 2.0 * std::sin(1.7 * i), 3.0 * std::cos(2.3 * i);
    if (i + 1 == kPoints) break;
    const Eigen::Matrix3d turned =
        (Eigen::Matrix3d() << 0, 1, 0, 1, 0, 0, 0, 0, 1).finished();  // the normal is in the plane
    H.block<3, 3>(3 * i, 6 * i + 3) = -turned;
    H.block<3, 3>(3 * i + 3, 6 * i + 3) = turned;
  }
  const Eigen::VectorXd mu = Eigen::VectorXd::Constant(2 * kPoints - 1, 0.4);
  for (const double unit : {1.0, 1e-6, 1e6}) {
    const Eigen::SparseMatrix<double> W = (unit * H.transpose() * H).sparseView();
    const DelassusSolution solution = solve_coulomb(W, H.transpose() * free_velocity, mu);
    EXPECT_EQ(solution.status, Status::optimal) << unit << ": " << solution.residual;
    EXPECT_EQ(solution.islands, 1);
    EXPECT_EQ(solution.programs, 0);
  }
}

TEST(CoulombByOperator, IslandsAndAStartAreTakenIntoAccount) {
  Contacts contacts = random_contacts(3, 20, 5);
  Eigen::SparseMatrix<double> W(18, 18);
  Eigen::VectorXd q(18);
  Eigen::VectorXd mu(6);
  for (int copy = 0; copy < 2; ++copy) {
    for (int i = 0; i < 9; ++i) {
      for (int j = 0; j < 9; ++j) {
        W.insert(9 * copy + i, 9 * copy + j) = contacts.W.coeff(i, j);
      }
    }
    q.segment<9>(9 * copy) = contacts.q * (copy == 0 ? 1.0 : 1e-3);
    mu.segment<3>(3 * copy) = contacts.mu;
  }
  const DelassusSolution solution = solve_coulomb(W, q, mu);
  ASSERT_EQ(solution.status, Status::optimal);
  EXPECT_EQ(solution.islands, 2);
  EXPECT_TRUE(solution.r.head(9).isApprox(1e3 * solution.r.tail(9), 1e-12));
  EXPECT_EQ(solve_coulomb(W, q, mu, {.start = solution.r}).steps, 0);
}

TEST(CoulombByOperator, ProblemsWithoutSolutionEndStalled) {
  // Nothing gives way at the contact, whatever the force.
  const Eigen::SparseMatrix<double> nothing(3, 3);
  const DelassusSolution solution =
      solve_coulomb(nothing, Eigen::Vector3d(-1.0, 0.0, 0.0), Eigen::VectorXd::Constant(1, 0.5));
  EXPECT_EQ(solution.status, Status::stalled);
  EXPECT_TRUE(solution.r.allFinite());
  EXPECT_GT(solution.residual, 0.5);
  const DelassusSolution fine =
      solve_coulomb(nothing, Eigen::Vector3d(1.0, 2.0, 0.0), Eigen::VectorXd::Constant(1, 0.5));
  EXPECT_EQ(fine.status, Status::optimal);
  EXPECT_EQ(solve_coulomb(Eigen::SparseMatrix<double>(0, 0), {}, {}).status, Status::optimal);
}

TEST(CoulombByOperator, CanBeInterrupted) {
  const Contacts contacts = random_contacts(12, 10, 1);
  DelassusOptions options;
  options.interrupt = [] { return true; };
  const DelassusSolution solution = solve_coulomb(contacts.W, contacts.q, contacts.mu, options);
  EXPECT_EQ(solution.status, Status::interrupted);
  EXPECT_EQ(solution.steps, 0);
  EXPECT_TRUE(solution.r.allFinite());
}

TEST(CoulombByOperator, RefusesWhatIsNoContactProblem) {
  const Eigen::VectorXd q = Eigen::Vector3d(-1.0, 0.0, 0.0);
  const Eigen::VectorXd mu = Eigen::VectorXd::Constant(1, 0.5);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto place = [](const auto& call) {
    try {
      call();
    } catch (const Error& error) {
      return error.place();
    }
    return std::string("nothing refused");
  };
  const auto refused = [&](const Eigen::SparseMatrix<double>& W, const Eigen::VectorXd& velocity,
                           const Eigen::VectorXd& friction, const DelassusOptions& options = {}) {
    return place([&] { (void)solve_coulomb(W, velocity, friction, options); });
  };
  Eigen::SparseMatrix<double> broken = unit_operator();
  broken.coeffRef(1, 1) = nan;
  EXPECT_EQ(refused(broken, q, mu), "W");
  EXPECT_EQ(refused(Eigen::SparseMatrix<double>(6, 3), q, mu), "W.rows");
  EXPECT_EQ(refused(Eigen::SparseMatrix<double>(3, 6), q, mu), "W.cols");
  EXPECT_EQ(refused(unit_operator(), Eigen::Vector3d(nan, 0.0, 0.0), mu), "q");
  EXPECT_EQ(refused(unit_operator(), Eigen::VectorXd::Zero(4), mu), "q.size");
  EXPECT_EQ(refused(unit_operator(), q, Eigen::VectorXd::Constant(1, -0.1)), "mu");
  EXPECT_EQ(refused(unit_operator(), q, Eigen::VectorXd::Constant(1, nan)), "mu");
  EXPECT_EQ(refused(unit_operator(), q, mu, {.tolerance = 0.0}), "DelassusOptions.tolerance");
  EXPECT_EQ(refused(unit_operator(), q, mu, {.max_steps = 0}), "DelassusOptions.max_steps");
  EXPECT_EQ(refused(unit_operator(), q, mu, {.start = Eigen::VectorXd::Zero(2)}),
            "DelassusOptions.start.size");
  EXPECT_EQ(place([&] { (void)coulomb_residual(unit_operator(), q, mu, Eigen::VectorXd()); }),
            "r.size");
}

}  // namespace
}  // namespace collapse
