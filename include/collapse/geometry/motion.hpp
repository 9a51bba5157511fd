#pragma once

#include "collapse/geometry/shape.hpp"

namespace collapse {

/// Speed of the fastest point of a body at `pose` whose centre of mass is at `centre` (world) and
/// moves with `twist`. Half planes and spaces have no fastest point and must not be asked for one.
[[nodiscard]] double fastest_point(const Shape<2>& shape, const Pose<2>& pose, const Vec<2>& centre,
                                   const Twist<2>& twist);

[[nodiscard]] double fastest_point(const Shape<3>& shape, const Pose<3>& pose, const Vec<3>& centre,
                                   const Twist<3>& twist);

}  // namespace collapse
