#pragma once
/// What touching bodies have in common: points, normals, gaps, and the features they come from.

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "collapse/model/state.hpp"

namespace collapse {

enum class FeatureKind : std::uint8_t { vertex, edge, ball, half_space, face, cylinder, capsule };

/// A piece of a body's boundary. In the plane vertices and edges are numbered through all loops of the boundary,
/// edge i starting at vertex i; in space vertices, edges and faces as Surface has them. Round solids are numbered by
/// themselves, each kind apart.
struct Feature {
  FeatureKind kind = FeatureKind::vertex;
  std::uint32_t index = 0;

  auto operator<=>(const Feature&) const = default;
};

/// Names a contact from step to step: bodies, features, and which end of an overlap of two edges
/// (0: the one nearer the start of a's edge) or corner of a contact region in space.
struct ContactId {
  int a = 0;
  int b = 0;
  Feature feature_a;
  Feature feature_b;
  std::uint16_t end = 0;

  auto operator<=>(const ContactId&) const = default;
};

template <int Dim>
struct Contact {
  ContactId id;           ///< id.a < id.b
  Vec<Dim> point;         ///< world; halfway between the two bodies
  Vec<Dim> normal;        ///< unit, from a to b
  double gap = 0.0;       ///< negative: overlap
  double friction = 0.0;  ///< coefficient of the pair
  bool normal_turns =
      false;  ///< a small shift of a body turns the normal (round against round or vertex)
  /// From the point that acts on a to the one that acts on b. Zero but for weakened contacts of balls,
  /// whose levers stay along the turned normal.
  Vec<Dim> offset_b = Vec<Dim>::Zero();
};

/// Corner exactly on corner, in space also edge along edge and vertex on edge: the bodies part if any normal's row
/// is satisfied. Where edge lies along edge there is one such contact at each end of what they share, with the same
/// features, and all points between the ends have to part too.
template <int Dim>
struct CornerContact {
  ContactId id;
  Vec<Dim> point;
  /// Unit, from a to b: the extremes of all separating directions. In the plane two, counter-clockwise from the
  /// first to the second.
  std::vector<Vec<Dim>> normals;
  double gap = 0.0;
  double friction = 0.0;
};

/// Two bodies that do not touch but nearly do.
struct NearMiss {
  int a = 0;
  int b = 0;
  double gap = 0.0;
};

template <int Dim>
struct ContactSet {
  std::vector<Contact<Dim>> contacts;       ///< sorted by id
  std::vector<CornerContact<Dim>> corners;  ///< sorted by id
  std::vector<NearMiss> near_misses;        ///< sorted by (a, b)
  std::vector<int> isolated;                ///< free bodies that touch nothing and have no joint
  int exact_pairs = 0;  ///< pairs whose touching was too close to call in floating point and was
                        ///< decided in exact arithmetic
};

struct ContactOptions {
  /// Bodies touch where their gap is at most this, relative to the smaller body's size. The product
  /// (a double) is the limit, without further rounding: 0 asks for exact touching.
  double touch = 1e-6;
  /// Gaps up to this many touch tolerances are reported as near misses.
  double near_miss_factor = 1000.0;
};

/// All contacts of a scene. Pairs of bodies that are both not free, ignored, or joined (unless the
/// joint collides) do not touch. Throws Error naming pair and depth where bodies overlap by more
/// than the touch tolerance.
///
/// In the plane what is too close to call in floating point is decided in exact arithmetic. In space everything is
/// floating point: gaps up to the tolerance plus 64 units in the last place of the bodies' coordinates touch, so
/// that also bodies that are to touch exactly do, and `exact_pairs` stays 0.
template <int Dim>
[[nodiscard]] ContactSet<Dim> find_contacts(const Scene<Dim>& scene, const State<Dim>& state,
                                            const ContactOptions& options = {});

}  // namespace collapse
