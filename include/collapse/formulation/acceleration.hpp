#pragma once
/// The acceleration program at rest (Gauss' principle of least constraint; docs/theory/statics.md):
///
///     minimise   ½ (a − M⁻¹f)ᵀ M (a − M⁻¹f)   subject to   G a ≥ 0 (contacts),   J a = 0 (joints)
///
/// a: accelerations of the free bodies; f: external forces; a row of G is d·(relative acceleration
/// of b over a at a contact point) for each direction d that generates the contact's force cone.
/// The multipliers are the magnitudes of the contact forces along those directions and the joint
/// forces.
///
/// At rest, a = 0 exactly if the structure is in equilibrium. Otherwise a is admissible and the
/// external forces gain aᵀMa > 0 on it: it proves that no equilibrium exists.

#include <span>
#include <vector>

#include "collapse/formulation/rows.hpp"
#include "collapse/solver/program.hpp"

namespace collapse {

/// A load of the scene that acts, times a factor.
struct AppliedLoad {
  int load = 0;
  double factor = 1.0;
};

/// Force and torque about the centre of mass on each free body, in the order of FreeBodies.
template <int Dim>
[[nodiscard]] std::vector<Twist<Dim>> external_forces(const Scene<Dim>& scene,
                                                      const FreeBodies<Dim>& free,
                                                      std::span<const AppliedLoad> loads);

/// One block per free body; the contacts' rows first, contact after contact, then the joints'.
template <int Dim>
[[nodiscard]] Program acceleration_program(const Scene<Dim>& scene, const State<Dim>& state,
                                           const FreeBodies<Dim>& free,
                                           std::span<const Contact<Dim>> contacts,
                                           std::span<const Twist<Dim>> external);

}  // namespace collapse
