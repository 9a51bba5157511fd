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

/// The same times both units.
template <class Number>
Triple<Number> from_to(const ExactPoints::OwnUnit& a, const ExactPoints::OwnUnit& b) {
  Triple<Number> difference;
  for (std::size_t k = 0; k < 3; ++k) {
    difference[k] = b.multiple[k] * a.unit - a.multiple[k] * b.unit;
  }
  return difference;
}

template <class Number, class Point>
Number dot_of(const Triple<Number>& u, const Point& v) {
  return u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
}

/// A number and how wrong it may be.
struct Estimate {
  double value = 0.0;
  double error = 0.0;

  /// False as well where something overflowed.
  [[nodiscard]] bool is_certain() const { return std::abs(value) > error; }
  [[nodiscard]] int sign() const { return value > 0 ? 1 : -1; }
};

/// With u = 2⁻⁵³, as in the plane (predicates.cpp): differences of magnitude at most m are wrong by 2um, their products
/// by 5u m₁m₂, differences of two products by 6u, the product with a third difference by 9u and the sum of three by 11u
/// times the sum of magnitudes, terms in u² aside. The bound below leaves a third for those and for its own rounding.
Estimate volume_of(const Vec<3>& a, const Vec<3>& b, const Vec<3>& c, const Vec<3>& d) {
  constexpr double kRelativeError = 0x1p-49;
  constexpr double kTiny = 1e-290;
  const Vec<3> u = b - a;
  const Vec<3> v = c - a;
  const Vec<3> w = d - a;
  const auto size_of = [&](const Vec<3>& p) -> Vec<3> {
    return (a.cwiseAbs() + p.cwiseAbs()).array() + kTiny;
  };
  const Vec<3> x = size_of(b);
  const Vec<3> y = size_of(c);
  const Vec<3> z = size_of(d);
  const double volume = (u[1] * v[2] - u[2] * v[1]) * w[0] + (u[2] * v[0] - u[0] * v[2]) * w[1] +
                        (u[0] * v[1] - u[1] * v[0]) * w[2];
  const double size = (x[1] * y[2] + x[2] * y[1]) * z[0] + (x[2] * y[0] + x[0] * y[2]) * z[1] +
                      (x[0] * y[1] + x[1] * y[0]) * z[2];
  return {volume, kRelativeError * size + kTiny};
}

/// Bounded as in the plane (predicates.cpp).
Estimate area_of(const Vec<3>& a, const Vec<3>& b, const Vec<3>& c, int axis) {
  constexpr double kRelativeError = 0x1p-50;
  constexpr double kTiny = 1e-300;
  const int i = (axis + 1) % 3;
  const int j = (axis + 2) % 3;
  const auto magnitude = [](double x, double y) { return std::abs(x) + std::abs(y) + kTiny; };
  const double area = (b[i] - a[i]) * (c[j] - a[j]) - (b[j] - a[j]) * (c[i] - a[i]);
  const double size =
      magnitude(b[i], a[i]) * magnitude(c[j], a[j]) + magnitude(b[j], a[j]) * magnitude(c[i], a[i]);
  return {area, kRelativeError * size + kTiny};
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
int turn_by(const std::vector<Point>& points, int a, int b, int c, int axis) {
  const auto from_a = [&](int i) {
    return from_to<Number>(points[static_cast<std::size_t>(a)],
                           points[static_cast<std::size_t>(i)]);
  };
  const Triple<Number> u = from_a(b);
  const Triple<Number> v = from_a(c);
  const auto i = static_cast<std::size_t>((axis + 1) % 3);
  const auto j = static_cast<std::size_t>((axis + 2) % 3);
  return sign_of(Number(u[i] * v[j] - u[j] * v[i]));
}

template <class Number, class Point>
Number six_volumes_of(const Point& origin, const Point& a, const Point& b, const Point& c) {
  return dot_of(cross_of(from_to<Number>(origin, a), from_to<Number>(origin, b)),
                from_to<Number>(origin, c));
}
template <class Number>
Rational six_volumes_of(const ExactPoints::OwnUnit& origin, const ExactPoints::OwnUnit& a,
                        const ExactPoints::OwnUnit& b, const ExactPoints::OwnUnit& c) {
  const Integer scaled = dot_of(cross_of(from_to<Integer>(origin, a), from_to<Integer>(origin, b)),
                                from_to<Integer>(origin, c));
  const Integer unit = origin.unit * origin.unit * origin.unit * a.unit * b.unit * c.unit;
  return Rational(scaled) / Rational(unit);
}

/// Halves at a time: denominators that have nothing in common then meet late.
template <class Number, class Point>
Number volume_by(const std::vector<Point>& points, int origin, const Triangle* triangles,
                 std::size_t count) {
  if (count > 1) {
    return volume_by<Number>(points, origin, triangles, count / 2) +
           volume_by<Number>(points, origin, triangles + count / 2, count - count / 2);
  }
  const auto at = [&](int i) -> const Point& { return points[static_cast<std::size_t>(i)]; };
  const auto& [a, b, c] = *triangles;
  return six_volumes_of<Number>(at(origin), at(a), at(b), at(c));
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

/// Across `area` through a corner, which is given over `unit` and rounded.
template <class Number, class Point>
ExactPoints::Plane plane_by(const Triple<Number>& area, const Point& corner, const Number& unit,
                            const Vec<3>& rounded) {
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
  const Number height = dot_of(area, corner);
  if (sign_of(height) != 0) plane.offset = ratio(height, Number(normal.largest * unit)) / length;
  return plane;
}

}  // namespace

ExactPoints::ExactPoints(const std::vector<ExactVec<3>>& points) : exact_(points) {
  values_.reserve(points.size());
  for (const ExactVec<3>& point : points) values_.push_back(to_double<3>(point));
  if (!use_common_unit()) use_own_units();
}

void ExactPoints::use_own_units() {
  long_.reserve(exact_.size());
  for (const ExactVec<3>& point : exact_) {
    const Integer unit =
        lcm(lcm(denominator(point[0]), denominator(point[1])), denominator(point[2]));
    const auto whole = [&](const Rational& x) {
      return Integer(numerator(x) * (unit / denominator(x)));
    };
    long_.push_back({{whole(point[0]), whole(point[1]), whole(point[2])}, unit});
  }
}

bool ExactPoints::use_common_unit() {
  Integer common = 1;
  for (const ExactVec<3>& point : exact_) {
    for (int k = 0; k < 3; ++k) {
      const Integer bottom = denominator(point[k]);
      if (bottom == 1 || bottom == common) continue;
      common = lcm(common, bottom);
      if (msb(common) >= kLongestUnit) return false;
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
    return true;
  }
  whole_.reserve(exact_.size());
  for (const ExactVec<3>& point : exact_) {
    whole_.push_back({whole(point[0]), whole(point[1]), whole(point[2])});
  }
  return true;
}

int ExactPoints::side(int a, int b, int c, int d) const {
  if (!short_.empty()) return side_by<WideInteger>(short_, a, b, c, d);
  const Estimate volume = volume_of(value(a), value(b), value(c), value(d));
  if (volume.is_certain()) return volume.sign();
  return whole_.empty() ? side_by<Integer>(long_, a, b, c, d)
                        : side_by<Integer>(whole_, a, b, c, d);
}

int ExactPoints::turn(int a, int b, int c, int axis) const {
  if (!short_.empty()) return turn_by<WideInteger>(short_, a, b, c, axis);
  const Estimate area = area_of(value(a), value(b), value(c), axis);
  if (area.is_certain()) return area.sign();
  return whole_.empty() ? turn_by<Integer>(long_, a, b, c, axis)
                        : turn_by<Integer>(whole_, a, b, c, axis);
}

int side_of(SpacePoint a, SpacePoint b, SpacePoint c, SpacePoint d) {
  const Estimate volume = volume_of(a.value, b.value, c.value, d.value);
  if (volume.is_certain()) return volume.sign();
  const auto from_a = [&](SpacePoint p) { return from_to<Rational>(a.exact, p.exact); };
  return sign_of(dot_of(cross_of(from_a(b), from_a(c)), from_a(d)));
}

int turn_of(SpacePoint a, SpacePoint b, SpacePoint c, int axis) {
  const Estimate area = area_of(a.value, b.value, c.value, axis);
  if (area.is_certain()) return area.sign();
  const int i = (axis + 1) % 3;
  const int j = (axis + 2) % 3;
  const auto from_a = [&](SpacePoint p, int k) { return Rational(p.exact[k] - a.exact[k]); };
  return Rational(from_a(b, i) * from_a(c, j) - from_a(b, j) * from_a(c, i)).sign();
}

int ExactPoints::volume_sign(const std::vector<Triangle>& triangles) const {
  if (triangles.empty()) return 0;
  const int origin = triangles.front()[0];
  Estimate sum;
  for (const auto& [a, b, c] : triangles) {
    const Estimate term = volume_of(value(origin), value(a), value(b), value(c));
    sum.value += term.value;
    sum.error += term.error;
  }
  // Adding n terms is wrong by at most n roundings of their magnitudes, each a sixteenth of their own errors.
  sum.error *= 2.0 + static_cast<double>(triangles.size()) / 8.0;
  if (sum.is_certain()) return sum.sign();
  return six_volumes(triangles).sign();
}

Rational ExactPoints::six_volumes(const std::vector<Triangle>& triangles) const {
  if (triangles.empty()) return Rational(0);
  const int origin = triangles.front()[0];
  if (!short_.empty()) {
    return volume_by<Rational>(exact_, origin, triangles.data(), triangles.size());
  }
  if (!long_.empty()) {
    return volume_by<Rational>(long_, origin, triangles.data(), triangles.size());
  }
  return Rational(volume_by<Integer>(whole_, origin, triangles.data(), triangles.size())) /
         Rational(Integer(unit_ * unit_ * unit_));
}

bool ExactPoints::in_line(int a, int b, int c) const {
  return turn(a, b, c, 0) == 0 && turn(a, b, c, 1) == 0 && turn(a, b, c, 2) == 0;
}

ExactPoints::Plane ExactPoints::plane_of(const std::vector<int>& loop) const {
  if (loop.empty()) return {};
  const Vec<3>& rounded = value(loop.front());
  const auto corner = static_cast<std::size_t>(loop.front());
  if (!short_.empty() && loop.size() <= kLongestShortLoop) {
    return plane_by(twice_area<WideInteger>(short_, loop), short_[corner],
                    WideInteger(unit_.convert_to<std::int64_t>()), rounded);
  }
  if (!whole_.empty()) {
    return plane_by(twice_area<Integer>(whole_, loop), whole_[corner], unit_, rounded);
  }
  if (!long_.empty() && loop.size() == 3) {
    return plane_by(twice_area<Integer>(long_, loop), long_[corner].multiple, long_[corner].unit,
                    rounded);
  }
  return plane_by(twice_area<Rational>(exact_, loop), exact_[corner], Rational(1), rounded);
}

}  // namespace collapse
