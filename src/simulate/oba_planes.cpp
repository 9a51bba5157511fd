#include "simulate/oba_planes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "collapse/formulation/rows.hpp"
#include "simulate/slot.hpp"

namespace collapse::simulate {
namespace {

using Kind = ConvexPart::Kind;

/// Points of each rim of a cylinder.
constexpr int kRimPoints = 8;

/// The direction across `axis` that is farthest along n, unit; any where there is none.
Vec<3> towards(const Vec<3>& axis, const Vec<3>& n) {
  const Vec<3> across = n - axis.dot(n) * axis;
  const double length = across.norm();
  if (length > 1e-9) return across / length;
  return axis.unitOrthogonal();
}

/// By faces; between two edges it may be less.
double thickness_of(const ConvexPart& part) {
  switch (part.kind) {
    case Kind::ball:
    case Kind::capsule:
      return 2.0 * part.radius;
    case Kind::cylinder:
      return 2.0 * std::min(part.core_radius, part.half_height);
    case Kind::half_space:
      return std::numeric_limits<double>::infinity();
    case Kind::polyhedron:
      break;
  }
  double least = std::numeric_limits<double>::infinity();
  for (const Hull::Face& face : part.hull->faces()) {
    double lowest = face.offset;
    for (const Vec<3>& at : part.points) lowest = std::min(lowest, face.normal.dot(at));
    least = std::min(least, face.offset - lowest);
  }
  return least;
}

}  // namespace

PlacedParts::PlacedParts(const Scene<3>& scene) {
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    first_.push_back(count());
    add_body(static_cast<int>(i), scene.bodies[i]);
  }
  first_.push_back(count());
  const std::size_t size = parts_.size();
  points_.resize(size);
  for (std::size_t i = 0; i < size; ++i) points_[i].resize(parts_[i].points.size());
  solids_.resize(size);
  bounds_.assign(size, Bounds<3>::empty());
  normals_.assign(size, Vec<3>::Zero());
  offsets_.assign(size, 0.0);
}

void PlacedParts::add_body(int body, const Body<3>& solid) {
  ConvexPart part;
  part.body = body;
  part.size = solid.shape.size();
  const auto add = [&](Kind kind, std::vector<Vec<3>> points, double radius) {
    part.kind = kind;
    part.points = std::move(points);
    part.radius = radius;
    part.thickness = thickness_of(part);
    parts_.push_back(part);
  };
  if (solid.shape.half_space) {
    part.axis = solid.shape.half_space->normal;
    part.offset = solid.shape.half_space->offset;
    add(Kind::half_space, {}, 0.0);
    return;
  }
  for (const Hull& hull : solid.shape.pieces) {
    part.hull = &hull;
    add(Kind::polyhedron, hull.vertices(), 0.0);
  }
  part.hull = nullptr;
  for (const Ball<3>& ball : solid.shape.balls) add(Kind::ball, {ball.centre}, ball.radius);
  for (const Capsule& capsule : solid.shape.capsules) {
    add(Kind::capsule, {capsule.from, capsule.to}, capsule.radius);
  }
  for (const Cylinder& cylinder : solid.shape.cylinders) {
    part.axis = cylinder.axis;
    part.half_height = cylinder.half_height;
    part.core_radius = cylinder.radius;
    add(Kind::cylinder, {cylinder.centre}, 0.0);
  }
}

void PlacedParts::place(std::span<const Pose<3>> poses) {
  for (std::size_t i = 0; i < poses.size(); ++i) place(static_cast<int>(i), poses[i]);
}

void PlacedParts::place(int body, const Pose<3>& pose) {
  for (int i = first_part(body); i < first_part(body + 1); ++i) {
    const ConvexPart& part = parts_[slot_of(i)];
    std::vector<Vec<3>>& points = points_[slot_of(i)];
    Bounds<3> bounds = Bounds<3>::empty();
    for (std::size_t k = 0; k < points.size(); ++k) {
      points[k] = pose.apply(part.points[k]);
      bounds.include(points[k], part.radius);
    }
    contacts::ConvexSolid& solid = solids_[slot_of(i)];
    switch (part.kind) {
      case Kind::polyhedron:
        solid = contacts::ConvexSolid::polyhedron(*part.hull, points, pose.rotation);
        break;
      case Kind::ball:
        solid = contacts::ConvexSolid::ball(points[0], part.radius);
        break;
      case Kind::capsule:
        solid = contacts::ConvexSolid::capsule(points[0], points[1], part.radius);
        break;
      case Kind::cylinder: {
        const Vec<3> axis = pose.turn(part.axis).normalized();
        normals_[slot_of(i)] = axis;
        solid =
            contacts::ConvexSolid::cylinder(points[0], axis, part.half_height, part.core_radius);
        const Eigen::Array3d along = axis.array().abs().min(1.0);
        const Vec<3> extent =
            part.half_height * along + part.core_radius * (1.0 - along.square()).sqrt();
        bounds = {points[0] - extent, points[0] + extent};
        break;
      }
      case Kind::half_space:
        normals_[slot_of(i)] = pose.turn(part.axis).normalized();
        offsets_[slot_of(i)] = part.offset + normals_[slot_of(i)].dot(pose.position);
        break;
    }
    bounds_[slot_of(i)] = bounds;
  }
}

Vec<3> PlacedParts::point(int i, int number, const Vec<3>& n) const {
  const ConvexPart& part = parts_[slot_of(i)];
  if (part.kind != Kind::cylinder) return points_[slot_of(i)][slot_of(number)];
  const Vec<3>& axis = normals_[slot_of(i)];
  const Vec<3> first = towards(axis, n);
  const double angle = 2.0 * std::numbers::pi / kRimPoints * (number % kRimPoints);
  const Vec<3> radial = std::cos(angle) * first + std::sin(angle) * axis.cross(first);
  const double end = number < kRimPoints ? 1.0 : -1.0;
  return points_[slot_of(i)][0] + end * part.half_height * axis + part.core_radius * radial;
}

double PlacedParts::reach(int i, const Vec<3>& n) const {
  const ConvexPart& part = parts_[slot_of(i)];
  if (part.kind == Kind::cylinder) {
    const Vec<3>& axis = normals_[slot_of(i)];
    return n.dot(points_[slot_of(i)][0]) + part.half_height * std::abs(axis.dot(n)) +
           part.core_radius * axis.cross(n).norm();
  }
  double farthest = -std::numeric_limits<double>::infinity();
  for (const Vec<3>& at : points_[slot_of(i)]) farthest = std::max(farthest, n.dot(at));
  return farthest + part.radius;
}

void PlacedParts::extreme_points(int i, const Vec<3>& n, double slab,
                                 std::vector<int>& numbers) const {
  numbers.clear();
  const ConvexPart& part = parts_[slot_of(i)];
  const int points =
      part.kind == Kind::cylinder ? 2 * kRimPoints : static_cast<int>(part.points.size());
  const double least = reach(i, n) - part.radius - slab;
  for (int k = 0; k < points; ++k) {
    if (n.dot(point(i, k, n)) >= least) numbers.push_back(k);
  }
}

SeparatingPlane separating_plane(const PlacedParts& parts, int a, int b,
                                 contacts::WitnessCache* witness) {
  SeparatingPlane plane;
  if (parts.part(a).kind == Kind::half_space || parts.part(b).kind == Kind::half_space) {
    const bool first = parts.part(a).kind == Kind::half_space;
    const Vec<3>& outwards = parts.plane_normal(first ? a : b);
    const double offset = parts.plane_offset(first ? a : b);
    plane.gap = -parts.reach(first ? b : a, Vec<3>(-outwards)) - offset;
    plane.normal = first ? outwards : Vec<3>(-outwards);
    plane.at = offset * outwards;
    return plane;
  }
  const contacts::ConvexDistance distance =
      contacts::distance_of(parts.solid(a), parts.solid(b), witness);
  plane.normal = distance.normal;
  plane.at = 0.5 * (distance.point_a + distance.point_b);
  plane.gap = distance.distance;
  return plane;
}

double gap_beyond(const PlacedParts& parts, int a, int b, double reach,
                  contacts::WitnessCache* witness) {
  if (parts.part(a).kind == Kind::half_space || parts.part(b).kind == Kind::half_space) {
    return separating_plane(parts, a, b).gap;
  }
  return contacts::distance_beyond(parts.solid(a), parts.solid(b), reach, witness);
}

PlaneRow plane_row(const SeparatingPlane& plane, const Vec<3>& point, const Vec<3>& centre,
                   double L) {
  const Eigen::Matrix<double, 3, 2> across = tangents_of<3>(plane.normal);
  const Vec<3> from = point - plane.at;
  PlaneRow row;
  row.height = plane.normal.dot(from);
  row.on_body = contact_wrench<3>(point - centre, plane.normal);
  row.on_plane << across.transpose() * from / L, -1.0;
  return row;
}

double diameter_of(const Shape<3>& shape) {
  std::vector<std::pair<Vec<3>, double>> ends;
  for (const Hull& hull : shape.pieces) {
    for (const Vec<3>& at : hull.vertices()) ends.emplace_back(at, 0.0);
  }
  for (const Ball<3>& ball : shape.balls) ends.emplace_back(ball.centre, ball.radius);
  for (const Capsule& capsule : shape.capsules) {
    ends.emplace_back(capsule.from, capsule.radius);
    ends.emplace_back(capsule.to, capsule.radius);
  }
  for (const Cylinder& cylinder : shape.cylinders) {
    const Vec<3> first = cylinder.axis.unitOrthogonal();
    const Vec<3> second = cylinder.axis.cross(first);
    for (int k = 0; k < 2 * kRimPoints; ++k) {
      const double angle = 2.0 * std::numbers::pi / kRimPoints * k;
      const double end = k < kRimPoints ? 1.0 : -1.0;
      ends.emplace_back(cylinder.centre + end * cylinder.half_height * cylinder.axis +
                            cylinder.radius * (std::cos(angle) * first + std::sin(angle) * second),
                        0.0);
    }
  }
  double diameter = 0.0;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    for (std::size_t k = i; k < ends.size(); ++k) {
      diameter = std::max(diameter,
                          (ends[i].first - ends[k].first).norm() + ends[i].second + ends[k].second);
    }
  }
  return diameter;
}

}  // namespace collapse::simulate
