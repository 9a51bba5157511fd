#include <algorithm>
#include <limits>

#include "contact/space/convex_distance.hpp"
#include "contact/space/motion_contacts_space.hpp"

namespace collapse::contacts {
namespace {

/// A body's convex parts where it is.
struct OverlapBody {
  std::vector<std::vector<Vec<3>>> vertices;  ///< of its pieces
  std::vector<ConvexSolid> solids;
  std::vector<Bounds<3>> boxes;
  Bounds<3> bounds = Bounds<3>::empty();
};

OverlapBody overlap_body(const Shape<3>& shape, const Pose<3>& pose) {
  OverlapBody out;
  out.vertices.reserve(shape.pieces.size());
  const auto add = [&](const ConvexSolid& solid, const Bounds<3>& box) {
    out.solids.push_back(solid);
    out.boxes.push_back(box);
    out.bounds.include(box);
  };
  for (const Hull& hull : shape.pieces) {
    out.vertices.push_back(placed_vertices(hull, pose));
    Bounds<3> box = Bounds<3>::empty();
    for (const Vec<3>& at : out.vertices.back()) box.include(at);
    add(ConvexSolid::polyhedron(hull, out.vertices.back(), pose.rotation), box);
  }
  for (const Ball<3>& ball : shape.balls) {
    Bounds<3> box = Bounds<3>::empty();
    box.include(pose.apply(ball.centre), ball.radius);
    add(ConvexSolid::ball(pose.apply(ball.centre), ball.radius), box);
  }
  for (const Capsule& capsule : shape.capsules) {
    Bounds<3> box = Bounds<3>::empty();
    box.include(pose.apply(capsule.from), capsule.radius);
    box.include(pose.apply(capsule.to), capsule.radius);
    add(ConvexSolid::capsule(pose.apply(capsule.from), pose.apply(capsule.to), capsule.radius),
        box);
  }
  for (const Cylinder& cylinder : shape.cylinders) {
    const Vec<3> axis = pose.turn(cylinder.axis);
    const Vec<3> centre = pose.apply(cylinder.centre);
    Bounds<3> box = Bounds<3>::empty();
    box.include(centre, cylinder.radius + cylinder.half_height);
    add(ConvexSolid::cylinder(centre, axis, cylinder.half_height, cylinder.radius), box);
  }
  return out;
}

/// How far a solid goes below the plane normal·x = offset.
double depth_below(const ConvexSolid& solid, const Vec<3>& normal, double offset) {
  double least = std::numeric_limits<double>::infinity();
  switch (solid.core) {
    case ConvexSolid::Core::polyhedron:
      for (const Vec<3>& at : solid.vertices) least = std::min(least, normal.dot(at));
      break;
    case ConvexSolid::Core::segment:
      least = std::min(normal.dot(solid.ends[0]), normal.dot(solid.ends[1]));
      break;
    case ConvexSolid::Core::point:
      least = normal.dot(solid.ends[0]);
      break;
    case ConvexSolid::Core::cylinder:
      least = normal.dot(solid.ends[0]) - solid.half_height * std::abs(normal.dot(solid.axis)) -
              solid.core_radius * normal.cross(solid.axis).norm();
      break;
  }
  return offset - (least - solid.radius);
}

/// At least `deepest`, which is not negative.
double overlap_of(const OverlapBody& a, const OverlapBody& b, double deepest) {
  for (std::size_t i = 0; i < a.solids.size(); ++i) {
    if (!a.boxes[i].meets(b.bounds)) continue;
    for (std::size_t j = 0; j < b.solids.size(); ++j) {
      if (!a.boxes[i].meets(b.boxes[j])) continue;
      if (distance_beyond(a.solids[i], b.solids[j], -deepest) >= -deepest) continue;
      deepest = std::max(deepest, -distance_of(a.solids[i], b.solids[j]).distance);
    }
  }
  return deepest;
}

}  // namespace

double deepest_overlap(const Scene<3>& scene, std::span<const Pose<3>> poses) {
  const PairsKeptApart<3> apart(scene);
  std::vector<OverlapBody> bodies;
  std::vector<Bounds<3>> bounds;
  std::vector<int> boxed;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    bodies.push_back(overlap_body(scene.bodies[i].shape, poses[i]));
    if (scene.bodies[i].shape.half_space) continue;
    bounds.push_back(bodies.back().bounds);
    boxed.push_back(static_cast<int>(i));
  }
  const auto may_touch = [&](int a, int b) {
    return (scene.bodies[static_cast<std::size_t>(a)].free() ||
            scene.bodies[static_cast<std::size_t>(b)].free()) &&
           !apart.contains(std::min(a, b), std::max(a, b));
  };
  double deepest = 0.0;
  for (const auto& [i, j] : meeting_pairs<3>(bounds)) {
    const int a = boxed[static_cast<std::size_t>(i)];
    const int b = boxed[static_cast<std::size_t>(j)];
    if (!may_touch(a, b)) continue;
    deepest = overlap_of(bodies[static_cast<std::size_t>(a)], bodies[static_cast<std::size_t>(b)],
                         deepest);
  }
  for (std::size_t p = 0; p < scene.bodies.size(); ++p) {
    if (!scene.bodies[p].shape.half_space) continue;
    const HalfSpace<3>& space = *scene.bodies[p].shape.half_space;
    const Vec<3> normal = poses[p].turn(space.normal);
    const double offset = space.offset + normal.dot(poses[p].position);
    for (const int body : boxed) {
      if (!may_touch(static_cast<int>(p), body)) continue;
      for (const ConvexSolid& solid : bodies[static_cast<std::size_t>(body)].solids)
        deepest = std::max(deepest, depth_below(solid, normal, offset));
    }
  }
  return deepest;
}

}  // namespace collapse::contacts
