#include "collapse/geometry/motion.hpp"

#include <algorithm>
#include <cmath>

#include "collapse/core/check.hpp"

namespace collapse {

double fastest_point(const Shape<2>& shape, const Pose<2>& pose, const Vec<2>& centre,
                     const Twist<2>& twist) {
  COLLAPSE_ASSERT(!shape.half_space);
  const Vec<2> velocity = twist.head<2>();
  const Spin<2> spin = twist.tail<1>();
  const auto speed_at = [&](const Vec<2>& body_point) {
    return (velocity + spin_velocity<2>(spin, pose.apply(body_point) - centre)).norm();
  };
  // The speed is a convex function of the point: it is largest at a vertex or on a circle.
  double fastest = 0.0;
  for (const Loop& loop : shape.boundary) {
    for (const Vec<2>& vertex : loop.vertices()) fastest = std::max(fastest, speed_at(vertex));
  }
  for (const Ball<2>& ball : shape.balls) {
    fastest = std::max(fastest, speed_at(ball.centre) + std::abs(spin[0]) * ball.radius);
  }
  return fastest;
}

}  // namespace collapse
