#pragma once
/// A structure made a little weaker: the measure of how far one that stands is from falling.
///
/// With share τ between 0 and 1,
///   - every contact region is narrowed by τ: its points move that share of the way to their middle,
///   - every friction coefficient is lowered by τ,
///   - where a body is held at single points, which cannot be narrowed, its load is moved sideways by
///     up to τ times the distance from its centre of mass to its farthest point, and normals and
///     rods that turn when a body shifts are turned by up to τ; all that in several ways, one after the other: in
///     the plane to the one side and to the other, in space to four sides that are fixed to the body; by amounts
///     that differ from body to body (in their order in the scene) so that no symmetric way of falling is missed.
/// In space a region whose points are in line counts as single points. A single ball keeps its load at the
/// centre, a single cylinder or capsule on its side shifts it along its axis only (it may roll), likewise a body that is
/// held at points on a line through its centre (it may turn about it), and directions that no contact resists at all (a brick
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
  Perturbation(const Scene<Dim>& scene, const State<Dim>& state, const FreeBodies<Dim>& free,
               std::span<const Contact<Dim>> contacts);

  /// In how many ways: one if nothing is held at single points.
  [[nodiscard]] int ways() const { return has_points_ ? 2 * (Dim - 1) : 1; }

  [[nodiscard]] std::vector<Contact<Dim>> contacts(double tau, int way) const;
  [[nodiscard]] std::vector<Twist<Dim>> external(std::span<const Twist<Dim>> external, double tau,
                                                 int way) const;

 private:
  void hold_at_point(const FreeBodies<Dim>& free, int body);
  void find_axes(const FreeBodies<Dim>& free);
  void turn(Contact<Dim>& contact, double angle, int way) const;
  /// A unit vector across `direction` (unit), fixed to a body; where the body rolls, none but along its axis.
  [[nodiscard]] Vec<Dim> sideways(const Vec<Dim>& direction, int body, int way,
                                  bool may_roll) const;

  const Scene<Dim>& scene_;
  std::vector<int> bodies_;  ///< the free ones
  std::vector<Pose<Dim>> poses_;
  std::vector<Contact<Dim>> contacts_;
  std::vector<Vec<Dim>> middles_;    ///< of the region each contact belongs to
  std::vector<double> load_shifts_;  ///< length at τ = 1, of each free body
  /// Of each free body in space that is held on a line through its centre; zero for others.
  std::vector<Vec<Dim>> axes_;
  std::vector<double> load_turns_;  ///< angle at τ = 1, of each free body that hangs on a rod
  bool has_points_ = false;
};

}  // namespace collapse
