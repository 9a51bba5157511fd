#include "collapse/analytical/least_constraint.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "collapse/analytical/heuristic.hpp"
#include "collapse/core/random.hpp"
#include "collapse/formulation/acceleration.hpp"
#include "collapse/io/scene_reader.hpp"
#include "scenes/gallery.hpp"
#include "scenes/generalised.hpp"

namespace collapse::analytical {
namespace {

/// Random rows over masses of 1 that some x satisfies with room to spare.
LeastConstraint random_problem(std::uint64_t seed, int variables, int rows, int equations) {
  Random random(seed);
  const auto fill = [&](auto& matrix) {
    for (double& entry : matrix.reshaped()) entry = random.between(-1.0, 1.0);
  };
  LeastConstraint problem{Eigen::MatrixXd::Identity(variables, variables),
                          Eigen::VectorXd(variables),
                          Eigen::MatrixXd(rows, variables),
                          Eigen::VectorXd(rows),
                          {}};
  fill(problem.f);
  fill(problem.J);
  Eigen::VectorXd inside(variables);
  fill(inside);
  for (int k = 0; k < rows; ++k) {
    const bool equation = k < equations;
    problem.relations.push_back(equation ? Relation::equal : Relation::at_least);
    problem.d[k] = problem.J.row(k).dot(inside) - (equation ? 0.0 : random.between(0.0, 1.0));
  }
  return problem;
}

void expect_least_constraint(const LeastConstraint& problem, const Multipliers& answer,
                             double tolerance) {
  const Eigen::VectorXd balance =
      problem.M * answer.x - problem.f - problem.J.transpose() * answer.lambda;
  EXPECT_LT(balance.cwiseAbs().maxCoeff(), tolerance);
  const Eigen::VectorXd slack = problem.J * answer.x - problem.d;
  for (int k = 0; k < problem.rows(); ++k) {
    if (problem.is_equation(k)) {
      EXPECT_NEAR(slack[k], 0.0, tolerance) << "row " << k;
      continue;
    }
    EXPECT_GT(slack[k], -tolerance) << "row " << k;
    EXPECT_GT(answer.lambda[k], -tolerance) << "row " << k;
    EXPECT_NEAR(slack[k] * answer.lambda[k], 0.0, tolerance) << "row " << k;
  }
}

TEST(LeastConstraint, HandledRowsHoldAndOthersHaveNoForce) {
  LeastConstraint problem = random_problem(1, 6, 5, 2);
  problem.M.diagonal() << 1.0, 2.0, 3.0, 4.0, 5.0, 6.0;
  const RowSet handled = {false, false, true, false, true};
  const Multipliers answer = solve_handled(problem, handled);
  const Eigen::VectorXd slack = problem.J * answer.x - problem.d;
  for (const int k : {0, 1, 2, 4}) EXPECT_NEAR(slack[k], 0.0, 1e-13);
  EXPECT_EQ(answer.lambda[3], 0.0);
  EXPECT_LT((problem.M * answer.x - problem.f - problem.J.transpose() * answer.lambda).norm(),
            1e-13);
  EXPECT_LT(answer.residual, 1e-13);
}

TEST(LeastConstraint, RowsThatRepeatShareTheirForce) {
  LeastConstraint problem{Eigen::MatrixXd::Identity(1, 1), Eigen::VectorXd::Constant(1, -3.0),
                          Eigen::MatrixXd::Ones(3, 1), Eigen::VectorXd::Zero(3),
                          std::vector<Relation>(3, Relation::at_least)};
  const Multipliers answer = solve_handled(problem, RowSet(3, true));
  EXPECT_NEAR(answer.x[0], 0.0, 1e-15);
  for (const double force : answer.lambda) EXPECT_NEAR(force, 1.0, 1e-14);
  problem.d[2] = 3.0;  // contradicts the others: least squares, and it says so
  const Multipliers torn = solve_handled(problem, RowSet(3, true));
  EXPECT_NEAR(torn.x[0], 1.0, 1e-14);
  EXPECT_NEAR(torn.residual, 2.0, 1e-14);
}

TEST(LeastConstraint, TheConvexProgramIsTheLeastConstraint) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    SCOPED_TRACE(seed);
    const LeastConstraint problem = random_problem(seed, 5, 9, static_cast<int>(seed % 3));
    const ConvexAnswer answer = solve_convex(problem);
    ASSERT_EQ(answer.status, Status::optimal);
    expect_least_constraint(problem, answer.multipliers, 1e-9);
  }
}

TEST(LeastConstraint, ContradictionsAreProvedAndNamed) {
  LeastConstraint problem{Eigen::MatrixXd::Identity(2, 2), Eigen::VectorXd::Zero(2),
                          Eigen::MatrixXd(3, 2), Eigen::Vector3d(0.0, 2.0, -1.0),
                          std::vector<Relation>(3, Relation::at_least)};
  problem.J << 0.0, 1.0, 1.0, 0.0, -1.0, 0.0;
  const ConvexAnswer answer = solve_convex(problem);
  EXPECT_EQ(answer.status, Status::infeasible);
  EXPECT_GT(answer.contradiction, 0);
}

/// Wherever it ends without a force that pulls, Algorithm 3 has found the least constraint: its rows hold with
/// equality, those that it left out tend away.
TEST(LeastConstraint, AlgorithmThreeIsRightUnlessItPulls) {
  int pulls = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(seed);
    const LeastConstraint problem = random_problem(seed, 8, 6, 0);
    const RightAnswer answer = solve_right(problem, RowSet(6, true));
    if (answer.multipliers.lambda.minCoeff() < -1e-9) {
      ++pulls;
      continue;
    }
    expect_least_constraint(problem, answer.multipliers, 1e-9);
  }
  EXPECT_GT(pulls, 5);
  EXPECT_LT(pulls, 95);
}

/// With every guess but `neither` the heuristic has found the least constraint.
TEST(Heuristic, IsRightWhereAGuessWas) {
  std::array<int, 4> count{};
  for (std::uint64_t seed = 1; seed <= 80; ++seed) {
    SCOPED_TRACE(seed);
    const LeastConstraint problem = scenes::random_contacts(seed, 2, 6);
    const HeuristicAnswer answer = solve_heuristic(problem);
    ++count.at(static_cast<std::size_t>(answer.guess));
    if (answer.guess != Guess::neither) {
      expect_least_constraint(problem, answer.multipliers, 1e-6);
      continue;
    }
    // Without overlap and without pull, and further from the free fall than need be.
    EXPECT_GT((problem.J * answer.multipliers.x).minCoeff(), -1e-6);
    EXPECT_GT(answer.multipliers.lambda.minCoeff(), -1e-6);
    const auto constraint = [&](const Eigen::VectorXd& x) {
      const Eigen::VectorXd off = x - problem.M.llt().solve(problem.f);
      return off.dot(problem.M * off);
    };
    EXPECT_GT(constraint(answer.multipliers.x),
              constraint(solve_convex(problem).multipliers.x) + 1e-6);
  }
  EXPECT_GT(count[1], 40);  // the second guess
  EXPECT_GT(count[2], 4);   // neither
  EXPECT_EQ(count[3], 0);   // unsolved
}

TEST(Heuristic, KeepsEquationsWhateverTheirForces) {
  int guessed = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE(seed);
    const LeastConstraint problem = random_problem(seed, 8, 6, 2);
    const HeuristicAnswer answer = solve_heuristic(problem);
    ASSERT_NE(answer.guess, Guess::unsolved);
    const Eigen::VectorXd slack = problem.J * answer.multipliers.x - problem.d;
    EXPECT_LT(slack.head(2).cwiseAbs().maxCoeff(), 1e-6);
    if (answer.guess == Guess::neither) continue;
    expect_least_constraint(problem, answer.multipliers, 1e-6);
    ++guessed;
  }
  EXPECT_GT(guessed, 15);
}

TEST(Heuristic, SaysWhereThereAreNoForces) {
  LeastConstraint problem{Eigen::MatrixXd::Identity(1, 1), Eigen::VectorXd::Zero(1),
                          Eigen::MatrixXd(2, 1), Eigen::Vector2d(1.0, 1.0),
                          std::vector<Relation>(2, Relation::at_least)};
  problem.J << 1.0, -1.0;
  EXPECT_EQ(solve_heuristic(problem).guess, Guess::unsolved);
}

TEST(Heuristic, FindsTheForcesOfABlockOnAFloor) {
  // One body, a floor under both ends: nothing vanishes; the weight is shared.
  LeastConstraint problem{Eigen::Vector3d(2.0, 2.0, 0.5).asDiagonal().toDenseMatrix(),
                          Eigen::Vector3d(0.0, -20.0, 0.0), Eigen::MatrixXd(2, 3),
                          Eigen::Vector2d::Zero(), std::vector<Relation>(2, Relation::at_least)};
  problem.J << 0.0, 1.0, -0.5, 0.0, 1.0, 0.5;
  const HeuristicAnswer answer = solve_heuristic(problem);
  EXPECT_EQ(answer.guess, Guess::none_vanish);
  EXPECT_NEAR(answer.multipliers.lambda[0], 10.0, 1e-9);
  EXPECT_NEAR(answer.multipliers.lambda[1], 10.0, 1e-9);
  // Pushed down at its right end so hard that the left one rises.
  problem.f << 0.0, -20.0, -30.0;
  const HeuristicAnswer tips = solve_heuristic(problem);
  EXPECT_EQ(tips.guess, Guess::residuals);
  const ConvexAnswer convex = solve_convex(problem);
  EXPECT_LT((tips.multipliers.x - convex.multipliers.x).norm(), 1e-8);
}

TEST(LeastConstraint, TakesTheProgramOfAScene) {
  const Scene<2> scene = parse_scene(scenes::make_scene("diamond", {{"rows", "5"}}));
  const State<2> state = initial_state(scene);
  const FreeBodies<2> free(scene, state);
  const std::vector<Contact<2>> contacts = find_contacts(scene, state).contacts;
  const Program program = acceleration_program<2>(scene, state, free, contacts,
                                                  external_forces<2>(scene, state, free, {}));
  const LeastConstraint problem = least_constraint_of(program);
  const ConvexAnswer answer = solve_convex(problem);
  EXPECT_LT((answer.multipliers.x - solve(program).x).cwiseAbs().maxCoeff(), 1e-8);
  EXPECT_GT(answer.multipliers.x.cwiseAbs().maxCoeff(), 0.1);  // it falls
}

}  // namespace
}  // namespace collapse::analytical
