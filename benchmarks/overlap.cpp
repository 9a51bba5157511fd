#include "benchmarks/overlap.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace collapse::benchmarks {
namespace {

using contacts::ConvexSolid;

Bounds<3> box_around(const ConvexSolid& solid) {
  Bounds<3> box = Bounds<3>::empty();
  switch (solid.core) {
    case ConvexSolid::Core::polyhedron:
      for (const Vec<3>& at : solid.vertices) box.include(at, solid.radius);
      break;
    case ConvexSolid::Core::point:
      box.include(solid.ends[0], solid.radius);
      break;
    case ConvexSolid::Core::segment:
      for (const Vec<3>& end : solid.ends) box.include(end, solid.radius);
      break;
    case ConvexSolid::Core::cylinder:
      for (const double side : {-1.0, 1.0}) {
        const Vec<3> end = solid.ends[0] + side * solid.half_height * solid.axis;
        box.include(end, solid.core_radius + solid.radius);
      }
      break;
  }
  return box;
}

/// min n·x over the solid.
double lowest(const ConvexSolid& solid, const Vec<3>& n) {
  double low = n.dot(solid.ends[0]);
  switch (solid.core) {
    case ConvexSolid::Core::polyhedron:
      low = n.dot(solid.vertices[0]);
      for (const Vec<3>& at : solid.vertices) low = std::min(low, n.dot(at));
      break;
    case ConvexSolid::Core::point:
      break;
    case ConvexSolid::Core::segment:
      low = std::min(low, n.dot(solid.ends[1]));
      break;
    case ConvexSolid::Core::cylinder: {
      const double along = n.dot(solid.axis);
      low -= solid.half_height * std::abs(along) +
             solid.core_radius * std::sqrt(std::max(0.0, 1.0 - along * along));
      break;
    }
  }
  return low - solid.radius;
}

}  // namespace

OverlapJudge::OverlapJudge(const Scene<3>& scene) : scene_(scene), apart_(scene) {
  for (const Body<3>& body : scene.bodies) sizes_.push_back(body.shape.size());
}

OverlapJudge::Overlap OverlapJudge::deepest(const State<3>& state) {
  place(state);
  Overlap worst;
  const auto take = [&](int a, int b, double depth) {
    const double share =
        depth / std::min(sizes_[static_cast<std::size_t>(a)], sizes_[static_cast<std::size_t>(b)]);
    if (share > worst.share) worst = {share, std::min(a, b), std::max(a, b)};
  };
  for (const auto& [i, k] : meeting_pairs<3>(boxes_)) {
    const Part& a = parts_[static_cast<std::size_t>(i)];
    const Part& b = parts_[static_cast<std::size_t>(k)];
    if (!counts(a.body, b.body) || contacts::distance_beyond(a.solid, b.solid, 0.0) > 0.0) continue;
    take(a.body, b.body, -contacts::distance_of(a.solid, b.solid).distance);
  }
  for (std::size_t w = 0; w < scene_.bodies.size(); ++w) {
    if (!scene_.bodies[w].shape.half_space) continue;
    const HalfSpace<3>& wall = *scene_.bodies[w].shape.half_space;
    const Vec<3> normal = state.poses[w].turn(wall.normal);
    const double height = wall.offset + normal.dot(state.poses[w].position);
    for (const Part& part : parts_) {
      if (!counts(static_cast<int>(w), part.body)) continue;
      take(static_cast<int>(w), part.body, height - lowest(part.solid, normal));
    }
  }
  return worst;
}

void OverlapJudge::place(const State<3>& state) {
  parts_.clear();
  boxes_.clear();
  for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
    const int body = static_cast<int>(i);
    const Shape<3>& shape = scene_.bodies[i].shape;
    const Pose<3>& pose = state.poses[i];
    for (const Hull& hull : shape.pieces) {
      std::vector<Vec<3>> vertices = contacts::placed_vertices(hull, pose);
      const ConvexSolid solid = ConvexSolid::polyhedron(hull, vertices, pose.rotation);
      add(body, std::move(vertices), solid);
    }
    for (const Ball<3>& ball : shape.balls) {
      add(body, {}, ConvexSolid::ball(pose.apply(ball.centre), ball.radius));
    }
    for (const Capsule& capsule : shape.capsules) {
      add(body, {},
          ConvexSolid::capsule(pose.apply(capsule.from), pose.apply(capsule.to), capsule.radius));
    }
    for (const Cylinder& cylinder : shape.cylinders) {
      add(body, {},
          ConvexSolid::cylinder(pose.apply(cylinder.centre), pose.turn(cylinder.axis),
                                cylinder.half_height, cylinder.radius));
    }
  }
}

/// A vector that is moved keeps its numbers where they are, so the solid goes on referring to them.
void OverlapJudge::add(int body, std::vector<Vec<3>> vertices, const ConvexSolid& solid) {
  boxes_.push_back(box_around(solid));
  parts_.push_back({body, std::move(vertices), solid});
}

bool OverlapJudge::counts(int a, int b) const {
  const auto is_free = [&](int body) {
    return scene_.bodies[static_cast<std::size_t>(body)].free();
  };
  return a != b && (is_free(a) || is_free(b)) && !apart_.contains(std::min(a, b), std::max(a, b));
}

}  // namespace collapse::benchmarks
