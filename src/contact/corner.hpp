#pragma once

#include <array>
#include <optional>

#include "collapse/geometry/dim.hpp"

namespace collapse::contacts {

/// A convex cone of directions: from `first` counter-clockwise to `last`, less than 180°. Units.
struct DirectionCone {
  Vec<2> first;
  Vec<2> last;
};

/// The directions in both cones, or nothing if there are none even with `angle` (radians) of
/// tolerance at the ends.
[[nodiscard]] std::optional<DirectionCone> common_directions(const DirectionCone& a,
                                                             const DirectionCone& b, double angle);

/// The largest n·offset over the unit vectors n of the cone.
[[nodiscard]] double support(const DirectionCone& cone, const Vec<2>& offset);

}  // namespace collapse::contacts
