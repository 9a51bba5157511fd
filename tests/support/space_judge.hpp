#pragma once
/// Whether a structure in space stands, by a linear program of its own: friction pyramids with many
/// sides inside and around the cones, written down from bodies, joints and contacts alone and solved by the
/// simplex method in dense tables. It shares no code with the library's rows, programs and solver.

#include <Eigen/LU>
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
  /// Bounds of the least sum, each by itself, as shares of the sum of |b|.
  struct Bounds {
    double upper = 0.0;  ///< what the variables found leave, from the given columns
    double lower = 0.0;  ///< what the prices found prove
  };

  explicit DenseSimplex(std::size_t rows) : rows_(static_cast<Eigen::Index>(rows)) {}

  void add_column(const std::vector<double>& column) { columns_.push_back(column); }

  [[nodiscard]] Bounds least_residual(const std::vector<double>& b) {
    build(b);
    const Eigen::Index limit = 50 * width_;
    bool fresh = true;  // the table has no rounding of earlier pivots
    for (Eigen::Index pivot = 0; pivot < limit; ++pivot) {
      if (pivot % 32 == 31) renew(), fresh = true;
      const Eigen::Index entering = choose_column(pivot > limit / 4);
      if (entering == kNone) {
        if (fresh) break;
        renew();
        fresh = true;
        continue;
      }
      const Eigen::Index leaving = choose_row(entering);
      if (leaving == kNone) {
        table_(rows_, entering) = 0.0;  // a column of rounding alone: nothing is gained by it
      } else {
        exchange(leaving, entering);
        fresh = false;
      }
    }
    return bounds();
  }

 private:
  static constexpr Eigen::Index kNone = -1;
  static constexpr double kTiny = 1e-11;

  /// What is missing in a row, and what is too much, are variables of cost one; the former are all
  /// that there is at first. The table's rows: constraints, then reduced costs. Its columns:
  /// variables, then the right-hand side.
  void build(const std::vector<double>& b) {
    given_ = static_cast<Eigen::Index>(columns_.size());
    width_ = given_ + 2 * rows_ + 1;
    original_.setZero(rows_, width_);
    basis_.clear();
    for (Eigen::Index i = 0; i < rows_; ++i) {
      const double right = b[static_cast<std::size_t>(i)];
      const double sign = right < 0.0 ? -1.0 : 1.0;
      for (Eigen::Index j = 0; j < given_; ++j) {
        original_(i, j) = sign * columns_[static_cast<std::size_t>(j)][static_cast<std::size_t>(i)];
      }
      original_(i, given_ + 2 * i) = 1.0;
      original_(i, given_ + 2 * i + 1) = -1.0;
      original_(i, width_ - 1) = sign * right;
      basis_.push_back(given_ + 2 * i);
    }
    renew();
  }

  /// Each row has a tiny right-hand side of its own, so that no step is of length zero.
  [[nodiscard]] Eigen::MatrixXd shifted() const {
    Eigen::MatrixXd matrix = original_;
    for (Eigen::Index i = 0; i < rows_; ++i) {
      matrix(i, width_ - 1) += 1e-13 * (1.0 + 0.618 * static_cast<double>(i));
    }
    return matrix;
  }

  /// The prices of the rows, and the table anew from the given numbers and the variables that are
  /// not zero.
  void renew() {
    Eigen::MatrixXd chosen(rows_, rows_);
    Eigen::VectorXd costs(rows_);
    for (Eigen::Index i = 0; i < rows_; ++i) {
      const Eigen::Index j = basis_[static_cast<std::size_t>(i)];
      chosen.col(i) = original_.col(j);
      costs[i] = j >= given_ ? 1.0 : 0.0;
    }
    const Eigen::PartialPivLU<Eigen::MatrixXd> factor(chosen);
    prices_ = factor.transpose().solve(costs);
    const Eigen::MatrixXd matrix = shifted();
    table_.resize(rows_ + 1, width_);
    table_.topRows(rows_) = factor.solve(matrix);
    table_.row(rows_) = -prices_.transpose() * matrix;
    for (Eigen::Index j = given_; j + 1 < width_; ++j) table_(rows_, j) += 1.0;
  }

  [[nodiscard]] Bounds bounds() {
    renew();
    Eigen::VectorXd x = Eigen::VectorXd::Zero(given_);
    for (Eigen::Index i = 0; i < rows_; ++i) {
      const Eigen::Index j = basis_[static_cast<std::size_t>(i)];
      if (j < given_) x[j] = std::max(table_(i, width_ - 1), 0.0);
    }
    const Eigen::VectorXd right = original_.col(width_ - 1);
    const double scale = right.lpNorm<1>();
    const double left = (original_.leftCols(given_) * x - right).lpNorm<1>();
    // Prices that no column would pay, and of at most one: they prove a bound whatever the basis is.
    const double dearest =
        given_ > 0 ? (original_.leftCols(given_).transpose() * prices_).maxCoeff() : 0.0;
    const double size = std::max(1.0, prices_.lpNorm<Eigen::Infinity>());
    const bool proves = dearest <= 1e-9 && std::isfinite(size);
    return {left / scale, proves ? prices_.dot(right) / (size * scale) : 0.0};
  }

  /// The most negative reduced cost; by number (Bland) once the method may be turning in circles.
  [[nodiscard]] Eigen::Index choose_column(bool by_number) const {
    Eigen::Index best = kNone;
    double least = -kTiny;
    for (Eigen::Index j = 0; j + 1 < width_; ++j) {
      if (table_(rows_, j) >= least) continue;
      best = j;
      if (by_number) break;
      least = table_(rows_, j);
    }
    return best;
  }

  /// Ties go to the largest pivot.
  [[nodiscard]] Eigen::Index choose_row(Eigen::Index column) const {
    Eigen::Index best = kNone;
    double least = std::numeric_limits<double>::infinity();
    for (Eigen::Index i = 0; i < rows_; ++i) {
      const double slope = table_(i, column);
      if (slope <= 1e-9) continue;
      const double ratio = std::max(table_(i, width_ - 1), 0.0) / slope;
      const bool better = ratio < least - 1e-12;
      const bool tie =
          !better && ratio < least + 1e-12 && best != kNone && slope > table_(best, column);
      if (better || tie) best = i, least = std::min(least, ratio);
    }
    return best;
  }

  void exchange(Eigen::Index row, Eigen::Index column) {
    basis_[static_cast<std::size_t>(row)] = column;
    table_.row(row) /= table_(row, column);
    const Eigen::RowVectorXd pivot = table_.row(row);
    Eigen::VectorXd factors = table_.col(column);
    factors[row] = 0.0;
    table_.noalias() -= factors * pivot;
    for (Eigen::Index i = 0; i <= rows_; ++i) table_(i, column) = i == row ? 1.0 : 0.0;
  }

  Eigen::Index rows_;
  Eigen::Index given_ = 0;
  Eigen::Index width_ = 0;
  std::vector<std::vector<double>> columns_;
  Eigen::MatrixXd original_;
  Eigen::MatrixXd table_;
  Eigen::VectorXd prices_;
  std::vector<Eigen::Index> basis_;
};

/// What two pyramids say. Residuals are shares of all weights and of weights times size.
struct SpaceJudgement {
  /// Imbalance that is reached with pyramids inside the cones, and without contacts of corners: near
  /// zero, the structure stands.
  double inside = 0.0;
  /// Imbalance that is left at least with pyramids around the cones, and forces along all normals of
  /// corners: far from zero, it falls.
  double around = 0.0;
  /// What is known of either is far from sharp: the method did not come to an end.
  bool at_a_loss = false;
  /// Of all weights: what the lightest body lacks must not be taken for rounding.
  double lightest = 1.0;

  [[nodiscard]] bool stands() const { return inside < std::min(1e-9, 1e-3 * lightest); }
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
    const DenseSimplex::Bounds inner = residual(1.0, false);
    const DenseSimplex::Bounds outer = residual(around, true);
    const auto loose = [](const DenseSimplex::Bounds& bounds) {
      return !(bounds.upper - bounds.lower < 1e-6);
    };
    double all = 0.0;
    double lightest = std::numeric_limits<double>::infinity();
    for (const Body<3>& body : scene_.bodies) {
      if (!body.free()) continue;
      all += body.mass.mass;
      lightest = std::min(lightest, body.mass.mass);
    }
    return {inner.upper, outer.lower, loose(inner) || loose(outer), lightest / all};
  }

 private:
  using Column = std::vector<double>;

  [[nodiscard]] std::size_t rows() const { return 6 * sizes_.size(); }

  /// f at a point on a body, its torque over the body's size.
  void add_force(Column& column, int body, const Vec<3>& point, const Vec<3>& f) const {
    const int row = body == kWorld ? -1 : row_[static_cast<std::size_t>(body)];
    if (row < 0) return;
    const Vec<3> r = point - state_.centre(scene_, body);
    const Vec<3> torque = r.cross(f) / sizes_[static_cast<std::size_t>(row / 6)];
    for (int i = 0; i < 3; ++i) {
      column[static_cast<std::size_t>(row + i)] += f[i];
      column[static_cast<std::size_t>(row + 3 + i)] += torque[i];
    }
  }

  void add_torque(Column& column, int body, const Vec<3>& torque) const {
    const int row = body == kWorld ? -1 : row_[static_cast<std::size_t>(body)];
    if (row < 0) return;
    for (int i = 0; i < 3; ++i) {
      column[static_cast<std::size_t>(row + 3 + i)] +=
          torque[i] / sizes_[static_cast<std::size_t>(row / 6)];
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

  /// A force at a point, or a torque, that joined bodies may give each other, either way.
  void add_both_ways(DenseSimplex& simplex, const Joint<3>& joint, const Vec<3>& force,
                     const Vec<3>& torque) const {
    for (const double sign : {1.0, -1.0}) {
      Column column(rows(), 0.0);
      add_force(column, joint.b, joint.at_b.value, sign * force);
      add_force(column, joint.a, joint.at_a.value, -sign * force);
      add_torque(column, joint.b, sign * torque);
      add_torque(column, joint.a, -sign * torque);
      simplex.add_column(column);
    }
  }

  void add_joint(DenseSimplex& simplex, const Joint<3>& joint) const {
    const Vec<3> none = Vec<3>::Zero();
    if (joint.type == JointType::rod) {
      add_both_ways(simplex, joint, (joint.at_b.value - joint.at_a.value).normalized(), none);
      return;
    }
    for (int i = 0; i < 3; ++i) add_both_ways(simplex, joint, Vec<3>::Unit(i), none);
    if (joint.type == JointType::pin) return;
    double size = std::numeric_limits<double>::infinity();
    for (const int body : {joint.a, joint.b}) {
      const int row = body == kWorld ? -1 : row_[static_cast<std::size_t>(body)];
      if (row >= 0) size = std::min(size, sizes_[static_cast<std::size_t>(row / 6)]);
    }
    for (int i = 0; i < 3; ++i) {
      Vec<3> torque = Vec<3>::Unit(i);
      if (joint.type == JointType::hinge) torque -= joint.axis[i] * joint.axis;
      add_both_ways(simplex, joint, none, size * torque);
    }
  }

  [[nodiscard]] DenseSimplex::Bounds residual(double widening, bool with_corners) const {
    DenseSimplex simplex(rows());
    for (const Joint<3>& joint : scene_.joints) add_joint(simplex, joint);
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
    if (all == 0.0) return {};
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
