#include <algorithm>
#include <cmath>

#include "contact/space/motion_solids.hpp"

namespace collapse::contacts {
namespace {

using Kind = Flat::Kind;

/// Lines at a smaller angle (sine) are parallel.
constexpr double kParallelLines = 1e-9;
/// A disk closer to parallel to a plane (sine) has no lowest point: then its centre counts.
constexpr double kFlatDisk = 1e-12;
/// Of the slip: rows tell the distance to this. Of the depth, where the solids overlap: at least this share.
constexpr double kTold = 0.01;
constexpr double kToldDepth = 0.5;

/// `point` outside the plane of `plane`; the normal points out of the plane.
PlacedRow<3> point_on_plane(const Flat& plane, const Pose<3>& plane_pose, const Flat& point,
                            const Pose<3>& point_pose) {
  PlacedRow<3> out;
  const Vec<3> at = point_pose.apply(point.at);
  out.normal = plane_pose.turn(plane.direction);
  out.gap = out.normal.dot(at - plane_pose.apply(plane.at)) - point.radius;
  out.at = at - point.radius * out.normal;
  return out;
}

/// The lowest point of a disk over a plane. Its derivative is that of the body's point there: along the rim the height
/// does not change.
PlacedRow<3> disk_on_plane(const Flat& plane, const Pose<3>& plane_pose, const Flat& disk,
                           const Pose<3>& disk_pose) {
  PlacedRow<3> out;
  out.normal = plane_pose.turn(plane.direction);
  const Vec<3> axis = disk_pose.turn(disk.direction);
  Vec<3> across = out.normal - axis.dot(out.normal) * axis;
  across -= axis.dot(across) * axis;
  const double length = across.norm();
  out.at = disk_pose.apply(disk.at);
  if (length > kFlatDisk) out.at -= disk.radius / length * across;
  out.gap = out.normal.dot(out.at - plane_pose.apply(plane.at));
  return out;
}

PlacedRow<3> on_plane(const Flat& plane, const Pose<3>& plane_pose, const Flat& other,
                      const Pose<3>& other_pose) {
  return other.kind == Kind::disk ? disk_on_plane(plane, plane_pose, other, other_pose)
                                  : point_on_plane(plane, plane_pose, other, other_pose);
}

/// `offset` across what is between the flats: its length is the distance. Past each other: what kept them apart at
/// the start still does.
void keep_distance(const Vec<3>& offset, const Vec<3>& normal_at_start, double radii,
                   PlacedRow<3>& out) {
  const double distance = offset.norm();
  const double along = offset.dot(normal_at_start);
  const bool passed = along <= 0.0;
  out.normal = passed ? normal_at_start : Vec<3>(offset / distance);
  out.gap = (passed ? along : distance) - radii;
}

/// A point over a disk, from its closest point, which is flat or on the rim.
PlacedRow<3> point_over_disk(const Flat& disk, const Pose<3>& disk_pose, const Flat& point,
                             const Pose<3>& point_pose, const Vec<3>& normal_at_start) {
  PlacedRow<3> out;
  const Vec<3> axis = disk_pose.turn(disk.direction);
  const Vec<3> centre = disk_pose.apply(disk.at);
  const Vec<3> at = point_pose.apply(point.at);
  Vec<3> across = at - centre;
  across -= axis.dot(across) * axis;
  const double distance = across.norm();
  const Vec<3> foot = centre + (distance > disk.radius ? disk.radius / distance : 1.0) * across;
  keep_distance(at - foot, normal_at_start, point.radius, out);
  out.at = at - point.radius * out.normal;
  return out;
}

/// The part of a direction across a line; the direction itself if there is none.
Vec<3> across_line(const Vec<3>& direction, const Vec<3>& line) {
  const Vec<3> part = direction - line.dot(direction) * line;
  const double length = part.norm();
  return length > 1e-6 ? Vec<3>(part / length) : direction;
}

}  // namespace

PlacedRow<3> placed_between(const MotionRow<3>& row, const Pose<3>& a, const Pose<3>& b) {
  if (row.a.kind == Kind::plane) return on_plane(row.a, a, row.b, b);
  if (row.b.kind == Kind::plane) {
    PlacedRow<3> out = on_plane(row.b, b, row.a, a);
    out.normal = -out.normal;
    return out;
  }
  if (row.a.kind == Kind::disk) return point_over_disk(row.a, a, row.b, b, row.normal);
  if (row.b.kind == Kind::disk) {
    PlacedRow<3> out = point_over_disk(row.b, b, row.a, a, -row.normal);
    out.normal = -out.normal;
    return out;
  }
  PlacedRow<3> out;
  Vec<3> at_a = a.apply(row.a.at);
  Vec<3> at_b = b.apply(row.b.at);
  const double radii = row.a.radius + row.b.radius;
  const Vec<3> along_a = row.a.kind == Kind::line ? a.turn(row.a.direction) : Vec<3>::Zero();
  const Vec<3> along_b = row.b.kind == Kind::line ? b.turn(row.b.direction) : Vec<3>::Zero();
  const Vec<3> offset = at_b - at_a;
  if (row.a.kind == Kind::point && row.b.kind == Kind::point) {
    keep_distance(offset, row.normal, radii, out);
  } else if (row.b.kind == Kind::point) {
    const double share = along_a.dot(offset);
    at_a += share * along_a;
    keep_distance(offset - share * along_a, across_line(row.normal, along_a), radii, out);
  } else if (row.a.kind == Kind::point) {
    const double share = -along_b.dot(offset);
    at_b += share * along_b;
    keep_distance(offset + share * along_b, across_line(row.normal, along_b), radii, out);
  } else {
    const Vec<3> both = along_a.cross(along_b);
    const double square = both.squaredNorm();
    if (square > kParallelLines * kParallelLines) {
      const double sign = both.dot(row.normal) < 0.0 ? -1.0 : 1.0;
      out.normal = sign / std::sqrt(square) * both;
      out.gap = out.normal.dot(offset) - radii;
      at_a += offset.cross(along_b).dot(both) / square * along_a;
    } else {
      const double share = along_a.dot(offset);
      at_a += share * along_a;
      keep_distance(offset - share * along_a, across_line(row.normal, along_a), radii, out);
    }
  }
  // On the surface of b: the points of both are on one line along the normal.
  out.at = at_a + (out.gap + row.a.radius) * out.normal;
  return out;
}

void RowSink::set_floor(std::size_t first, const Pose<3>& a, const Pose<3>& b, double distance,
                        double most) const {
  const double floor = std::min(0.0, distance);
  for (std::size_t k = first; k < rows.size(); ++k) {
    const double gap = placed_between(rows[k], a, b).gap;
    if (gap < floor && gap > floor - most) rows[k].floor = floor;
  }
}

bool RowSink::tells(std::size_t first, const Pose<3>& a, const Pose<3>& b, double distance,
                    double slip) const {
  const double gap = (distance < 0.0 ? kToldDepth * distance : distance) + kTold * slip;
  return std::any_of(rows.begin() + static_cast<std::ptrdiff_t>(first), rows.end(),
                     [&](const MotionRow<3>& row) { return placed_between(row, a, b).gap <= gap; });
}

PlacedRow<3> placed(const MotionRow<3>& row, std::span<const Pose<3>> poses) {
  return placed_between(row, poses[static_cast<std::size_t>(row.id.a)],
                        poses[static_cast<std::size_t>(row.id.b)]);
}

}  // namespace collapse::contacts
