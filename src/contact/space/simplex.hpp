#pragma once
/// The point closest to the origin in the hull of up to four points.

#include <array>

#include "collapse/geometry/dim.hpp"

namespace collapse::contacts {

struct Simplex {
  std::array<Vec<3>, 4> points;
  int count = 0;
};

struct SimplexPoint {
  Vec<3> at = Vec<3>::Zero();
  std::array<int, 4> used{};  ///< numbers of the points that it is a combination of
  std::array<double, 4> weights{};
  int count = 0;
  bool inside = false;  ///< the origin is in the tetrahedron of four points
};

/// `used` rises. Every candidate is a convex combination, so that rounding can make the answer a little farther than the best but
/// never closer. One to four points.
[[nodiscard]] SimplexPoint closest_to_origin(const Simplex& simplex);

}  // namespace collapse::contacts
