#pragma once

#include <string>

#include "collapse/formulation/verdict.hpp"

namespace collapse {

struct DrawOptions {
  int width = 1000;     ///< pixels, of the whole picture
  bool names = false;   ///< write the bodies' names
  std::string caption;  ///< instead of the verdict, where the picture is not about that
};

/// A scene in the plane as SVG: with its contact forces as arrows if the verdict has forces, with
/// its mechanism as ghosted outlines if it has one.
[[nodiscard]] std::string draw_svg(const Scene<2>& scene, const State<2>& state,
                                   const ContactSet<2>& contacts, const Verdict<2>& verdict,
                                   const DrawOptions& options = {});

}  // namespace collapse
