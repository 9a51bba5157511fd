#pragma once
/// How deep boxes are in each other, by separating axes alone: it shares nothing with contact finding, so that it
/// can judge any simulation of boxes.

#include <span>
#include <vector>

#include "collapse/geometry/dim.hpp"

namespace collapse::benchmarks {

struct PlacedBox {
  Vec<3> centre = Vec<3>::Zero();
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();  ///< columns: along its edges, unit
  Vec<3> half = Vec<3>::Zero();
};

/// The fixed solid normal·x ≤ offset, normal a unit vector.
struct SolidHalf {
  Vec<3> normal = Vec<3>::Zero();
  double offset = 0.0;
};

/// The largest separation along any of the 15 axes that count: below zero it is the depth of penetration, the
/// shortest way that takes one box out of the other; above zero a lower bound of the distance.
[[nodiscard]] double separation(const PlacedBox& a, const PlacedBox& b);
/// Of the box's deepest corner.
[[nodiscard]] double separation(const SolidHalf& solid, const PlacedBox& box);

/// The depths, above zero, of all pairs of boxes and of every box in every solid half.
[[nodiscard]] std::vector<double> depths(std::span<const PlacedBox> boxes,
                                         std::span<const SolidHalf> halves);

}  // namespace collapse::benchmarks
