#pragma once
/// Which contacts take part in the acceleration program of a moving structure, and how.

#include <string>
#include <vector>

#include "formulation/contact_motion.hpp"

namespace collapse {

template <int Dim>
struct Participants {
  std::vector<Contact<Dim>> contacts;  ///< that touch and do not part
  MotionTerms<Dim> terms;              ///< of these and of all joints
  std::vector<Contact<Dim>> parting;
  std::vector<CornerContact<Dim>> corners;  ///< that may part along either normal
  /// Largest acceleration that the velocities alone make.
  double largest_beta = 0.0;
  /// Why the velocities are none that contacts and joints allow; empty if they are.
  std::string fault;
};

/// Velocities up to the share `tolerance` of the bodies' own count as zero.
template <int Dim>
[[nodiscard]] Participants<Dim> participants_of(const Scene<Dim>& scene, const State<Dim>& state,
                                                const ContactSet<Dim>& set, FrictionLaw law,
                                                double tolerance);

/// The term of a contact that has neither relative velocity nor a line of its own, as where a corner
/// touches a corner.
template <int Dim>
[[nodiscard]] ContactTerm<Dim> term_at_rest(const Scene<Dim>& scene, const State<Dim>& state,
                                            const Contact<Dim>& contact, FrictionLaw law);

/// One normal of a corner contact as a contact of its own.
template <int Dim>
[[nodiscard]] Contact<Dim> along_normal(const CornerContact<Dim>& corner, std::size_t side) {
  Contact<Dim> contact;
  contact.id = corner.id;
  contact.point = corner.point;
  contact.normal = corner.normals[side];
  contact.gap = corner.gap;
  contact.friction = corner.friction;
  return contact;
}

/// "b" on "a", for messages.
template <int Dim>
[[nodiscard]] std::string pair_name(const Scene<Dim>& scene, const ContactId& id);

}  // namespace collapse
