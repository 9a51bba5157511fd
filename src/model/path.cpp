#include "collapse/model/path.hpp"

#include <algorithm>

namespace collapse {

namespace {

double turn_between(const Pose<2>& from, const Pose<2>& to) {
  return turn_of<2>(from.rotation.transpose() * to.rotation)[0];
}

}  // namespace

Pose<2> path_pose(const Body<2>& body, double time) {
  const std::vector<Keyframe<2>>& path = body.motion;
  if (path.empty()) return body.pose;
  const auto after = std::find_if(path.begin(), path.end(),
                                  [&](const Keyframe<2>& key) { return key.time.value >= time; });
  if (after == path.begin()) return to_double(path.front().pose);
  if (after == path.end()) return to_double(path.back().pose);
  const Keyframe<2>& before = *(after - 1);
  const double share = (time - before.time.value) / (after->time.value - before.time.value);
  const Pose<2> from = to_double(before.pose);
  const Pose<2> to = to_double(after->pose);
  const Eigen::Rotation2Dd turn(share * turn_between(from, to));
  return {from.rotation * turn.toRotationMatrix(),
          from.position + share * (to.position - from.position)};
}

Twist<2> path_velocity(const Body<2>& body, double time) {
  Twist<2> velocity = Twist<2>::Zero();
  for (std::size_t i = 0; i + 1 < body.motion.size(); ++i) {
    const double start = body.motion[i].time.value;
    const double end = body.motion[i + 1].time.value;
    if (time < start || time >= end) continue;
    const Pose<2> from = to_double(body.motion[i].pose);
    const Pose<2> to = to_double(body.motion[i + 1].pose);
    velocity[2] = turn_between(from, to) / (end - start);
    velocity.head<2>() =
        (to.position - from.position) / (end - start) +
        spin_velocity<2>(Spin<2>(velocity[2]), path_pose(body, time).turn(body.mass.centre));
  }
  return velocity;
}

}  // namespace collapse
