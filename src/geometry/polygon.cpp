#include "collapse/geometry/polygon.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
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

/// The least common denominator of all coordinates of the edges from `begin` to `end`; nothing where it is so long that
/// fractions, which are shortened as they are added, are the faster way.
std::optional<Integer> common_denominator(const Loop& loop, int begin, int end) {
  constexpr unsigned kLongest = 64;  // bits
  Integer common = 1;
  for (int i = begin; i <= end; ++i) {
    const ExactVec<2>& point = loop.exact()[static_cast<std::size_t>(i % loop.size())];
    for (int k = 0; k < 2; ++k) {
      common = lcm(common, denominator(point[k]));
      if (msb(common) >= kLongest) return std::nullopt;
    }
  }
  return common;
}

/// Of the triangles from the origin to each edge p q, with w = p × q:
///   ∫1 = w/2,   ∫x = w (p + q)/6,   ∫xxᵀ = w (2ppᵀ + 2qqᵀ + pqᵀ + qpᵀ)/24,
/// in whole numbers: all coordinates times `unit`.
AreaMoments moments_in_units(const Loop& loop, int begin, int end, const Integer& unit) {
  using Point = Eigen::Matrix<Integer, 2, 1>;
  const auto point = [&](int i) {
    const ExactVec<2>& exact = loop.exact()[static_cast<std::size_t>(i % loop.size())];
    const auto whole = [&](const Rational& x) {
      return Integer(numerator(x) * (unit / denominator(x)));
    };
    return Point(whole(exact[0]), whole(exact[1]));
  };
  Integer area = 0;
  Integer first[2] = {0, 0};
  Integer second[2][2] = {{0, 0}, {0, 0}};
  Point p = point(begin);
  for (int k = begin; k < end; ++k) {
    const Point q = point(k + 1);
    const Integer w = p[0] * q[1] - p[1] * q[0];
    area += w;
    for (int i = 0; i < 2; ++i) {
      first[i] += w * (p[i] + q[i]);
      for (int j = 0; j <= i; ++j) {
        second[i][j] += w * (2 * (p[i] * p[j] + q[i] * q[j]) + p[i] * q[j] + q[i] * p[j]);
      }
    }
    p = q;
  }
  const Integer square = unit * unit;
  AreaMoments moments;
  moments.area = Rational(area) / Rational(2 * square);
  for (int i = 0; i < 2; ++i) {
    moments.first[i] = Rational(first[i]) / Rational(6 * square * unit);
    for (int j = 0; j <= i; ++j) {
      moments.second(i, j) = Rational(second[i][j]) / Rational(24 * square * square);
      moments.second(j, i) = moments.second(i, j);
    }
  }
  return moments;
}

/// Halves at a time: denominators that have nothing in common then meet late.
AreaMoments moments_of_edges(const Loop& loop, int begin, int end) {
  if (const std::optional<Integer> unit = common_denominator(loop, begin, end)) {
    return moments_in_units(loop, begin, end, *unit);
  }
  if (end - begin == 1) {
    const ExactVec<2>& p = point_of(loop, begin).exact;
    const ExactVec<2>& q = point_of(loop, loop.next(begin)).exact;
    const Integer unit =
        lcm(lcm(denominator(p[0]), denominator(p[1])), lcm(denominator(q[0]), denominator(q[1])));
    return moments_in_units(loop, begin, end, unit);
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
