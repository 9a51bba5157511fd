#pragma once

#include <Eigen/Core>

#include "collapse/solver/program.hpp"

namespace collapse {

/// The measure that makes a program free of units. With x = t·S y and λ = f·R λ̃ every entry of the
/// program is of order one:
///
///     M̃ = (t/f) S M S,   c̃ = S c / f,   G̃ = R G S,   b̃ = R b / t,   Ẽ = (f/t) R E R.
///
/// S is 1/√Mᵢᵢ; a variable without mass is measured by its column of G instead. R is the same for all
/// rows of a second-order cone or a compliant group, as it has to be. t = f is the largest entry of S c and R b; without
/// any mass the sizes of solution and multipliers have nothing to do with each other, and each has
/// its own.
struct Scaling {
  Eigen::VectorXd variable;  ///< diagonal of S
  Eigen::VectorXd row;       ///< diagonal of R
  double solution = 1.0;     ///< t
  double multipliers = 1.0;  ///< f

  Scaling() = default;
  explicit Scaling(const Program& program) { measure(program); }
  void measure(const Program& program);

  /// The program in this measure.
  void apply(Program& program) const;
};

}  // namespace collapse
