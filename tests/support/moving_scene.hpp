#pragma once

#include <cmath>
#include <cstdio>
#include <map>
#include <memory>
#include <string>

#include "collapse/io/scene_reader.hpp"
#include "collapse/simulate/simulation.hpp"
#include "scenes/gallery.hpp"

namespace collapse::testing {

/// A scene on its way.
template <int Dim>
struct MovingSceneOf {
  std::unique_ptr<Scene<Dim>> scene;
  State<Dim> start;
  Simulation<Dim> simulation;

  MovingSceneOf(const std::string& text, const SimulationOptions& options)
      : scene(std::make_unique<Scene<Dim>>(parse_scene<Dim>(text))),
        start(initial_state(*scene)),
        simulation(*scene, options) {}

  void run(double until) {
    while (simulation.time() < until * (1.0 - 1e-12)) simulation.step();
  }
  [[nodiscard]] int body(const std::string& name) const { return *scene->find_body(name); }
  [[nodiscard]] Vec<Dim> centre(const std::string& name) const {
    return simulation.state().centre(*scene, body(name));
  }
  [[nodiscard]] Twist<Dim> velocity(const std::string& name) const {
    return simulation.state().velocities[static_cast<std::size_t>(body(name))];
  }
  [[nodiscard]] const Pose<Dim>& pose(const std::string& name) const {
    return simulation.state().poses[static_cast<std::size_t>(body(name))];
  }
  [[nodiscard]] double angle(const std::string& name) const requires(Dim == 2) {
    return std::atan2(pose(name).rotation(1, 0), pose(name).rotation(0, 0));
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

using MovingScene = MovingSceneOf<2>;

template <int Dim = 2>
MovingSceneOf<Dim> moving(const std::string& text, double step = 1.0 / 60.0,
                          SimulationOptions options = {}) {
  options.step = step;
  return {text, options};
}

template <int Dim = 2>
MovingSceneOf<Dim> moving_gallery(const std::string& name,
                                  const std::map<std::string, std::string>& choices,
                                  const SimulationOptions& options = {}) {
  return {scenes::make_scene(name, choices), options};
}

/// The text of a scene in space, gravity 10 down, of one material.
inline std::string space_scene(const std::string& bodies, const std::string& material = "{}",
                               const std::string& rest = "",
                               const std::string& gravity = "[0, 0, -10]") {
  return R"({"collapse": 1, "dimension": 3, "gravity": )" + gravity +
         R"(, "materials": {"default": )" + material + R"(}, "bodies": [)" + bodies + "]" + rest +
         "}";
}

inline const std::string kSpaceGround =
    R"({"name": "ground", "plane": {"normal": [0, 0, 1], "offset": 0}})";

/// A vector as a scene has it.
inline std::string written(const Vec<3>& v) {
  const auto digits = [](double number) {
    char text[32];
    std::snprintf(text, sizeof text, "%.17g", number);
    return std::string(text);
  };
  return "[" + digits(v[0]) + ", " + digits(v[1]) + ", " + digits(v[2]) + "]";
}

}  // namespace collapse::testing
