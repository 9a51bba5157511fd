#pragma once
/// Solids as triangles in single precision: what is flat gets a thickness along z, half of it on either side.

#include <cstdint>
#include <vector>

#include "collapse/geometry/shape.hpp"

namespace collapse {

using Point3 = Eigen::Vector3f;

/// Counter-clockwise triangles seen from outside, each corner with its normal; outlines as pairs of points.
struct Triangles {
  std::vector<Point3> points;
  std::vector<Point3> normals;
  std::vector<std::uint32_t> triangles;
  std::vector<Point3> outline;
};

/// A shape but a half plane, with `origin` (body coordinates) as the mesh's origin. Coordinates are rounded to
/// about one part in a million of the shape's size, so that equal bodies have equal meshes wherever
/// they were written down.
[[nodiscard]] Triangles extruded(const Shape<2>& shape, const Vec<2>& origin, double depth);

/// A convex polygon, counter-clockwise.
[[nodiscard]] Triangles extruded(const std::vector<Vec<2>>& corners, double depth);

/// A round disk about the origin.
[[nodiscard]] Triangles round_plate(double radius, double depth);

/// The mark that shows how a disk of that radius is turned, on both of its sides.
[[nodiscard]] Triangles turn_mark(double radius, double depth);

/// An arrow of length 1 along x, from the origin.
[[nodiscard]] Triangles arrow_mesh();

}  // namespace collapse
