#pragma once
/// What all glTF files of ours keep to.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "collapse/core/error.hpp"
#include "collapse/model/scene.hpp"
#include "io/palette.hpp"

namespace collapse::gltf {

/// Bodies beside each other are of slightly different shades, or a wall of bricks would be one surface.
inline constexpr int kShades = 3;
inline constexpr double kShadeStep = 0.05;
/// Of a body, by its number and the fills of the materials.
template <int Dim>
[[nodiscard]] Colour colour_of(const Body<Dim>& body, int number, const std::vector<int>& fills) {
  if (body.fixed) return deepened(kStone);
  const int fill = fills[static_cast<std::size_t>(body.material)];
  return mix(deepened(fill_colour(fill)), kInk, kShadeStep * (number % kShades));
}
/// Single precision ends at 3.4e38, and viewers multiply.
inline constexpr double kFarthest = 1e15;
inline constexpr double kNearest = 1e-15;
/// Beyond this many sizes from the origin a scene is moved there, or single precision would not do.
inline constexpr double kFarAway = 100.0;

/// A moving thing is shown within this share of a typical body's thickness of where it is.
inline constexpr double kTolerance = 1e-4;
/// Viewers turn the shorter way from key to key.
inline constexpr double kLongestTurn = 0.5 * std::numbers::pi;
/// How many steps a turn takes.
[[nodiscard]] inline int steps_of_turn(double angle) {
  return static_cast<int>(std::min(1e4, std::ceil(std::abs(angle) / kLongestTurn)));
}

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
