#pragma once

#include "collapse/solver/program.hpp"

namespace collapse {

/// Two programs that always have a solution and whose solutions are rays, for where the iteration on
/// the program itself has not shown one. Both take a program in the measure of Scaling.

/// The least violation of all rows: minimise ½‖λ‖² subject to G y − b + λ ∈ K*. Its multipliers λ are
/// zero if there is a feasible point. Otherwise Gᵀλ = 0, λ ∈ K and bᵀλ = ‖λ‖² > 0.
[[nodiscard]] Program violation_program(const Program& program);

/// The projection of c on the directions in which nothing stops the objective from falling: minimise
/// ½‖d‖² − cᵀd subject to G d ∈ K*, M d = 0. Its solution is zero if there is none. Otherwise
/// cᵀd = ‖d‖² > 0.
[[nodiscard]] Program recession_program(const Program& program);

}  // namespace collapse
