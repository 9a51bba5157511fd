#include "geometry/exact_points.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "collapse/geometry/pose.hpp"

namespace collapse {

namespace {

/// Coordinates of at most 36 bits: a volume of differences has 37·3 + 3 bits, the area of a polygon of up to 2¹² corners
/// times a coordinate 2·37 + 1 + 12 + 36 + 2, or times the unit as many.
constexpr int kShortBits = 36;
constexpr std::size_t kLongestShortLoop = 4096;
/// Beyond this a common unit is longer than what fractions take one by one.
constexpr unsigned kLongestUnit = 512;

int sign_of(const WideInteger& x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }
int sign_of(const Integer& x) { return x.sign(); }
int sign_of(const Rational& x) { return x.sign(); }

template <class Number>
using Triple = std::array<Number, 3>;

template <class Number>
Triple<Number> cross_of(const Triple<Number>& u, const Triple<Number>& v) {
  return {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
}

/// b − a, for points of either kind.
template <class Number, class Point>
Triple<Number> from_to(const Point& a, const Point& b) {
  return {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
}

template <class Number, class Point>
Number dot_of(const Triple<Number>& u, const Point& v) {
  return u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
}

template <class Number, class Point>
int side_by(const std::vector<Point>& points, int a, int b, int c, int d) {
  const auto from_a = [&](int i) {
    return from_to<Number>(points[static_cast<std::size_t>(a)],
                           points[static_cast<std::size_t>(i)]);
  };
  return sign_of(dot_of(cross_of(from_a(b), from_a(c)), from_a(d)));
}

template <class Number, class Point>
Triple<Number> twice_area(const std::vector<Point>& points, const std::vector<int>& loop) {
  Triple<Number> sum = {Number(0), Number(0), Number(0)};
  const auto from_first = [&](std::size_t i) {
    return from_to<Number>(points[static_cast<std::size_t>(loop[0])],
                           points[static_cast<std::size_t>(loop[i])]);
  };
  if (loop.size() < 3) return sum;
  Triple<Number> before = from_first(1);
  for (std::size_t i = 2; i < loop.size(); ++i) {
    Triple<Number> after = from_first(i);
    const Triple<Number> corner = cross_of(before, after);
    for (std::size_t k = 0; k < 3; ++k) sum[k] += corner[k];
    before = std::move(after);
  }
  return sum;
}

double ratio(const WideInteger& x, const WideInteger& y) {
  return static_cast<double>(x) / static_cast<double>(y);
}
double ratio(const Rational& x, const Rational& y) { return to_double(Rational(x / y)); }
/// Within two roundings: neither is zero, and only their leading bits are looked at.
double ratio(const Integer& x, const Integer& y) {
  const auto shift_of = [](const Integer& z) { return std::max(static_cast<int>(msb(z)) - 62, 0); };
  const auto leading = [](const Integer& z, int shift) {
    return static_cast<double>(Integer(z >> shift).convert_to<std::int64_t>());
  };
  const Integer size = abs(x);
  const int above = shift_of(size);
  const int below = shift_of(y);
  const double quotient = std::ldexp(leading(size, above) / leading(y, below), above - below);
  return x < 0 ? -quotient : quotient;
}

template <class Number>
struct ScaledNormal {
  Number largest{0};
  Vec<3> direction = Vec<3>::Zero();  ///< over `largest`
};

template <class Number>
ScaledNormal<Number> scaled_normal(const Triple<Number>& area) {
  ScaledNormal<Number> normal;
  for (const Number& component : area) {
    const Number size = sign_of(component) < 0 ? Number(-component) : component;
    if (size > normal.largest) normal.largest = size;
  }
  if (sign_of(normal.largest) == 0) return normal;
  for (std::size_t k = 0; k < 3; ++k) {
    if (sign_of(area[k]) != 0) {
      normal.direction[static_cast<Eigen::Index>(k)] = ratio(area[k], normal.largest);
    }
  }
  return normal;
}

template <class Number, class Point>
ExactPoints::Plane plane_by(const std::vector<Point>& points, const std::vector<int>& loop,
                            const Vec<3>& rounded, const Number& unit) {
  const Triple<Number> area = twice_area<Number>(points, loop);
  const ScaledNormal<Number> normal = scaled_normal(area);
  ExactPoints::Plane plane;
  if (sign_of(normal.largest) == 0) return plane;
  const double length = normal.direction.norm();
  plane.normal = normal.direction / length;
  const auto across = std::count_if(
      area.begin(), area.end(), [](const Number& component) { return sign_of(component) == 0; });
  if (across == 2) {  // then the offset is a coordinate, rounded once
    plane.offset = plane.normal.dot(rounded);
    return plane;
  }
  const Point& corner = points[static_cast<std::size_t>(loop.front())];
  const Number height = dot_of(area, corner);
  if (sign_of(height) != 0) plane.offset = ratio(height, Number(normal.largest * unit)) / length;
  return plane;
}

}  // namespace

ExactPoints::ExactPoints(const std::vector<ExactVec<3>>& points) : exact_(points) {
  values_.reserve(points.size());
  for (const ExactVec<3>& point : points) values_.push_back(to_double<3>(point));
  use_common_unit();
}

void ExactPoints::use_common_unit() {
  Integer common = 1;
  for (const ExactVec<3>& point : exact_) {
    for (int k = 0; k < 3; ++k) {
      const Integer bottom = denominator(point[k]);
      if (bottom == 1 || bottom == common) continue;
      common = lcm(common, bottom);
      if (msb(common) >= kLongestUnit) return;
    }
  }
  unit_ = common;
  const double largest = std::ldexp(1.0, kShortBits) / to_double(Rational(common));
  const bool fits =
      largest > 1.0 && std::all_of(values_.begin(), values_.end(), [&](const Vec<3>& value) {
        return value.cwiseAbs().maxCoeff() < largest / 2.0;
      });
  const auto whole = [&](const Rational& x) {
    return Integer(numerator(x) * (common / denominator(x)));
  };
  if (fits) {
    short_.reserve(exact_.size());
    for (const ExactVec<3>& point : exact_) {
      const auto multiple = [&](int k) { return whole(point[k]).convert_to<std::int64_t>(); };
      short_.push_back({multiple(0), multiple(1), multiple(2)});
    }
    return;
  }
  whole_.reserve(exact_.size());
  for (const ExactVec<3>& point : exact_) {
    whole_.push_back({whole(point[0]), whole(point[1]), whole(point[2])});
  }
}

/// With u = 2⁻⁵³, as in the plane (predicates.cpp): differences of magnitude at most m are wrong by 2um, their products
/// by 5u m₁m₂, differences of two products by 6u, the product with a third difference by 9u and the sum of three by 11u
/// times the sum of magnitudes, terms in u² aside. The bound below leaves a third for those and for its own rounding.
int ExactPoints::side(int a, int b, int c, int d) const {
  if (!short_.empty()) return side_by<WideInteger>(short_, a, b, c, d);
  constexpr double kRelativeError = 0x1p-49;
  constexpr double kTiny = 1e-290;
  const Vec<3>& p = value(a);
  const Vec<3> u = value(b) - p;
  const Vec<3> v = value(c) - p;
  const Vec<3> w = value(d) - p;
  const auto size_of = [&](int i) -> Vec<3> {
    return (p.cwiseAbs() + value(i).cwiseAbs()).array() + kTiny;
  };
  const Vec<3> x = size_of(b);
  const Vec<3> y = size_of(c);
  const Vec<3> z = size_of(d);
  const double volume = (u[1] * v[2] - u[2] * v[1]) * w[0] + (u[2] * v[0] - u[0] * v[2]) * w[1] +
                        (u[0] * v[1] - u[1] * v[0]) * w[2];
  const double size = (x[1] * y[2] + x[2] * y[1]) * z[0] + (x[2] * y[0] + x[0] * y[2]) * z[1] +
                      (x[0] * y[1] + x[1] * y[0]) * z[2];
  // False as well where something overflowed.
  if (std::abs(volume) > kRelativeError * size + kTiny) return volume > 0 ? 1 : -1;
  return whole_.empty() ? side_by<Rational>(exact_, a, b, c, d)
                        : side_by<Integer>(whole_, a, b, c, d);
}

bool ExactPoints::in_line(int a, int b, int c) const {
  const auto vanishes = [](const auto& area) {
    return sign_of(area[0]) == 0 && sign_of(area[1]) == 0 && sign_of(area[2]) == 0;
  };
  const std::vector<int> loop = {a, b, c};
  if (!short_.empty()) return vanishes(twice_area<WideInteger>(short_, loop));
  return whole_.empty() ? vanishes(twice_area<Rational>(exact_, loop))
                        : vanishes(twice_area<Integer>(whole_, loop));
}

ExactPoints::Plane ExactPoints::plane_of(const std::vector<int>& loop) const {
  if (loop.empty()) return {};
  const Vec<3>& rounded = value(loop.front());
  if (!short_.empty() && loop.size() <= kLongestShortLoop) {
    return plane_by<WideInteger>(short_, loop, rounded, unit_.convert_to<std::int64_t>());
  }
  return whole_.empty() ? plane_by<Rational>(exact_, loop, rounded, Rational(1))
                        : plane_by<Integer>(whole_, loop, rounded, unit_);
}

}  // namespace collapse
