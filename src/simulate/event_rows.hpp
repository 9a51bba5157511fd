#pragma once
/// Rows that hold, as equations: G measures a motion of the free bodies, Hᵀ turns forces into one.

#include <limits>
#include <vector>

#include "simulate/world.hpp"

namespace collapse::simulate {

template <int Dim>
struct HeldRow {
  int a = kWorld;
  int b = kWorld;
  Twist<Dim> motion_a, motion_b;  ///< row of G
  Twist<Dim> force_a, force_b;    ///< row of H
  double beta = 0.0;              ///< what velocities alone add to G a
  double speed = 0.0;             ///< G v, which should be zero
  bool bears = true;              ///< otherwise it is measured, and has no force
  /// Of a gap or joint; none where only velocities are held.
  double drift = std::numeric_limits<double>::quiet_NaN();
};

/// Of a joint, without what velocities and drift add.
template <int Dim>
[[nodiscard]] HeldRow<Dim> held_joint(const Joint<Dim>& source, const MovingJointRow<Dim>& joint) {
  HeldRow<Dim> row;
  row.a = source.a;
  row.b = source.b;
  row.motion_a = row.force_a = joint.row.on_a;
  row.motion_b = row.force_b = joint.row.on_b;
  return row;
}

template <int Dim>
class HeldRows {
 public:
  enum class Along { motion, forces };  ///< whether forces act along G or along H

  explicit HeldRows(const World<Dim>& world) : world_(world) {}

  /// No rows, at the poses of a state.
  void clear(const State<Dim>& state);
  void clear_rows() { rows_.clear(); }
  void add(const HeldRow<Dim>& row) { rows_.push_back(row); }
  [[nodiscard]] const std::vector<HeldRow<Dim>>& rows() const { return rows_; }
  [[nodiscard]] Eigen::Index count() const { return std::ssize(rows_); }
  [[nodiscard]] const MassMatrix<Dim>& inverse_mass(std::size_t free) const {
    return inverse_mass_[free];
  }
  [[nodiscard]] Eigen::VectorXd betas() const;

  /// M⁻¹ Gᵀ λ or M⁻¹ Hᵀ λ.
  [[nodiscard]] Eigen::VectorXd response(const Eigen::VectorXd& lambda, Along along) const;
  /// G x.
  [[nodiscard]] Eigen::VectorXd measured(const Eigen::VectorXd& x) const;
  /// λ with G M⁻¹ Hᵀ λ = right, as small as possible where it is not unique.
  struct Multipliers {
    Eigen::VectorXd steady;  ///< equations a little soft: change no faster than what they depend on
    Eigen::VectorXd exact;   ///< the same, with what softness left over taken away: for motion
  };
  /// Rows where `right` is not a number do not take part, and have λ = 0.
  [[nodiscard]] Multipliers solve(const Eigen::VectorXd& right, Along along) const;
  /// G M⁻¹ Gᵀ or G M⁻¹ Hᵀ of some rows.
  [[nodiscard]] Eigen::MatrixXd operator_of(const std::vector<Eigen::Index>& taking_part,
                                            Along along) const;
  /// G M⁻¹ Hᵀ of one row alone.
  [[nodiscard]] double answer(std::size_t row) const;
  /// Of forces λ on bodies that are not free, at the velocities of these: what these put in.
  [[nodiscard]] double driven_power(const Eigen::VectorXd& lambda, const State<Dim>& state) const;

 private:
  const World<Dim>& world_;
  std::vector<HeldRow<Dim>> rows_;
  std::vector<MassMatrix<Dim>> inverse_mass_;  ///< of the free bodies
};

}  // namespace collapse::simulate
