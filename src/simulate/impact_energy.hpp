#pragma once
/// Impacts must not give energy. Newton's restitution may, where a body hits at several places, with friction; so may
/// a step, whose contacts push at its end, where a body that turns fast strikes in the middle of it. Bodies that touch and
/// would have more energy than before bounce less, with velocities between those of a bounce and those without one; and
/// where even these have more, all of them get slower in the same ratio, as seen from what is given there or from their
/// centre of mass: contacts that part go on parting and joints stay closed.

#include <span>
#include <utility>
#include <vector>

#include "simulate/world.hpp"

namespace collapse::simulate {

/// A step up to its impacts.
struct StepToImpact {
  std::span<const Pose<3>> start;
  std::span<const Pose<3>> poses;
  std::span<const Twist<3>> start_velocities;
  std::span<const Twist<3>> displacements;
  std::span<const Twist<3>> external;
  std::span<const Twist<3>> dull;                 ///< velocities without a bounce
  std::span<const std::pair<int, int>> touching;  ///< pairs of bodies that push each other
  std::span<const double> work;         ///< of what is given on each free body, up to the bounce
  std::span<const double> bounce_work;  ///< and by it
  double h = 0.0;
};

/// Where what is given moves in several ways, or turns, bodies may have as much more as it works on them, and only
/// bounce less; they get slower only where they would have much more than that. Returns the work of what is given by the
/// impulses that make bodies slower.
double keep_from_gaining(const World<3>& world, const StepToImpact& step,
                         std::vector<Twist<3>>& bounced);

}  // namespace collapse::simulate
