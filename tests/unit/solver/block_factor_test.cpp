#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "collapse/core/random.hpp"
#include "solver/block_factor.hpp"
#include "solver/dense_kernels.hpp"

namespace collapse {
namespace {

/// A random quasi-definite matrix of blocks, as the factor stores it and densely.
struct Case {
  std::vector<int> sizes;
  std::vector<int> signs;
  std::vector<int> first;
  Graph graph;
  Eigen::MatrixXd dense;
};

Case random_case(std::uint64_t seed) {
  Random random(seed);
  Case result;
  const int nodes = 1 + random.below(40);
  int unknowns = 0;
  for (int i = 0; i < nodes; ++i) {
    result.sizes.push_back(1 + random.below(6));
    result.signs.push_back(random.below(4) == 0 ? -1 : 1);
    result.first.push_back(unknowns);
    unknowns += result.sizes.back();
  }
  result.dense.setZero(unknowns, unknowns);
  std::vector<std::vector<int>> neighbours(static_cast<std::size_t>(nodes));
  const auto fill = [&](int i, int j) {
    for (int r = 0; r < result.sizes[static_cast<std::size_t>(i)]; ++r) {
      for (int c = 0; c < result.sizes[static_cast<std::size_t>(j)]; ++c) {
        const int row = result.first[static_cast<std::size_t>(i)] + r;
        const int column = result.first[static_cast<std::size_t>(j)] + c;
        result.dense(row, column) = result.dense(column, row) = random.between(-1.0, 1.0);
      }
    }
  };
  for (int i = 0; i < nodes; ++i) {
    for (int j = 0; j < i; ++j) {
      if (random.below(nodes) > 3) continue;
      fill(i, j);
      neighbours[static_cast<std::size_t>(i)].push_back(j);
      neighbours[static_cast<std::size_t>(j)].push_back(i);
    }
    fill(i, i);
  }
  // Dominant diagonals of the right sign make it quasi-definite.
  for (int i = 0; i < nodes; ++i) {
    for (int r = 0; r < result.sizes[static_cast<std::size_t>(i)]; ++r) {
      const int row = result.first[static_cast<std::size_t>(i)] + r;
      result.dense(row, row) = 0.0;
      result.dense(row, row) = result.signs[static_cast<std::size_t>(i)] *
                               (1.0 + result.dense.row(row).cwiseAbs().sum());
    }
  }
  result.graph.start.push_back(0);
  for (std::vector<int>& list : neighbours) {
    std::sort(list.begin(), list.end());
    result.graph.adjacency.insert(result.graph.adjacency.end(), list.begin(), list.end());
    result.graph.start.push_back(static_cast<int>(result.graph.adjacency.size()));
  }
  return result;
}

BlockMatrix blocks_of(const Case& from) {
  BlockMatrix result;
  result.fit(from.graph, from.sizes);
  for (int i = 0; i < result.nodes(); ++i) {
    for (int j = 0; j <= i; ++j) {
      if (i != j && !result.contains(i, j)) continue;
      const BlockMatrix::Place place = result.place(i, j);
      const auto block = from.dense.block(
          from.first[static_cast<std::size_t>(i)], from.first[static_cast<std::size_t>(j)],
          from.sizes[static_cast<std::size_t>(i)], from.sizes[static_cast<std::size_t>(j)]);
      const Eigen::MatrixXd stored = place.transposed ? Eigen::MatrixXd(block.transpose()) : block;
      std::copy(stored.data(), stored.data() + stored.size(),
                result.values().data() + place.offset);
    }
  }
  return result;
}

TEST(BlockFactor, SolvesRandomQuasiDefiniteSystemsAsADenseFactorisationDoes) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Case test = random_case(seed);
    const BlockMatrix matrix = blocks_of(test);
    ASSERT_EQ(matrix.unknowns(), test.dense.rows());
    BlockFactor factor;
    ASSERT_TRUE(factor.analyse(matrix, test.graph, elimination_order(test.graph, test.sizes),
                               test.signs, {}));
    ASSERT_TRUE(factor.factorize(matrix)) << seed;
    const Eigen::VectorXd b = Eigen::VectorXd::LinSpaced(test.dense.rows(), -1.0, 2.0);
    Eigen::VectorXd x = b;
    factor.solve(x);
    const Eigen::VectorXd expected = test.dense.partialPivLu().solve(b);
    EXPECT_LE((x - expected).lpNorm<Eigen::Infinity>(), 1e-12) << seed;
    Eigen::VectorXd product;
    matrix.multiply(b, product);
    EXPECT_LE((product - test.dense * b).lpNorm<Eigen::Infinity>(), 1e-12) << seed;
  }
}

TEST(BlockFactor, RefusesAPivotOfTheWrongSign) {
  Case test = random_case(7);
  test.dense(0, 0) = -test.dense(0, 0);
  const BlockMatrix matrix = blocks_of(test);
  BlockFactor factor;
  ASSERT_TRUE(factor.analyse(matrix, test.graph, elimination_order(test.graph, test.sizes),
                             test.signs, {}));
  EXPECT_FALSE(factor.factorize(matrix));
}

TEST(DenseKernels, SubtractTheProductOfEveryShape) {
  Random random(3);
  for (int round = 0; round < 300; ++round) {
    const int m = 1 + random.below(70);
    const int n = 1 + random.below(m);
    const int k = 1 + random.below(round < 290 ? 20 : 300);
    Eigen::MatrixXd A(m, k);
    Eigen::MatrixXd C(m, n);
    Eigen::VectorXd sign(k);
    for (double& entry : A.reshaped()) entry = random.between(-1.0, 1.0);
    for (double& entry : C.reshaped()) entry = random.between(-1.0, 1.0);
    for (double& entry : sign) entry = random.below(2) == 0 ? 1.0 : -1.0;
    const Eigen::MatrixXd B = A.topRows(n);
    const Eigen::MatrixXd expected = C - A * sign.asDiagonal() * B.transpose();
    const bool lower = random.below(2) == 0;
    subtract_product({m, n, k, A.data(), m, B.data(), n, sign.data(), C.data(), m, lower});
    const Eigen::MatrixXd difference = C - expected;
    for (int j = 0; j < n; ++j) {
      for (int i = lower ? j : 0; i < m; ++i) EXPECT_NEAR(difference(i, j), 0.0, 1e-12);
    }
  }
}

}  // namespace
}  // namespace collapse
