#pragma once

#include "benchmarks/peers/general_form.hpp"

namespace collapse::benchmarks {

/// Solves the program with Ipopt and MUMPS, with exact sparse derivatives. A second-order cone of
/// three rows or more gets slack variables (t, u) and the concave constraint t − ‖u‖²/t ≥ 0, t ≥ 0.
/// t² − ‖u‖² ≥ 0 was tried: it has no gradient at the tip of the cone, where every sticking contact is,
/// and Ipopt then fails or takes wrong points for solutions.
[[nodiscard]] PeerResult solve_with_ipopt(const Program& program, const PeerLimits& limits = {});

}  // namespace collapse::benchmarks
