#pragma once
/// Polygons to test with, and slow but obvious answers to compare with.

#include <algorithm>
#include <vector>

#include "collapse/core/random.hpp"
#include "collapse/geometry/shape.hpp"

namespace collapse {

using Vertices = std::vector<ExactVec<2>>;

inline ExactVec<2> at(const Rational& x, const Rational& y) { return {x, y}; }

inline Vertices rectangle(int left, int bottom, int right, int top) {
  return {at(left, bottom), at(right, bottom), at(right, top), at(left, top)};
}

/// A simple polygon with up to `count` vertices on a grid of `grid` × `grid` points: a triangle
/// that grows corner by corner wherever it stays simple. Coarse grids give many vertices in line.
inline Vertices random_polygon(Random& random, int count, int grid) {
  const auto point = [&] {
    return at(Rational(random.below(grid), 3), Rational(random.below(grid), 3));
  };
  Vertices vertices;
  do {
    vertices = {point(), point(), point()};
  } while (!polygon_fault(vertices).empty());
  for (int attempt = 0; attempt < 30 * count && static_cast<int>(vertices.size()) < count;
       ++attempt) {
    Vertices longer = vertices;
    longer.insert(longer.begin() + random.below(static_cast<int>(longer.size())), point());
    if (polygon_fault(longer).empty()) vertices = longer;
  }
  return vertices;
}

/// The vertices from the lexicographically smallest one on.
inline Vertices from_smallest(const Loop& loop) {
  Vertices vertices = loop.exact();
  const auto less = [](const ExactVec<2>& a, const ExactVec<2>& b) {
    return a[0] != b[0] ? a[0] < b[0] : a[1] < b[1];
  };
  std::rotate(vertices.begin(), std::min_element(vertices.begin(), vertices.end(), less),
              vertices.end());
  return vertices;
}

inline Rational area_of(const std::vector<Loop>& loops) { return area_moments(loops).area; }

inline Shape<2> shifted_by(const Shape<2>& shape, const Rational& x, const Rational& y) {
  ExactPose<2> pose;
  pose.position = at(x, y);
  return moved(shape, pose);
}

}  // namespace collapse
