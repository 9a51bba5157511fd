#pragma once
/// Lemke's complementary pivoting (Cottle, Pang, Stone, The Linear Complementarity Problem, 4.4).

#include <Eigen/Core>
#include <optional>
#include <vector>

namespace collapse::simulate {

struct Complementary {
  Eigen::VectorXd z;
  std::vector<bool> basic;  ///< which of them may be positive
};

/// A solution of
///
///     w = M z + q,     w ≥ 0,   z ≥ 0,   wᵀz = 0.
///
/// Nothing if the method ends in a ray: it does not where M is copositive plus and there is a solution. Numbers should
/// be about one. Ties are broken by changes of q by 1e-10, and more if that is too close to rounding.
[[nodiscard]] std::optional<Complementary> lemke(const Eigen::MatrixXd& M,
                                                 const Eigen::VectorXd& q);

}  // namespace collapse::simulate
