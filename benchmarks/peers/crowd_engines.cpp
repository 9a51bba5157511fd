#include "benchmarks/peers/crowd_engines.hpp"

#include "collapse/core/check.hpp"

namespace collapse::benchmarks {
namespace {

CrowdBox crowd_box(const Body<3>& body) {
  COLLAPSE_DEMAND(!body.fixed && body.motion.empty());
  COLLAPSE_DEMAND(body.velocity.value.isZero() && body.spin.isZero());
  COLLAPSE_DEMAND(body.shape.balls.empty() && body.shape.pieces.size() == 1);
  const std::vector<Vec<3>>& corners = body.shape.pieces.front().vertices();
  COLLAPSE_DEMAND(corners.size() == 8 && body.mass.centre.norm() < 1e-12);
  CrowdBox box;
  box.placed = {body.pose.position, body.pose.rotation, corners.front().cwiseAbs()};
  for (const Vec<3>& corner : corners) {
    COLLAPSE_DEMAND((corner.cwiseAbs() - box.placed.half).norm() < 1e-12);
  }
  box.mass = body.mass.mass;
  box.moments = body.mass.inertia.diagonal();
  return box;
}

}  // namespace

CrowdScene::CrowdScene(const Scene<3>& scene)
    : gravity(scene.gravity.value[2]), friction(scene.friction(0, 0).value) {
  COLLAPSE_DEMAND(scene.gravity.value[0] == 0.0 && scene.gravity.value[1] == 0.0);
  COLLAPSE_DEMAND(scene.materials.size() == 1 && scene.pairs.empty());
  COLLAPSE_DEMAND(scene.joints.empty() && scene.ignored.empty() && scene.framework.points.empty());
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const Body<3>& body = scene.bodies[i];
    if (body.shape.half_space) {
      halves.push_back({body.shape.half_space->normal, body.shape.half_space->offset});
    } else {
      boxes.push_back(crowd_box(body));
      bodies.push_back(static_cast<int>(i));
    }
  }
}

}  // namespace collapse::benchmarks
