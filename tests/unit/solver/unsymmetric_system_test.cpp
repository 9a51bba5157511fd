#include "solver/unsymmetric_system.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <vector>

#include "collapse/core/random.hpp"

namespace collapse::testing {
namespace {

/// Blocks of these sizes in turn, each coupled with the next and with one farther on.
Program coupled_blocks(int count, const std::vector<int>& sizes) {
  Program program;
  for (int i = 0; i < count; ++i) {
    const int size = sizes[static_cast<std::size_t>(i) % sizes.size()];
    program.add_block(Eigen::MatrixXd::Identity(size, size), Eigen::VectorXd::Zero(size));
  }
  for (int i = 0; i < count; ++i) {
    for (const int other : {i + 1, i + 7}) {
      if (other >= count) continue;
      program.begin_row(Cone::nonnegative);
      for (const int block : {i, other}) {
        const int size = program.blocks()[static_cast<std::size_t>(block)].size;
        program.add_term(block, Eigen::RowVectorXd::Ones(size));
      }
    }
  }
  return program;
}

/// Solved by the system and by a dense factor of the same numbers, twice with other numbers.
void expect_solved(const Program& program, std::uint64_t seed) {
  Random random(seed);
  const auto number = [&] { return random.between(-1.0, 1.0); };
  const int n = program.variables();
  UnsymmetricSystem system(program);
  for (int round = 0; round < 2; ++round) {
    Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(n, n);
    system.clear();
    const auto add = [&](const Program::Block& a, const Program::Block& b, double diagonal) {
      Eigen::MatrixXd block = Eigen::MatrixXd::NullaryExpr(a.size, b.size, number);
      if (a.first == b.first) block.diagonal().array() += diagonal;
      system.add(a.first, b.first, block);
      dense.block(a.first, b.first, a.size, b.size) += block;
    };
    for (const Program::Block& block : program.blocks()) add(block, block, 20.0);
    for (const Program::Group& group : program.groups()) {
      for (const Program::Term& a : program.terms(group)) {
        for (const Program::Term& b : program.terms(group)) {
          add(program.blocks()[static_cast<std::size_t>(a.block)],
              program.blocks()[static_cast<std::size_t>(b.block)], 0.0);
        }
      }
    }
    const Eigen::VectorXd right = Eigen::VectorXd::NullaryExpr(n, number);
    Eigen::VectorXd x = right;
    ASSERT_TRUE(system.solve(x));
    EXPECT_LT((x - dense.partialPivLu().solve(right)).cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_LT((dense * x - right).cwiseAbs().maxCoeff(), 1e-12);
  }
}

TEST(UnsymmetricSystem, OfFewBodiesIsSolved) { expect_solved(coupled_blocks(5, {6}), 1); }

TEST(UnsymmetricSystem, OfManyBodiesIsSolvedByTriples) {
  expect_solved(coupled_blocks(60, {6}), 2);
  expect_solved(coupled_blocks(120, {3}), 3);
  expect_solved(coupled_blocks(80, {3, 6}), 4);
}

TEST(UnsymmetricSystem, OfOtherBlocksIsSolvedToo) {
  expect_solved(coupled_blocks(50, {2}), 5);
  expect_solved(coupled_blocks(800, {2}), 6);  // too large for a dense factor
}

}  // namespace
}  // namespace collapse::testing
