#pragma once

#include "collapse/model/scene.hpp"

namespace collapse {

/// Where a body on a given path is at `time`: its origin goes straight between keyframes and it turns evenly; held
/// outside the times. Other bodies: where they start.
[[nodiscard]] Pose<2> path_pose(const Body<2>& body, double time);
[[nodiscard]] Pose<3> path_pose(const Body<3>& body, double time);

/// Velocity of the centre of mass and spin of a body on a given path, just after `time`; zero before its
/// first and after its last keyframe.
[[nodiscard]] Twist<2> path_velocity(const Body<2>& body, double time);
[[nodiscard]] Twist<3> path_velocity(const Body<3>& body, double time);

}  // namespace collapse
