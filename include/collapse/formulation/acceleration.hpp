#pragma once
/// The acceleration program (Gauss' principle of least constraint; docs/theory/motion.md):
///
///     minimise   ½ (a − M⁻¹f)ᵀ M (a − M⁻¹f)   subject to   G a + β ≥ 0 (contacts),   J a + γ = 0 (joints)
///
/// a: accelerations of the free bodies; f: external forces; a row of G is d·(relative acceleration
/// of b over a at a contact point) for each direction d that generates the contact's force cone.
/// The multipliers are the magnitudes of the contact forces along those directions and the joint
/// forces. β and γ are what the velocities alone contribute to the relative accelerations: zero at
/// rest.
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

enum class FrictionLaw {
  coulomb,     ///< sliding does not lift
  associated,  ///< the convex one: sliding lifts by μ times the way it slides
};

/// The rows by which a contact takes part in the program.
enum class ContactRows {
  /// The associated law: one inequality for each direction of the force cone; in space the cone
  /// itself, as below, unless the model is a pyramid.
  generators,
  cone,    ///< (n/μ, t) as one second-order cone: for Coulomb's law (solver/coulomb.hpp)
  normal,  ///< n alone: no friction, or sliding
};

/// How a contact moves already. The default is rest.
template <int Dim>
struct ContactTerm {
  ContactRows rows = ContactRows::generators;
  /// What the velocities alone contribute to the relative acceleration of b over a.
  Vec<Dim> beta = Vec<Dim>::Zero();
  /// Friction per normal force on b, across the normal, of a contact that slides.
  Vec<Dim> drag = Vec<Dim>::Zero();
};

/// Whether a contact has one second-order cone for its rows.
template <int Dim>
[[nodiscard]] bool has_cone_rows(const Contact<Dim>& contact, const ContactTerm<Dim>& term,
                                 const ConeModel& model) {
  return term.rows == ContactRows::cone ||
         (term.rows == ContactRows::generators && is_round_cone(contact, model));
}

/// Of all contacts and all joints (γ of each of its rows). Empty: everything is at rest.
template <int Dim>
struct MotionTerms {
  std::vector<ContactTerm<Dim>> contacts;
  std::vector<Eigen::VectorXd> joints;
};

/// Whether a program's rows say how relative motion is measured, or along what forces act. They differ
/// only in contacts that slide: n, and n + drag.
enum class RowsOf { motion, forces };

/// Gravity, and the loads that are accelerations.
template <int Dim>
[[nodiscard]] Vec<Dim> common_acceleration(const Scene<Dim>& scene,
                                           std::span<const AppliedLoad> loads);

/// Force and torque about its body's centre of mass of a load that pushes: it follows the body.
template <int Dim>
[[nodiscard]] Twist<Dim> load_wrench(const Scene<Dim>& scene, std::span<const Pose<Dim>> poses,
                                     const AppliedLoad& applied);

/// Force and torque about the centre of mass on each free body, in the order of FreeBodies: gravity and
/// loads, without what the bodies' own spins add.
template <int Dim>
[[nodiscard]] std::vector<Twist<Dim>> external_forces(const Scene<Dim>& scene,
                                                      const State<Dim>& state,
                                                      const FreeBodies<Dim>& free,
                                                      std::span<const AppliedLoad> loads);

/// −ω × Iω of a body: what its spin adds to its external torque. Nothing in the plane.
template <int Dim>
[[nodiscard]] Spin<Dim> gyroscopic_torque(const Scene<Dim>& scene, const State<Dim>& state,
                                          int body);

/// One block per free body; the contacts' rows first, contact after contact, then the joints'.
template <int Dim>
[[nodiscard]] Program acceleration_program(
    const Scene<Dim>& scene, const State<Dim>& state, const FreeBodies<Dim>& free,
    std::span<const Contact<Dim>> contacts, std::span<const Twist<Dim>> external,
    const MotionTerms<Dim>& terms = {}, RowsOf rows = RowsOf::motion, const ConeModel& model = {});

}  // namespace collapse
