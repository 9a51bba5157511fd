#pragma once
/// The narrow phase: contacts of one pair of bodies that do not overlap.

#include "collapse/contact/contact.hpp"
#include "contact/judge.hpp"

namespace collapse::contacts {

/// Two bodies under examination, and where their contacts go.
struct Pair {
  const Placement& placement;
  Judge& judge;
  int a = 0;
  int b = 0;
  double tolerance = 0.0;  ///< gaps up to this touch
  double angle = 0.0;      ///< separating directions that differ by no more count as one
  double friction = 0.0;
  ContactSet<2>& out;

  [[nodiscard]] int other(int body) const { return body == a ? b : a; }
  /// Adds a contact between `feature` of `body` and `other_feature` of the other body; `normal`
  /// points out of that other body, `foot` is the point on it.
  void add(int body, Feature feature, Feature other_feature, const Vec<2>& foot,
           const Vec<2>& normal, double gap, bool normal_turns = false, int end = 0) const;
};

/// The number of a boundary vertex or of the edge that starts there.
[[nodiscard]] inline Feature feature_of(const PlacedBody& body, FeatureKind kind, int point) {
  const int first = kind == FeatureKind::ball ? body.ball_begin : body.boundary_begin;
  return {kind, static_cast<std::uint32_t>(point - first)};
}

/// Boundary against boundary.
void find_polygon_contacts(const Pair& pair);
/// Balls of either body against the balls and the boundary of the other.
void find_ball_contacts(const Pair& pair);
/// Vertices and balls against the half plane that is one of the two.
void find_half_plane_contacts(const Pair& pair);

/// Distance of two bodies that do not touch, where it is at most `reach`; otherwise infinite or
/// larger than `reach`. In floating point.
[[nodiscard]] double distance_within(const Placement& placement, int a, int b, double reach);

}  // namespace collapse::contacts
