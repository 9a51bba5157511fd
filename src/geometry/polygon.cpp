#include "collapse/geometry/polygon.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "collapse/geometry/pose.hpp"
#include "geometry/predicates.hpp"

namespace collapse {

namespace {

AreaMoments& operator+=(AreaMoments& sum, const AreaMoments& term) {
  sum.area += term.area;
  sum.first += term.first;
  sum.second += term.second;
  return sum;
}

/// Of the triangle from the origin to the edge p q, with w = p × q:
///   ∫1 = w/2,   ∫x = w (p + q)/6,   ∫xxᵀ = w (2ppᵀ + 2qqᵀ + pqᵀ + qpᵀ)/24.
AreaMoments moments_of_edge(const ExactVec<2>& p, const ExactVec<2>& q) {
  const Rational w = cross(p, q);
  AreaMoments moments;
  moments.area = w / 2;
  moments.first = (p + q) * Rational(w / 6);
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      moments.second(i, j) = w * (2 * (p[i] * p[j] + q[i] * q[j]) + p[i] * q[j] + q[i] * p[j]) / 24;
    }
  }
  return moments;
}

/// Halves at a time: denominators that have nothing in common then meet late.
AreaMoments moments_of_edges(const Loop& loop, int begin, int end) {
  if (end - begin == 1) {
    return moments_of_edge(point_of(loop, begin).exact, point_of(loop, loop.next(begin)).exact);
  }
  const int middle = begin + (end - begin) / 2;
  AreaMoments sum = moments_of_edges(loop, begin, middle);
  return sum += moments_of_edges(loop, middle, end);
}

}  // namespace

Loop::Loop(std::vector<ExactVec<2>> vertices) : exact_(std::move(vertices)) {
  vertices_.reserve(exact_.size());
  for (const ExactVec<2>& vertex : exact_) vertices_.push_back(to_double<2>(vertex));
}

AreaMoments area_moments(const std::vector<Loop>& loops) {
  AreaMoments sum;
  for (const Loop& loop : loops) {
    if (loop.size() > 0) sum += moments_of_edges(loop, 0, loop.size());
  }
  return sum;
}

Loop tidy_loop(std::vector<ExactVec<2>> vertices) {
  Loop loop(std::move(vertices));
  if (direction_of(loop) < 0) {
    // The first vertex stays the first.
    std::vector<ExactVec<2>> reversed = loop.exact();
    std::reverse(reversed.begin() + 1, reversed.end());
    loop = Loop(std::move(reversed));
  }
  return without_straight_vertices(loop);
}

double diameter(const Loop& polygon) {
  if (polygon.size() == 0) return 0.0;
  const LoopBounds bounds(polygon);
  const double extent = (bounds.high - bounds.low).maxCoeff();
  if (!(extent > 0.0) || !std::isfinite(extent)) return extent;
  // A power of two, so that squares neither overflow nor round differently.
  const int exponent = std::ilogb(extent);
  const double unit = std::ldexp(1.0, -std::clamp(exponent, -1022, 1022));
  double largest = 0.0;
  const std::vector<Vec<2>>& vertices = polygon.vertices();
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    for (std::size_t j = i + 1; j < vertices.size(); ++j) {
      largest = std::max(largest, ((vertices[j] - vertices[i]) * unit).squaredNorm());
    }
  }
  return std::sqrt(largest) / unit;
}

}  // namespace collapse
