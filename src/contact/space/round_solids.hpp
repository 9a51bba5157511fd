#pragma once
/// Round solids as the narrow phase sees them, and what their contacts share.

#include <vector>

#include "contact/space/touching.hpp"

namespace collapse::contacts {

/// All points within `radius` of a segment; a ball has length 0.
struct RoundCore {
  Feature feature;
  Vec<3> from;
  Vec<3> direction = Vec<3>::Zero();  ///< unit; zero for a ball
  double length = 0.0;
  double radius = 0.0;

  [[nodiscard]] Vec<3> at(double s) const { return from + s * direction; }
};

struct RoundCylinder {
  Feature feature;
  Vec<3> centre;
  Vec<3> axis;
  Vec<3> zero;  ///< unit, across the axis and fixed in the body: where angles begin
  double radius = 0.0;
  double half_height = 0.0;

  /// Of the flat end at `sign`·axis.
  [[nodiscard]] Vec<3> end(double sign) const { return centre + sign * half_height * axis; }
  /// A point of the rim of the flat end, `turns` of a full turn from `zero`.
  [[nodiscard]] Vec<3> rim(double sign, double turns) const;
};

enum class CylinderPlace { cap, side, rim };

/// The boundary of a cylinder near a point.
struct CylinderPoint {
  CylinderPlace place = CylinderPlace::side;
  double distance = 0.0;  ///< negative inside
  Vec<3> normal;          ///< unit, outwards
  double sign = 1.0;      ///< the flat end on whose side it is
  Vec<3> radial;          ///< unit, across the axis
};

/// Exact: outside, the closest point. Inside, the closer of side and end.
[[nodiscard]] CylinderPoint locate(const RoundCylinder& cylinder, const Vec<3>& at);
/// Where along from + s·direction, 0 ≤ s ≤ length, the signed distance from a cylinder, which is a convex function,
/// is least.
[[nodiscard]] double closest_along(const RoundCylinder& cylinder, const Vec<3>& from,
                                   const Vec<3>& direction, double length);

[[nodiscard]] std::vector<RoundCore> cores_of(const SpaceBody& body);
[[nodiscard]] std::vector<RoundCylinder> cylinders_of(const SpaceBody& body);

struct Span {
  double low = 0.0;
  double high = 0.0;

  [[nodiscard]] double length() const { return high - low; }
};

/// Parts of the segment from + s·direction whose feet on a face lie in it.
[[nodiscard]] std::vector<Span> spans_over_face(const Side& side, int face, const Vec<3>& from,
                                                const Vec<3>& direction, double length,
                                                double tolerance);
/// The part of from + s·direction, 0 ≤ s ≤ length, with low ≤ across·(x − origin) ≤ high; high < low if there is none.
[[nodiscard]] Span span_between(const Vec<3>& from, const Vec<3>& direction, double length,
                                const Vec<3>& origin, const Vec<3>& across, double low,
                                double high);
/// The part of it within the endless cylinder.
[[nodiscard]] Span span_in_disk(const RoundCylinder& cylinder, const Vec<3>& from,
                                const Vec<3>& direction, double length);
/// Whether the foot of a point lies in a face and no convex edge of it is within the tolerance: there the edge takes
/// over.
[[nodiscard]] bool foot_in_face(const Side& side, int face, const Vec<3>& at, double tolerance);
/// Whether it is at a convex edge of the face.
[[nodiscard]] bool foot_on_border(const Side& side, int face, const Vec<3>& at, double tolerance);

/// Where two segments p + s·u, q + t·v (unit directions, or zero with length zero) are closest.
struct SegmentPoints {
  double s = 0.0;
  double t = 0.0;
};
[[nodiscard]] SegmentPoints closest_on_segments(const Vec<3>& p, const Vec<3>& u, double length_u,
                                                const Vec<3>& q, const Vec<3>& v, double length_v);

/// The rounds.
void find_core_on_surface(const SpacePair& pair, int body, const RoundCore& core, const Side& side);
void find_core_on_half_space(const SpacePair& pair, int body, const RoundCore& core);
void find_core_on_core(const SpacePair& pair, const RoundCore& of_a, const RoundCore& of_b);
void find_core_on_cylinder(const SpacePair& pair, int body, const RoundCore& core,
                           const RoundCylinder& cylinder);
void find_cylinder_on_surface(const SpacePair& pair, int body, const RoundCylinder& cylinder,
                              const Side& side);
void find_cylinder_on_half_space(const SpacePair& pair, int body, const RoundCylinder& cylinder);
void find_cylinder_on_cylinder(const SpacePair& pair, const RoundCylinder& of_a,
                               const RoundCylinder& of_b);

/// A full circle counts as a polygon of so many corners, at fixed directions of the body: cos(π/32) = 0.9952, so that
/// no resultant is lost but those within 0.5 % of the radius from the rim.
inline constexpr int kRimCorners = 32;

}  // namespace collapse::contacts
