#pragma once
/// Random structures in the plane, for tests that compare them with others.

#include <string>

#include "collapse/core/random.hpp"
#include "scenes/document.hpp"
#include "scenes/gallery.hpp"

namespace collapse::testing {

inline std::string random_fraction(Random& random, int least, int most, int denominator) {
  return std::to_string(least + random.below(most - least + 1)) + '/' + std::to_string(denominator);
}

/// Blocks of many shapes on one another: rectangles, trapezoids, and ones with a notch below. Each
/// lies somewhere on the flat top of the one before, so that some stacks stand and some do not.
inline std::string random_blocks(Random& random, const Rational& friction) {
  using scenes::Point;
  scenes::Document scene("random blocks", friction);
  scene.add_ground();
  Rational left = 0;   // of the top below
  Rational width = 4;  // of the top below
  Rational y = 0;
  const int blocks = 1 + random.below(6);
  for (int i = 0; i < blocks; ++i) {
    const Rational below(4 + random.below(13), 8);
    const Rational above(4 + random.below(13), 8);
    const Rational height(1 + random.below(6), 4);
    // In half eighths, so that corners seldom meet exactly.
    const Rational at = left - below / 2 + width * Rational(1 + random.below(15), 16);
    const Rational top_at = at + (below - above) * Rational(random.below(5), 4);
    const Rational up = y + height;
    const std::string name = "block " + std::to_string(i + 1);
    switch (random.below(3)) {
      case 0:
        scene.add_box(name, below, height, Point(at + below / 2, y + height / 2));
        left = at, width = below;
        break;
      case 1:
        scene.add_polygon(name, {Point(at, y), Point(at + below, y), Point(top_at + above, up),
                                 Point(top_at, up)});
        left = top_at, width = above;
        break;
      default:
        scene.add_polygon(
            name, {Point(at, y), Point(at + below / 4, y), Point(at + below / 4, y + height / 2),
                   Point(at + below / 2, y + height / 2), Point(at + below / 2, y),
                   Point(at + below, y), Point(at + below, up), Point(at, up)});
        left = at, width = below;
    }
    y = up;
  }
  return scene.text();
}

/// Of the gallery, or random blocks. Small.
inline std::string random_plane_scene(Random& random) {
  const std::string friction = random.below(2) == 0 ? "0" : random_fraction(random, 1, 15, 16);
  const auto count = [&random](int least, int most) {
    return std::to_string(least + random.below(most - least + 1));
  };
  switch (random.below(11)) {
    case 0:
      return scenes::make_scene(
          "pile",
          {{"bricks", count(2, 14)}, {"seed", count(0, 1'000'000)}, {"friction", friction}});
    case 1:
      return scenes::make_scene("wall", {{"courses", count(1, 4)},
                                         {"width", count(1, 4)},
                                         {"bond", random.below(2) == 0 ? "third" : "half"},
                                         {"ends", random.below(2) == 0 ? "ragged" : "straight"},
                                         {"friction", friction}});
    case 2:
      return scenes::make_scene("column", {{"blocks", count(1, 8)},
                                           {"lean", random_fraction(random, -40, 40, 200)},
                                           {"friction", friction}});
    case 3:
      return scenes::make_scene("arch", {{"voussoirs", count(3, 12)},
                                         {"thickness", random_fraction(random, 95, 160, 1000)},
                                         {"friction", random_fraction(random, 30, 90, 100)}});
    case 4:
      return scenes::make_scene("slope", {{"slope", random_fraction(random, 1, 16, 16)},
                                          {"aspect", random_fraction(random, 3, 16, 8)},
                                          {"friction", friction}});
    case 5:
      return scenes::make_scene("seesaw", {{"left", count(1, 9)},
                                           {"right", count(1, 9)},
                                           {"pivot", random_fraction(random, 1, 16, 8)},
                                           {"friction", friction}});
    case 6:
      return scenes::make_scene(
          "wedge", {{"angle", random_fraction(random, 1, 8, 8)}, {"friction", friction}});
    case 7:
      return scenes::make_scene("gate", {{"height", random_fraction(random, -8, 8, 4)}});
    default:
      return random_blocks(random, *parse_rational(friction));
  }
}

}  // namespace collapse::testing
