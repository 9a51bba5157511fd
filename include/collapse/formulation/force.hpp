#pragma once
/// The least forces that hold a structure up (docs/theory/statics.md):
///
///     minimise   ½ Σ ‖r_c‖²    subject to   Gᵀλ + Jᵀκ + f = 0,   r_c in the friction cone of contact c
///
/// over the force r_c at each contact and the joint forces κ. In the plane, and without friction, r_c = Σ λ d
/// with magnitudes λ ≥ 0 along the directions of the cone; in space λ = r_c in the contact's frame (normal, two
/// tangents), in a second-order cone or a pyramid. Joint forces count like contact forces (a weld's torque over the reach
/// of the bodies it joins). Where equilibrium forces are not unique this picks one of them that
/// depends neither on units nor on order and is symmetric where the structure is. One block per
/// contact and per joint; one equation per degree of freedom of each free body, whose multiplier is
/// −1 times a virtual motion.

#include <span>
#include <vector>

#include "collapse/formulation/rows.hpp"
#include "collapse/solver/program.hpp"

namespace collapse {

/// The force on b at each contact, and the multipliers of each joint's rows.
template <int Dim>
struct Forces {
  std::vector<Vec<Dim>> contacts;
  std::vector<Eigen::VectorXd> joints;
};

/// The force that a joint exerts on its body b, at at_b (a gets the opposite), and for welds and hinges
/// a torque.
template <int Dim>
struct JointForce {
  int joint = 0;
  Vec<Dim> point;
  Vec<Dim> force;
  Spin<Dim> torque = Spin<Dim>::Zero();
};

/// From the multipliers of its rows.
template <int Dim>
[[nodiscard]] JointForce<Dim> joint_force(const Scene<Dim>& scene, const State<Dim>& state,
                                          int number, const Eigen::VectorXd& kappa);

/// The columns take a contact's variables to its force.
template <int Dim>
[[nodiscard]] ConeDirections<Dim> force_basis(const Contact<Dim>& contact);

template <int Dim>
[[nodiscard]] Program force_program(const Scene<Dim>& scene, const State<Dim>& state,
                                    const FreeBodies<Dim>& free,
                                    std::span<const Contact<Dim>> contacts,
                                    std::span<const Twist<Dim>> external,
                                    const ConeModel& model = {});

/// From the solution of the force program: forces that are in their cones, whatever the solver left.
template <int Dim>
[[nodiscard]] Forces<Dim> forces_from(const Program& program,
                                      std::span<const Contact<Dim>> contacts,
                                      const Eigen::VectorXd& x, const ConeModel& model = {});

/// What the forces leave unbalanced on each free body, computed from the forces alone.
template <int Dim>
[[nodiscard]] std::vector<Twist<Dim>> imbalance(const Scene<Dim>& scene, const State<Dim>& state,
                                                const FreeBodies<Dim>& free,
                                                std::span<const Contact<Dim>> contacts,
                                                std::span<const Twist<Dim>> external,
                                                const Forces<Dim>& forces);

}  // namespace collapse
