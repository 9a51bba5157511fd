#include <numbers>

#include "scenes/recipes.hpp"
#include "scenes/rotation.hpp"

namespace collapse::scenes {
namespace {

/// A semicircle of mid radius R = 1 whose voussoirs have straight edges between radial joints; the
/// springings lie on the ground. Neighbours share their joint's end points exactly, and the left
/// half is the mirror image of the right one.
///
/// Least thickness that stands with plenty of friction (μ > 0.395832), as t/R (Cocchetti, Rizzi
/// 2020): N = 10, 20, 31, 40 → 0.107011, 0.107348, 0.107130, 0.107432.
Document make_arch(const Options& options) {
  const int voussoirs = options.count("voussoirs", 2, 10'000);
  const Rational thickness = options.number("thickness", {.low = 0, .high = 1, .open_low = true});
  const Rational inner = 1 - thickness / 2;
  const Rational outer = 1 + thickness / 2;

  std::vector<Point> joints;  // their directions, from the right springing to the left one
  for (int k = 0; k <= voussoirs; ++k) {
    if (2 * k <= voussoirs) {
      joints.push_back(circle_point(half_tangent(std::numbers::pi * k / voussoirs)));
    } else {
      const Point& mirrored = joints[static_cast<std::size_t>(voussoirs - k)];
      joints.emplace_back(-mirrored[0], mirrored[1]);
    }
  }

  Document scene("arch, " + std::to_string(voussoirs) + " voussoirs, t/R = " +
                     options.text("thickness") + ", friction " + options.text("friction"),
                 options.friction());
  scene.add_ground();
  for (std::size_t i = 0; i + 1 < joints.size(); ++i) {
    const Point& from = joints[i];
    const Point& to = joints[i + 1];
    scene.add_polygon("voussoir " + std::to_string(i + 1),
                      {inner * from, outer * from, outer * to, inner * to});
  }
  return scene;
}

}  // namespace

std::vector<Recipe> arch_recipes() {
  return {{{"arch",
            "a semicircular arch; with enough friction it stands from t/R of about 0.1074 on",
            {{"voussoirs", "31", "number of voussoirs"},
             {"thickness", "0.12", "thickness over the mid radius, t/R"},
             friction_option("0.7")}},
           make_arch}};
}

}  // namespace collapse::scenes
