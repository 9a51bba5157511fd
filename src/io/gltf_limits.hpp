#pragma once
/// What all glTF files of ours keep to.

#include <fmt/format.h>

#include "collapse/core/error.hpp"
#include "collapse/geometry/dim.hpp"

namespace collapse::gltf {

/// Bodies beside each other are of slightly different shades, or a wall of bricks would be one surface.
inline constexpr int kShades = 3;
inline constexpr double kShadeStep = 0.05;
/// Single precision ends at 3.4e38, and viewers multiply.
inline constexpr double kFarthest = 1e15;
inline constexpr double kNearest = 1e-15;
/// Beyond this many sizes from the origin a scene is moved there, or single precision would not do.
inline constexpr double kFarAway = 100.0;

/// Throws Error unless bodies of this size can be written.
inline void require_size(double size) {
  if (size > kNearest && size < kFarthest) return;
  throw Error("", fmt::format("bodies of size {:.3g}", size),
              fmt::format("a size from {} to {}: glTF has single precision", kNearest, kFarthest));
}

/// Throws Error unless all that is between these two at a time can be written.
template <int Dim>
void require_places(const Eigen::Matrix<double, Dim, 1>& low,
                    const Eigen::Matrix<double, Dim, 1>& high, double time) {
  if (low.cwiseAbs().maxCoeff() < kFarthest && high.cwiseAbs().maxCoeff() < kFarthest) return;
  throw Error("", fmt::format("a coordinate beyond {} at time {:.6g}", kFarthest, time),
              "smaller ones: glTF has single precision");
}

}  // namespace collapse::gltf
