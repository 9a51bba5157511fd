#pragma once
/// How deep cores are in each other: the largest gap over all directions that can be the best.

#include "contact/space/convex_distance.hpp"

namespace collapse::contacts {

/// A direction with the gap of two cores along it.
struct SeparatingAxis {
  double gap = 0.0;
  Vec<3> normal = Vec<3>::Zero();  ///< unit, from a to b
  Feature feature_a;               ///< face with vertex, or edge with edge
  Feature feature_b;
  Vec<3> point_a = Vec<3>::Zero();
  Vec<3> point_b = Vec<3>::Zero();
};

/// For polyhedra against polyhedra, segments and points, that overlap or touch: normals of faces, and products of
/// edges whose arcs on the sphere of normals cross. Between points and segments alone: a direction across both.
/// `start_a`, `start_b`: vertices to begin climbing from.
[[nodiscard]] SeparatingAxis best_axis(const ConvexSolid& a, const ConvexSolid& b, int start_a,
                                       int start_b);

}  // namespace collapse::contacts
