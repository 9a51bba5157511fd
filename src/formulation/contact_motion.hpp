#pragma once
/// How bodies that touch move against each other: velocities at contacts and joints, and what these
/// alone contribute to the relative accelerations (docs/theory/motion.md).

#include <array>
#include <optional>

#include "collapse/formulation/acceleration.hpp"

namespace collapse {

/// What a contact keeps apart, in world coordinates. In the plane: a point from a line, or (round) from another
/// point, by a distance that does not matter here.
template <int Dim>
struct Facing {
  bool point_of_b =
      true;  ///< and the line, or the other point, of a; otherwise the other way round
  bool round = false;
  Vec<Dim> point = Vec<Dim>::Zero();   ///< a vertex, or the centre of a ball
  Vec<Dim> anchor = Vec<Dim>::Zero();  ///< the other point, if round
};

/// What a body brings to a contact in space, in world coordinates: a point, a line or a plane that goes with it,
/// at a distance from its surface that does not matter here (centre of a ball, axis of a cylinder, a vertex itself).
struct Core {
  Vec<3> point = Vec<3>::Zero();
  int spanned = 0;                ///< 0 a point, 1 a line, 2 a plane
  std::array<Vec<3>, 2> along{};  ///< unit: what spans it
  /// From the point that touches to the middle of the rim of a cylinder that it belongs to; zero: no rim.
  Vec<3> to_middle = Vec<3>::Zero();
};

template <>
struct Facing<3> {
  Core a;
  Core b;
};

/// A vertex of b on a line or plane of a, at the contact's point.
template <int Dim>
[[nodiscard]] Facing<Dim> plain_facing(const Contact<Dim>& contact) {
  Facing<Dim> facing;
  if constexpr (Dim == 2) {
    facing.point = contact.point;
  } else {
    const auto tangents = tangents_of<3>(contact.normal);
    facing.a = {contact.point, 2, {tangents.col(0), tangents.col(1)}};
    facing.b.point = contact.point;
  }
  return facing;
}

/// From the features of a contact. Of an overlap of edges, and where corner lies on corner, it is the
/// vertex that moves along the other's edge; nothing if they move away from each other. Velocities up
/// to the share `tolerance` of the bodies' own count as none.
[[nodiscard]] std::optional<Facing<2>> facing_of(const Scene<2>& scene, const State<2>& state,
                                                 const Contact<2>& contact, double tolerance);
[[nodiscard]] std::optional<Facing<3>> facing_of(const Scene<3>& scene, const State<3>& state,
                                                 const Contact<3>& contact, double tolerance);

template <int Dim>
struct ContactMotion {
  Vec<Dim> velocity;   ///< of b's material point over a's
  Vec<Dim> beta;       ///< see ContactTerm
  double speed = 0.0;  ///< of the parts that make up `velocity`: what it may be small against
};

template <int Dim>
[[nodiscard]] ContactMotion<Dim> contact_motion(const Scene<Dim>& scene, const State<Dim>& state,
                                                const Contact<Dim>& contact,
                                                const Facing<Dim>& facing);
template <>
[[nodiscard]] ContactMotion<3> contact_motion(const Scene<3>& scene, const State<3>& state,
                                              const Contact<3>& contact, const Facing<3>& facing);

template <int Dim>
struct JointMotion {
  Eigen::VectorXd velocity;  ///< of each of its rows: zero if the joint holds
  Eigen::VectorXd gamma;     ///< see MotionTerms
  double speed = 0.0;        ///< likewise
};

template <int Dim>
[[nodiscard]] JointMotion<Dim> joint_motion(const Scene<Dim>& scene, const State<Dim>& state,
                                            const Joint<Dim>& joint);

}  // namespace collapse
