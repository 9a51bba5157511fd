/// Gilbert, Johnson and Keerthi: the point nearest to the origin of all differences of points of two convex solids, by
/// farthest points in directions alone.

#include <cmath>
#include <limits>
#include <vector>

#include "geometry/solid_overlap.hpp"

namespace collapse {

namespace {

/// What counts as a touch, relative to the sizes: overlaps are asked of a cylinder made smaller by it, and the nearest
/// point of solids that far apart is found safely in doubles.
constexpr double kTouch = 1e-6;

/// All points within `radius` (and, for a cylinder, across the axis) of a segment: an affine description of both.
struct RoundSolid {
  Vec<3> centre;
  Vec<3> axis;  ///< unit
  double half_length = 0.0;
  double radius = 0.0;
  bool round_ends = false;

  /// The point farthest in a direction.
  [[nodiscard]] Vec<3> farthest(const Vec<3>& direction) const {
    const double along = direction.dot(axis);
    const Vec<3> across = round_ends ? direction : Vec<3>(direction - along * axis);
    const double length = across.norm();
    Vec<3> point = centre + (along < 0.0 ? -half_length : half_length) * axis;
    if (length > 0.0) point += (radius / length) * across;
    return point;
  }
};

RoundSolid solid_of(const Cylinder& cylinder) {
  return {cylinder.centre, cylinder.axis, cylinder.half_height, cylinder.radius, false};
}

RoundSolid solid_of(const Capsule& capsule) {
  const Vec<3> along = capsule.to - capsule.from;
  const double length = along.norm();
  return {(capsule.from + capsule.to) / 2.0,
          length > 0.0 ? Vec<3>(along / length) : Vec<3>::UnitZ(), length / 2.0, capsule.radius,
          true};
}

/// Reduces up to four points to those whose hull holds the point nearest to the origin, which it returns: of all
/// subsets the one with positive weights that comes nearest.
Vec<3> nearest_to_origin(std::vector<Vec<3>>& points) {
  Vec<3> best = Vec<3>::Zero();
  std::vector<Vec<3>> best_points;
  double least = std::numeric_limits<double>::infinity();
  for (unsigned subset = 1; subset < (1U << points.size()); ++subset) {
    std::vector<Vec<3>> chosen;
    for (std::size_t i = 0; i < points.size(); ++i) {
      if ((subset >> i) & 1U) chosen.push_back(points[i]);
    }
    const auto edges = static_cast<Eigen::Index>(chosen.size()) - 1;
    Eigen::MatrixXd along(3, edges);
    for (Eigen::Index k = 0; k < edges; ++k) {
      along.col(k) = chosen[static_cast<std::size_t>(k) + 1] - chosen[0];
    }
    Vec<3> nearest = chosen[0];
    if (edges > 0) {
      const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> factors(along);
      if (factors.rank() < edges) continue;
      const Eigen::VectorXd weights = factors.solve(-chosen[0]);
      if (!(weights.minCoeff() > 0.0) || !(weights.sum() < 1.0)) continue;
      nearest += along * weights;
    }
    if (!(nearest.squaredNorm() < least)) continue;
    least = nearest.squaredNorm();
    best = nearest;
    best_points = std::move(chosen);
  }
  points = std::move(best_points);
  return best;
}

bool insides_meet(const RoundSolid& a, const RoundSolid& b) {
  constexpr int kMostRounds = 500;
  const double size = a.half_length + a.radius + b.half_length + b.radius;
  std::vector<Vec<3>> points;
  Vec<3> nearest = a.centre - b.centre;
  if (nearest.norm() == 0.0) return true;
  double least = std::numeric_limits<double>::infinity();
  for (int round = 0; round < kMostRounds; ++round) {
    const Vec<3> farthest = a.farthest(-nearest) - b.farthest(nearest);
    if (nearest.dot(farthest) > 0.0) return false;  // a plane between them
    points.push_back(farthest);
    nearest = nearest_to_origin(points);
    if (points.size() == 4 || nearest.norm() < 1e-3 * kTouch * size) return true;
    if (!(nearest.norm() < least)) return true;  // as near as doubles get, and no plane in between
    least = nearest.norm();
  }
  return true;
}

RoundSolid shrunk(RoundSolid solid, double by) {
  solid.radius -= by;
  if (!solid.round_ends) solid.half_length -= by;
  return solid;
}

bool overlap_is_felt(const RoundSolid& a, const RoundSolid& b) {
  const auto thickness = [](const RoundSolid& solid) {
    return solid.round_ends ? solid.radius : std::min(solid.radius, solid.half_length);
  };
  const double extent = std::max(a.half_length + a.radius, b.half_length + b.radius);
  const double by = std::min(kTouch * extent, std::min(thickness(a), thickness(b)) / 2.0);
  return insides_meet(shrunk(a, by), b);
}

}  // namespace

bool overlaps(const Cylinder& a, const Cylinder& b) {
  return overlap_is_felt(solid_of(a), solid_of(b));
}

bool overlaps(const Capsule& capsule, const Cylinder& cylinder) {
  return overlap_is_felt(solid_of(cylinder), solid_of(capsule));
}

}  // namespace collapse
