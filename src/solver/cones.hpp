#pragma once
/// The algebra of the cones, group by group. Everything works on raw rows of one group, so that a loop
/// over groups reads like the formula and nothing is allocated.
///
/// Second-order cones are taken apart in their own axes: every matrix here that belongs to a point
/// v = (t, u) has the eigenvectors (1, ±u/‖u‖)/√2 and all directions orthogonal to both.

#include <Eigen/Core>

#include "collapse/solver/program.hpp"

namespace collapse {

/// A symmetric matrix with these axes: eigenvalues `plus`, `minus` and `side` (all other directions).
/// With u = 0 the axis is any; then plus, minus and side have to be meant for that.
struct AxisMatrix {
  double plus = 0.0;
  double minus = 0.0;
  double side = 0.0;

  /// out = A v, for the axis u (unit length, rows − 1 entries).
  void multiply(const double* axis, int rows, const double* v, double* out) const;
  /// Its entries, column after column.
  void dense(const double* axis, int rows, double* out) const;
};

/// Unit vector along u = v[1 …], the first tangential axis if u = 0. Returns ‖u‖.
double unit_axis(const double* v, int rows, double* axis);

/// t − ‖u‖: how far inside the cone.
[[nodiscard]] double cone_distance(Cone cone, const double* v, int rows);

/// Projection on K (the multipliers' cone): everything for Cone::zero.
void project(Cone cone, const double* v, int rows, double* out);

/// The derivative of the projection on a second-order cone at v, and the axis of v. Returns ‖u‖.
double project_derivative(const double* v, int rows, double* axis, AxisMatrix& derivative);

/// The largest step in [0, limit] that keeps v + step·dv in the cone; v is inside.
[[nodiscard]] double step_to_boundary(Cone cone, const double* v, const double* dv, int rows,
                                      double limit);

/// s and z inside the cone with the same difference z − s and the product μ: s z = μ in each row of an inequality, in a
/// second-order cone for the eigenvalues. They may be anywhere before.
void make_central(Cone cone, double mu, int rows, double* s, double* z);

}  // namespace collapse
