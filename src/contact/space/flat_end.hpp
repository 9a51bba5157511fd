#pragma once

#include "contact/space/planar.hpp"
#include "contact/space/round_solids.hpp"

namespace collapse::contacts {

/// The region where the flat end of a cylinder lies on something flat: the corners of a polygon inside it. Where the
/// circle bounds the region its points at fixed directions of the body count (see kRimCorners), beside where it
/// crosses the other outline.
class FlatEndRegion {
 public:
  struct Corner {
    Vec<3> at;
    int number = 0;  ///< of the point of the circle; from kRimCorners on: other corners in order
  };

  /// `frame`: in the plane of contact, around the centre of the end.
  FlatEndRegion(const RoundCylinder& cylinder, double sign, const PlaneFrame& frame);

  /// With a convex polygon, counter-clockwise.
  void add_overlap(const FlatPolygon& polygon);
  /// With the flat end of another cylinder.
  void add_overlap(const RoundCylinder& other, double other_sign);

  /// None if the region is no wider than the tolerance.
  [[nodiscard]] std::vector<Corner> corners(double tolerance) const;

 private:
  void add(const Vec<2>& at, int number);

  const RoundCylinder& cylinder_;
  const PlaneFrame& frame_;
  FlatPolygon circle_;  ///< its corners
  FlatPolygon points_;
  std::vector<int> numbers_;
};

}  // namespace collapse::contacts
