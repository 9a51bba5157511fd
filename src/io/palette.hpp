#pragma once
/// The colours that pictures and meshes share.

#include <vector>

#include "collapse/model/scene.hpp"

namespace collapse {

/// sRGB, from 0 to 255.
struct Colour {
  double red = 0.0;
  double green = 0.0;
  double blue = 0.0;
};

inline constexpr Colour kWhite{255, 255, 255};
inline constexpr Colour kInk{20, 24, 32};
inline constexpr Colour kStone{196, 201, 208};  ///< what never moves

/// Number of distinct fills for materials.
inline constexpr int kFills = 8;

[[nodiscard]] Colour mix(const Colour& a, const Colour& b, double t);

/// Fills repeat from the ninth material on.
[[nodiscard]] Colour fill_colour(int fill);

/// A light colour as deep as a solid needs that is lit from the front.
[[nodiscard]] Colour deepened(const Colour& colour);

/// By material: the number of its fill, −1 for those that nothing which moves is made of.
template <int Dim>
[[nodiscard]] std::vector<int> fills_of(const Scene<Dim>& scene);

/// Of a force that is `share` times the largest, from light orange to dark red. By the square root: small
/// forces would look alike otherwise.
[[nodiscard]] Colour force_colour(double share);

}  // namespace collapse
