#pragma once
/// The least potential energy of flat bricks that keep to their verticals (Rote and Zwick, Figure 2, right): with the
/// height y and the slope s of each brick,
///
///     minimise   Σ w y     subject to   y_i + s_i (x − x_i) − t_i/2 ≥ y_j + s_j (x − x_j) + t_j/2
///
/// at both ends x of the stretch where brick i lies over brick or ground j: a linear program. Bricks have thickness t
/// measured along the vertical, do not slide sideways, and turn without becoming shorter: right for small slopes, an
/// abstraction otherwise. The multipliers are the forces of the ends, in equilibrium with the weights.

#include <vector>

#include "collapse/model/state.hpp"
#include "collapse/solver/solution.hpp"

namespace collapse {

struct FlatBrick {
  int body = 0;
  double height = 0.0;  ///< of the centre
  double slope = 0.0;   ///< rise over run
};

struct LeastPotential {
  Status status = Status::stalled;  ///< unbounded: something has nothing below it
  double energy_at_start = 0.0;
  double energy = 0.0;
  double residual = 0.0;
  std::vector<FlatBrick> bricks;  ///< the free bodies
};

/// Throws Error naming the body that is not an upright box on the ground, on fixed upright boxes or on one another.
/// Gravity points down.
[[nodiscard]] LeastPotential least_potential(const Scene<2>& scene);

}  // namespace collapse
