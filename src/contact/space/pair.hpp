#pragma once
/// The narrow phase in space: contacts of one pair of bodies that do not overlap.

#include "collapse/contact/contact.hpp"
#include "contact/space/placement.hpp"

namespace collapse::contacts {

/// Two bodies under examination, and where their contacts go.
struct SpacePair {
  const SpacePlacement& placement;
  int a = 0;
  int b = 0;
  /// Gaps up to this touch: the touch tolerance plus `rounding`.
  double tolerance = 0.0;
  /// Bound on the rounding error of a coordinate difference of the two bodies.
  double rounding = 0.0;
  double angle = 0.0;  ///< separating directions that differ by no more (radians) count as one
  double friction = 0.0;
  ContactSet<3>& out;

  [[nodiscard]] int other(int body) const { return body == a ? b : a; }
  [[nodiscard]] const SpaceBody& body(int i) const { return placement.body(i); }

  /// Adds a contact between `feature` of `body` and `other_feature` of the other body; `normal`
  /// points out of that other body, `foot` is the point on it.
  void add(int body, Feature feature, Feature other_feature, const Vec<3>& foot,
           const Vec<3>& normal, double gap, bool normal_turns = false, int end = 0) const;
  /// Adds a contact without a normal of its own. `normals` point out of the other body.
  void add_corner(int body, Feature feature, Feature other_feature, const Vec<3>& point,
                  std::vector<Vec<3>> normals, double gap, int end = 0) const;
};

/// Surface against surface.
void find_polyhedron_contacts(const SpacePair& pair);
/// The surface of one body against the half space that is the other.
void find_half_space_contacts(const SpacePair& pair);
/// Balls, cylinders and capsules of either body against everything of the other (round solids, surface, half
/// space).
void find_round_contacts(const SpacePair& pair);

/// How deep the polyhedra of two bodies (or of one in the half space of the other) are in each other: the least
/// shift that parts the pair of convex pieces where it is largest. Where that is at most the tolerance, only
/// something between it and the tolerance; below minus the tolerance only where nothing touches.
[[nodiscard]] double polyhedron_depth(const SpacePair& pair);
/// The same for every pair of solids of which at least one is round.
[[nodiscard]] double round_depth(const SpacePair& pair);

/// Distance of the polyhedra of two bodies that do not touch, where it is at most `reach`; otherwise infinite or
/// larger than `reach`.
[[nodiscard]] double polyhedron_distance(const SpacePair& pair, double reach);
/// The same for every pair of solids of which at least one is round.
[[nodiscard]] double round_distance(const SpacePair& pair, double reach);

}  // namespace collapse::contacts
