/// Cylinders against cylinders.

#include <algorithm>
#include <cmath>

#include "contact/space/convex_distance.hpp"
#include "contact/space/flat_end.hpp"
#include "contact/space/round_solids.hpp"

namespace collapse::contacts {
namespace {

class CylinderOnCylinder {
 public:
  CylinderOnCylinder(const SpacePair& pair, const RoundCylinder& a, const RoundCylinder& b)
      : pair_(pair), a_(a), b_(b), tolerance_(pair.tolerance) {}

  void find() {
    if (end_on_end() || side_along_side() || side_across_side()) return;
    if (rim_on_end(a_, b_, pair_.a) || rim_on_end(b_, a_, pair_.b)) return;
    rim_on_side();
  }

 private:
  /// `normal` from a to b, `at` on a.
  void add(const Vec<3>& at, const Vec<3>& normal, double gap, bool turns, int end) const {
    pair_.add(pair_.b, b_.feature, a_.feature, at, normal, gap, turns, end);
  }

  bool end_on_end() {
    const double cosine = a_.axis.dot(b_.axis);
    const double sine = a_.axis.cross(b_.axis).norm();
    // Over the smaller of the ends the gap varies by no more than the tolerance.
    if (std::min(a_.radius, b_.radius) * sine > tolerance_) return false;
    const Vec<3> offset = b_.centre - a_.centre;
    const double sign = a_.axis.dot(offset) < 0.0 ? -1.0 : 1.0;
    const double other_sign = cosine < 0.0 ? sign : -sign;
    const bool by_a = a_.radius >= b_.radius;
    const Vec<3> normal = by_a ? Vec<3>(sign * a_.axis) : Vec<3>(-other_sign * b_.axis);
    const Vec<3> end_a = a_.end(sign);
    const Vec<3> end_b = b_.end(other_sign);
    const PlaneFrame frame(end_a, normal, a_.zero);
    FlatEndRegion region(a_, sign, frame);
    region.add_overlap(b_, other_sign);
    const auto corners = region.corners(tolerance_);
    const auto height = [&](const RoundCylinder& cylinder, const Vec<3>& end, const Vec<3>& at) {
      return cylinder.axis.dot(end - at) / cylinder.axis.dot(normal);
    };
    const auto gap = [&](const Vec<3>& at) {
      return height(b_, end_b, at) - height(a_, end_a, at);
    };
    for (const auto& corner : corners) {
      if (std::abs(gap(corner.at)) > tolerance_) return false;
    }
    for (const auto& corner : corners) {
      add(corner.at + height(a_, end_a, corner.at) * normal, normal, gap(corner.at), false,
          corner.number);
    }
    return !corners.empty();
  }

  bool side_along_side() {
    const Vec<3> start = a_.end(-1.0);
    const Span span = span_between(start, a_.axis, 2.0 * a_.half_height, b_.centre, b_.axis,
                                   -b_.half_height, b_.half_height);
    if (span.length() <= tolerance_) return false;
    const double radii = a_.radius + b_.radius;
    const auto apart = [&](double s) -> Vec<3> {
      const Vec<3> offset = b_.centre - (start + s * a_.axis);
      return offset - b_.axis.dot(offset) * b_.axis;
    };
    const Vec<3> first = apart(span.low);
    const Vec<3> last = apart(span.high);
    if (std::abs(first.norm() - radii) > tolerance_ || std::abs(last.norm() - radii) > tolerance_) {
      return false;
    }
    int end = 0;
    for (const double s : {span.low, span.high}) {
      const Vec<3> offset = apart(s);
      const Vec<3> normal = offset.normalized();
      add(start + s * a_.axis + a_.radius * normal, normal, offset.norm() - radii, true, end++);
    }
    return true;
  }

  bool side_across_side() {
    const double length_a = 2.0 * a_.half_height;
    const double length_b = 2.0 * b_.half_height;
    const Vec<3> start_a = a_.end(-1.0);
    const Vec<3> start_b = b_.end(-1.0);
    const SegmentPoints points =
        closest_on_segments(start_a, a_.axis, length_a, start_b, b_.axis, length_b);
    const auto inside = [&](double s, double length) {
      return s > tolerance_ && s < length - tolerance_;
    };
    if (!inside(points.s, length_a) || !inside(points.t, length_b)) return false;
    const Vec<3> at_a = start_a + points.s * a_.axis;
    const Vec<3> offset = start_b + points.t * b_.axis - at_a;
    const double distance = offset.norm();
    const double gap = distance - a_.radius - b_.radius;
    if (std::abs(gap) > tolerance_) return false;
    const Vec<3> normal = offset / distance;
    add(at_a + a_.radius * normal, normal, gap, false, 0);
    return true;
  }

  /// A point of the rim of `own` on a flat end of `other`.
  bool rim_on_end(const RoundCylinder& own, const RoundCylinder& other, int body) {
    const double sign = other.axis.dot(own.centre - other.centre) < 0.0 ? -1.0 : 1.0;
    const Vec<3> up = sign * other.axis;
    const double cosine = own.axis.dot(up);
    const Vec<3> across = cosine * own.axis - up;
    const double sine = across.norm();
    if (!(own.radius * sine > tolerance_)) return false;
    const Vec<3> radial = (own.radius / sine) * across;
    int end = 0;
    // Lying on its side both ends touch.
    for (const double own_sign : {-1.0, 1.0}) {
      const Vec<3> at = own.end(own_sign) + radial;
      const Vec<3> offset = at - other.end(sign);
      const double gap = up.dot(offset);
      const Vec<3> foot = at - gap * up;
      if (std::abs(gap) > tolerance_) continue;
      if ((offset - gap * up).norm() > other.radius - tolerance_) continue;
      pair_.add(body, own.feature, other.feature, foot, up, gap, false, end++);
    }
    if (end == 1) lying_beyond_end(own, other, body, radial, up, sign, end);
    return end > 0 || lying_across_end(own, other, body, radial, up, sign);
  }

  /// The side lies on the flat end and reaches beyond it on one side.
  void lying_beyond_end(const RoundCylinder& own, const RoundCylinder& other, int body,
                        const Vec<3>& radial, const Vec<3>& up, double sign, int& end) {
    const Span span = lying_span(own, other, radial, up, sign);
    if (span.length() <= tolerance_) return;
    const double s = span.low > 0.0 ? span.low : span.high;
    add_lying(own, other, body, own.end(-1.0) + radial + s * own.axis, up, sign, end++);
  }
  bool lying_across_end(const RoundCylinder& own, const RoundCylinder& other, int body,
                        const Vec<3>& radial, const Vec<3>& up, double sign) {
    const Span span = lying_span(own, other, radial, up, sign);
    if (span.length() <= tolerance_) return false;
    int end = 0;
    for (const double s : {span.low, span.high}) {
      add_lying(own, other, body, own.end(-1.0) + radial + s * own.axis, up, sign, end++);
    }
    return true;
  }
  [[nodiscard]] Span lying_span(const RoundCylinder& own, const RoundCylinder& other,
                                const Vec<3>& radial, const Vec<3>& up, double sign) const {
    const Vec<3> start = own.end(-1.0) + radial;
    const Span span = span_in_disk(other, start, own.axis, 2.0 * own.half_height);
    const auto height = [&](double s) { return up.dot(start + s * own.axis - other.end(sign)); };
    if (span.length() <= tolerance_ || std::abs(height(span.low)) > tolerance_ ||
        std::abs(height(span.high)) > tolerance_) {
      return {0.0, 0.0};
    }
    return span;
  }
  void add_lying(const RoundCylinder& own, const RoundCylinder& other, int body, const Vec<3>& at,
                 const Vec<3>& up, double sign, int end) const {
    const double gap = up.dot(at - other.end(sign));
    pair_.add(body, own.feature, other.feature, at - gap * up, up, gap, false, end);
  }

  /// Rim on side or rim on rim: one point.
  void rim_on_side() {
    const auto solid = [](const RoundCylinder& c) {
      return ConvexSolid::cylinder(c.centre, c.axis, c.half_height, c.radius);
    };
    const ConvexDistance closest = distance_of(solid(a_), solid(b_));
    if (std::abs(closest.distance) > tolerance_) return;
    add(closest.point_a, closest.normal, closest.distance, true, 0);
  }

  const SpacePair& pair_;
  const RoundCylinder& a_;
  const RoundCylinder& b_;
  double tolerance_;
};

}  // namespace

void find_cylinder_on_cylinder(const SpacePair& pair, const RoundCylinder& of_a,
                               const RoundCylinder& of_b) {
  CylinderOnCylinder(pair, of_a, of_b).find();
}

}  // namespace collapse::contacts
