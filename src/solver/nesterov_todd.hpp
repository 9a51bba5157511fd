#pragma once

#include <Eigen/Core>
#include <vector>

#include "collapse/solver/program.hpp"
#include "solver/cones.hpp"
#include "solver/weights.hpp"

namespace collapse {

/// The scaling W of Nesterov and Todd at slacks s and multipliers z inside their cones: the symmetric
/// map with W z = W⁻¹ s. For inequalities it is √(s/z). Rows of equations are left alone by all of it.
class NesterovTodd {
 public:
  /// False if s or z is not inside (rounding has brought it to the boundary).
  [[nodiscard]] bool update(const Program& program, const Eigen::VectorXd& s,
                            const Eigen::VectorXd& z);

  /// The scaled point W z.
  [[nodiscard]] const Eigen::VectorXd& point() const { return point_; }
  /// out = W v and W⁻¹ v.
  void scale(const Program& program, const Eigen::VectorXd& v, Eigen::VectorXd& out) const;
  void unscale(const Program& program, const Eigen::VectorXd& v, Eigen::VectorXd& out) const;
  /// out = W² v.
  void scale_twice(const Program& program, const Eigen::VectorXd& v, Eigen::VectorXd& out) const;
  /// out = (W z) \ v, the inverse of the cones' product ∘.
  void divide(const Program& program, const Eigen::VectorXd& v, Eigen::VectorXd& out) const;
  /// D = (W² + E + ρ)⁻¹.
  void weights(const Program& program, double rho, Weights& D) const;

 private:
  /// Of one cone: W = η·(g, 1/g, 1) in the axes of cones.hpp.
  struct ConeScale {
    double eta = 1.0;
    double g = 1.0;
  };
  template <class Inequality, class Axes>
  void each(const Program& program, const Inequality& inequality, const Axes& cone) const;

  Eigen::VectorXd point_;
  Eigen::VectorXd axis_;          ///< of each cone, from its first row on
  std::vector<ConeScale> scale_;  ///< of each group
  Eigen::VectorXd ratio_;         ///< √(s/z) of each inequality
};

/// a ∘ b: products for inequalities, (aᵀb, a₀b₁ + b₀a₁) for cones, 0 for equations.
void cone_product(const Program& program, const Eigen::VectorXd& a, const Eigen::VectorXd& b,
                  Eigen::VectorXd& out);

}  // namespace collapse
