#pragma once
/// Distance of two convex solids, or how deep they are in each other, with the points where.
///
/// With s(n) = min over b of n·x − max over a of n·x, the gap between the solids as seen along the unit vector n,
///
///     distance = max over n of s(n).
///
/// Apart, this is the distance of the closest points; otherwise minus the least shift that parts the solids.

#include <array>
#include <span>

#include "collapse/contact/contact.hpp"
#include "collapse/geometry/polyhedron.hpp"

namespace collapse::contacts {

/// A convex solid in the world: all points within `radius` of a core. It refers to the hull and the points that it
/// was made of.
struct ConvexSolid {
  enum class Core { polyhedron, point, segment, cylinder };

  Core core = Core::point;
  double radius = 0.0;
  // polyhedron
  const Hull* hull = nullptr;
  std::span<const Vec<3>> vertices;  ///< of the hull, in the world
  Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();
  // point, segment (its ends), cylinder (its centre)
  std::array<Vec<3>, 2> ends{Vec<3>::Zero(), Vec<3>::Zero()};
  // cylinder
  Vec<3> axis = Vec<3>::Zero();  ///< unit
  double half_height = 0.0;
  double core_radius = 0.0;

  [[nodiscard]] static ConvexSolid polyhedron(const Hull& hull, std::span<const Vec<3>> vertices,
                                              const Eigen::Matrix3d& rotation);
  [[nodiscard]] static ConvexSolid ball(const Vec<3>& centre, double radius);
  [[nodiscard]] static ConvexSolid capsule(const Vec<3>& from, const Vec<3>& to, double radius);
  [[nodiscard]] static ConvexSolid cylinder(const Vec<3>& centre, const Vec<3>& axis,
                                            double half_height, double radius);

  [[nodiscard]] Vec<3> face_normal(int face) const {
    return rotation * hull->faces()[static_cast<std::size_t>(face)].normal;
  }
};

/// The vertices of a hull in the world, as `ConvexSolid` wants them.
[[nodiscard]] std::vector<Vec<3>> placed_vertices(const Hull& hull, const Pose<3>& pose);

struct ConvexDistance {
  double distance = 0.0;  ///< negative: the least shift that parts the solids, along `normal`
  Vec<3> normal = Vec<3>::Zero();  ///< unit, from a to b
  Vec<3> point_a = Vec<
      3>::Zero();  ///< on the solids, where they are closest: point_a + distance·normal = point_b
  Vec<3> point_b = Vec<3>::Zero();
  /// Vertex, edge or face of the hull on which the point lies; ball, capsule or cylinder, number 0.
  Feature feature_a;
  Feature feature_b;
};

/// What the next call for nearly the same poses starts from. Results do not depend on it beyond rounding.
struct WitnessCache {
  std::array<int, 4> a{};  ///< vertices of the last simplex
  std::array<int, 4> b{};
  int count = 0;
  int last_a = 0;  ///< last supporting vertices
  int last_b = 0;
  Vec<3> normal = Vec<3>::Zero();
};

[[nodiscard]] ConvexDistance distance_of(const ConvexSolid& a, const ConvexSolid& b,
                                         WitnessCache* cache = nullptr);

/// Only as much as to know whether the distance is above `reach`: then a lower bound above `reach`, otherwise as
/// `distance_of`.
[[nodiscard]] double distance_beyond(const ConvexSolid& a, const ConvexSolid& b, double reach,
                                     WitnessCache* cache = nullptr);

}  // namespace collapse::contacts
