#pragma once

#include <fmt/core.h>

#include <Eigen/Dense>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "collapse/core/random.hpp"
#include "collapse/solver/solution.hpp"

namespace collapse::testing {

enum class Kind { solvable, infeasible, unbounded };

/// A program of a kind known by construction, beside it the same densely, for a judgement that shares
/// nothing with the solver.
struct RandomProgram {
  struct Group {
    Cone cone = Cone::nonnegative;
    int first = 0;
    int rows = 0;
    double compliance = 0.0;
  };

  Kind kind = Kind::solvable;
  Program program;
  Eigen::MatrixXd M, G;
  Eigen::VectorXd b, c;
  std::vector<Group> groups;
  Eigen::VectorXd x, lambda;  ///< a solution, if solvable

  [[nodiscard]] double objective(const Eigen::VectorXd& at) const {
    return 0.5 * at.dot(M * at) - c.dot(at);
  }
};

/// Π_K by definition.
inline Eigen::VectorXd projected(Cone cone, const Eigen::VectorXd& v) {
  if (cone == Cone::zero) return v;
  if (cone == Cone::nonnegative) return v.cwiseMax(0.0);
  const Eigen::VectorXd u = v.tail(v.size() - 1);
  const double length = u.norm();
  if (length <= v[0]) return v;
  if (length <= -v[0]) return Eigen::VectorXd::Zero(v.size());
  Eigen::VectorXd result(v.size());
  result << 0.5 * (v[0] + length), 0.5 * (v[0] + length) * u / length;
  return result;
}

class RandomProgramMaker {
 public:
  explicit RandomProgramMaker(std::uint64_t seed) : random_(seed) {}

  RandomProgram make() {
    constexpr std::array kKinds = {Kind::solvable, Kind::solvable, Kind::infeasible,
                                   Kind::unbounded};
    result_.kind = kKinds[static_cast<std::size_t>(random_.below(4))];
    make_blocks();
    make_groups();
    if (result_.kind == Kind::infeasible) add_contradiction();
    if (result_.kind == Kind::unbounded) open_direction();
    choose_right_hand_sides();
    build_program();
    return std::move(result_);
  }

 private:
  Eigen::VectorXd vector(int size) {
    Eigen::VectorXd v(size);
    for (double& entry : v) entry = random_.between(-1.0, 1.0);
    return v;
  }

  void make_blocks() {
    const int blocks = 1 + random_.below(7);
    const bool scaled = random_.below(3) == 0;
    int n = 0;
    for (int k = 0; k < blocks; ++k) {
      sizes_.push_back(1 + random_.below(6));
      n += sizes_.back();
    }
    result_.M = Eigen::MatrixXd::Zero(n, n);
    result_.G.resize(0, n);
    int at = 0;
    for (const int size : sizes_) {
      const int rank = random_.below(4) == 0 ? random_.below(size + 1) : size;
      Eigen::MatrixXd A(size, rank);
      for (double& entry : A.reshaped()) entry = random_.between(-1.0, 1.0);
      Eigen::MatrixXd mass = A * A.transpose();
      if (rank == size) mass += 0.1 * Eigen::MatrixXd::Identity(size, size);
      if (scaled) mass *= std::pow(10.0, random_.between(-3.0, 3.0));
      result_.M.block(at, at, size, size) = mass;
      at += size;
    }
  }

  void make_groups() {
    const int groups = random_.below(14);
    const auto n = static_cast<int>(result_.M.rows());
    int free = n;  // equations only as long as they leave something free
    for (int k = 0; k < groups; ++k) {
      RandomProgram::Group group;
      const int die = random_.below(6);
      group.cone = die == 0 ? Cone::zero : die < 4 ? Cone::nonnegative : Cone::second_order;
      group.rows = 1 + random_.below(3);
      if (group.cone == Cone::zero && free <= group.rows) group.cone = Cone::nonnegative;
      if (group.cone == Cone::zero) free -= group.rows;
      if (result_.kind == Kind::solvable && random_.below(6) == 0) {
        group.compliance = std::pow(10.0, random_.between(-8.0, 0.0));
      }
      Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(group.rows, n);
      for (int touched = random_.below(4); touched > 0; --touched) {  // also none at all
        const int block = random_.below(static_cast<int>(sizes_.size()));
        int first = 0;
        for (int i = 0; i < block; ++i) first += sizes_[static_cast<std::size_t>(i)];
        for (double& entry :
             rows.middleCols(first, sizes_[static_cast<std::size_t>(block)]).reshaped()) {
          entry = random_.between(-1.0, 1.0);
        }
      }
      const bool repeat = k > 0 && random_.below(5) == 0 &&  // dependent rows on purpose
                          result_.groups.back().rows == group.rows;
      if (repeat) rows = 3.0 * result_.G.bottomRows(group.rows);
      if (random_.below(4) == 0) rows *= std::pow(10.0, random_.between(-3.0, 3.0));
      append(group, rows);
    }
  }

  void append(RandomProgram::Group group, const Eigen::MatrixXd& rows) {
    group.first = static_cast<int>(result_.G.rows());
    result_.G.conservativeResize(group.first + group.rows, rows.cols());
    result_.G.bottomRows(group.rows) = rows;
    result_.groups.push_back(group);
  }

  /// A point of K, sometimes 0, sometimes on the boundary.
  Eigen::VectorXd in_cone(const RandomProgram::Group& group) {
    if (random_.below(3) == 0) return Eigen::VectorXd::Zero(group.rows);
    return projected(group.cone, vector(group.rows));
  }

  /// One row more, so that some combination λ ∈ K of all rows is zero.
  void add_contradiction() {
    ray_ = Eigen::VectorXd::Zero(result_.G.rows() + 1);
    for (const auto& group : result_.groups) ray_.segment(group.first, group.rows) = in_cone(group);
    ray_[result_.G.rows()] = 1.0;
    RandomProgram::Group last;
    last.rows = 1;
    last.cone = random_.below(2) == 0 ? Cone::zero : Cone::nonnegative;
    append(last, -(result_.G.transpose() * ray_.head(result_.G.rows())).transpose());
  }

  /// A direction d without mass along which every row stays in K*.
  void open_direction() {
    const auto n = static_cast<int>(result_.M.rows());
    const int size = sizes_.back();
    result_.M.bottomRows(size).setZero();
    result_.M.rightCols(size).setZero();
    ray_ = Eigen::VectorXd::Zero(n);
    ray_.tail(size) = vector(size);
    for (const auto& group : result_.groups) {
      auto G = result_.G.middleRows(group.first, group.rows);
      const Eigen::VectorXd along =
          group.cone == Cone::zero ? Eigen::VectorXd::Zero(group.rows) : in_cone(group);
      G += (along - G * ray_) * ray_.transpose() / ray_.squaredNorm();
      G = (G.array().abs() < 1e-12).select(0.0, G);  // what should be zero, is
    }
  }

  void choose_right_hand_sides() {
    const auto n = static_cast<int>(result_.M.rows());
    const Eigen::VectorXd x = vector(n);
    Eigen::VectorXd lambda = Eigen::VectorXd::Zero(result_.G.rows());
    Eigen::VectorXd slack = Eigen::VectorXd::Zero(result_.G.rows());
    for (const auto& group : result_.groups) {
      // v = Π(v) − Π(−v) for self-dual cones, and the two parts are orthogonal.
      Eigen::VectorXd v = vector(group.rows);
      if (random_.below(6) == 0) v.setZero();
      lambda.segment(group.first, group.rows) = projected(group.cone, v);
      slack.segment(group.first, group.rows) = projected(group.cone, v) - v;
    }
    result_.b = result_.G * x - slack;
    for (const auto& group : result_.groups) {
      result_.b.segment(group.first, group.rows) +=
          group.compliance * lambda.segment(group.first, group.rows);
    }
    result_.c = result_.M * x - result_.G.transpose() * lambda;
    if (result_.kind == Kind::infeasible) {
      result_.b[result_.b.size() - 1] += 0.1 + random_.between(0.0, 2.0) - ray_.dot(result_.b);
    }
    if (result_.kind == Kind::unbounded) {
      result_.c +=
          (0.1 + random_.between(0.0, 2.0) - result_.c.dot(ray_)) * ray_ / ray_.squaredNorm();
    }
    const double size = random_.below(3) == 0 ? std::pow(10.0, random_.between(-4.0, 4.0)) : 1.0;
    result_.b *= size;
    result_.c *= size;
    result_.x = size * x;
    result_.lambda = size * lambda;
  }

  void build_program() {
    int at = 0;
    for (const int size : sizes_) {
      result_.program.add_block(result_.M.block(at, at, size, size), result_.c.segment(at, size));
      at += size;
    }
    for (const auto& group : result_.groups) {
      result_.program.begin_group(group.cone, result_.b.segment(group.first, group.rows),
                                  {group.compliance, 0, {}});
      at = 0;
      for (std::size_t block = 0; block < sizes_.size(); ++block) {
        const Eigen::MatrixXd part = result_.G.block(group.first, at, group.rows, sizes_[block]);
        if (!part.isZero(0.0)) result_.program.add_term(static_cast<int>(block), part);
        at += sizes_[block];
      }
    }
  }

  Random random_;
  std::vector<int> sizes_;
  Eigen::VectorXd ray_;
  RandomProgram result_;
};

inline RandomProgram random_program(std::uint64_t seed) { return RandomProgramMaker(seed).make(); }

/// What contradicts a solution that claims to be optimal, judged densely and without the library's
/// own scaling; empty if nothing does.
inline std::string fault_of_optimum(const RandomProgram& random, const Solution& solution) {
  if (random.kind != Kind::solvable) return "optimal, though there is no solution";
  const Eigen::VectorXd& x = solution.x;
  const Eigen::VectorXd& lambda = solution.lambda;
  const double forces = lambda.size() == 0 ? 0.0 : (random.G.transpose() * lambda).cwiseAbs().sum();
  const double size = random.c.cwiseAbs().sum() + (random.M * x).cwiseAbs().sum() + forces;
  const Eigen::VectorXd gradient = random.M * x - random.c - random.G.transpose() * lambda;
  const double rounding =
      1e-12 + 1e-13 * (random.M.norm() * random.x.norm() +
                       random.G.norm() * (random.lambda.norm() + random.b.norm()));
  if (!(gradient.lpNorm<Eigen::Infinity>() <= 1e-6 * size + rounding)) {
    return fmt::format("gradient of {} where forces are {}", gradient.lpNorm<Eigen::Infinity>(),
                       size);
  }
  double gap = 0.0;
  double products = 0.0;
  double reaches = 0.0;
  for (const auto& group : random.groups) {
    const Eigen::VectorXd own = lambda.segment(group.first, group.rows);
    const Eigen::MatrixXd G = random.G.middleRows(group.first, group.rows);
    const Eigen::VectorXd slack =
        G * x - random.b.segment(group.first, group.rows) + group.compliance * own;
    const double reach = G.cwiseAbs().sum() * x.lpNorm<Eigen::Infinity>() +
                         random.b.segment(group.first, group.rows).cwiseAbs().sum() +
                         group.compliance * own.cwiseAbs().sum();
    const Eigen::VectorXd outside_dual =
        group.cone == Cone::zero ? slack : Eigen::VectorXd(slack - projected(group.cone, slack));
    if (!(outside_dual.norm() <= 1e-5 * reach)) {
      return fmt::format("rows from {} off by {}", group.first, outside_dual.norm());
    }
    const Eigen::VectorXd outside = own - projected(group.cone, own);
    if (!(outside.norm() <= 1e-5 * (own.norm() + size))) {
      return fmt::format("multipliers from {} off by {}", group.first, outside.norm());
    }
    gap += own.dot(slack);
    products += own.cwiseAbs().sum() * reach;
    reaches += reach;
  }
  // Multipliers of a program without forces have no size; what is left of them does not count.
  if (!(std::abs(gap) <= 1e-5 * products + rounding * x.lpNorm<1>() + 1e-12 * reaches))
    return fmt::format("gap of {}", gap);
  // All solutions have the same objective.
  const double magnitude =
      std::abs(random.objective(random.x)) + x.cwiseAbs().dot(random.c.cwiseAbs()) + products;
  double compliance = 0.0;  // ½ λᵀEλ belongs to the objective
  for (const auto& group : random.groups) {
    compliance += 0.5 * group.compliance *
                  (lambda.segment(group.first, group.rows).squaredNorm() -
                   random.lambda.segment(group.first, group.rows).squaredNorm());
  }
  const double off = random.objective(x) + compliance - random.objective(random.x);
  if (!(std::abs(off) <= 1e-5 * magnitude)) return fmt::format("objective off by {}", off);
  return {};
}

/// What contradicts a ray, judged densely.
inline std::string fault_of_ray(const RandomProgram& random, const Solution& solution) {
  const Eigen::VectorXd& ray = solution.ray;
  if (solution.status == Status::infeasible) {
    if (random.kind != Kind::infeasible) return "infeasible, though there is a feasible point";
    const double gain = random.b.dot(ray);
    if (!(gain > 0.0)) return fmt::format("ray gains {}", gain);
    // bᵀλ > 0 ≥ λᵀ(b − Gx) for feasible x: what Gᵀλ leaves must be small against what it proves.
    const double left = (random.G.transpose() * ray).cwiseAbs().sum();
    const double size = random.G.cwiseAbs().sum() * ray.cwiseAbs().sum();
    if (!(left <= 1e-6 * size)) return fmt::format("ray leaves {} of {}", left, size);
    for (const auto& group : random.groups) {
      const Eigen::VectorXd own = ray.segment(group.first, group.rows);
      if (!((own - projected(group.cone, own)).norm() <= 1e-12 * ray.norm())) {
        return fmt::format("ray outside the cone from row {}", group.first);
      }
    }
    return {};
  }
  if (random.kind != Kind::unbounded) return "unbounded, though there is a solution or none at all";
  if (!(random.c.dot(ray) > 0.0)) return fmt::format("ray gains {}", random.c.dot(ray));
  if (!((random.M * ray).norm() <= 1e-6 * random.M.norm() * ray.norm())) return "ray has mass";
  for (const auto& group : random.groups) {
    const Eigen::MatrixXd G = random.G.middleRows(group.first, group.rows);
    const Eigen::VectorXd own = G * ray;
    const Eigen::VectorXd outside =
        group.cone == Cone::zero ? own : Eigen::VectorXd(own - projected(group.cone, own));
    if (!(outside.norm() <= 1e-6 * G.norm() * ray.norm())) {
      return fmt::format("ray leaves rows from {}", group.first);
    }
  }
  return {};
}

/// What is wrong with an answer; empty if nothing is. Not having found one is not wrong.
inline std::string fault_of(const RandomProgram& random, const Solution& solution) {
  if (!solution.x.allFinite() || !solution.lambda.allFinite()) return "not finite";
  switch (solution.status) {
    case Status::optimal:
      return fault_of_optimum(random, solution);
    case Status::infeasible:
    case Status::unbounded:
      return fault_of_ray(random, solution);
    default:
      return {};
  }
}

}  // namespace collapse::testing
