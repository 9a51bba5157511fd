#include "collapse/analytical/collision.hpp"

#include <algorithm>

namespace collapse::analytical {
namespace {

LeastConstraint velocity_problem(const Collision& collision) {
  return {collision.M, collision.M * collision.v, collision.J,
          Eigen::VectorXd::Zero(collision.J.rows()), collision.relations};
}

double fastest_approach(const LeastConstraint& problem, const Eigen::VectorXd& speeds,
                        int* row = nullptr) {
  double fastest = 0.0;
  for (int k = 0; k < problem.rows(); ++k) {
    if (problem.is_equation(k) || -speeds[k] <= fastest) continue;
    fastest = -speeds[k];
    if (row != nullptr) *row = k;
  }
  return fastest;
}

CollisionOutcome at_once(const Collision& collision, const CollisionLimits& limits) {
  LeastConstraint problem = velocity_problem(collision);
  const Eigen::VectorXd before = collision.J * collision.v;
  for (int k = 0; k < problem.rows(); ++k) {
    if (!problem.is_equation(k))
      problem.d[k] = std::max(0.0, -collision.restitution[k] * before[k]);
  }
  ConvexAnswer answer = solve_convex(problem);
  CollisionOutcome outcome;
  if (answer.status == Status::infeasible) {
    problem.d.setZero();
    answer = solve_convex(problem);
    outcome.dulled = true;
  }
  outcome.v = answer.multipliers.x;
  outcome.impulses = answer.multipliers.lambda;
  outcome.hits = 1;
  outcome.settled = fastest_approach(problem, collision.J * outcome.v) <=
                    limits.tolerance * fastest_approach(problem, before);
  return outcome;
}

CollisionOutcome one_by_one(const Collision& collision, const CollisionLimits& limits) {
  LeastConstraint problem = velocity_problem(collision);
  CollisionOutcome outcome;
  outcome.v = collision.v;
  outcome.impulses = Eigen::VectorXd::Zero(problem.rows());
  const double negligible = limits.tolerance * fastest_approach(problem, collision.J * collision.v);
  for (;; ++outcome.hits) {
    int row = -1;
    const Eigen::VectorXd speeds = collision.J * outcome.v;
    if (fastest_approach(problem, speeds, &row) <= negligible) return outcome;
    if (outcome.hits == limits.hits) break;
    RowSet hit(static_cast<std::size_t>(problem.rows()), false);
    hit[static_cast<std::size_t>(row)] = true;
    problem.f = collision.M * outcome.v;
    problem.d[row] = -collision.restitution[row] * speeds[row];
    const Multipliers answer = solve_handled(problem, hit);
    outcome.v = answer.x;
    outcome.impulses += answer.lambda;
  }
  outcome.settled = false;
  return outcome;
}

}  // namespace

CollisionOutcome collide(const Collision& collision, CollisionModel model,
                         const CollisionLimits& limits) {
  return model == CollisionModel::simultaneous ? at_once(collision, limits)
                                               : one_by_one(collision, limits);
}

}  // namespace collapse::analytical
