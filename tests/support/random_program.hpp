#pragma once

#include <fmt/core.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "collapse/core/random.hpp"
#include "collapse/solver/solution.hpp"

namespace collapse::testing {

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
inline RandomProgram random_program(std::uint64_t seed) {
  Random random(seed);
  const int blocks = 1 + random.below(8);
  const int size = 1 + random.below(4);
  const int rows = random.below(25);
  const int n = blocks * size;
  const double scale = std::pow(10.0, random.between(-4.0, 4.0));
  RandomProgram result;
  result.M = Eigen::MatrixXd::Zero(n, n);
  result.c = Eigen::VectorXd(n);
  for (int k = 0; k < blocks; ++k) {
    Eigen::MatrixXd A(size, size);
    for (auto& entry : A.reshaped()) entry = random.between(-1.0, 1.0);
    const Eigen::MatrixXd mass =
        scale * (A * A.transpose() + 0.1 * Eigen::MatrixXd::Identity(size, size));
    Eigen::VectorXd linear(size);
    for (auto& entry : linear) entry = scale * random.between(-1.0, 1.0);
    result.M.block(k * size, k * size, size, size) = mass;
    result.c.segment(k * size, size) = linear;
    result.program.add_block(mass, linear);
  }
  Eigen::VectorXd inside(n);
  for (auto& entry : inside) entry = random.between(-1.0, 1.0);
  result.G = Eigen::MatrixXd::Zero(rows, n);
  result.b = Eigen::VectorXd::Zero(rows);
  for (int k = 0; k < rows; ++k) {
    const bool repeat = k > 0 && random.below(5) == 0;  // dependent rows on purpose
    const bool equation = random.below(6) == 0 && k < n / 2;
    const int first = random.below(blocks);
    const int second = random.below(blocks);
    for (const int block : {first, second}) {
      for (int i = 0; i < size; ++i) {
        result.G(k, block * size + i) = random.between(-1.0, 1.0);
      }
    }
    if (repeat) result.G.row(k) = 3.0 * result.G.row(k - 1);
    const double slack = equation || random.below(3) == 0 ? 0.0 : random.between(0.0, 2.0);
    result.b[k] = result.G.row(k).dot(inside) - slack;
    result.cones.push_back(equation ? Cone::zero : Cone::nonnegative);
    result.program.begin_row(result.cones.back(), result.b[k]);
    for (int block = 0; block < blocks; ++block) {
      const Eigen::RowVectorXd part = result.G.row(k).segment(block * size, size);
      if (!part.isZero(0.0)) result.program.add_term(block, part);
    }
  }
  return result;
}

/// What contradicts a solution that claims to be optimal, judged densely and without the library's
/// own scaling; empty if nothing does.
inline std::string fault_of(const RandomProgram& random, const Solution& solution) {
  const double size = std::max(random.c.lpNorm<Eigen::Infinity>(), 1e-300);
  const double forces = solution.lambda.size() == 0 ? 0.0 : solution.lambda.cwiseAbs().sum();
  const Eigen::VectorXd gradient =
      random.M * solution.x - random.c - random.G.transpose() * solution.lambda;
  if (!(gradient.lpNorm<Eigen::Infinity>() < 1e-9 * (size + forces))) {
    return fmt::format("gradient of {}", gradient.lpNorm<Eigen::Infinity>());
  }
  const Eigen::VectorXd slack = random.G * solution.x - random.b;
  for (Eigen::Index k = 0; k < slack.size(); ++k) {
    const double lambda = solution.lambda[k];
    if (random.cones[static_cast<std::size_t>(k)] == Cone::zero) {
      if (!(std::abs(slack[k]) < 1e-8)) return fmt::format("equation {} off by {}", k, slack[k]);
      continue;
    }
    if (!(slack[k] > -1e-8)) return fmt::format("row {} violated by {}", k, -slack[k]);
    if (!(lambda > -1e-8 * size)) return fmt::format("multiplier {} is {}", k, lambda);
    if (!(slack[k] * lambda < 1e-7 * (size + forces))) {
      return fmt::format("product {} is {}", k, slack[k] * lambda);
    }
  }
  return {};
}

}  // namespace collapse::testing
