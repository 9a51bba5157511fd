#include "io/palette.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace collapse {
namespace {

/// Calm, light enough to read forces on: stone blue, sand, sage, lilac, rose, sea, straw, clay.
constexpr std::array<Colour, kFills> kMaterials{{{214, 225, 236},
                                                 {240, 229, 203},
                                                 {212, 228, 206},
                                                 {226, 216, 236},
                                                 {243, 219, 220},
                                                 {204, 230, 228},
                                                 {243, 240, 196},
                                                 {228, 214, 202}}};

/// From light orange to dark red, lightness falling evenly.
constexpr std::array<Colour, 5> kForceScale{
    {{249, 174, 94}, {238, 124, 56}, {213, 72, 40}, {168, 28, 36}, {98, 8, 28}}};

}  // namespace

Colour mix(const Colour& a, const Colour& b, double t) {
  return {a.red + t * (b.red - a.red), a.green + t * (b.green - a.green),
          a.blue + t * (b.blue - a.blue)};
}

Colour fill_colour(int fill) { return kMaterials[static_cast<std::size_t>(fill % kFills)]; }

Colour deepened(const Colour& colour) {
  const auto deep = [](double value) { return 255.0 * std::pow(value / 255.0, 2.6); };
  return {deep(colour.red), deep(colour.green), deep(colour.blue)};
}

template <int Dim>
std::vector<int> fills_of(const Scene<Dim>& scene) {
  std::vector<int> fills(scene.materials.size(), -1);
  int used = 0;
  for (const Body<Dim>& body : scene.bodies) {
    int& fill = fills[static_cast<std::size_t>(body.material)];
    if (!body.fixed && fill < 0) fill = used++;
  }
  return fills;
}

template std::vector<int> fills_of(const Scene<2>& scene);
template std::vector<int> fills_of(const Scene<3>& scene);

Colour force_colour(double share) {
  const double t = std::sqrt(std::clamp(share, 0.0, 1.0)) * (kForceScale.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(t), kForceScale.size() - 2);
  return mix(kForceScale[below], kForceScale[below + 1], t - static_cast<double>(below));
}

}  // namespace collapse
