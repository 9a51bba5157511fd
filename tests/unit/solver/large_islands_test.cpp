#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <atomic>
#include <vector>

#include "benchmarks/problems.hpp"
#include "collapse/core/error.hpp"
#include "collapse/core/random.hpp"
#include "collapse/solver/solution.hpp"
#include "solver/incomplete_factor.hpp"

namespace collapse {
namespace {

/// A chain of blocks of the given sizes, with a few longer couplings: a BlockMatrix and the same densely.
struct CoupledChain {
  BlockMatrix blocks;
  Eigen::MatrixXd dense;
};

CoupledChain coupled_chain(std::uint64_t seed, int nodes, int least, int largest,
                           double dominance) {
  Random random(seed);
  std::vector<int> sizes;
  for (int i = 0; i < nodes; ++i) sizes.push_back(least + random.below(largest - least + 1));
  std::vector<std::vector<int>> near(static_cast<std::size_t>(nodes));
  const auto couple = [&](int i, int j) {
    near[static_cast<std::size_t>(i)].push_back(j);
    near[static_cast<std::size_t>(j)].push_back(i);
  };
  for (int i = 1; i < nodes; ++i) couple(i, i - 1);
  for (int i = 7; i < nodes; i += 3) couple(i, i - 7);
  Graph graph;
  graph.start.push_back(0);
  for (std::vector<int>& list : near) {
    std::sort(list.begin(), list.end());
    graph.adjacency.insert(graph.adjacency.end(), list.begin(), list.end());
    graph.start.push_back(static_cast<int>(graph.adjacency.size()));
  }
  CoupledChain result;
  result.blocks.fit(graph, sizes);
  const std::vector<int>& first = result.blocks.first_unknown();
  result.dense.setZero(result.blocks.unknowns(), result.blocks.unknowns());
  const auto at = [&first](int node) { return first[static_cast<std::size_t>(node)]; };
  for (int j = 0; j < nodes; ++j) {
    result.blocks.each_in_column(j, [&](int i, std::size_t) {
      for (int r = at(i); r < at(i + 1); ++r) {
        for (int c = at(j); c < at(j + 1); ++c) {
          result.dense(r, c) = result.dense(c, r) = random.between(-1.0, 1.0);
        }
      }
    });
  }
  result.dense.diagonal().setZero();
  const Eigen::VectorXd sums = result.dense.cwiseAbs().rowwise().sum();
  result.dense.diagonal() = dominance * sums;
  for (int j = 0; j < nodes; ++j) {
    result.blocks.each_in_column(j, [&](int i, std::size_t offset) {
      const int rows = at(i + 1) - at(i);
      const int columns = at(j + 1) - at(j);
      Eigen::Map<Eigen::MatrixXd>(result.blocks.values().data() + offset, rows, columns) =
          result.dense.block(at(i), at(j), rows, columns);
    });
  }
  return result;
}

std::vector<int> natural_order(int nodes) {
  std::vector<int> order;
  for (int i = 0; i < nodes; ++i) order.push_back(i);
  return order;
}

TEST(IncompleteFactor, IsNearlyTheInverseWhateverTheSizesOfTheBlocks) {
  for (const auto& [least, largest] : {std::pair(6, 6), {3, 3}, {1, 6}, {1, 2}, {2, 4}}) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const CoupledChain chain = coupled_chain(seed, 40, least, largest, 1.05);
      IncompleteFactor factor;
      factor.analyse(chain.blocks, natural_order(40));
      ASSERT_TRUE(factor.factorize(chain.blocks));
      const Eigen::VectorXd expected =
          1e30 * Eigen::VectorXd::LinSpaced(chain.dense.rows(), -1.0, 2.0);
      Eigen::VectorXd x;
      factor.solve(chain.dense * expected, x);
      EXPECT_LE((x - expected).norm(), 0.05 * expected.norm()) << least << " " << largest;
    }
  }
}

TEST(IncompleteFactor, RefusesADiagonalBlockThatIsNotDefinite) {
  CoupledChain chain = coupled_chain(3, 10, 6, 6, 1.05);
  chain.blocks.values()[chain.blocks.place(4, 4).offset] = -1.0;
  IncompleteFactor factor;
  factor.analyse(chain.blocks, natural_order(10));
  EXPECT_FALSE(factor.factorize(chain.blocks));
}

TEST(IncompleteFactor, AddsToTheDiagonalWhereItBreaksDown) {
  // Diagonals below the sums of their rows: the matrix is not definite, its diagonal blocks are.
  const CoupledChain chain = coupled_chain(5, 40, 6, 6, 0.35);
  ASSERT_EQ(Eigen::LLT<Eigen::MatrixXd>(chain.dense).info(), Eigen::NumericalIssue);
  IncompleteFactor factor;
  factor.analyse(chain.blocks, natural_order(40));
  ASSERT_TRUE(factor.factorize(chain.blocks));
  Eigen::VectorXd x;
  const Eigen::VectorXd b = Eigen::VectorXd::Ones(chain.dense.rows());
  factor.solve(b, x);
  EXPECT_TRUE(x.allFinite());
  EXPECT_GT(b.dot(x), 0.0);  // what preconditions is definite all the same
}

SolverOptions to_nine_digits(LinearMethod linear) {
  SolverOptions options;
  options.tolerance = options.complementarity_tolerance = 1e-9;
  options.linear = linear;
  return options;
}

struct BothWays {
  Solution direct;
  Solution automatic;
};

/// By a factor, and of its own choice by conjugate gradients, which have to find the same.
BothWays solve_both_ways(const Program& program) {
  BothWays both{solve(program, to_nine_digits(LinearMethod::direct)),
                solve(program, to_nine_digits(LinearMethod::automatic))};
  const auto& [direct, automatic] = both;
  EXPECT_EQ(direct.status, Status::optimal);
  EXPECT_EQ(automatic.status, Status::optimal);
  EXPECT_EQ(direct.effort.iterative_islands, 0);
  EXPECT_EQ(automatic.effort.iterative_islands, 1);
  EXPECT_LE((automatic.x - direct.x).norm(), 1e-7 * direct.x.norm());
  return both;
}

TEST(LargeIslands, ConjugateGradientsFindWhatAFactorFinds) {
  benchmarks::PileOptions soft;
  soft.compliance = 1e-4;
  const Program pile = benchmarks::pile(320, 3, soft);
  const auto [direct, automatic] = solve_both_ways(pile);
  EXPECT_EQ(direct.effort.cg_iterations, 0);
  EXPECT_GT(automatic.effort.cg_iterations, 10);
  EXPECT_LT(automatic.effort.factor_entries, direct.effort.factor_entries);
  EXPECT_LE((automatic.lambda - direct.lambda).norm(), 1e-6 * direct.lambda.norm());
  EXPECT_LE(compute_residuals(pile, automatic.x, automatic.lambda).worst(), 1e-9);
}

/// A cubic lattice of balls that do not turn: each wants to go down and aside, and rests on three others or the ground.
Program lattice_of_balls(int side) {
  Program program;
  const auto number = [side](int i, int j, int k) { return (i * side + j) * side + k; };
  for (int ball = 0; ball < side * side * side; ++ball) {
    program.add_block(Eigen::Matrix3d::Identity(),
                      Eigen::Vector3d(-0.1 * (ball % 3), -0.1 * (ball % 5), -1.0));
  }
  for (int i = 0; i < side; ++i) {
    for (int j = 0; j < side; ++j) {
      for (int k = 0; k < side; ++k) {
        const std::array<int, 3> at = {i, j, k};
        for (std::size_t axis = 0; axis < 3; ++axis) {
          std::array<int, 3> below = at;
          --below.at(axis);
          const Eigen::Vector3d normal = Eigen::Vector3d::Unit(static_cast<int>(axis));
          program.begin_group(Cone::nonnegative, Eigen::Matrix<double, 1, 1>::Zero(),
                              {.compliance = 1e-4});
          program.add_term(number(i, j, k), normal.transpose());
          if (at.at(axis) > 0)
            program.add_term(number(below[0], below[1], below[2]), -normal.transpose());
        }
      }
    }
  }
  return program;
}

TEST(LargeIslands, AFactorOfBlocksOfThreeIsMadeWhereItIsWorthIt) {
  const Program few = lattice_of_balls(7);
  EXPECT_EQ(solve(few, to_nine_digits(LinearMethod::automatic)).effort.iterative_islands, 0);
  solve_both_ways(lattice_of_balls(14));
}

TEST(LargeIslands, AFactorBeyondTheMemoryIsNotMade) {
  benchmarks::PileOptions soft;
  soft.compliance = 1e-4;
  const Program pile = benchmarks::pile(60, 3, soft);
  SolverOptions options = to_nine_digits(LinearMethod::automatic);
  EXPECT_EQ(solve(pile, options).effort.iterative_islands, 0);
  options.factor_memory = 1000.0;
  const Solution solution = solve(pile, options);
  EXPECT_EQ(solution.status, Status::optimal);
  EXPECT_EQ(solution.effort.iterative_islands, 1);
  options.factor_memory = -1.0;
  EXPECT_THROW(Solver{options}, Error);
}

TEST(LargeIslands, HardContactsAreSolvedByAFactor) {
  const Solution stack = solve(benchmarks::cube_stack(7, 7, 7, {.with_midpoints = false}),
                               to_nine_digits(LinearMethod::automatic));
  EXPECT_EQ(stack.status, Status::optimal);
  EXPECT_EQ(stack.effort.iterative_islands, 0);
}

TEST(Threads, DoNotChangeASingleBit) {
  benchmarks::WallOptions friction;
  friction.friction = 0.5;
  const std::vector<Program> programs = {
      benchmarks::wall(50, 50, friction),  // subtrees
      benchmarks::islands(300, 8, 1),      // several jobs
  };
  for (const Program& program : programs) {
    SolverOptions options;
    options.threads = 1;
    const Solution alone = solve(program, options);
    for (const int threads : {2, 3, 8, 0}) {
      options.threads = threads;
      const Solution together = solve(program, options);
      EXPECT_EQ(together.status, alone.status);
      EXPECT_EQ(together.x, alone.x) << threads;
      EXPECT_EQ(together.lambda, alone.lambda) << threads;
      EXPECT_EQ(together.effort.factorizations, alone.effort.factorizations);
    }
  }
}

TEST(Threads, OneAtATimeIsAskedWhetherToStop) {
  SolverOptions options;
  options.threads = 4;
  std::atomic<int> inside = 0;
  bool overlapped = false;
  int calls = 0;
  options.interrupt = [&] {
    overlapped = overlapped || ++inside > 1;
    ++calls;
    --inside;
    return calls > 50;
  };
  const Solution solution = solve(benchmarks::islands(2000, 8, 1), options);
  EXPECT_EQ(solution.status, Status::interrupted);
  EXPECT_FALSE(overlapped);
}

}  // namespace
}  // namespace collapse
