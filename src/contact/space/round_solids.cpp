#include "contact/space/round_solids.hpp"

#include <algorithm>
#include <cmath>

#include "contact/space/flat_face.hpp"

namespace collapse::contacts {

Vec<3> RoundCylinder::rim(double sign, double turns) const {
  const double angle = 2.0 * M_PI * turns;
  return end(sign) + radius * (std::cos(angle) * zero + std::sin(angle) * axis.cross(zero));
}

CylinderPoint locate(const RoundCylinder& cylinder, const Vec<3>& at) {
  const Vec<3> offset = at - cylinder.centre;
  const double along = cylinder.axis.dot(offset);
  const Vec<3> across = offset - along * cylinder.axis;
  const double radius = across.norm();
  const double over = std::abs(along) - cylinder.half_height;
  const double beside = radius - cylinder.radius;
  CylinderPoint point;
  point.sign = along < 0.0 ? -1.0 : 1.0;
  point.radial = radius > 0.0 ? Vec<3>(across / radius) : cylinder.zero;
  const Vec<3> up = point.sign * cylinder.axis;
  if (over > 0.0 && beside > 0.0) {
    point.place = CylinderPlace::rim;
    point.distance = std::hypot(over, beside);
    point.normal = (over * up + beside * point.radial) / point.distance;
  } else if (over > beside) {
    point.place = CylinderPlace::cap;
    point.distance = over;
    point.normal = up;
  } else {
    point.place = CylinderPlace::side;
    point.distance = beside;
    point.normal = point.radial;
  }
  return point;
}

double closest_along(const RoundCylinder& cylinder, const Vec<3>& from, const Vec<3>& direction,
                     double length) {
  const auto rises = [&](double s) {
    return locate(cylinder, from + s * direction).normal.dot(direction) > 0.0;
  };
  double low = 0.0;
  double high = length;
  if (length <= 0.0 || rises(low)) return low;
  if (!rises(high)) return high;
  // The slope grows all along: halving finds where it changes its sign, in as many steps as a double has bits.
  for (int step = 0; step < 60; ++step) {
    const double middle = 0.5 * (low + high);
    (rises(middle) ? high : low) = middle;
  }
  return 0.5 * (low + high);
}

std::vector<RoundCore> cores_of(const SpaceBody& body) {
  std::vector<RoundCore> cores;
  for (std::size_t i = 0; i < body.balls.size(); ++i) {
    const PlacedBall& ball = body.balls[i];
    cores.push_back({{FeatureKind::ball, static_cast<std::uint32_t>(i)},
                     ball.centre,
                     Vec<3>::Zero(),
                     0.0,
                     ball.radius});
  }
  for (std::size_t i = 0; i < body.capsules.size(); ++i) {
    const PlacedCapsule& capsule = body.capsules[i];
    const Vec<3> along = capsule.to - capsule.from;
    const double length = along.norm();
    cores.push_back({{FeatureKind::capsule, static_cast<std::uint32_t>(i)},
                     capsule.from,
                     length > 0.0 ? Vec<3>(along / length) : Vec<3>::Zero(),
                     length,
                     capsule.radius});
  }
  return cores;
}

std::vector<RoundCylinder> cylinders_of(const SpaceBody& body) {
  std::vector<RoundCylinder> cylinders;
  for (std::size_t i = 0; i < body.cylinders.size(); ++i) {
    const PlacedCylinder& placed = body.cylinders[i];
    const Vec<3> zero = body.pose.turn(body.shape->cylinders[i].axis.unitOrthogonal());
    cylinders.push_back({{FeatureKind::cylinder, static_cast<std::uint32_t>(i)},
                         placed.centre,
                         placed.axis,
                         zero,
                         placed.radius,
                         placed.half_height});
  }
  return cylinders;
}

std::vector<Span> spans_over_face(const Side& side, int face, const Vec<3>& from,
                                  const Vec<3>& direction, double length, double tolerance) {
  const PlacedFace& placed = side.face(face);
  const PlaneFrame frame(placed.origin, placed.normal, Vec<3>::UnitX());
  std::vector<FlatPolygon> pieces;
  flatten(side, face, frame, pieces);
  const Vec<2> flat_direction(frame.u.dot(direction), frame.v.dot(direction));
  std::vector<Span> spans;
  for (const FlatPolygon& piece : pieces) {
    const auto part = clip_segment(piece, frame.flat(from), flat_direction, length, 0.0);
    if (part) spans.push_back({part->first, part->second});
  }
  std::sort(spans.begin(), spans.end(), [](const Span& x, const Span& y) { return x.low < y.low; });
  std::vector<Span> joined;
  for (const Span& span : spans) {
    if (!joined.empty() && span.low <= joined.back().high + tolerance) {
      joined.back().high = std::max(joined.back().high, span.high);
    } else {
      joined.push_back(span);
    }
  }
  // On the border the edge takes over.
  std::erase_if(joined, [&](const Span& span) {
    return span.length() <= tolerance ||
           foot_on_border(side, face, from + 0.5 * (span.low + span.high) * direction, tolerance);
  });
  return joined;
}

Span span_between(const Vec<3>& from, const Vec<3>& direction, double length, const Vec<3>& origin,
                  const Vec<3>& across, double low, double high) {
  const double start = across.dot(from - origin);
  const double slope = across.dot(direction);
  if (slope == 0.0) {
    return start >= low && start <= high ? Span{0.0, length} : Span{0.0, -1.0};
  }
  const double first = (low - start) / slope;
  const double second = (high - start) / slope;
  return {std::max(0.0, std::min(first, second)), std::min(length, std::max(first, second))};
}

Span span_in_disk(const RoundCylinder& cylinder, const Vec<3>& from, const Vec<3>& direction,
                  double length) {
  const auto flat = [&](const Vec<3>& v) -> Vec<3> {
    return v - cylinder.axis.dot(v) * cylinder.axis;
  };
  const Vec<3> start = flat(from - cylinder.centre);
  const Vec<3> along = flat(direction);
  const double square = along.squaredNorm();
  const double radius_square = cylinder.radius * cylinder.radius;
  if (square <= 1e-24) {
    return start.squaredNorm() <= radius_square ? Span{0.0, length} : Span{0.0, -1.0};
  }
  const double middle = -start.dot(along) / square;
  const double height_square = (start + middle * along).squaredNorm();
  if (height_square > radius_square) return {0.0, -1.0};
  const double half = std::sqrt((radius_square - height_square) / square);
  return {std::max(0.0, middle - half), std::min(length, middle + half)};
}

bool foot_on_border(const Side& side, int face, const Vec<3>& at, double tolerance) {
  const PlacedFace& placed = side.face(face);
  const Vec<3> foot = at - placed.height(at) * placed.normal;
  for (const int e : side.edges) {
    const Surface::Edge& edge = side.surface.edges[at_index(e)];
    if (!edge.convex || (edge.left != face && edge.right != face)) continue;
    const PlacedEdge& line = side.edge(e);
    const Vec<3> offset = foot - side.start(e);
    const double along = std::clamp(line.direction.dot(offset), 0.0, line.length);
    if ((offset - along * line.direction).norm() <= tolerance) return true;
  }
  return false;
}

bool foot_in_face(const Side& side, int face, const Vec<3>& at, double tolerance) {
  const Vec<3>& normal = side.face(face).normal;
  const auto& pieces = side.surface.faces[at_index(face)].pieces;
  const bool inside = std::any_of(pieces.begin(), pieces.end(), [&](const std::vector<int>& piece) {
    for (std::size_t i = 0; i < piece.size(); ++i) {
      const Vec<3>& corner = side.point(piece[i]);
      const Vec<3> along = side.point(piece[i + 1 == piece.size() ? 0 : i + 1]) - corner;
      if (normal.dot(along.cross(at - corner)) < -tolerance * along.norm()) return false;
    }
    return true;
  });
  return inside && !foot_on_border(side, face, at, tolerance);
}

SegmentPoints closest_on_segments(const Vec<3>& p, const Vec<3>& u, double length_u,
                                  const Vec<3>& q, const Vec<3>& v, double length_v) {
  const Vec<3> offset = q - p;
  const double cosine = u.dot(v);
  const double along_u = u.dot(offset);
  const double along_v = v.dot(offset);
  const double square = u.cross(v).squaredNorm();
  SegmentPoints points;
  if (square > 1e-24) {
    points.s = std::clamp((along_u - cosine * along_v) / square, 0.0, length_u);
  }
  points.t = std::clamp(points.s * cosine - along_v, 0.0, length_v);
  points.s = std::clamp(points.t * cosine + along_u, 0.0, length_u);
  return points;
}

}  // namespace collapse::contacts
