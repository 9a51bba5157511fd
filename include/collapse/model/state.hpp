#pragma once

#include <vector>

#include "collapse/model/scene.hpp"

namespace collapse {

/// Where all bodies of a scene are: what a simulation changes.
template <int Dim>
struct State {
  std::vector<Pose<Dim>> poses;

  /// World position of the centre of mass.
  [[nodiscard]] Vec<Dim> centre(const Scene<Dim>& scene, int body) const {
    const auto i = static_cast<std::size_t>(body);
    return poses[i].apply(scene.bodies[i].mass.centre);
  }
};

/// The poses in the scene file.
template <int Dim>
[[nodiscard]] State<Dim> initial_state(const Scene<Dim>& scene) {
  State<Dim> state;
  state.poses.reserve(scene.bodies.size());
  for (const Body<Dim>& body : scene.bodies) state.poses.push_back(body.pose);
  return state;
}

}  // namespace collapse
