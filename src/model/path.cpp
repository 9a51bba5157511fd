#include "collapse/model/path.hpp"

#include <cmath>

namespace collapse {

Twist<2> path_velocity(const Body<2>& body, double time) {
  Twist<2> velocity = Twist<2>::Zero();
  for (std::size_t i = 0; i + 1 < body.motion.size(); ++i) {
    const double start = body.motion[i].time.value;
    const double end = body.motion[i + 1].time.value;
    if (time < start || time >= end) continue;
    const Pose<2> from = to_double(body.motion[i].pose);
    const Pose<2> to = to_double(body.motion[i + 1].pose);
    const Eigen::Matrix2d turn = from.rotation.transpose() * to.rotation;
    const double angle = std::atan2(turn(1, 0), turn(0, 0));
    const double share = (time - start) / (end - start);
    const Eigen::Matrix2d rotation =
        from.rotation * Eigen::Rotation2Dd(share * angle).toRotationMatrix();
    velocity[2] = angle / (end - start);
    velocity.head<2>() = (to.position - from.position) / (end - start) +
                         spin_velocity<2>(Spin<2>(velocity[2]), rotation * body.mass.centre);
  }
  return velocity;
}

}  // namespace collapse
