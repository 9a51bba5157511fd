#pragma once
/// What the comparisons with general solvers have in common: a program in their form, their answer in
/// ours.

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <string>

#include "collapse/solver/program.hpp"

namespace collapse::benchmarks {

struct PeerLimits {
  double seconds = 60.0;  ///< of processor time, which is how both peers count it
  /// What the peer is asked for, in its own measure. Where contacts are only just closed or open,
  /// complementarity ε leaves errors of √ε in x.
  double tolerance = 1e-10;
};

struct PeerResult {
  std::string status;
  bool solved = false;   ///< to the tolerance asked for, as the peer judges it
  double seconds = 0.0;  ///< of wall clock, in the peer's solve alone
  int iterations = 0;
  Eigen::VectorXd x;
  Eigen::VectorXd lambda;  ///< M x − c = Gᵀλ
};

/// minimise ½ zᵀHz − cᵀz with rows A z − b that are 0, ≥ 0 or in a cone, as their groups say. Two
/// changes make it so, both exact:
/// A compliant row gets a variable y of its own, ½ y² in the objective and √E y in the row; then its
/// multiplier is y/√E, and √E y = E λ. z is x followed by all y.
/// A second-order cone of two rows, t ≥ |u|, is turned by 45° into the nonnegative rows (t ± u)/√2.
struct GeneralForm {
  Eigen::SparseMatrix<double> hessian;  ///< both triangles
  Eigen::VectorXd linear;
  Eigen::SparseMatrix<double, Eigen::RowMajor> rows;
  Eigen::VectorXd bounds;
};

[[nodiscard]] GeneralForm general_form(const Program& program);

/// Whether a cone is one that general_form leaves curved.
[[nodiscard]] inline bool is_curved(const Program::Group& group) {
  return group.cone == Cone::second_order && group.rows > 2;
}

/// Multipliers of the general form as those of the program, or back: the turn is its own inverse.
void turn_planar_cones(const Program& program, Eigen::VectorXd& rows);

}  // namespace collapse::benchmarks
