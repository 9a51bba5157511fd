#pragma once

#include "collapse/model/scene.hpp"

namespace collapse {

/// Velocity of the centre of mass and spin of a body on a given path, just after `time`; zero before its
/// first and after its last keyframe. Between keyframes the body's origin goes straight and the body turns
/// evenly.
[[nodiscard]] Twist<2> path_velocity(const Body<2>& body, double time);

}  // namespace collapse
