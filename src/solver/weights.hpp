#pragma once

#include <Eigen/Core>
#include <vector>

#include "collapse/solver/program.hpp"

namespace collapse {

/// A symmetric positive semidefinite matrix D with one dense block per second-order cone and one
/// number per inequality; nothing for equations.
class Weights {
 public:
  void fit(const Program& program) {
    first_.clear();
    std::size_t size = 0;
    for (const Program::Group& group : program.groups()) {
      first_.push_back(size);
      if (group.cone == Cone::zero) continue;
      const auto rows = static_cast<std::size_t>(group.rows);
      size += group.cone == Cone::second_order ? rows * rows : rows;
    }
    values_.assign(size, 0.0);
  }

  [[nodiscard]] double* of(std::size_t group) { return values_.data() + first_[group]; }
  [[nodiscard]] const double* of(std::size_t group) const { return values_.data() + first_[group]; }

  /// out = D v; zero in the rows of equations.
  void multiply(const Program& program, const Eigen::VectorXd& v, Eigen::VectorXd& out) const {
    out.setZero(v.size());
    for (std::size_t k = 0; k < program.groups().size(); ++k) {
      const Program::Group& group = program.groups()[k];
      const double* d = of(k);
      const double* from = v.data() + group.first_row;
      double* to = out.data() + group.first_row;
      if (group.cone == Cone::nonnegative) {
        for (int i = 0; i < group.rows; ++i) to[i] = d[i] * from[i];
      } else if (group.cone == Cone::second_order) {
        for (int j = 0; j < group.rows; ++j, d += group.rows) {
          for (int i = 0; i < group.rows; ++i) to[i] += d[i] * from[j];
        }
      }
    }
  }

 private:
  std::vector<std::size_t> first_;
  std::vector<double> values_;
};

}  // namespace collapse
