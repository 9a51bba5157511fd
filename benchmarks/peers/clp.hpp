#pragma once

#include "benchmarks/peers/general_form.hpp"

namespace collapse::benchmarks {

/// Solves the program with the barrier method of CLP for quadratic programs, with its own sparse
/// Cholesky factorisation and no crossover. Second-order cones may have at most two rows.
/// What it calls solved may still have multipliers of the wrong sign: judge the answer by its residuals.
[[nodiscard]] PeerResult solve_with_clp(const Program& program, const PeerLimits& limits = {});

}  // namespace collapse::benchmarks
