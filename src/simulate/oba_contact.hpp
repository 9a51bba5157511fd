#pragma once
/// What touches at the end of a frame of scheme `oba`, as its momentum update and static contact see it.

#include <span>
#include <vector>

#include "simulate/contact_terms.hpp"

namespace collapse::simulate {

struct ObaContact {
  ContactId id;
  ContactTerms<3> terms;  ///< at the poses of ObaTouch
  double mu = 0.0;
  double restitution = 0.0;
};

struct ObaTouch {
  std::span<const Pose<3>> poses;
  std::span<const ObaContact> contacts;  ///< sorted by id
  std::span<const MovingJointRow<3>> joints;
};

/// Impulses on b, one for each contact of an ObaTouch.
using ObaImpulses = std::vector<Vec<3>>;

}  // namespace collapse::simulate
