#pragma once
/// Signs of geometry in space between the points of one set.

#include <array>
#include <vector>

#include "collapse/geometry/dim.hpp"

namespace collapse {

__extension__ using WideInteger = __int128;

/// Three points of a set, by their numbers.
using Triangle = std::array<int, 3>;

/// A point that keeps its doubles beside its exact coordinates. Refers to both.
struct SpacePoint {
  const ExactVec<3>& exact;
  const Vec<3>& value;
};

/// Of ((b − a) × (c − a))·(d − a): +1 if d is on the side from which a, b, c run counter-clockwise, 0 in their plane.
[[nodiscard]] int side_of(SpacePoint a, SpacePoint b, SpacePoint c, SpacePoint d);
/// Of component `axis` of (b − a) × (c − a): how a, b, c turn seen against that axis.
[[nodiscard]] int turn_of(SpacePoint a, SpacePoint b, SpacePoint c, int axis);

/// Points as the signs below want them: in whole multiples of one unit, which take a machine word where they are short
/// and as many as they need otherwise; or each of a unit of its own where a common one would be too long. Signs need no
/// fractions then, which would be shortened after every operation. Copies no point: the points must outlive it.
class ExactPoints {
 public:
  /// Coordinates are `multiple` over `unit`.
  struct OwnUnit {
    std::array<Integer, 3> multiple;
    Integer unit;
  };

  explicit ExactPoints(const std::vector<ExactVec<3>>& points);

  [[nodiscard]] int size() const { return static_cast<int>(values_.size()); }
  [[nodiscard]] const ExactVec<3>& exact(int i) const {
    return exact_[static_cast<std::size_t>(i)];
  }
  /// Rounded.
  [[nodiscard]] const Vec<3>& value(int i) const { return values_[static_cast<std::size_t>(i)]; }
  [[nodiscard]] const std::vector<Vec<3>>& values() const { return values_; }

  [[nodiscard]] SpacePoint point(int i) const { return {exact(i), value(i)}; }

  /// As `side_of` and `turn_of`.
  [[nodiscard]] int side(int a, int b, int c, int d) const;
  [[nodiscard]] int turn(int a, int b, int c, int axis) const;
  [[nodiscard]] bool in_line(int a, int b, int c) const;
  /// Six times the volume inside triangles of a closed surface, and its sign.
  [[nodiscard]] Rational six_volumes(const std::vector<Triangle>& triangles) const;
  [[nodiscard]] int volume_sign(const std::vector<Triangle>& triangles) const;
  /// Of a − b along `axis`.
  [[nodiscard]] int compare(int a, int b, int axis) const {
    const double x = value(a)[axis];
    const double y = value(b)[axis];
    // Rounding keeps order.
    return x != y ? (x > y ? 1 : -1) : exact(a)[axis].compare(exact(b)[axis]);
  }
  [[nodiscard]] bool coincide(int a, int b) const { return exact(a) == exact(b); }

  /// The plane of a flat polygon: unit normal on the side from which it runs counter-clockwise, and normal·x.
  /// From the exact area, rounded last.
  struct Plane {
    Vec<3> normal = Vec<3>::Zero();  ///< zero if there is no area
    double offset = 0.0;
  };
  [[nodiscard]] Plane plane_of(const std::vector<int>& loop) const;

 private:
  bool use_common_unit();
  void use_own_units();

  const std::vector<ExactVec<3>>& exact_;
  std::vector<Vec<3>> values_;
  std::vector<std::array<WideInteger, 3>> short_;  ///< if all fit
  std::vector<std::array<Integer, 3>> whole_;      ///< otherwise, if there is a common unit
  std::vector<OwnUnit> long_;                      ///< otherwise
  Integer unit_ = 1;  ///< how many of the units of `short_` and `whole_` make one
};

}  // namespace collapse
