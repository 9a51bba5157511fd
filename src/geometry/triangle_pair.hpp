#pragma once
/// Whether two triangles between points of one set meet where a surface may not.

#include <array>

#include "geometry/exact_points.hpp"

namespace collapse {

/// How two triangles meet besides at common corners and along a common edge.
enum class Meeting { none, cross, overlap };

/// Of triangles with an area; corners at the same place must have the same number. Triangles that only touch meet, too:
/// they `cross` if their planes do, and `overlap` in one plane.
[[nodiscard]] Meeting meeting_of(const ExactPoints& points, const Triangle& a, const Triangle& b);

/// Whether a segment meets a triangle, ends and boundary included.
[[nodiscard]] bool meets_triangle(const ExactPoints& points, int p, int q,
                                  const Triangle& triangle);

}  // namespace collapse
