#pragma once

#include <Eigen/Core>

#include "collapse/solver/program.hpp"

namespace collapse {

/// The measure that makes a program free of units. With x = size·S y, S = diag(1/√Mᵢᵢ), rows
/// divided by their length in y, and b, c divided by `size`, every entry of the program is of order
/// one:
///
///     M̃ = S M S,   c̃ = S c / size,   G̃ = R G S,   b̃ = R b / size,   λ = size · R λ̃.
struct Scaling {
  Eigen::VectorXd variable;  ///< diagonal of S
  Eigen::VectorXd row;       ///< diagonal of R
  double size = 1.0;         ///< max(|S c|, |R b|); 1 if both vanish

  explicit Scaling(const Program& program);
};

}  // namespace collapse
