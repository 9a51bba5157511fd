#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "collapse/core/error.hpp"
#include "collapse/solver/solution.hpp"

namespace collapse {
namespace {

/// Small, explicit and the same everywhere.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  double uniform(double low, double high) {
    state_ += 0x9e3779b97f4a7c15ULL;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    z ^= z >> 31;
    return low + (high - low) * static_cast<double>(z >> 11) / 9007199254740992.0;
  }
  int below(int n) { return static_cast<int>(uniform(0.0, n)); }

 private:
  std::uint64_t state_;
};

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
    program.add_term(0, Eigen::VectorXd::Ones(2));
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

struct RandomProgram {
  Program program;
  // Kept densely beside it, for an independent judgement.
  Eigen::MatrixXd M;
  Eigen::MatrixXd G;
  Eigen::VectorXd b;
  Eigen::VectorXd c;
  std::vector<Cone> cones;
};

/// Always feasible: bounds are drawn so that a random point satisfies them.
RandomProgram random_program(std::uint64_t seed) {
  Random random(seed);
  const int blocks = 1 + random.below(8);
  const int size = 1 + random.below(4);
  const int rows = random.below(25);
  const int n = blocks * size;
  const double scale = std::pow(10.0, random.uniform(-4.0, 4.0));
  RandomProgram result;
  result.M = Eigen::MatrixXd::Zero(n, n);
  result.c = Eigen::VectorXd(n);
  for (int k = 0; k < blocks; ++k) {
    Eigen::MatrixXd A(size, size);
    for (auto& entry : A.reshaped()) entry = random.uniform(-1.0, 1.0);
    const Eigen::MatrixXd mass =
        scale * (A * A.transpose() + 0.1 * Eigen::MatrixXd::Identity(size, size));
    Eigen::VectorXd linear(size);
    for (auto& entry : linear) entry = scale * random.uniform(-1.0, 1.0);
    result.M.block(k * size, k * size, size, size) = mass;
    result.c.segment(k * size, size) = linear;
    result.program.add_block(mass, linear);
  }
  Eigen::VectorXd inside(n);
  for (auto& entry : inside) entry = random.uniform(-1.0, 1.0);
  result.G = Eigen::MatrixXd::Zero(rows, n);
  result.b = Eigen::VectorXd::Zero(rows);
  for (int k = 0; k < rows; ++k) {
    const bool repeat = k > 0 && random.below(5) == 0;  // dependent rows on purpose
    const bool equation = random.below(6) == 0 && k < n / 2;
    const int first = random.below(blocks);
    const int second = random.below(blocks);
    for (const int block : {first, second}) {
      if (block == second && first == second && block != first) continue;
      for (int i = 0; i < size; ++i) {
        result.G(k, block * size + i) = random.uniform(-1.0, 1.0);
      }
    }
    if (repeat) result.G.row(k) = 3.0 * result.G.row(k - 1);
    const double slack = equation || random.below(3) == 0 ? 0.0 : random.uniform(0.0, 2.0);
    result.b[k] = result.G.row(k).dot(inside) - slack;
    result.cones.push_back(equation ? Cone::zero : Cone::nonnegative);
    result.program.begin_row(result.cones.back(), result.b[k]);
    for (int block = 0; block < blocks; ++block) {
      const Eigen::VectorXd part = result.G.row(k).segment(block * size, size).transpose();
      if (!part.isZero(0.0)) result.program.add_term(block, part);
    }
  }
  return result;
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
    // The optimality conditions, dense and without the library's scaling.
    const double size = std::max(random.c.lpNorm<Eigen::Infinity>(), 1e-300);
    const Eigen::VectorXd gradient =
        random.M * solution.x - random.c - random.G.transpose() * solution.lambda;
    const double forces = solution.lambda.size() == 0 ? 0.0 : solution.lambda.cwiseAbs().sum();
    EXPECT_LT(gradient.lpNorm<Eigen::Infinity>(), 1e-9 * (size + forces)) << seed;
    const Eigen::VectorXd slack = random.G * solution.x - random.b;
    for (Eigen::Index k = 0; k < slack.size(); ++k) {
      if (random.cones[static_cast<std::size_t>(k)] == Cone::zero) {
        EXPECT_NEAR(slack[k], 0.0, 1e-8) << seed;
      } else {
        EXPECT_GT(slack[k], -1e-8) << seed;
        EXPECT_GT(solution.lambda[k], -1e-8 * size) << seed;
        EXPECT_LT(slack[k] * solution.lambda[k], 1e-7 * (size + forces)) << seed;
      }
    }
  }
  EXPECT_GE(optimal, kPrograms * 99 / 100);
}

}  // namespace
}  // namespace collapse
