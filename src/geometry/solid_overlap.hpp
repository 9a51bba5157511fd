#pragma once
/// Whether the insides of two convex solids meet, where at least one of them is round. Solids that only touch do not.

#include "collapse/geometry/shape.hpp"

namespace collapse {

[[nodiscard]] bool overlaps(const Capsule& a, const Capsule& b);
[[nodiscard]] bool overlaps(const Capsule& capsule, const Hull& hull);
[[nodiscard]] bool overlaps(const Ball<3>& ball, const Cylinder& cylinder);
[[nodiscard]] bool overlaps(const Cylinder& cylinder, const Hull& hull);
/// These two in floating point: an overlap of less than a millionth of their sizes counts as a touch.
[[nodiscard]] bool overlaps(const Cylinder& a, const Cylinder& b);
[[nodiscard]] bool overlaps(const Capsule& capsule, const Cylinder& cylinder);

}  // namespace collapse
