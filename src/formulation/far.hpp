#pragma once
/// Contacts whose coordinates do not say where the bodies are.

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <string>

#include "collapse/contact/contact.hpp"

namespace collapse {

/// Coordinates have to be known to this share of a body's size.
inline constexpr double kCoordinateShare = 1e-8;

/// What is wrong with a scene that lies so far from the origin that it is rounded; empty: nothing is.
template <int Dim>
[[nodiscard]] std::string far_from_origin(const Scene<Dim>& scene, const ContactSet<Dim>& set) {
  for (const Contact<Dim>& contact : set.contacts) {
    const auto size = [&](int body) {
      return scene.bodies[static_cast<std::size_t>(body)].shape.size();
    };
    const double rounding =
        contact.point.cwiseAbs().maxCoeff() * std::numeric_limits<double>::epsilon();
    if (rounding <= kCoordinateShare * std::min(size(contact.id.a), size(contact.id.b))) continue;
    return fmt::format(
        "\"{}\" and \"{}\" are so far from the origin that their coordinates are rounded by more "
        "than {:.0e} of their size: move the scene",
        scene.body_name(contact.id.a), scene.body_name(contact.id.b), kCoordinateShare);
  }
  return {};
}

}  // namespace collapse
