#pragma once

#include <Eigen/Core>
#include <functional>

#include "solver/delassus_newton.hpp"

namespace collapse {

/// An island as a program. The symmetric part of W is factorised, W + Wᵀ = 2 L Lᵀ with as many columns
/// as its rank, which makes
///
///     minimise ½‖x‖²   subject to   L x + q ∈ K*
///
/// a program with the multipliers r; what is left of W, the antisymmetric part first of all, goes into
/// the rounds of solve_coulomb. The answer is empty if there is none, or the factor would
/// be too large.
[[nodiscard]] Eigen::VectorXd solve_as_program(const ContactIsland& island, double tolerance,
                                               const std::function<bool()>& interrupt,
                                               DelassusEffort& effort);

}  // namespace collapse
