#include "io/mjcf_pose.hpp"

#include <fmt/core.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "collapse/core/error.hpp"

namespace collapse::foreign {
namespace {

ExactVec<3> cross(const ExactVec<3>& a, const ExactVec<3>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

Rational dot(const ExactVec<3>& a, const ExactVec<3>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

Vec<3> nearest(const ExactVec<3>& v) { return {to_double(v[0]), to_double(v[1]), to_double(v[2])}; }

}  // namespace

Quaternion Quaternion::operator*(const Quaternion& other) const {
  const ExactVec<3> vector = w * other.v + other.w * v + cross(v, other.v);
  return {w * other.w - dot(v, other.v), vector};
}

ExactVec<3> Quaternion::turned(const ExactVec<3>& point) const {
  const Rational length = w * w + dot(v, v);
  const ExactVec<3> once = cross(v, point);
  const ExactVec<3> result = (w * w - dot(v, v)) * point + 2 * dot(v, point) * v + 2 * w * once;
  return {result[0] / length, result[1] / length, result[2] / length};
}

MjcfPose MjcfPose::operator*(const MjcfPose& inner) const {
  return {(*this)(inner.position), turn * inner.turn};
}

ExactVec<3> MjcfPose::operator()(const ExactVec<3>& point) const {
  return turn.turned(point) + position;
}

Quaternion turn_about(const ExactVec<3>& axis, const Rational& angle, bool degrees) {
  const Rational length = root_of(dot(axis, axis));
  const ExactVec<3> unit(axis[0] / length, axis[1] / length, axis[2] / length);
  if (degrees && denominator(Rational(angle / 90)) == 1) {
    const Integer quarters = numerator(Rational(angle / 90)) % 4;
    const int quarter = (quarters.convert_to<int>() + 4) % 4;
    if (quarter == 0) return {};
    if (quarter == 2) return {0, unit};
    return {1, quarter == 1 ? unit : ExactVec<3>(-unit)};
  }
  const double radians = to_double(angle) * (degrees ? std::numbers::pi / 180.0 : 1.0);
  return {1, shortest(std::tan(radians / 2.0)) * unit};
}

Quaternion turn_z_to(const ExactVec<3>& direction) {
  const Rational length = root_of(dot(direction, direction));
  const Rational w = length + direction[2];
  if (w == 0 || (direction[0] == 0 && direction[1] == 0 && direction[2] < 0)) {
    return {0, ExactVec<3>(1, 0, 0)};
  }
  return {w, ExactVec<3>(-direction[1], direction[0], 0)};
}

Quaternion turn_to_axes(const ExactVec<3>& x, const ExactVec<3>& y) {
  Eigen::Matrix3d axes;
  axes.col(0) = nearest(x).normalized();
  axes.col(1) = (nearest(y) - nearest(y).dot(axes.col(0)) * axes.col(0)).normalized();
  axes.col(2) = axes.col(0).cross(axes.col(1));
  const Eigen::Quaterniond q(axes);
  return {shortest(q.w()), ExactVec<3>(shortest(q.x()), shortest(q.y()), shortest(q.z()))};
}

Rational root_of(const Rational& value) {
  if (std::optional<Rational> root = exact_sqrt(value)) return *root;
  return shortest(std::sqrt(to_double(value)));
}

Rational shortest(double value) {
  if (!std::isfinite(value)) {
    throw Error("", "coordinates whose products are beyond all doubles", "smaller numbers");
  }
  constexpr double kTiny = 1e-290;  // beyond the exponents of a scene: nothing beside all else
  return std::abs(value) < kTiny ? Rational(0) : *parse_rational(fmt::format("{}", value));
}

Rational readable(const Rational& value) {
  constexpr std::size_t kLong = 40;
  return to_string(value).size() <= kLong ? value : shortest(to_double(value));
}

}  // namespace collapse::foreign
