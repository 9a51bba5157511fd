#pragma once

#include <vector>

#include "collapse/model/path.hpp"
#include "collapse/model/scene.hpp"

namespace collapse {

/// Where everything in a scene is and how it moves: what a simulation changes.
template <int Dim>
struct State {
  std::vector<Pose<Dim>> poses;
  /// Of the centres of mass, with the spins. Bodies that are not free: zero or that of their path.
  std::vector<Twist<Dim>> velocities;
  /// Of the framework.
  std::vector<Vec<Dim>> points;
  std::vector<Vec<Dim>> point_velocities;

  /// World position of the centre of mass.
  [[nodiscard]] Vec<Dim> centre(const Scene<Dim>& scene, int body) const {
    const auto i = static_cast<std::size_t>(body);
    return poses[i].apply(scene.bodies[i].mass.centre);
  }
};

/// As in the scene file.
template <int Dim>
[[nodiscard]] State<Dim> initial_state(const Scene<Dim>& scene) {
  State<Dim> state;
  state.poses.reserve(scene.bodies.size());
  state.velocities.reserve(scene.bodies.size());
  for (const Body<Dim>& body : scene.bodies) {
    state.poses.push_back(body.pose);
    Twist<Dim> velocity;
    velocity << body.velocity.value, body.spin;
    if (!body.motion.empty()) velocity = path_velocity(body, 0.0);
    state.velocities.push_back(velocity);
  }
  for (const FrameworkPoint<Dim>& point : scene.framework.points) {
    state.points.push_back(point.position.value);
    state.point_velocities.push_back(point.velocity.value);
  }
  return state;
}

}  // namespace collapse
