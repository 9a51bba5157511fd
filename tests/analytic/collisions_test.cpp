// Several impacts at once, and one after the other: Baraff's examples in closed form.

#include <gtest/gtest.h>

#include <cmath>

#include "collapse/analytical/collision.hpp"

namespace collapse::testing {
namespace {

using analytical::collide;
using analytical::Collision;
using analytical::CollisionLimits;
using analytical::CollisionModel;
using analytical::CollisionOutcome;
using analytical::Relation;

/// Bodies on a line, each touching the next; the rows are the speeds with which they part.
Collision row_of_balls(const Eigen::VectorXd& masses, const Eigen::VectorXd& speeds,
                       double restitution) {
  const Eigen::Index n = masses.size();
  Collision collision{masses.asDiagonal(), speeds, Eigen::MatrixXd::Zero(n - 1, n),
                      std::vector<Relation>(static_cast<std::size_t>(n - 1), Relation::at_least),
                      Eigen::VectorXd::Constant(n - 1, restitution)};
  for (Eigen::Index k = 0; k + 1 < n; ++k) {
    collision.J(k, k) = -1.0;
    collision.J(k, k + 1) = 1.0;
  }
  return collision;
}

double energy(const Collision& collision, const Eigen::VectorXd& v) {
  return 0.5 * v.dot(collision.M * v);
}

TEST(ThreeBallsInLine, PropagationSendsTheLastOneAway) {
  const Collision collision =
      row_of_balls(Eigen::Vector3d::Ones(), Eigen::Vector3d(1.0, 0.0, 0.0), 1.0);
  const CollisionOutcome outcome = collide(collision, CollisionModel::propagation);
  EXPECT_TRUE(outcome.settled);
  EXPECT_EQ(outcome.hits, 2);
  EXPECT_LT((outcome.v - Eigen::Vector3d(0.0, 0.0, 1.0)).norm(), 1e-14);
}

TEST(ThreeBallsInLine, SimultaneouslyTheTwoThatRestedLeaveTogether) {
  const Collision collision =
      row_of_balls(Eigen::Vector3d::Ones(), Eigen::Vector3d(1.0, 0.0, 0.0), 1.0);
  const CollisionOutcome outcome = collide(collision, CollisionModel::simultaneous);
  EXPECT_TRUE(outcome.settled);
  EXPECT_LT((outcome.v - Eigen::Vector3d(-1.0, 2.0, 2.0) / 3.0).norm(), 1e-11);
  EXPECT_LT((outcome.impulses - Eigen::Vector2d(4.0, 2.0) / 3.0).norm(), 1e-11);
}

TEST(BallsInLine, ElasticImpactsKeepTheEnergyInBothModels) {
  const Eigen::VectorXd masses{{1.0, 3.0, 0.5, 2.0, 1.0, 4.0}};
  const Eigen::VectorXd speeds{{2.0, 1.0, 1.0, 0.0, -1.0, -1.5}};
  const Collision collision = row_of_balls(masses, speeds, 1.0);
  for (const CollisionModel model : {CollisionModel::simultaneous, CollisionModel::propagation}) {
    const CollisionOutcome outcome = collide(collision, model);
    EXPECT_TRUE(outcome.settled);
    EXPECT_NEAR(energy(collision, outcome.v), energy(collision, speeds), 1e-9);
    EXPECT_NEAR(masses.dot(outcome.v), masses.dot(speeds), 1e-9);
    EXPECT_GT((collision.J * outcome.v).minCoeff(), -1e-8);
  }
}

/// A ball of mass r on one of mass 1 on the floor, inelastic. Each pair of impacts leaves the upper one r/(1 + r) of its
/// speed, so it takes ln(tolerance)/ln(r/(1 + r)) pairs; the program takes one solve.
TEST(SmallBallUnderAHeavyOne, TakesPropagationAsManyHitsAsTheMassRatioDemands) {
  for (const double ratio : {1.0, 10.0, 100.0}) {
    Collision collision =
        row_of_balls(Eigen::Vector2d(1.0, ratio), Eigen::Vector2d(0.0, -1.0), 0.0);
    collision.J.conservativeResize(2, 2);
    collision.J.row(1) << 1.0, 0.0;  // the floor
    collision.relations.assign(2, Relation::at_least);
    collision.restitution = Eigen::Vector2d::Zero();
    CollisionLimits limits;
    limits.tolerance = 1e-6;
    const CollisionOutcome apart = collide(collision, CollisionModel::propagation, limits);
    EXPECT_TRUE(apart.settled);
    const double pairs = std::log(limits.tolerance) / std::log(ratio / (1.0 + ratio));
    EXPECT_NEAR(apart.hits, 2.0 * pairs, 2.0) << ratio;
    const CollisionOutcome together = collide(collision, CollisionModel::simultaneous);
    EXPECT_LT(together.v.norm(), 1e-10);
    limits.hits = apart.hits / 2;
    const CollisionOutcome cut = collide(collision, CollisionModel::propagation, limits);
    EXPECT_FALSE(cut.settled);
    EXPECT_NEAR(-cut.v[1], std::pow(ratio / (1.0 + ratio), std::ceil(limits.hits / 2.0)), 1e-9);
  }
}

/// A ball that fills the gap between two walls, which come together in the same moment with given speeds: it cannot leave
/// both as fast as they come.
TEST(BallBetweenTwoWalls, WhatRestitutionDemandsOfItIsGivenUp) {
  // Walls on a rigid frame of mass 1; the ball moves against the left one and is as wide as the gap.
  Collision collision{Eigen::Matrix2d::Identity(), Eigen::Vector2d(-1.0, 0.0),
                      Eigen::MatrixXd(2, 2), std::vector<Relation>(2, Relation::at_least),
                      Eigen::Vector2d::Ones()};
  collision.J << 1.0, -1.0, -1.0, 1.0;
  const CollisionOutcome outcome = collide(collision, CollisionModel::simultaneous);
  EXPECT_TRUE(outcome.dulled);
  EXPECT_LT((outcome.v - Eigen::Vector2d(-0.5, -0.5)).norm(), 1e-10);
}

TEST(Collision, KeepsEquations) {
  // Two of three balls on a rigid rod: hit, they move as one.
  Collision collision = row_of_balls(Eigen::Vector3d::Ones(), Eigen::Vector3d(1.0, 0.0, 0.0), 1.0);
  collision.relations[1] = Relation::equal;
  for (const CollisionModel model : {CollisionModel::simultaneous, CollisionModel::propagation}) {
    const CollisionOutcome outcome = collide(collision, model);
    // As if of mass 2: (1 − 2)/(1 + 2) and 2/(1 + 2).
    EXPECT_LT((outcome.v - Eigen::Vector3d(-1.0, 2.0, 2.0) / 3.0).norm(), 1e-11);
  }
}

}  // namespace
}  // namespace collapse::testing
