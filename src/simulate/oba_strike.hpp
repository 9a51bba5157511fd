#pragma once
/// One collision alone, exactly: of all impulses j in the cone of friction that make the bodies part with a given speed,
///
///     minimise   ½ jᵀWj + jᵀu    subject to   ‖j_t‖ ≤ μ j_n,    n·(u + W j) = b,
///
/// the one that leaves the least kinetic energy. W is the inverse mass at the contact, u the velocity of b over a, both in
/// its frame (normal, two tangents). A frictionless impulse is admissible too, and takes ½ (u_n² − b²)/W_nn: so energy
/// never grows as long as b ≤ −u_n. (Friction of μ j_n against u_t, as usual, may turn the sliding round and add
/// energy.)

#include "collapse/geometry/dim.hpp"

namespace collapse::simulate {

/// Zero if b ≤ u_n or nothing can move.
[[nodiscard]] Vec<3> strike_impulse(const Eigen::Matrix3d& W, const Vec<3>& u, double mu, double b);

}  // namespace collapse::simulate
