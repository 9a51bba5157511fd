#pragma once
/// How deep bodies are in each other, by the distances of their convex parts: shares nothing with the rows that a
/// scheme keeps them apart by.

#include <algorithm>
#include <cmath>
#include <vector>

#include "collapse/model/state.hpp"
#include "contact/apart.hpp"
#include "contact/space/convex_distance.hpp"

namespace collapse::testing {

class OverlapJudge {
 public:
  explicit OverlapJudge(const Scene<3>& scene) : scene_(scene), apart_(scene) {}

  struct Overlap {
    double share = 0.0;  ///< of the smaller body's size
    int a = 0;
    int b = 0;
  };

  /// Of all pairs that are to be kept apart and of which one at least is free.
  [[nodiscard]] Overlap deepest(const State<3>& state) {
    place(state);
    Overlap worst;
    for (int a = 0; a < count(); ++a) {
      for (int b = a + 1; b < count(); ++b) {
        if (!body(a).free() && !body(b).free()) continue;
        if (apart_.contains(a, b)) continue;
        const double share = depth(a, b) / std::min(body(a).shape.size(), body(b).shape.size());
        if (share > worst.share) worst = {share, a, b};
      }
    }
    return worst;
  }

 private:
  /// A body's parts in the world. Polyhedra refer to `vertices`.
  struct Placed {
    std::vector<std::vector<Vec<3>>> vertices;
    std::vector<contacts::ConvexSolid> solids;
    Vec<3> centre = Vec<3>::Zero();
    double reach = 0.0;
  };

  [[nodiscard]] int count() const { return static_cast<int>(scene_.bodies.size()); }
  [[nodiscard]] const Body<3>& body(int i) const {
    return scene_.bodies[static_cast<std::size_t>(i)];
  }
  [[nodiscard]] const Placed& placed(int i) const { return placed_[static_cast<std::size_t>(i)]; }

  void place(const State<3>& state) {
    placed_.assign(scene_.bodies.size(), {});
    for (std::size_t i = 0; i < placed_.size(); ++i) {
      const Shape<3>& shape = scene_.bodies[i].shape;
      const Pose<3>& pose = state.poses[i];
      Placed& to = placed_[i];
      if (shape.half_space) continue;
      to.centre = pose.apply(scene_.bodies[i].mass.centre);
      to.reach = shape.reach(scene_.bodies[i].mass.centre);
      to.vertices.reserve(shape.pieces.size());
      for (const Hull& hull : shape.pieces) {
        to.vertices.push_back(contacts::placed_vertices(hull, pose));
        to.solids.push_back(
            contacts::ConvexSolid::polyhedron(hull, to.vertices.back(), pose.rotation));
      }
      for (const Ball<3>& ball : shape.balls) {
        to.solids.push_back(contacts::ConvexSolid::ball(pose.apply(ball.centre), ball.radius));
      }
      for (const Capsule& capsule : shape.capsules) {
        to.solids.push_back(contacts::ConvexSolid::capsule(pose.apply(capsule.from),
                                                           pose.apply(capsule.to), capsule.radius));
      }
      for (const Cylinder& cylinder : shape.cylinders) {
        to.solids.push_back(contacts::ConvexSolid::cylinder(pose.apply(cylinder.centre),
                                                            pose.turn(cylinder.axis),
                                                            cylinder.half_height, cylinder.radius));
      }
    }
  }

  [[nodiscard]] double depth(int a, int b) const {
    if (body(b).shape.half_space) return depth(b, a);
    double deepest = 0.0;
    if (body(a).shape.half_space) {
      const HalfSpace<3>& wall = *body(a).shape.half_space;
      if (wall.normal.dot(placed(b).centre) - placed(b).reach > wall.offset) return 0.0;
      for (const contacts::ConvexSolid& solid : placed(b).solids) {
        deepest = std::max(deepest, wall.offset - lowest(solid, wall.normal));
      }
      return deepest;
    }
    const double far = placed(a).reach + placed(b).reach;
    if ((placed(a).centre - placed(b).centre).squaredNorm() > far * far) return 0.0;
    for (const contacts::ConvexSolid& of_a : placed(a).solids) {
      for (const contacts::ConvexSolid& of_b : placed(b).solids) {
        if (contacts::distance_beyond(of_a, of_b, 0.0) > 0.0) continue;
        deepest = std::max(deepest, -contacts::distance_of(of_a, of_b).distance);
      }
    }
    return deepest;
  }

  /// min n·x over the solid.
  [[nodiscard]] static double lowest(const contacts::ConvexSolid& solid, const Vec<3>& n) {
    double low = n.dot(solid.ends[0]);
    switch (solid.core) {
      case contacts::ConvexSolid::Core::polyhedron:
        low = n.dot(solid.vertices[0]);
        for (const Vec<3>& at : solid.vertices) low = std::min(low, n.dot(at));
        break;
      case contacts::ConvexSolid::Core::point:
        break;
      case contacts::ConvexSolid::Core::segment:
        low = std::min(low, n.dot(solid.ends[1]));
        break;
      case contacts::ConvexSolid::Core::cylinder: {
        const double along = n.dot(solid.axis);
        low -= solid.half_height * std::abs(along) +
               solid.core_radius * std::sqrt(std::max(0.0, 1.0 - along * along));
        break;
      }
    }
    return low - solid.radius;
  }

  const Scene<3>& scene_;
  contacts::PairsKeptApart<3> apart_;
  std::vector<Placed> placed_;
};

}  // namespace collapse::testing
