#include "contact/space/placement.hpp"

#include <algorithm>
#include <cmath>

#include "collapse/core/check.hpp"

namespace collapse::contacts {
namespace {

/// Edges shorter than this share of their coordinates get their direction from exact differences.
constexpr double kShortSurfaceEdge = 0x1p-14;

PlacedFace place_face(const SpaceBody& body, const Surface::Face& face, const Pose<3>& pose) {
  PlacedFace placed;
  placed.normal = pose.turn(face.normal);
  placed.origin = body.points[static_cast<std::size_t>(face.loops[0][0])];
  placed.bounds = Bounds<3>::empty();
  for (const std::vector<int>& loop : face.loops) {
    for (const int i : loop) placed.bounds.include(body.points[static_cast<std::size_t>(i)]);
  }
  for (const std::vector<int>& piece : face.pieces) {
    const auto at = [&](std::size_t i) -> const Vec<3>& {
      return body.points[static_cast<std::size_t>(piece[i])];
    };
    for (std::size_t i = 2; i < piece.size(); ++i) {
      placed.area += 0.5 * placed.normal.dot((at(i - 1) - at(0)).cross(at(i) - at(0)));
    }
  }
  return placed;
}

PlacedEdge place_edge(const SpaceBody& body, const Surface::Edge& edge, const Pose<3>& pose) {
  const Surface& surface = body.surface();
  const auto from = static_cast<std::size_t>(edge.from);
  const auto to = static_cast<std::size_t>(edge.to);
  Vec<3> along = surface.points[to] - surface.points[from];
  if (!(along.lpNorm<Eigen::Infinity>() >
        kShortSurfaceEdge * surface.points[from].lpNorm<Eigen::Infinity>())) {
    along = to_double<3>(surface.exact[to] - surface.exact[from]);
  }
  PlacedEdge placed;
  placed.length = along.stableNorm();
  placed.direction = pose.turn(along / placed.length);
  placed.bounds = {body.points[from].cwiseMin(body.points[to]),
                   body.points[from].cwiseMax(body.points[to])};
  return placed;
}

PlacedHull place_hull(const Hull& hull, const Pose<3>& pose) {
  PlacedHull placed;
  placed.hull = &hull;
  placed.centre = Vec<3>::Zero();
  placed.bounds = Bounds<3>::empty();
  placed.points.reserve(hull.vertices().size());
  for (const Vec<3>& vertex : hull.vertices()) {
    placed.points.push_back(pose.apply(vertex));
    placed.bounds.include(placed.points.back());
    placed.centre += placed.points.back();
  }
  placed.centre /= static_cast<double>(placed.points.size());
  placed.normals.reserve(hull.faces().size());
  for (const Hull::Face& face : hull.faces()) placed.normals.push_back(pose.turn(face.normal));
  return placed;
}

void place_surface(const Pose<3>& pose, SpaceBody& body) {
  const Surface& surface = body.surface();
  body.points.reserve(surface.points.size());
  for (const Vec<3>& point : surface.points) body.points.push_back(pose.apply(point));
  body.faces.reserve(surface.faces.size());
  for (const Surface::Face& face : surface.faces) {
    body.faces.push_back(place_face(body, face, pose));
    body.bounds.include(body.faces.back().bounds);
  }
  body.edges.reserve(surface.edges.size());
  for (const Surface::Edge& edge : surface.edges) {
    body.edges.push_back(place_edge(body, edge, pose));
  }
  body.pieces.reserve(body.shape->pieces.size());
  for (const Hull& hull : body.shape->pieces) body.pieces.push_back(place_hull(hull, pose));
}

/// Returns the largest coordinate of round solids in body axes.
double place_round(const Pose<3>& pose, SpaceBody& body) {
  double reach = 0.0;
  for (const Ball<3>& ball : body.shape->balls) {
    body.balls.push_back({pose.apply(ball.centre), ball.radius});
    body.bounds.include(body.balls.back().centre, ball.radius);
    reach = std::max(reach, ball.centre.lpNorm<1>() + ball.radius);
  }
  for (const Cylinder& cylinder : body.shape->cylinders) {
    body.cylinders.push_back({pose.apply(cylinder.centre), pose.turn(cylinder.axis),
                              cylinder.radius, cylinder.half_height});
    const PlacedCylinder& placed = body.cylinders.back();
    const Vec<3> squares = placed.axis.cwiseAbs2();
    // A disk of radius r across the axis reaches r·√(1 − axis_i²) along coordinate i.
    const Vec<3> half = placed.half_height * placed.axis.cwiseAbs() +
                        placed.radius * (1.0 - squares.array()).cwiseMax(0.0).sqrt().matrix();
    body.bounds.include(Bounds<3>{placed.centre - half, placed.centre + half});
    reach = std::max(reach, cylinder.centre.lpNorm<1>() + cylinder.radius + cylinder.half_height);
  }
  for (const Capsule& capsule : body.shape->capsules) {
    body.capsules.push_back({pose.apply(capsule.from), pose.apply(capsule.to), capsule.radius});
    body.bounds.include(body.capsules.back().from, capsule.radius);
    body.bounds.include(body.capsules.back().to, capsule.radius);
    reach = std::max(reach,
                     std::max(capsule.from.lpNorm<1>(), capsule.to.lpNorm<1>()) + capsule.radius);
  }
  return reach;
}

}  // namespace

SpaceBody place_body(const Shape<3>& shape, const Pose<3>& pose) {
  SpaceBody body;
  body.shape = &shape;
  body.pose = pose;
  body.size = shape.size();
  body.magnitude = pose.position.lpNorm<Eigen::Infinity>();
  body.bounds = Bounds<3>::empty();
  if (shape.half_space) {
    body.half_space = true;
    body.plane_normal = pose.turn(shape.half_space->normal);
    body.plane_offset = shape.half_space->offset + body.plane_normal.dot(pose.position);
    body.magnitude += std::abs(shape.half_space->offset);
    COLLAPSE_DEMAND(std::isfinite(body.plane_offset));
    return body;
  }
  place_surface(pose, body);
  double reach = place_round(pose, body);
  for (const Vec<3>& point : shape.boundary.points) reach = std::max(reach, point.lpNorm<1>());
  body.magnitude += reach;
  COLLAPSE_DEMAND(body.bounds.low.allFinite() && body.bounds.high.allFinite());
  return body;
}

SpacePlacement::SpacePlacement(const Scene<3>& scene, const State<3>& state) {
  COLLAPSE_DEMAND(state.poses.size() == scene.bodies.size());
  bodies_.reserve(scene.bodies.size());
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    bodies_.push_back(place_body(scene.bodies[i].shape, state.poses[i]));
  }
}

}  // namespace collapse::contacts
