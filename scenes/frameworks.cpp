#include "scenes/recipes.hpp"

namespace collapse::scenes {
namespace {

std::string numbered_name(const char* name, int number) {
  return name + std::string(" ") + std::to_string(number);
}

/// Crank, coupler and rocker between two pivots, the coupler level at the start and the crank upright. The
/// speeds keep all lengths: the rocker's end moves across the rocker.
Document make_linkage(const Options& options) {
  const Rational crank = options.number("crank", {.low = 0, .high = 100, .open_low = true});
  const Rational speed = options.number("speed", {.low = -1000, .high = 1000});
  Document scene("linkage, crank of " + options.text("crank"), 0);
  scene.add_point("pivot", Point(0, 0), {.fixed = true});
  scene.add_point("other pivot", Point(3, 0), {.fixed = true});
  scene.add_point("crank", Point(0, crank), {.velocity = Point(speed, 0)});
  scene.add_point("rocker", Point(2, crank), {.velocity = Point(speed, speed / crank)});
  scene.add_bar("pivot", "crank");
  scene.add_bar("crank", "rocker");
  scene.add_bar("rocker", "other pivot");
  return scene;
}

/// Square panels with one diagonal, which holds them, or with two, which is one bar too many for each. One
/// fixed corner lets it swing down, two hold it.
Document make_lattice(const Options& options) {
  const int panels = options.count("panels", 1, 10'000);
  const int diagonals = options.count("diagonals", 1, 2);
  const int pins = options.count("pins", 1, 2);
  Document scene("lattice, " + std::to_string(panels) + " panels", 0);
  for (int i = 0; i <= panels; ++i) {
    const std::string low = numbered_name("low", i);
    const std::string high = numbered_name("high", i);
    scene.add_point(low, Point(i, 0), {.fixed = i == 0});
    scene.add_point(high, Point(i, 1), {.fixed = i == 0 && pins == 2});
    scene.add_bar(low, high);
    if (i == 0) continue;
    const std::string low_before = numbered_name("low", i - 1);
    const std::string high_before = numbered_name("high", i - 1);
    scene.add_bar(low_before, low);
    scene.add_bar(high_before, high);
    scene.add_bar(low_before, high);
    if (diagonals == 2) scene.add_bar(high_before, low);
  }
  return scene;
}

/// Squares of side 1 in a row, each joined to the next at opposite corners, tilted by the angle of a 3-4-5
/// triangle and one above the ground.
Document make_links(const Options& options) {
  const int links = options.count("links", 1, 10'000);
  const Point right(Rational(4, 5), Rational(3, 5));
  const Point up(Rational(-3, 5), Rational(4, 5));
  Document scene("links, " + std::to_string(links) + " squares", 0);
  scene.add_ground();
  Point corner(0, 2);
  scene.add_point(numbered_name("joint", 0), corner);
  for (int i = 0; i < links; ++i) {
    const bool rises = i % 2 == 0;
    const std::string from = numbered_name("joint", i);
    const std::string to = numbered_name("joint", i + 1);
    const std::string low = numbered_name("low", i);
    const std::string high = numbered_name("high", i);
    const Point next = rises ? Point(corner + right + up) : Point(corner + right - up);
    scene.add_point(low, rises ? Point(corner + right) : Point(corner - up));
    scene.add_point(high, rises ? Point(corner + up) : Point(corner + right));
    scene.add_point(to, next);
    const std::vector<std::string> around{from, low, to, high};
    for (std::size_t k = 0; k < 4; ++k) scene.add_bar(around[k], around[(k + 1) % 4]);
    scene.add_bar(from, to);
    scene.add_face(around);
    corner = next;
  }
  return scene;
}

}  // namespace

std::vector<Recipe> framework_recipes() {
  return {
      {{.name = "linkage",
        .about = "a crank that turns a rocker through a coupler, as point masses and bars",
        .options = {{"crank", "1", "length of the crank"}, {"speed", "3", "of the crank's end"}},
        .framework = true},
       make_linkage},
      {{.name = "lattice",
        .about = "a girder of square panels, as point masses and bars, held at its left end",
        .options = {{"panels", "6", "number of panels"},
                    {"diagonals", "2", "in each panel: 1 holds it, 2 are one too many"},
                    {"pins", "1", "corners that are held: 1 lets it swing"}},
        .framework = true},
       make_lattice},
      {{.name = "links",
        .about = "squares joined at their corners that fall on the ground",
        .options = {{"links", "6", "number of squares"}},
        .framework = true},
       make_links},
  };
}

}  // namespace collapse::scenes
