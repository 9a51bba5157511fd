#include "collapse/model/path.hpp"

#include <algorithm>

namespace collapse {

namespace {

/// In the axes of `from`; the shorter way round.
template <int Dim>
Spin<Dim> turn_between(const Pose<Dim>& from, const Pose<Dim>& to) {
  return turn_of<Dim>(from.rotation.transpose() * to.rotation);
}

Eigen::Matrix<double, 2, 2> rotation_of_turn(const Spin<2>& turn) {
  return Eigen::Rotation2Dd(turn[0]).toRotationMatrix();
}
Eigen::Matrix<double, 3, 3> rotation_of_turn(const Spin<3>& turn) { return rotation_by(turn); }

Spin<2> in_world_axes(const Pose<2>& /*pose*/, const Spin<2>& turn) { return turn; }
Spin<3> in_world_axes(const Pose<3>& pose, const Spin<3>& turn) { return pose.turn(turn); }

template <int Dim>
Pose<Dim> pose_on_path(const Body<Dim>& body, double time) {
  const std::vector<Keyframe<Dim>>& path = body.motion;
  if (path.empty()) return body.pose;
  const auto after = std::find_if(path.begin(), path.end(),
                                  [&](const Keyframe<Dim>& key) { return key.time.value >= time; });
  if (after == path.begin()) return to_double(path.front().pose);
  if (after == path.end()) return to_double(path.back().pose);
  const Keyframe<Dim>& before = *(after - 1);
  const double share = (time - before.time.value) / (after->time.value - before.time.value);
  const Pose<Dim> from = to_double(before.pose);
  const Pose<Dim> to = to_double(after->pose);
  const Spin<Dim> turn = share * turn_between<Dim>(from, to);
  return {from.rotation * rotation_of_turn(turn),
          from.position + share * (to.position - from.position)};
}

template <int Dim>
Twist<Dim> velocity_on_path(const Body<Dim>& body, double time) {
  Twist<Dim> velocity = Twist<Dim>::Zero();
  for (std::size_t i = 0; i + 1 < body.motion.size(); ++i) {
    const double start = body.motion[i].time.value;
    const double end = body.motion[i + 1].time.value;
    if (time < start || time >= end) continue;
    const Pose<Dim> from = to_double(body.motion[i].pose);
    const Pose<Dim> to = to_double(body.motion[i + 1].pose);
    const Spin<Dim> spin = in_world_axes(from, turn_between<Dim>(from, to)) / (end - start);
    velocity << (to.position - from.position) / (end - start) +
                    spin_velocity<Dim>(spin, pose_on_path(body, time).turn(body.mass.centre)),
        spin;
  }
  return velocity;
}

}  // namespace

Pose<2> path_pose(const Body<2>& body, double time) { return pose_on_path(body, time); }
Pose<3> path_pose(const Body<3>& body, double time) { return pose_on_path(body, time); }

Twist<2> path_velocity(const Body<2>& body, double time) { return velocity_on_path(body, time); }
Twist<3> path_velocity(const Body<3>& body, double time) { return velocity_on_path(body, time); }

}  // namespace collapse
