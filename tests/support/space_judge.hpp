#pragma once
/// Whether a structure in space stands, by a linear program of its own: friction pyramids with many
/// sides inside and around the cones, written down from bodies and contacts alone and solved by the
/// simplex method in dense tables. It shares no code with the library's rows, programs and solver.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <vector>

#include "collapse/contact/contact.hpp"

namespace collapse::testing {

/// minimise Σ|A x − b| over x ≥ 0, by the simplex method.
class DenseSimplex {
 public:
  explicit DenseSimplex(std::size_t rows) : rows_(rows) {}

  void add_column(const std::vector<double>& column) { columns_.push_back(column); }

  /// The least sum over that of |b|. Not a number if the method did not come to an end.
  [[nodiscard]] double least_residual(const std::vector<double>& b) {
    build(b);
    const std::size_t limit = 50 * (rows_ + columns_.size());
    for (std::size_t pivot = 0; pivot < limit; ++pivot) {
      const std::size_t entering = choose_column(pivot > limit / 4);
      if (entering == kNone) return objective() / scale_;
      const std::size_t leaving = choose_row(entering);
      if (leaving == kNone) {
        at(rows_, entering) = 0.0;  // a column of rounding alone: nothing is gained by it
      } else {
        exchange(leaving, entering);
      }
    }
    return std::numeric_limits<double>::quiet_NaN();
  }

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  static constexpr double kTiny = 1e-11;

  /// Rows: constraints, then reduced costs. Columns: variables, then the right-hand side.
  double& at(std::size_t row, std::size_t column) { return table_[row * width_ + column]; }

  /// What is missing in a row, and what is too much, are variables of cost one; the former are all
  /// that there is at first.
  void build(const std::vector<double>& b) {
    const std::size_t given = columns_.size();
    width_ = given + 2 * rows_ + 1;
    table_.assign((rows_ + 1) * width_, 0.0);
    scale_ = 0.0;
    for (std::size_t j = given; j + 1 < width_; ++j) at(rows_, j) = 1.0;
    for (std::size_t i = 0; i < rows_; ++i) {
      const double sign = b[i] < 0.0 ? -1.0 : 1.0;
      for (std::size_t j = 0; j < given; ++j) at(i, j) = sign * columns_[j][i];
      at(i, given + 2 * i) = 1.0;
      at(i, given + 2 * i + 1) = -1.0;
      // Each row has a tiny right-hand side of its own, so that no step is of length zero.
      at(i, width_ - 1) = sign * b[i] + 1e-13 * (1.0 + 0.618 * static_cast<double>(i));
      scale_ += std::abs(b[i]);
      for (std::size_t j = 0; j < width_; ++j) at(rows_, j) -= at(i, j);
    }
  }

  [[nodiscard]] double objective() { return -at(rows_, width_ - 1); }

  /// The most negative reduced cost; by number (Bland) once the method may be turning in circles.
  std::size_t choose_column(bool by_number) {
    std::size_t best = kNone;
    double least = -kTiny;
    for (std::size_t j = 0; j + 1 < width_; ++j) {
      if (at(rows_, j) >= least) continue;
      best = j;
      if (by_number) break;
      least = at(rows_, j);
    }
    return best;
  }

  /// Ties go to the largest pivot.
  std::size_t choose_row(std::size_t column) {
    std::size_t best = kNone;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < rows_; ++i) {
      if (at(i, column) <= 1e-9) continue;
      const double ratio = std::max(at(i, width_ - 1), 0.0) / at(i, column);
      const bool better = ratio < least - 1e-12;
      const bool tie =
          !better && ratio < least + 1e-12 && best != kNone && at(i, column) > at(best, column);
      if (better || tie) best = i, least = std::min(least, ratio);
    }
    return best;
  }

  void exchange(std::size_t row, std::size_t column) {
    const double pivot = at(row, column);
    for (std::size_t j = 0; j < width_; ++j) at(row, j) /= pivot;
    for (std::size_t i = 0; i <= rows_; ++i) {
      const double factor = at(i, column);
      if (i == row || factor == 0.0) continue;
      for (std::size_t j = 0; j < width_; ++j) at(i, j) -= factor * at(row, j);
      at(i, column) = 0.0;
    }
  }

  std::size_t rows_;
  std::vector<std::vector<double>> columns_;
  std::vector<double> table_;
  std::size_t width_ = 0;
  double scale_ = 1.0;
};

/// What two pyramids say. Residuals are shares of all weights and of weights times size.
struct SpaceJudgement {
  /// Least imbalance with pyramids inside the cones, and without contacts of corners: near zero, the
  /// structure stands.
  double inside = 0.0;
  /// With pyramids around the cones, and forces along all normals of corners: far from zero, it falls.
  double around = 0.0;

  [[nodiscard]] bool stands() const { return inside < 1e-9; }
  [[nodiscard]] bool falls() const { return around > 1e-6; }
};

class SpaceJudge {
 public:
  SpaceJudge(const Scene<3>& scene, const State<3>& state, const ContactSet<3>& contacts,
             int sides = 32)
      : scene_(scene), state_(state), contacts_(contacts), sides_(sides) {
    row_.assign(scene.bodies.size(), -1);
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
      if (!scene.bodies[i].free()) continue;
      row_[i] = static_cast<int>(sizes_.size()) * 6;
      sizes_.push_back(scene.bodies[i].shape.reach(scene.bodies[i].mass.centre));
    }
  }

  [[nodiscard]] SpaceJudgement judge() const {
    const double around = 1.0 / std::cos(std::numbers::pi / sides_);
    return {residual(1.0, false), residual(around, true)};
  }

 private:
  using Column = std::vector<double>;

  [[nodiscard]] std::size_t rows() const { return 6 * sizes_.size(); }

  /// f at a point on a body, its torque over the body's size.
  void add_force(Column& column, int body, const Vec<3>& point, const Vec<3>& f) const {
    const int row = row_[static_cast<std::size_t>(body)];
    if (row < 0) return;
    const Vec<3> r = point - state_.centre(scene_, body);
    const Vec<3> torque = r.cross(f) / sizes_[static_cast<std::size_t>(row / 6)];
    for (int i = 0; i < 3; ++i) {
      column[static_cast<std::size_t>(row + i)] += f[i];
      column[static_cast<std::size_t>(row + 3 + i)] += torque[i];
    }
  }

  /// Forces at the edges of a pyramid about `normal` with the tangent `mu`.
  void add_pyramid(DenseSimplex& simplex, const ContactId& id, const Vec<3>& point,
                   const Vec<3>& normal, double mu) const {
    const Vec<3> axis = std::abs(normal.x()) < 0.6 ? Vec<3>::UnitX() : Vec<3>::UnitY();
    const Vec<3> first = normal.cross(axis).normalized();
    const Vec<3> second = normal.cross(first);
    for (int k = 0; k < (mu == 0.0 ? 1 : sides_); ++k) {
      const double angle = 2.0 * std::numbers::pi * k / sides_;
      const Vec<3> edge = normal + mu * (std::cos(angle) * first + std::sin(angle) * second);
      Column column(rows(), 0.0);
      add_force(column, id.b, point, edge);
      add_force(column, id.a, point, -edge);
      simplex.add_column(column);
    }
  }

  [[nodiscard]] double residual(double widening, bool with_corners) const {
    DenseSimplex simplex(rows());
    for (const Contact<3>& contact : contacts_.contacts) {
      add_pyramid(simplex, contact.id, contact.point, contact.normal, widening * contact.friction);
    }
    if (with_corners) {
      for (const CornerContact<3>& corner : contacts_.corners) {
        for (const Vec<3>& normal : corner.normals) {
          add_pyramid(simplex, corner.id, corner.point, normal, widening * corner.friction);
        }
      }
    }
    std::vector<double> load(rows(), 0.0);
    double all = 0.0;
    for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
      if (row_[i] < 0) continue;
      const Vec<3> weight = scene_.bodies[i].mass.mass * scene_.gravity.value;
      for (int k = 0; k < 3; ++k) load[static_cast<std::size_t>(row_[i] + k)] = -weight[k];
      all += weight.lpNorm<1>();
    }
    if (all == 0.0) return 0.0;
    for (double& entry : load) entry /= all;
    return simplex.least_residual(load);
  }

  const Scene<3>& scene_;
  const State<3>& state_;
  const ContactSet<3>& contacts_;
  int sides_;
  std::vector<int> row_;
  std::vector<double> sizes_;
};

}  // namespace collapse::testing
