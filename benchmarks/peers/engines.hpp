#pragma once
/// Other physics engines on our scenes, each with its own default settings, 60 steps per second.

#include <functional>
#include <optional>
#include <vector>

#include "collapse/model/scene.hpp"

namespace collapse::benchmarks {

/// A body as every engine takes it: one convex polygon around its centre of mass, in world axes.
struct EngineBody {
  int body = 0;  ///< its index in the scene
  bool fixed = false;
  bool ground = false;  ///< stands for the half plane below y = 0
  Vec<2> centre = Vec<2>::Zero();
  std::vector<Vec<2>> corners;  ///< relative to the centre, counter-clockwise
  double mass = 0.0;
  double inertia = 0.0;
  /// Half width and half height, if it is a rectangle along the axes.
  std::optional<Vec<2>> half_extent;
};

/// What the benchmark needs of a scene. One body may be the half plane below y = 0: a box stands for
/// it that reaches far beyond everything else, for engines without half planes. Demands convex polygons, a single
/// coefficient of friction, gravity along −y and that nothing moves, is joined or is on a path.
struct EngineScene {
  std::vector<EngineBody> bodies;
  double gravity = 0.0;  ///< along y
  double friction = 0.0;

  explicit EngineScene(const Scene<2>& scene);
};

struct EngineRun {
  double displacement = 0.0;  ///< the largest of any body's centre at the end of any step
  double simulated_s = 0.0;   ///< less than asked for where it could not go on
  double cpu_s = 0.0;         ///< of the steps alone

  [[nodiscard]] std::vector<double> numbers() const { return {displacement, simulated_s, cpu_s}; }
};

struct EngineLimits {
  double duration_s = 10.0;
  double step_s = 1.0 / 60.0;
  double cpu_limit_s = 150.0;
};

/// Steps until `limits` say so or `step` answers that it cannot go on. `centre_of(i)` is where body i of `bodies` is now; fixed ones are not asked for.
[[nodiscard]] EngineRun measure_run(const std::vector<EngineBody>& bodies,
                                    const EngineLimits& limits, const std::function<bool()>& step,
                                    const std::function<Vec<2>(std::size_t)>& centre_of);

/// In the plane, as it is: 8 velocity and 3 position iterations, as its manual suggests; sleeping allowed.
[[nodiscard]] EngineRun run_box2d(const EngineScene& scene, const EngineLimits& limits);
/// Unit depth, moves in the plane only (linear and angular factors); boxes as boxes, other polygons as
/// convex hulls. Single precision and sleeping, as it comes.
[[nodiscard]] EngineRun run_bullet(const EngineScene& scene, const EngineLimits& limits);
/// Unit depth, on two slides and a hinge each; boxes as boxes, other polygons as meshes.
[[nodiscard]] EngineRun run_mujoco(const EngineScene& scene, const EngineLimits& limits);

}  // namespace collapse::benchmarks
