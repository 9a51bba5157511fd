#pragma once
/// Planes in space without rounding, and coordinates in them.

#include <vector>

#include "collapse/geometry/polygon.hpp"

namespace collapse {

/// The plane normal·x = offset of a face, with the solid behind it. Of all multiples of the normal the one whose largest
/// entry, at `axis`, is ±1: equal planes are equal numbers. Points in it are written by their two other coordinates,
/// in the order that keeps counter-clockwise as seen from outside.
class FlatPlane {
 public:
  FlatPlane() = default;
  /// Of a flat polygon, counter-clockwise seen from outside.
  explicit FlatPlane(const std::vector<ExactVec<3>>& polygon);

  [[nodiscard]] const ExactVec<3>& normal() const { return normal_; }
  /// Sign of normal·x − offset: +1 outside.
  [[nodiscard]] int side_of(const ExactVec<3>& point, const Vec<3>& rounded) const;
  /// normal·x − offset
  [[nodiscard]] Rational height_of(const ExactVec<3>& point) const;

  [[nodiscard]] ExactVec<2> flatten(const ExactVec<3>& point) const {
    return {point[first_], point[second_]};
  }
  [[nodiscard]] ExactVec<3> lift(const ExactVec<2>& point) const;

  /// In an order without meaning.
  [[nodiscard]] bool operator<(const FlatPlane& other) const;
  [[nodiscard]] bool operator==(const FlatPlane& other) const {
    return normal_ == other.normal_ && offset_ == other.offset_;
  }

 private:
  ExactVec<3> normal_ = ExactVec<3>::Zero();
  Rational offset_{0};
  Vec<3> rounded_normal_ = Vec<3>::Zero();
  double rounded_offset_ = 0.0;
  int axis_ = 0;
  int first_ = 1;
  int second_ = 2;
};

[[nodiscard]] inline ExactVec<3> cross3(const ExactVec<3>& u, const ExactVec<3>& v) {
  return {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
}

[[nodiscard]] inline Rational dot3(const ExactVec<3>& u, const ExactVec<3>& v) {
  return u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
}

}  // namespace collapse
