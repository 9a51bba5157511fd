#include "collapse/geometry/motion.hpp"

#include <algorithm>
#include <cmath>

#include "collapse/core/check.hpp"

namespace collapse {

namespace {

/// The velocity of every point of a body, as a function of its place in the body.
template <int Dim>
struct VelocityField {
  const Pose<Dim>& pose;
  const Vec<Dim>& centre;
  Vec<Dim> velocity;
  Spin<Dim> spin;

  VelocityField(const Pose<Dim>& body_pose, const Vec<Dim>& body_centre, const Twist<Dim>& twist)
      : pose(body_pose),
        centre(body_centre),
        velocity(twist.template head<Dim>()),
        spin(twist.template tail<kSpins<Dim>>()) {}

  [[nodiscard]] Vec<Dim> at(const Vec<Dim>& body_point) const {
    return velocity + spin_velocity<Dim>(spin, pose.apply(body_point) - centre);
  }
};

/// Largest speed within `radius` of a point: the spin adds every velocity across its axis of length up to |ω| r.
double fastest_of_ball(const VelocityField<3>& field, const Vec<3>& body_point, double radius) {
  const Vec<3> u = field.at(body_point);
  const double spin = field.spin.norm();
  if (spin == 0.0) return u.norm();
  const Vec<3> axis = field.spin / spin;
  const double along = u.dot(axis);
  return std::hypot(along, (u - along * axis).norm() + spin * radius);
}

/// Largest speed on a circle, from above and within rounding of it.
///
/// With e₁ across the spin ω and e₂ along it, both in the circle's plane, the squared speed at the direction
/// z = (z₁, z₂) is |u|² + 2 bᵀz + Σ λᵢ zᵢ² with bᵢ = r (ω × eᵢ)·u, λ₁ = r² |ω|², λ₂ = r² (ω·axis)². Its maximum over
/// |z| = 1 is the least value over λ ≥ λ₁ of |u|² + λ + Σ bᵢ²/(λ − λᵢ), every one of which is an upper bound; the
/// least is where Σ bᵢ²/(λ − λᵢ)² = 1, between λ₁ + |b₁| and λ₁ + |b|.
double fastest_of_circle(const VelocityField<3>& field, const Vec<3>& body_point,
                         const Vec<3>& body_axis, double radius) {
  const Vec<3> u = field.at(body_point);
  const Vec<3> axis = field.pose.turn(body_axis);
  const double along = field.spin.dot(axis);
  const Vec<3> in_plane = field.spin - along * axis;
  const Vec<3> e2 = in_plane.norm() > 0.0 ? in_plane.normalized() : axis.unitOrthogonal();
  const Vec<3> e1 = axis.cross(e2);
  const double b1 = radius * std::abs(field.spin.cross(e1).dot(u));
  const double b2 = radius * std::abs(field.spin.cross(e2).dot(u));
  const double lambda1 = radius * radius * field.spin.squaredNorm();
  const double gap = std::max(0.0, lambda1 - radius * radius * along * along);  // λ₁ − λ₂
  // Unknown: μ = λ − λ₁.
  double low = b1;
  double high = std::hypot(b1, b2);
  for (int i = 0; i < 60 && low < high; ++i) {
    const double middle = low + (high - low) / 2.0;
    if (middle <= low || middle >= high) break;
    (std::hypot(b1 / middle, b2 / (middle + gap)) > 1.0 ? low : high) = middle;
  }
  const double mu = high;
  const double first = b1 > 0.0 ? b1 * (b1 / mu) : 0.0;
  const double second = b2 > 0.0 ? b2 * (b2 / (mu + gap)) : 0.0;
  return std::sqrt(u.squaredNorm() + lambda1 + mu + first + second);
}

}  // namespace

// The speed is a convex function of the point: it is largest at a vertex, on a circle or on a sphere.

double fastest_point(const Shape<2>& shape, const Pose<2>& pose, const Vec<2>& centre,
                     const Twist<2>& twist) {
  COLLAPSE_ASSERT(!shape.half_space);
  const VelocityField<2> field(pose, centre, twist);
  double fastest = 0.0;
  for (const Loop& loop : shape.boundary) {
    for (const Vec<2>& vertex : loop.vertices()) {
      fastest = std::max(fastest, field.at(vertex).norm());
    }
  }
  for (const Ball<2>& ball : shape.balls) {
    fastest =
        std::max(fastest, field.at(ball.centre).norm() + std::abs(field.spin[0]) * ball.radius);
  }
  return fastest;
}

double fastest_point(const Shape<3>& shape, const Pose<3>& pose, const Vec<3>& centre,
                     const Twist<3>& twist) {
  COLLAPSE_ASSERT(!shape.half_space);
  const VelocityField<3> field(pose, centre, twist);
  double fastest = 0.0;
  for (std::size_t i = 0; i < shape.boundary.vertices.size(); ++i) {
    fastest = std::max(fastest, field.at(shape.boundary.points[i]).norm());
  }
  for (const Ball<3>& ball : shape.balls) {
    fastest = std::max(fastest, fastest_of_ball(field, ball.centre, ball.radius));
  }
  for (const Capsule& capsule : shape.capsules) {
    for (const Vec<3>& end : {capsule.from, capsule.to}) {
      fastest = std::max(fastest, fastest_of_ball(field, end, capsule.radius));
    }
  }
  for (const Cylinder& cylinder : shape.cylinders) {
    for (const double side : {-1.0, 1.0}) {
      const Vec<3> end = cylinder.centre + side * cylinder.half_height * cylinder.axis;
      fastest = std::max(fastest, fastest_of_circle(field, end, cylinder.axis, cylinder.radius));
    }
  }
  return fastest;
}

}  // namespace collapse
