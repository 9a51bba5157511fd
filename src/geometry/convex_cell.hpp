#pragma once
/// Convex parts of space with what a surface leaves in them, cut by planes without rounding.

#include <utility>
#include <vector>

#include "collapse/geometry/polyhedron.hpp"
#include "geometry/exact_points.hpp"

namespace collapse {

/// normal·x = offset, with the doubles beside.
class CuttingPlane {
 public:
  CuttingPlane(ExactVec<3> normal, Rational offset);
  /// Of three points not in line, seen counter-clockwise from above.
  [[nodiscard]] static CuttingPlane through(const ExactVec<3>& a, const ExactVec<3>& b,
                                            const ExactVec<3>& c);

  [[nodiscard]] const ExactVec<3>& normal() const { return normal_; }
  [[nodiscard]] const Rational& offset() const { return offset_; }
  /// +1 above, 0 in the plane, −1 below.
  [[nodiscard]] int side(SpacePoint point) const;
  /// Of a line through points on different sides.
  [[nodiscard]] ExactVec<3> crossing(const ExactVec<3>& a, const ExactVec<3>& b) const;

 private:
  ExactVec<3> normal_;
  Rational offset_;
  Vec<3> rounded_;
  double rounded_offset_ = 0.0;
};

/// What is in a cell of one face of a surface: a convex polygon.
struct Fragment {
  std::vector<ExactVec<3>> corners;
  std::vector<Vec<3>> values;
  int plane = 0;             ///< number of the plane of its face
  bool against = false;      ///< the face looks down in that plane
  bool on_boundary = false;  ///< of the cell, and the solid is on the cell's side
};

struct ConvexCell {
  Hull hull;
  std::vector<Fragment> fragments;

  /// Whether fragments pass through its inside.
  [[nodiscard]] bool is_divided() const;
};

/// Below and above a plane that passes through the inside. `number` is that of the plane, −1 if no face lies in it.
[[nodiscard]] std::pair<ConvexCell, ConvexCell> split(const ConvexCell& cell,
                                                      const CuttingPlane& plane, int number);

/// The volume inside.
[[nodiscard]] Rational volume_of(const Hull& hull);

}  // namespace collapse
