#include "benchmarks/peers/engines.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>

#include "collapse/core/check.hpp"

namespace collapse::benchmarks {
namespace {

// So far the box that stands for the ground goes down, and beyond everything to both sides.
constexpr double kGroundDepth = 2.0;
constexpr double kGroundBeyond = 50.0;

std::optional<Vec<2>> half_extent_of(const std::vector<Vec<2>>& corners) {
  if (corners.size() != 4) return std::nullopt;
  const Vec<2> half = corners[0].cwiseAbs();
  for (const Vec<2>& corner : corners) {
    if ((corner.cwiseAbs() - half).norm() > 1e-12 * half.norm()) return std::nullopt;
  }
  return half;
}

EngineBody ground_box(int body, const Vec<2>& centre, const Vec<2>& half) {
  EngineBody box;
  box.body = body;
  box.fixed = true;
  box.ground = true;
  box.centre = centre;
  box.corners = {{-half[0], -half[1]}, {half[0], -half[1]}, half, {-half[0], half[1]}};
  box.half_extent = half;
  return box;
}

EngineBody engine_body(const Body<2>& body, int index) {
  COLLAPSE_DEMAND(body.shape.balls.empty() && body.shape.pieces.size() == 1);
  COLLAPSE_DEMAND(body.motion.empty() && body.velocity.value.isZero() && body.spin.isZero());
  EngineBody result;
  result.body = index;
  result.fixed = body.fixed;
  result.centre = body.pose.apply(body.mass.centre);
  for (const Vec<2>& corner : body.shape.pieces.front().vertices()) {
    result.corners.emplace_back(body.pose.apply(corner) - result.centre);
  }
  result.mass = body.mass.mass;
  result.inertia = body.mass.inertia(0, 0);
  result.half_extent = half_extent_of(result.corners);
  return result;
}

}  // namespace

EngineScene::EngineScene(const Scene<2>& scene)
    : gravity(scene.gravity.value[1]), friction(scene.friction(0, 0).value) {
  COLLAPSE_DEMAND(scene.gravity.value[0] == 0.0);
  COLLAPSE_DEMAND(scene.materials.size() == 1 && scene.pairs.empty());
  COLLAPSE_DEMAND(scene.joints.empty() && scene.ignored.empty() && scene.framework.points.empty());
  std::optional<int> ground;
  double left = std::numeric_limits<double>::infinity();
  double right = -left;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const Body<2>& body = scene.bodies[i];
    if (body.shape.half_space) {
      COLLAPSE_DEMAND(!ground && body.shape.half_space->normal == Vec<2>(0.0, 1.0));
      COLLAPSE_DEMAND(body.shape.half_space->offset == 0.0);
      ground = static_cast<int>(i);
      continue;
    }
    bodies.push_back(engine_body(body, static_cast<int>(i)));
    for (const Vec<2>& corner : bodies.back().corners) {
      left = std::min(left, bodies.back().centre[0] + corner[0]);
      right = std::max(right, bodies.back().centre[0] + corner[0]);
    }
  }
  if (ground) {
    bodies.push_back(ground_box(*ground, {(left + right) / 2.0, -kGroundDepth / 2.0},
                                {(right - left) / 2.0 + kGroundBeyond, kGroundDepth / 2.0}));
  }
}

EngineRun measure_run(const std::vector<EngineBody>& bodies, const EngineLimits& limits,
                      const std::function<bool()>& step,
                      const std::function<Vec<2>(std::size_t)>& centre_of) {
  EngineRun run;
  const auto steps = std::lround(limits.duration_s / limits.step_s);
  for (long k = 0; k < steps && run.cpu_s < limits.cpu_limit_s; ++k) {
    const std::clock_t start = std::clock();
    const bool made = step();
    run.cpu_s += static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    if (!made) break;
    run.simulated_s = static_cast<double>(k + 1) * limits.step_s;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      if (bodies[i].fixed) continue;
      const double distance = (centre_of(i) - bodies[i].centre).norm();
      // What is not a number any more has gone as far as can be.
      run.displacement = std::isfinite(distance) ? std::max(run.displacement, distance)
                                                 : std::numeric_limits<double>::infinity();
    }
  }
  return run;
}

}  // namespace collapse::benchmarks
