#pragma once
/// How bodies that touch move against each other: velocities at contacts and joints, and what these
/// alone contribute to the relative accelerations (docs/theory/motion.md).

#include <optional>

#include "collapse/formulation/acceleration.hpp"

namespace collapse {

/// What a contact keeps apart, in world coordinates: a point from a line, or (round) from another
/// point, by a distance that does not matter here.
template <int Dim>
struct Facing {
  bool point_of_b =
      true;  ///< and the line, or the other point, of a; otherwise the other way round
  bool round = false;
  Vec<Dim> point = Vec<Dim>::Zero();   ///< a vertex, or the centre of a ball
  Vec<Dim> anchor = Vec<Dim>::Zero();  ///< the other point, if round
};

/// From the features of a contact. Of an overlap of edges, and where corner lies on corner, it is the
/// vertex that moves along the other's edge; nothing if they move away from each other. Velocities up
/// to the share `tolerance` of the bodies' own count as none.
[[nodiscard]] std::optional<Facing<2>> facing_of(const Scene<2>& scene, const State<2>& state,
                                                 const Contact<2>& contact, double tolerance);

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
