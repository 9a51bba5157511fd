#pragma once

#include <Eigen/Core>
#include <optional>

#include "collapse/solver/coulomb.hpp"
#include "solver/scaling.hpp"
#include "solver/unsymmetric_system.hpp"

namespace collapse {

/// Semismooth Newton's method for Coulomb's law itself,
///
///     M y − c − Gᵀz = 0,      z − Π(z − ŝ) = 0,   ŝ = s + (‖u‖, 0),   s = (t, u) = G y − b + E z,
///
/// for the last digits: from near a solution it needs a few steps where the rounds of solve_coulomb
/// need many. As in newton.hpp, but with dŝ = C ds, C = 1 + e₀ (0, u/‖u‖)ᵀ, which makes the matrix
/// M + Gᵀ(1 − V + V C (E + ρ))⁻¹ V C G unsymmetric. Where forces act along other rows H, the
/// transposed G is that of H.
class CoulombNewton {
 public:
  CoulombNewton(const Program& program, const CoulombOptions& options);

  /// Improves (x, λ) as long as the residual comes down; never leaves it worse. Returns the residual,
  /// that of the balance M x − c − Gᵀλ included.
  double improve(Eigen::VectorXd& x, Eigen::VectorXd& lambda);

 private:
  double measure(const Eigen::VectorXd& y, const Eigen::VectorXd& z);
  [[nodiscard]] bool find_direction(const Eigen::VectorXd& z, double rho);
  /// With the rows that forces act along.
  [[nodiscard]] const Program& force_rows() const {
    return options_.forces == nullptr ? program_ : turned_;
  }

  const CoulombOptions& options_;
  Scaling scaling_;
  Program program_;  ///< in that measure
  Program turned_;   ///< the rows H likewise, if they are not those of the program
  Eigen::VectorXd forces_, dual_, slack_;
  Eigen::VectorXd dy_, dz_;
  std::optional<UnsymmetricSystem> system_;  ///< made when it is first needed
  Eigen::MatrixXd stacked_, weighted_;  ///< G and its products, if there is only one block and no H
};

}  // namespace collapse
