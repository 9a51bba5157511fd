#pragma once
/// Shapes and poses of a scene document.

#include <array>
#include <string_view>

#include "collapse/geometry/shape.hpp"
#include "io/node.hpp"

namespace collapse::reader {

inline constexpr std::array<std::string_view, 5> kShapeKeys{"box", "polygon", "disk", "plane",
                                                            "parts"};
/// Shapes and poses that a scene in space would have.
inline constexpr std::array<std::string_view, 6> kSpaceKeys{
    "sphere", "hull", "mesh", "cylinder", "orientation", "rotation_vector"};

inline constexpr std::size_t kMaxVertices = 4096;
inline constexpr std::size_t kMaxParts = 1000;
/// Exact sums over a shape have about four times as many bits as the least common denominator of
/// its coordinates: without a limit a few hostile fractions would take hours.
inline constexpr std::size_t kMaxDenominatorBits = 20'000;
/// Bits of that times the bits of all denominators together, which the time of a sum grows with:
/// about one second.
inline constexpr double kMaxDenominatorWork = 1e10;

struct ReadShape {
  std::string_view key;  ///< which of kShapeKeys it was
  Shape<2> shape;
};

/// The one shape of a body.
[[nodiscard]] ReadShape read_shape(const Node& body);

struct ReadPose {
  ExactPose<2> pose;
  bool exact = true;  ///< whether the rotation is as written, without rounding
};

/// From `position` and `angle` or `rotation`, whichever are there.
[[nodiscard]] ReadPose read_pose(const Node& owner);

}  // namespace collapse::reader
