#include "geometry/flat_plane.hpp"

#include <cmath>
#include <utility>

#include "collapse/core/check.hpp"
#include "collapse/geometry/pose.hpp"

namespace collapse {

FlatPlane::FlatPlane(const std::vector<ExactVec<3>>& polygon) {
  ExactVec<3> area = ExactVec<3>::Zero();
  for (std::size_t i = 2; i < polygon.size(); ++i) {
    area += cross3(ExactVec<3>(polygon[i - 1] - polygon[0]), ExactVec<3>(polygon[i] - polygon[0]));
  }
  Rational largest = 0;
  for (int k = 0; k < 3; ++k) {
    const Rational size = abs(area[k]);
    if (size <= largest) continue;
    largest = size;
    axis_ = k;
  }
  COLLAPSE_DEMAND(largest > 0);
  normal_ = area / largest;
  offset_ = dot3(normal_, polygon[0]);
  rounded_normal_ = to_double<3>(normal_);
  rounded_offset_ = to_double(offset_);
  first_ = (axis_ + 1) % 3;
  second_ = (axis_ + 2) % 3;
  if (normal_[axis_] < 0) std::swap(first_, second_);
}

/// Every number is rounded once, by u = 2⁻⁵³ of itself, and so is every product and sum: 6u times the sum of all
/// magnitudes covers it, and the bound below leaves a third for terms in u² and its own rounding.
int FlatPlane::side_of(const ExactVec<3>& point, const Vec<3>& rounded) const {
  constexpr double kRelativeError = 0x1p-50;
  constexpr double kTiny = 1e-300;
  const Vec<3> products = rounded_normal_.cwiseProduct(rounded);
  const double height = products.sum() - rounded_offset_;
  const double size = products.cwiseAbs().sum() + std::abs(rounded_offset_);
  // False as well where something overflowed.
  if (std::abs(height) > kRelativeError * size + kTiny) return height > 0.0 ? 1 : -1;
  return height_of(point).sign();
}

Rational FlatPlane::height_of(const ExactVec<3>& point) const {
  return dot3(normal_, point) - offset_;
}

ExactVec<3> FlatPlane::lift(const ExactVec<2>& point) const {
  ExactVec<3> result;
  result[first_] = point[0];
  result[second_] = point[1];
  const Rational rest = offset_ - normal_[first_] * point[0] - normal_[second_] * point[1];
  result[axis_] = normal_[axis_] > 0 ? rest : Rational(-rest);
  return result;
}

bool FlatPlane::operator<(const FlatPlane& other) const {
  // Doubles that differ are in the order of the numbers they were rounded from.
  for (int k = 0; k < 3; ++k) {
    if (rounded_normal_[k] != other.rounded_normal_[k]) {
      return rounded_normal_[k] < other.rounded_normal_[k];
    }
  }
  if (rounded_offset_ != other.rounded_offset_) return rounded_offset_ < other.rounded_offset_;
  for (int k = 0; k < 3; ++k) {
    if (normal_[k] != other.normal_[k]) return normal_[k] < other.normal_[k];
  }
  return offset_ < other.offset_;
}

}  // namespace collapse
