#pragma once
/// Contact forces as arrows in a glTF file: what plane and space have in common.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "collapse/formulation/verdict.hpp"
#include "io/gltf_model.hpp"
#include "io/mesh.hpp"
#include "io/shown_force.hpp"

namespace collapse::gltf {

template <int Dim>
struct ForceArrow {
  std::string name;
  int mesh = 0;
  Vec<Dim> point;
  Vec<Dim> direction;   ///< unit
  double length = 0.0;  ///< over that of the largest force
};

/// Of the forces that are worth an arrow.
template <int Dim>
[[nodiscard]] std::vector<ForceArrow<Dim>> force_arrows(
    Model& model, const Scene<Dim>& scene, const std::vector<ContactForce<Dim>>& forces) {
  constexpr double kNoForce = 1e-9;
  constexpr double kShortest = 0.15;
  double largest = 0.0;
  for (const ContactForce<Dim>& f : forces) largest = std::max(largest, f.force.stableNorm());
  std::vector<ForceArrow<Dim>> arrows;
  for (std::size_t i = 0; i < forces.size(); ++i) {
    const ContactForce<Dim>& f = forces[i];
    const double size = f.force.stableNorm();
    if (!(size > kNoForce * largest)) continue;
    const double share = size / largest;
    const bool on_a = shown_on_a(scene, f.id.a, f.id.b, f.force);
    // A few shades, not one material for each force.
    const double shade = std::round(8.0 * std::sqrt(share)) / 8.0;
    arrows.push_back(
        {fmt::format("force {} of {} on {}", i, scene.thing_name(on_a ? f.id.b : f.id.a),
                     scene.thing_name(on_a ? f.id.a : f.id.b)),
         model.mesh(arrow_mesh(), force_colour(shade * shade), std::nullopt), f.point,
         (on_a ? -1.0 : 1.0) * f.force / size, std::max(share, kShortest)});
  }
  return arrows;
}

}  // namespace collapse::gltf
