#include <gtest/gtest.h>

#include "benchmarks/problems.hpp"
#include "collapse/solver/solution.hpp"

namespace collapse {
namespace {

using benchmarks::next_step;
using benchmarks::NextStepOptions;
using benchmarks::wall;

SolverOptions options() {
  SolverOptions result;
  result.tolerance = result.complementarity_tolerance = 1e-10;
  return result;
}

TEST(WarmStart, AWallAtRestCostsAHandfulOfFactorisations) {
  Solver solver(options());
  NextStepOptions undisturbed;
  undisturbed.disturbance = 0.0;
  Program step = wall(8, 8, {.friction = 0.5});
  ASSERT_EQ(solver.solve(step).status, Status::optimal);
  for (int k = 0; k < 5; ++k) {
    step = next_step(step, solver.solve(step).x, undisturbed);
    const Solution& solution = solver.solve(step);
    EXPECT_EQ(solution.status, Status::optimal);
    EXPECT_EQ(solution.effort.warm_islands, 1);
    EXPECT_LE(solution.effort.factorizations, 3);
    EXPECT_LE(solution.residuals.worst(), 1e-10);
  }
}

TEST(WarmStart, FindsWhatAColdStartFinds) {
  Solver solver(options());
  (void)solver.solve(wall(5, 5, {.friction = 0.5}));
  // The same ids, another load: hit from the side.
  const Program hit = wall(5, 5, {.friction = 0.5, .projectile_speed = 10.0});
  const Solution warm = solver.solve(hit);
  const Solution cold = solve(hit, options());
  ASSERT_EQ(warm.status, Status::optimal);
  ASSERT_EQ(cold.status, Status::optimal);
  EXPECT_LE((warm.x - cold.x).lpNorm<Eigen::Infinity>(), 1e-7);
}

TEST(WarmStart, MultipliersFollowWhenTheRowsOfAGroupTurn) {
  // The same contact, its tangents turned by 90°: the remembered force is the same one.
  const auto contact = [](const Eigen::Matrix3d& rows) {
    Program program;
    program.add_block(Eigen::Matrix3d::Identity(), Eigen::Vector3d(-1.0, 0.1, 0.2));
    program.begin_group(Cone::second_order, Eigen::Vector3d::Zero(), {0.0, 5, {}});
    program.add_term(0, rows);
    return program;
  };
  Eigen::Matrix3d turned;
  turned << 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, -1.0, 0.0;
  Solver solver(options());
  ASSERT_EQ(solver.solve(contact(Eigen::Matrix3d::Identity())).status, Status::optimal);
  const Solution& solution = solver.solve(contact(turned));
  EXPECT_EQ(solution.effort.warm_islands, 1);
  EXPECT_EQ(solution.effort.factorizations, 0);
}

TEST(WarmStart, BeginsWhereItIsTold) {
  const Program program = benchmarks::pile(60, 1, {.compliance = 1e-3});
  const Solution cold = solve(program, options());
  ASSERT_EQ(cold.status, Status::optimal);
  // Nothing solved before: without the guess it would have to begin from nothing.
  Solver solver(options());
  solver.begin_at(1.001 * cold.x);
  const Solution warm = solver.solve(program);
  EXPECT_EQ(warm.status, Status::optimal);
  EXPECT_EQ(warm.effort.iterations, 0);
  EXPECT_EQ(warm.effort.warm_islands, warm.effort.islands);
  EXPECT_LE((warm.x - cold.x).lpNorm<Eigen::Infinity>(), 1e-7);
  // A guess is for one program, and one for another program is none.
  solver.begin_at(Eigen::VectorXd::Zero(3));
  EXPECT_LE((solver.solve(program).x - cold.x).lpNorm<Eigen::Infinity>(), 1e-7);
}

TEST(WarmStart, TheInteriorPointMethodBeginsNearWhatItIsTold) {
  // Much the same program, too far for Newton's method: a wall hit a little faster, a pile under another load.
  const Program pile = benchmarks::pile(60, 1, {.compliance = 1e-6});
  Program heavier = pile;
  heavier.set_bounds(1.1 * pile.bounds());
  for (const auto& [known, program] :
       {std::pair(wall(5, 5, {.friction = 0.5, .projectile_speed = 10.0}),
                  wall(5, 5, {.friction = 0.5, .projectile_speed = 11.0})),
        {pile, heavier}}) {
    SolverOptions no_memory = options();
    no_memory.warm_start = false;
    const Solution before = solve(known, no_memory);
    const Solution cold = solve(program, no_memory);
    ASSERT_EQ(before.status, Status::optimal);
    ASSERT_EQ(cold.status, Status::optimal);
    Solver solver(no_memory);
    solver.begin_near(before.x, before.lambda);
    const Solution near = solver.solve(program);
    EXPECT_EQ(near.status, Status::optimal);
    EXPECT_LE(3 * near.effort.iterations, 2 * cold.effort.iterations);
    EXPECT_LE((near.x - cold.x).lpNorm<Eigen::Infinity>(), 1e-7);
    // For one program only; and one for another program is none.
    EXPECT_EQ(solver.solve(program).effort.iterations, cold.effort.iterations);
    solver.begin_near(Eigen::VectorXd::Zero(3), before.lambda);
    EXPECT_EQ(solver.solve(program).effort.iterations, cold.effort.iterations);
  }
}

TEST(Islands, AreSolvedApart) {
  const Program program = benchmarks::islands(20, 3, 1);
  const Solution solution = solve(program, options());
  EXPECT_EQ(solution.status, Status::optimal);
  EXPECT_EQ(solution.effort.islands, 20);
  EXPECT_LE(solution.residuals.worst(), 1e-9);
}

TEST(Walls, ReachTheirAccuracyInEveryState) {
  for (const benchmarks::WallOptions& state : {benchmarks::WallOptions{},
                                               {.friction = 0.5},
                                               {.friction = 0.5, .projectile_speed = 20.0},
                                               {.friction = 0.5, .mass_ratio = 1000.0}}) {
    const Program program = wall(12, 12, state);
    const Solution solution = solve(program, options());
    EXPECT_EQ(solution.status, Status::optimal);
    EXPECT_LE(compute_residuals(program, solution.x, solution.lambda).worst(), 1e-10);
  }
}

TEST(Piles, ReachTheirAccuracyWithALittleCompliance) {
  const Program program = benchmarks::pile(60, 1, {.compliance = 1e-5});
  SolverOptions soft = options();
  soft.tolerance = soft.complementarity_tolerance = 1e-9;
  const Solution solution = solve(program, soft);
  EXPECT_EQ(solution.status, Status::optimal);
  EXPECT_LE(compute_residuals(program, solution.x, solution.lambda).worst(), 1e-9);
}

}  // namespace
}  // namespace collapse
