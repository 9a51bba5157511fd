#pragma once
/// Plane scenes made solid.

#include <string>

#include "scenes/space_document.hpp"

namespace collapse::scenes {

/// The plane scene of this text with a depth along y, as a scene in space: (x, y) becomes (x, 0, y)
/// in the middle of the depth; boxes stay boxes, polygons become hulls or, where not convex, meshes,
/// disks become lying cylinders, and pins become hinges. Masses and forces grow by the factor
/// `depth`. What stands, how far from falling it is and how it begins to fall is the same.
/// `rotation` turns the whole, gravity included. Throws Error for what is not a plane scene or has no
/// counterpart (frameworks).
[[nodiscard]] std::string extruded(const std::string& text, const Rational& depth,
                                   const Quaternion& rotation = {});

}  // namespace collapse::scenes
