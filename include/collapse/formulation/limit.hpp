#pragma once
/// How far from collapse? (docs/theory/statics.md) The largest multiple of a load that forces can carry:
///
///     maximise   s     subject to   Gᵀλ + Jᵀκ + f + s f_load = 0,   r_c in the friction cone of contact c
///
/// over contact forces, joint forces κ and the factor s. The multipliers of the equations are −1 times a virtual
/// motion u, the mechanism by which the structure begins to fall at the limit: admissible, with f_loadᵀu = 1, and
/// −fᵀu = s. So forces prove that s is carried and the mechanism that no more is.

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collapse/formulation/verdict.hpp"

namespace collapse {

struct LimitOptions {
  std::vector<AppliedLoad> loads;  ///< that act besides, and do not grow
  FrictionCone cone = FrictionCone::circular;
  int sides = 8;  ///< of a pyramid
  /// Called before each program with its number, from 1.
  std::function<void(int)> progress;
};

enum class LimitStatus {
  found,
  unbounded,  ///< any multiple is carried; friction: none is needed
  falls,      ///< falls without the load; friction: with any friction
  undecided,
};

[[nodiscard]] std::string_view to_string(LimitStatus status);

template <int Dim>
struct Limit {
  LimitStatus status = LimitStatus::undecided;
  std::string reason;   ///< why undecided; empty otherwise
  double factor = 0.0;  ///< if found
  /// What forces carry, and what the mechanism excludes. They agree to 1e-7 if found.
  double lower = 0.0;
  double upper = std::numeric_limits<double>::infinity();
  /// Virtual motion at the limit, or of the fall without the load: all free bodies, the fastest point of any moves
  /// with 1.
  std::vector<BodyMotion<Dim>> mechanism;
  std::vector<ContactForce<Dim>> forces;  ///< at the limit
  std::vector<JointForce<Dim>> joint_forces;
  /// The larger of: imbalance on any body, over the largest force on it; violation of contacts by the mechanism, over
  /// the speed of its fastest point.
  double residual = 0.0;
  int corner_contacts = 0;  ///< that had to be taken into account
  int programs = 0;
  int iterations = 0;
};

/// The largest multiple of a load of the scene. Falls if it does without.
template <int Dim>
[[nodiscard]] Limit<Dim> find_limit(const Scene<Dim>& scene, const State<Dim>& state,
                                    const ContactSet<Dim>& contacts, int load,
                                    const LimitOptions& options = {});

template <int Dim>
struct TiltLimit {
  Limit<Dim> limit;  ///< factor: the tangent of the angle
  Vec<Dim> direction =
      Vec<Dim>::Zero();  ///< unit, across gravity: to where the structure is pulled
  int directions = 0;    ///< looked at
  /// No direction has a smaller limit than this: the loads across gravity that can be carried are a convex set, which
  /// contains the hull of those found.
  double at_least = 0.0;
};

/// The limit of gravity that leans towards `direction`, as the ground tilted that way would make it: the load is an
/// acceleration |g|·d of all free bodies, d the unit vector of `direction` across gravity. Throws Error if there is no
/// gravity, or no such part of the direction.
template <int Dim>
[[nodiscard]] TiltLimit<Dim> find_tilt(const Scene<Dim>& scene, const State<Dim>& state,
                                       const ContactSet<Dim>& contacts, const Vec<Dim>& direction,
                                       const LimitOptions& options = {});
/// The least of all directions: in the plane both; in space directions are added where the hull of the loads found
/// carried is nearest, until the least is known within 1 % or 64 were looked at; then the best one is followed down
/// the normals of its mechanisms.
template <int Dim>
[[nodiscard]] TiltLimit<Dim> find_tilt(const Scene<Dim>& scene, const State<Dim>& state,
                                       const ContactSet<Dim>& contacts,
                                       const LimitOptions& options = {});

/// The least coefficient that is enough if all contacts have it, by bisection to 1e-9: whatever stands with some
/// friction stands with more. Lower and upper: falls, and stands. The mechanism is that of a little less friction.
template <int Dim>
[[nodiscard]] Limit<Dim> find_least_friction(const Scene<Dim>& scene, const State<Dim>& state,
                                             const ContactSet<Dim>& contacts,
                                             const LimitOptions& options = {});

}  // namespace collapse
