#pragma once

#include <Eigen/Core>
#include <vector>

#include "collapse/solver/program.hpp"

namespace collapse {

/// Of all multipliers that belong to the variables y of a solution, those of least norm:
///
///     minimise ½‖z‖²   subject to   Gᵀz = M y − c,   z ∈ K,   z ⟂ s = G y − b.
///
/// They are unique, whatever the way to y: copies of a contact share its load, and what is symmetric in
/// the program is symmetric in them. In the form of a Program they are multipliers of the variables v of
///
///     minimise (M y − c)ᵀv   subject to   G v + z ∈ K*
///
/// restricted to what z ⟂ s leaves: nothing of rows with slack, of a cone whose slack is on the boundary
/// the ray opposite to it. Rows with compliance have only one multiplier and keep it.
class LeastNorm {
 public:
  /// For a solution of a program in the measure of Scaling; slacks below `touching` are none.
  LeastNorm(const Program& program, const Eigen::VectorXd& y, const Eigen::VectorXd& z,
            double touching);

  [[nodiscard]] Program& program() { return program_; }
  /// z with the multipliers of that program in the place of those that are not unique.
  [[nodiscard]] Eigen::VectorXd multipliers(const Eigen::VectorXd& lambda) const;

 private:
  /// A row of the program above: z = row · direction, for the rows of a group from `first` on.
  struct Source {
    int first = 0;
    Eigen::VectorXd direction;
  };

  Program program_;
  std::vector<Source> sources_;
  Eigen::VectorXd z_;  ///< zero where the program has the say
};

}  // namespace collapse
