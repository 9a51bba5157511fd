#pragma once
/// Shapes and poses of a scene document.

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "collapse/geometry/shape.hpp"
#include "io/node.hpp"

namespace collapse::reader {

/// Keys of bodies and parts. Shapes that a part may have come first among the shapes.
template <int Dim>
struct Keys;
template <>
struct Keys<2> {
  static constexpr std::array<std::string_view, 5> kShapes{"box", "polygon", "disk", "plane",
                                                           "parts"};
  static constexpr std::array<std::string_view, 3> kPose{"position", "angle", "rotation"};
};
template <>
struct Keys<3> {
  static constexpr std::array<std::string_view, 8> kShapes{"box",      "sphere",  "hull",  "mesh",
                                                           "cylinder", "capsule", "plane", "parts"};
  static constexpr std::array<std::string_view, 3> kPose{"position", "orientation",
                                                         "rotation_vector"};
};
/// The shapes of parts: all but plane and parts.
template <int Dim>
inline constexpr std::span<const std::string_view> kPartShapes(Keys<Dim>::kShapes.data(),
                                                               Keys<Dim>::kShapes.size() - 2);
/// Shapes and poses that only the other kind of scene has.
template <int Dim>
struct ForeignKeys;
template <>
struct ForeignKeys<2> {
  static constexpr std::array<std::string_view, 7> kAll{
      "sphere", "hull", "mesh", "cylinder", "capsule", "orientation", "rotation_vector"};
};
template <>
struct ForeignKeys<3> {
  static constexpr std::array<std::string_view, 4> kAll{"polygon", "disk", "angle", "rotation"};
};

inline constexpr std::size_t kMaxVertices = 4096;
inline constexpr std::size_t kMaxSceneMeshVertices = 100'000;
inline constexpr std::size_t kMaxParts = 1000;
/// Exact sums over a shape have about four times as many bits as the least common denominator of
/// its coordinates: without a limit a few hostile fractions would take hours.
inline constexpr std::size_t kMaxDenominatorBits = 20'000;
/// Bits of that times the bits of all denominators together, which the time of a sum grows with:
/// about one second.
inline constexpr double kMaxDenominatorWork = 1e10;

template <int Dim>
struct ReadShape {
  std::string_view key;  ///< which of Keys::kShapes it was
  Shape<Dim> shape;
};

/// The one shape of a body. Meshes given by a path are looked for in `folder`.
template <int Dim>
[[nodiscard]] ReadShape<Dim> read_shape(const Node& body, const std::string& folder);

template <int Dim>
struct ReadPose {
  ExactPose<Dim> pose;
  bool exact = true;  ///< whether the rotation is as written, without rounding
};

/// From `position` and what turns (Keys::kPose), whichever are there.
template <int Dim>
[[nodiscard]] ReadPose<Dim> read_pose(const Node& owner);
template <>
ReadPose<2> read_pose(const Node& owner);
template <>
ReadPose<3> read_pose(const Node& owner);

/// Keeps the least common denominator of a shape's coordinates within kMaxDenominatorBits.
class DenominatorBudget {
 public:
  explicit DenominatorBudget(const Node& shape) : shape_(&shape) {}

  void include(const Rational& number);
  template <int Dim>
  void include(const ExactVec<Dim>& point) {
    for (int k = 0; k < Dim; ++k) include(point[k]);
  }
  void include(const Shape<2>& shape);
  void include(const Shape<3>& shape);

 private:
  const Node* shape_;
  Integer common_{1};
  std::size_t common_bits_ = 1;
  std::size_t total_bits_ = 0;
};

/// A shape of kPartShapes, whose value is `node`.
[[nodiscard]] Shape<2> read_simple_shape(const Node& node, std::string_view key);
[[nodiscard]] Shape<3> read_simple_shape(const Node& node, std::string_view key,
                                         const std::string& folder);

}  // namespace collapse::reader
