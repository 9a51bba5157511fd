#pragma once
/// A structure made a little weaker: the measure of how far one that stands is from falling.
///
/// With share τ between 0 and 1,
///   - every contact region is narrowed by τ: its points move that share of the way to their middle,
///   - every friction coefficient is lowered by τ,
///   - where a body is held at single points, which cannot be narrowed, its load is moved sideways by
///     up to τ times the distance from its centre of mass to its farthest point, and normals and
///     rods that turn when a body shifts are turned by up to τ; all that one way for sign +1 and the other way
///     for −1, by amounts that differ from body to body (in their order in the scene) so that no
///     symmetric way of falling is missed.
/// A single ball keeps its load at the centre, and directions that no contact resists at all (a brick
/// on a floor without friction) are left alone: rest in them is neutral, not near collapse.
///
/// What stands with narrowed contacts and lowered friction stands as it is: a force at a narrowed
/// point is a mixture of forces at the true ones.

#include <span>
#include <vector>

#include "collapse/formulation/rows.hpp"

namespace collapse {

template <int Dim>
class Perturbation {
 public:
  Perturbation(const Scene<Dim>& scene, const FreeBodies<Dim>& free,
               std::span<const Contact<Dim>> contacts);

  /// Whether the sign matters: whether anything is held at single points.
  [[nodiscard]] bool has_points() const { return has_points_; }

  [[nodiscard]] std::vector<Contact<Dim>> contacts(double tau, double sign) const;
  [[nodiscard]] std::vector<Twist<Dim>> external(std::span<const Twist<Dim>> external, double tau,
                                                 double sign) const;

 private:
  void turn(Contact<Dim>& contact, double angle) const;

  const Scene<Dim>& scene_;
  std::vector<Contact<Dim>> contacts_;
  std::vector<Vec<Dim>> middles_;    ///< of the region each contact belongs to
  std::vector<double> load_shifts_;  ///< length at τ = 1, of each free body
  std::vector<double> load_turns_;   ///< angle at τ = 1, of each free body that hangs on a rod
  bool has_points_ = false;
};

}  // namespace collapse
