/// Walls without compliance whose gaps are not exactly zero, as every time step has them. Their contacts are
/// many more than what determines the forces, and which of them are closed is decided by the gaps: with a
/// constant proximal term the multipliers crept towards that and the interior point stalled at 1e-8.

#include <gtest/gtest.h>

#include "benchmarks/problems.hpp"
#include "collapse/core/random.hpp"
#include "collapse/solver/solution.hpp"

namespace collapse {
namespace {

/// Every bound changed by up to a gap of `size` metres either way.
Program disturbed_wall(int side, double friction, double size, std::uint64_t seed) {
  const benchmarks::WallOptions options{.friction = friction};
  Program program = benchmarks::wall(side, side, options);
  Random random(seed);
  Eigen::VectorXd bounds = program.bounds();
  for (const Program::Group& group : program.groups()) {
    bounds[group.first_row] += random.between(-size, size) / options.step;
  }
  program.set_bounds(bounds);
  return program;
}

TEST(DisturbedWalls, AreSolvedToTheLastDigits) {
  SolverOptions options;
  options.tolerance = options.complementarity_tolerance = 1e-12;
  for (const double friction : {0.0, 0.5}) {
    for (const double size : {1e-4, 1e-6, 1e-8, 1e-10}) {
      for (const std::uint64_t seed : {1U, 2U}) {
        const Solution solution = solve(disturbed_wall(14, friction, size, seed), options);
        EXPECT_EQ(solution.status, Status::optimal)
            << "friction " << friction << ", gaps of " << size << " m, seed " << seed << ": "
            << solution.residuals.worst();
      }
    }
  }
}

}  // namespace
}  // namespace collapse
