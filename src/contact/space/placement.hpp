#pragma once
/// The bodies of a scene in space in world coordinates, as contact finding wants them.

#include <vector>

#include "collapse/contact/broad_phase.hpp"
#include "collapse/model/state.hpp"

namespace collapse::contacts {

/// A face of a surface.
struct PlacedFace {
  Vec<3> normal;  ///< unit, outwards
  Vec<3> origin;  ///< some point of it
  Bounds<3> bounds;
  double area = 0.0;

  /// Of a point over the plane of the face.
  [[nodiscard]] double height(const Vec<3>& at) const { return normal.dot(at - origin); }
};

/// An edge of a surface.
struct PlacedEdge {
  Vec<3> direction;  ///< unit, from `from` to `to`
  double length = 0.0;
  Bounds<3> bounds;
};

/// A convex polyhedron of Shape<3>::pieces.
struct PlacedHull {
  const Hull* hull = nullptr;
  std::vector<Vec<3>> points;   ///< of hull->vertices()
  std::vector<Vec<3>> normals;  ///< of hull->faces()
  Vec<3> centre;                ///< mean of the points
  Bounds<3> bounds;
};

struct PlacedBall {
  Vec<3> centre;
  double radius = 0.0;
};

struct PlacedCylinder {
  Vec<3> centre;
  Vec<3> axis;  ///< unit
  double radius = 0.0;
  double half_height = 0.0;
};

struct PlacedCapsule {
  Vec<3> from;
  Vec<3> to;
  double radius = 0.0;
};

struct SpaceBody {
  const Shape<3>* shape = nullptr;
  Pose<3> pose;
  std::vector<Vec<3>> points;     ///< of shape->boundary.points
  std::vector<PlacedFace> faces;  ///< of shape->boundary.faces
  std::vector<PlacedEdge> edges;  ///< of shape->boundary.edges
  std::vector<PlacedHull> pieces;
  std::vector<PlacedBall> balls;
  std::vector<PlacedCylinder> cylinders;
  std::vector<PlacedCapsule> capsules;
  Bounds<3> bounds;        ///< of everything; not for half spaces
  double size = 0.0;       ///< Shape::size()
  double magnitude = 0.0;  ///< largest coordinate that enters a point: scale of the rounding errors
  bool half_space = false;
  Vec<3> plane_normal = Vec<3>::Zero();
  double plane_offset = 0.0;

  [[nodiscard]] const Surface& surface() const { return shape->boundary; }
  [[nodiscard]] bool round() const {
    return !balls.empty() || !cylinders.empty() || !capsules.empty();
  }
};

class SpacePlacement {
 public:
  SpacePlacement(const Scene<3>& scene, const State<3>& state);

  [[nodiscard]] const SpaceBody& body(int i) const { return bodies_[static_cast<std::size_t>(i)]; }
  [[nodiscard]] int bodies() const { return static_cast<int>(bodies_.size()); }

 private:
  std::vector<SpaceBody> bodies_;
};

/// One body moved to its pose.
[[nodiscard]] SpaceBody place_body(const Shape<3>& shape, const Pose<3>& pose);

}  // namespace collapse::contacts
