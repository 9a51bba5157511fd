#pragma once

#include <Eigen/Dense>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "collapse/core/random.hpp"
#include "collapse/solver/program.hpp"

namespace collapse::testing {

enum class Kind { solvable, infeasible, unbounded };

/// A program of a kind known by construction, beside it the same densely, for a judgement that shares
/// nothing with the solver (tests/support/program_judge.hpp).
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
      // What should be zero is, before `along` is added: a row along d alone then lies on the
      // boundary of its cone where `along` does.
      const double largest = G.cwiseAbs().maxCoeff();
      G -= G * ray_ * ray_.transpose() / ray_.squaredNorm();
      G = (G.array().abs() < 1e-12 * largest).select(0.0, G);
      G += along * ray_.transpose() / ray_.squaredNorm();
    }
  }

  void choose_right_hand_sides() {
    const auto n = static_cast<int>(result_.M.rows());
    const Eigen::VectorXd x = vector(n);
    Eigen::VectorXd lambda = Eigen::VectorXd::Zero(result_.G.rows());
    Eigen::VectorXd slack = Eigen::VectorXd::Zero(result_.G.rows());
    for (const auto& group : result_.groups) {
      // v = Π(v) − Π(−v) for self-dual cones, and the two parts are orthogonal. Each is projected, not
      // the difference of the others: that would leave the cone by the rounding of v.
      Eigen::VectorXd v = vector(group.rows);
      if (random_.below(6) == 0) v.setZero();
      lambda.segment(group.first, group.rows) = projected(group.cone, v);
      if (group.cone == Cone::zero) continue;
      slack.segment(group.first, group.rows) = projected(group.cone, -v);
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

}  // namespace collapse::testing
