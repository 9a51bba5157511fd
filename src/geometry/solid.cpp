/// Shapes in space: how they are made and moved, and their sizes.

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "collapse/geometry/shape.hpp"
#include "geometry/exact_points.hpp"

namespace collapse {

namespace {

ExactVec<3> along_z(const Rational& z) { return {Rational(0), Rational(0), z}; }

/// Without squares that overflow or vanish.
double length_of(const Vec<3>& v) { return v.stableNorm(); }

std::vector<ExactVec<3>> moved_points(const std::vector<ExactVec<3>>& points,
                                      const ExactPose<3>& pose) {
  std::vector<ExactVec<3>> result;
  result.reserve(points.size());
  for (const ExactVec<3>& point : points) result.push_back(pose.apply(point));
  return result;
}

/// The features stay; coordinates and planes are those of the exact points again.
Surface moved_surface(const Surface& surface, const ExactPose<3>& pose) {
  Surface result = surface;
  result.exact = moved_points(surface.exact, pose);
  const ExactPoints points(result.exact);
  result.points = points.values();
  for (Surface::Face& face : result.faces) {
    const ExactPoints::Plane plane = points.plane_of(face.loops.front());
    face.normal = plane.normal;
    face.offset = plane.offset;
  }
  return result;
}

/// Distance of `centre` to the farthest point of a cylinder: on one of its rims.
double reach_of(const Cylinder& cylinder, const Vec<3>& centre) {
  const Vec<3> lever = cylinder.centre - centre;
  const double along = lever.dot(cylinder.axis);
  const double across = length_of(lever - along * cylinder.axis);
  return std::hypot(std::abs(along) + cylinder.half_height, across + cylinder.radius);
}

}  // namespace

Cylinder::Cylinder(ExactVec<3> centre_point, ExactVec<3> axis_direction, Rational radius_length,
                   Rational height_length)
    : exact_centre(std::move(centre_point)),
      exact_axis(std::move(axis_direction)),
      exact_radius(std::move(radius_length)),
      exact_height(std::move(height_length)),
      centre(to_double<3>(exact_centre)),
      axis(to_double<3>(exact_axis)),
      radius(to_double(exact_radius)),
      half_height(to_double(exact_height / 2)) {}

Capsule::Capsule(ExactVec<3> from_point, ExactVec<3> to_point, Rational radius_length)
    : exact_from(std::move(from_point)),
      exact_to(std::move(to_point)),
      exact_radius(std::move(radius_length)),
      from(to_double<3>(exact_from)),
      to(to_double<3>(exact_to)),
      radius(to_double(exact_radius)) {}

double Shape<3>::size() const {
  double smallest = std::numeric_limits<double>::infinity();
  for (const Hull& piece : pieces) smallest = std::min(smallest, piece.diameter());
  for (const Ball<3>& ball : balls) smallest = std::min(smallest, 2.0 * ball.radius);
  for (const Cylinder& cylinder : cylinders) {
    smallest = std::min(smallest, 2.0 * std::hypot(cylinder.radius, cylinder.half_height));
  }
  for (const Capsule& capsule : capsules) {
    smallest = std::min(smallest, length_of(capsule.to - capsule.from) + 2.0 * capsule.radius);
  }
  return smallest;
}

double Shape<3>::reach(const Vec<3>& centre) const {
  if (half_space) return std::numeric_limits<double>::infinity();
  double farthest = 0.0;
  for (std::size_t i = 0; i < boundary.vertices.size(); ++i) {
    farthest = std::max(farthest, length_of(boundary.points[i] - centre));
  }
  for (const Ball<3>& ball : balls) {
    farthest = std::max(farthest, length_of(ball.centre - centre) + ball.radius);
  }
  for (const Cylinder& cylinder : cylinders) {
    farthest = std::max(farthest, reach_of(cylinder, centre));
  }
  for (const Capsule& capsule : capsules) {
    for (const Vec<3>& end : {capsule.from, capsule.to}) {
      farthest = std::max(farthest, length_of(end - centre) + capsule.radius);
    }
  }
  return farthest;
}

Shape<3> make_box(const ExactVec<3>& sides) {
  std::vector<ExactVec<3>> corners;
  for (const int z : {-1, 1}) {
    for (const int y : {-1, 1}) {
      for (const int x : {-1, 1}) {
        corners.emplace_back(x * sides[0] / 2, y * sides[1] / 2, z * sides[2] / 2);
      }
    }
  }
  return make_hull(corners);
}

Shape<3> make_sphere(const Rational& radius) {
  Shape<3> shape;
  shape.balls.emplace_back(along_z(Rational(0)), radius);
  return shape;
}

Shape<3> make_cylinder(const Rational& radius, const Rational& height) {
  Shape<3> shape;
  shape.cylinders.emplace_back(along_z(Rational(0)), along_z(Rational(1)), radius, height);
  return shape;
}

Shape<3> make_capsule(const Rational& radius, const Rational& length) {
  Shape<3> shape;
  shape.capsules.emplace_back(along_z(-length / 2), along_z(length / 2), radius);
  return shape;
}

Shape<3> make_hull(const std::vector<ExactVec<3>>& points) {
  Shape<3> shape;
  shape.pieces.emplace_back(points);
  shape.boundary = surface_of(shape.pieces.front());
  return shape;
}

Shape<3> make_mesh(const Mesh& mesh) {
  Shape<3> shape;
  shape.boundary = surface_of(mesh);
  Decomposition decomposition = decompose(mesh);
  shape.pieces = std::move(decomposition.pieces);
  shape.piece_excess = decomposition.excess;
  return shape;
}

Shape<3> make_half_space(const ExactVec<3>& normal, const Rational& offset) {
  Shape<3> shape;
  shape.half_space.emplace(normal, offset);
  return shape;
}

Shape<3> moved(const Shape<3>& shape, const ExactPose<3>& pose) {
  Shape<3> result;
  result.boundary = moved_surface(shape.boundary, pose);
  result.piece_excess = shape.piece_excess;
  for (const Hull& piece : shape.pieces) {
    result.pieces.emplace_back(moved_points(piece.exact(), pose));
  }
  for (const Ball<3>& ball : shape.balls) {
    result.balls.emplace_back(pose.apply(ball.exact_centre), ball.exact_radius);
  }
  for (const Cylinder& cylinder : shape.cylinders) {
    result.cylinders.emplace_back(pose.apply(cylinder.exact_centre), pose.turn(cylinder.exact_axis),
                                  cylinder.exact_radius, cylinder.exact_height);
  }
  for (const Capsule& capsule : shape.capsules) {
    result.capsules.emplace_back(pose.apply(capsule.exact_from), pose.apply(capsule.exact_to),
                                 capsule.exact_radius);
  }
  if (shape.half_space) {
    // n·x ≤ d at x becomes (Rn)·y ≤ d + (Rn)·p at y = Rx + p.
    const ExactVec<3> normal = pose.turn(shape.half_space->exact_normal);
    result.half_space.emplace(normal, shape.half_space->exact_offset + normal.dot(pose.position));
  }
  return result;
}

}  // namespace collapse
