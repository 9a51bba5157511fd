#include "collapse/geometry/shape.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "collapse/core/check.hpp"

namespace collapse {

namespace {

double distance(const Vec<2>& a, const Vec<2>& b) { return std::hypot(b[0] - a[0], b[1] - a[1]); }

Loop moved_loop(const Loop& loop, const ExactPose<2>& pose) {
  std::vector<ExactVec<2>> vertices;
  vertices.reserve(loop.exact().size());
  for (const ExactVec<2>& vertex : loop.exact()) vertices.push_back(pose.apply(vertex));
  return Loop(std::move(vertices));
}

}  // namespace

template <int Dim>
Ball<Dim>::Ball(ExactVec<Dim> centre_point, Rational radius_length)
    : exact_centre(std::move(centre_point)),
      exact_radius(std::move(radius_length)),
      centre(to_double<Dim>(exact_centre)),
      radius(to_double(exact_radius)) {}

template <int Dim>
HalfSpace<Dim>::HalfSpace(ExactVec<Dim> normal_vector, Rational offset_value)
    : exact_normal(std::move(normal_vector)), exact_offset(std::move(offset_value)) {
  Rational squared_length = 0;
  Rational largest = 0;
  for (int k = 0; k < Dim; ++k) {
    squared_length += exact_normal[k] * exact_normal[k];
    largest = std::max<Rational>(largest, abs(exact_normal[k]));
  }
  COLLAPSE_DEMAND(largest > 0);
  // Divided exactly first, by the length or at least by the largest entry: nothing can overflow.
  const std::optional<Rational> length = exact_sqrt(squared_length);
  const Rational scale = 1 / (length ? *length : largest);
  normal = to_double<Dim>(exact_normal * scale);
  const double rest = length ? 1.0 : normal.norm();
  normal /= rest;
  offset = to_double(exact_offset * scale) / rest;
}

template struct Ball<2>;
template struct Ball<3>;
template struct HalfSpace<2>;
template struct HalfSpace<3>;

double Shape<2>::size() const {
  double smallest = std::numeric_limits<double>::infinity();
  for (const Loop& piece : pieces) smallest = std::min(smallest, diameter(piece));
  for (const Ball<2>& ball : balls) smallest = std::min(smallest, 2.0 * ball.radius);
  return smallest;
}

double Shape<2>::reach(const Vec<2>& centre) const {
  if (half_space) return std::numeric_limits<double>::infinity();
  double farthest = 0.0;
  for (const Loop& loop : boundary) {
    for (const Vec<2>& vertex : loop.vertices()) {
      farthest = std::max(farthest, distance(centre, vertex));
    }
  }
  for (const Ball<2>& ball : balls) {
    farthest = std::max(farthest, distance(centre, ball.centre) + ball.radius);
  }
  return farthest;
}

Shape<2> make_box(const Rational& width, const Rational& height) {
  const Rational x = width / 2;
  const Rational y = height / 2;
  Shape<2> shape;
  shape.boundary.emplace_back(std::vector<ExactVec<2>>{{-x, -y}, {x, -y}, {x, y}, {-x, y}});
  shape.pieces = shape.boundary;
  return shape;
}

Shape<2> make_polygon(std::vector<ExactVec<2>> vertices) {
  Shape<2> shape;
  shape.boundary.push_back(tidy_loop(std::move(vertices)));
  shape.pieces = convex_pieces(shape.boundary.front());
  return shape;
}

Shape<2> make_disk(const Rational& radius) {
  Shape<2> shape;
  shape.balls.emplace_back(ExactVec<2>(Rational(0), Rational(0)), radius);
  return shape;
}

Shape<2> make_half_plane(const ExactVec<2>& normal, const Rational& offset) {
  Shape<2> shape;
  shape.half_space.emplace(normal, offset);
  return shape;
}

Shape<2> moved(const Shape<2>& shape, const ExactPose<2>& pose) {
  Shape<2> result;
  for (const Loop& loop : shape.boundary) result.boundary.push_back(moved_loop(loop, pose));
  for (const Loop& piece : shape.pieces) result.pieces.push_back(moved_loop(piece, pose));
  for (const Ball<2>& ball : shape.balls) {
    result.balls.emplace_back(pose.apply(ball.exact_centre), ball.exact_radius);
  }
  if (shape.half_space) {
    // n·x ≤ d at x becomes (Rn)·y ≤ d + (Rn)·p at y = Rx + p.
    const ExactVec<2> normal = pose.turn(shape.half_space->exact_normal);
    result.half_space.emplace(normal, shape.half_space->exact_offset + normal.dot(pose.position));
  }
  return result;
}

}  // namespace collapse
