#pragma once

#include <cmath>
#include <map>
#include <string>

#include "collapse/io/scene_reader.hpp"
#include "collapse/simulate/simulation.hpp"
#include "scenes/gallery.hpp"

namespace collapse::testing {

/// A scene on its way.
struct MovingScene {
  std::unique_ptr<Scene<2>> scene;
  State<2> start;
  Simulation<2> simulation;

  MovingScene(const std::string& text, const SimulationOptions& options)
      : scene(std::make_unique<Scene<2>>(parse_scene(text))),
        start(initial_state(*scene)),
        simulation(*scene, options) {}

  void run(double until) {
    while (simulation.time() < until * (1.0 - 1e-12)) simulation.step();
  }
  [[nodiscard]] int body(const std::string& name) const { return *scene->find_body(name); }
  [[nodiscard]] Vec<2> centre(const std::string& name) const {
    return simulation.state().centre(*scene, body(name));
  }
  [[nodiscard]] Twist<2> velocity(const std::string& name) const {
    return simulation.state().velocities[static_cast<std::size_t>(body(name))];
  }
  [[nodiscard]] double angle(const std::string& name) const {
    const Pose<2>& pose = simulation.state().poses[static_cast<std::size_t>(body(name))];
    return std::atan2(pose.rotation(1, 0), pose.rotation(0, 0));
  }
  /// Of any centre of mass since the start.
  [[nodiscard]] double farthest() const {
    double way = 0.0;
    for (std::size_t i = 0; i < start.poses.size(); ++i) {
      const int k = static_cast<int>(i);
      way = std::max(way, (simulation.state().centre(*scene, k) - start.centre(*scene, k)).norm());
    }
    return way;
  }
};

inline MovingScene moving(const std::string& text, double step = 1.0 / 60.0,
                          SimulationOptions options = {}) {
  options.step = step;
  return {text, options};
}

inline MovingScene moving_gallery(const std::string& name,
                                  const std::map<std::string, std::string>& choices,
                                  const SimulationOptions& options = {}) {
  return {scenes::make_scene(name, choices), options};
}

}  // namespace collapse::testing
