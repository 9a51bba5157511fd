#include <numbers>

#include "scenes/recipes.hpp"
#include "scenes/rotation.hpp"
#include "scenes/space_document.hpp"

namespace collapse::scenes {
namespace {

const Range kSomeMass{.low = 0, .high = 1'000'000'000, .open_low = true};

/// Three legs of mass 1 hinged to a hub of mass P, at height 1; their feet are `lean` from the axis.
/// A leg is a needle from tip to tip, its centre of mass halfway, and turns up and down only. Stands
/// for μ ≥ lean·(3 + 2P)/(6 + 2P).
SpaceDocument make_tripod(const Options& options) {
  const Rational lean = options.number("lean", {.low = Rational(1, 10), .high = 10});
  const Rational weight = options.number("weight", kSomeMass);
  SpaceDocument scene(
      "tripod, lean " + options.text("lean") + ", friction " + options.text("friction"),
      options.friction());
  scene.add_ground();
  const Point3 apex(0, 0, 1);
  scene.add_sphere("hub", Rational(1, 10), apex, {.fixed = false, .mass = weight});
  const Point aside = circle_point(half_tangent(2.0 * std::numbers::pi / 3.0));
  const std::vector<Point> directions = {Point(1, 0), aside, Point(aside[0], -aside[1])};
  for (std::size_t i = 0; i < directions.size(); ++i) {
    const Point& d = directions[i];
    const Point3 foot(lean * d[0], lean * d[1], 0);
    const Point3 middle = (apex + foot) / Rational(2);
    const Point3 across = Point3(-d[1], d[0], 0) / Rational(50);
    const Point3 above = Point3(d[0], d[1], lean) / Rational(50 * (1 + lean));
    const std::string name = "leg " + std::to_string(i + 1);
    scene.add_hull(name,
                   {foot, middle + across, middle + above, middle - across, middle - above, apex},
                   {.fixed = false, .mass = Rational(1)});
    scene.add_hinge("hub", name, apex, Point3(-d[1], d[0], 0));
    for (std::size_t j = 0; j < i; ++j) scene.ignore("leg " + std::to_string(j + 1), name);
  }
  return scene;
}

/// One body: a slab of 3 × 2 on three or four legs that end in points; a weight on it. Three legs
/// carry forces of one kind only, the shares of the centre of mass; four carry many.
SpaceDocument make_table(const Options& options) {
  const int legs = options.count("legs", 3, 4);
  const Rational mass = options.number("mass", kSomeMass);
  const Rational weight = options.number("weight", kSomeMass);
  const Rational x_foot(5, 4);
  const Rational y_foot(3, 4);
  const Rational x = options.number("x", {.low = -x_foot, .high = x_foot});
  const Rational y = options.number("y", {.low = -y_foot, .high = y_foot});

  std::vector<Point> feet = {Point(-x_foot, -y_foot), Point(-x_foot, y_foot)};
  if (legs == 3) {
    feet.emplace_back(x_foot, 0);
  } else {
    feet.emplace_back(x_foot, -y_foot);
    feet.emplace_back(x_foot, y_foot);
  }
  const Rational half_leg(1, 8);
  std::vector<std::vector<Point3>> pyramids;
  for (const Point& foot : feet) {
    pyramids.push_back({Point3(foot[0], foot[1], 0)});
    for (const auto& [dx, dy] : {std::pair(-1, -1), {1, -1}, {1, 1}, {-1, 1}}) {
      pyramids.back().emplace_back(foot[0] + dx * half_leg, foot[1] + dy * half_leg, 1);
    }
  }
  SpaceDocument scene("table, " + std::to_string(legs) + " legs", options.friction());
  scene.add_ground();
  const Rational thickness(1, 4);
  scene.add_union("table", {{Point3(3, 2, thickness), Point3(0, 0, 1 + thickness / 2)}}, pyramids,
                  {.fixed = false, .mass = mass});
  const Rational side(1, 2);
  scene.add_box("weight", Point3(side, side, side), Point3(x, y, 1 + thickness + side / 2),
                {.fixed = false, .mass = weight});
  return scene;
}

/// Links as frames of square bars that hang in each other, each turned by a quarter over the one
/// above, the first one fixed. Bars are 1/5 thick, links 1 high. Each link is moved along its own
/// upper bar by `offset`; n hanging links stay while their common centre of mass is above the bar
/// that carries them: offset × mean of ⌈j/2⌉, j = 1, …, n, is at most 1/10.
SpaceDocument make_chain(const Options& options) {
  const int links = options.count("links", 1, 10'000);
  const Rational bar(1, 5);
  const Rational offset = options.number(
      "offset", {.low = -bar / 2, .high = bar / 2, .open_low = true, .open_high = true});
  const Rational width = 4 * bar;
  const Rational height = 1;
  const Rational aside = (width - bar) / 2;
  const Rational above = (height - bar) / 2;

  SpaceDocument scene(
      "chain, " + std::to_string(links) + " links, offset " + options.text("offset"),
      options.friction());
  Point3 centre(0, 0, 0);
  for (int i = 0; i <= links; ++i) {
    const int along = i % 2;  // the axis of the upper and lower bar
    const auto at = [&](const Rational& sideways, const Rational& up) {
      Point3 p = centre;
      p[along] += sideways;
      p[2] += up;
      return p;
    };
    Point3 level(bar, bar, bar);
    level[along] = width;
    const Point3 upright(bar, bar, height - 2 * bar);
    scene.add_union(i == 0 ? "hook" : "link " + std::to_string(i),
                    {{level, at(0, above)},
                     {level, at(0, -above)},
                     {upright, at(-aside, 0)},
                     {upright, at(aside, 0)}},
                    {}, {.fixed = i == 0, .mass = {}});
    centre[1 - along] += offset;
    centre[2] -= height - 2 * bar;
  }
  return scene;
}

/// A level board with a hinge along its left edge and a rod from the middle of its right edge to a
/// point above the hinge; a weight on it, also aside, where the hinge alone keeps the board from
/// turning. With the rod level too (height 0) it falls.
SpaceDocument make_space_gate(const Options& options) {
  const Rational height = options.number("height", {.low = -1000, .high = 1000});
  const Rational weight = options.number("weight", kSomeMass);
  const Rational aside = options.number("aside", {.low = Rational(-1, 4), .high = Rational(1, 4)});
  const Rational thickness(1, 10);
  const Rational side(1, 2);

  SpaceDocument scene("gate, rod to a height of " + options.text("height"), options.friction());
  scene.add_box("board", Point3(2, 1, thickness), Point3(1, 0, 0));
  scene.add_box("weight", Point3(side, side, side),
                Point3(Rational(5, 4), aside, (thickness + side) / 2),
                {.fixed = false, .mass = weight});
  scene.add_hinge("board", "world", Point3(0, 0, 0), Point3(0, 1, 0));
  scene.add_rod("board", "world", Point3(2, 0, 0), Point3(0, 0, height));
  return scene;
}

}  // namespace

std::vector<Recipe> space_frame_recipes() {
  return {
      {{"tripod",
        "three legs hinged to a weight: friction must keep their feet from sliding",
        {{"lean", "1/2", "distance of the feet from the axis over the height"},
         {"weight", "1", "mass of the hub; a leg has 1"},
         friction_option("1/3")}},
       make_tripod},
      {{"table",
        "a table on three or four pointed legs with a weight on it; four share it in many ways",
        {{"legs", "4", "3 or 4"},
         {"mass", "1", "of the table"},
         {"weight", "1", "mass on the table"},
         {"x", "1/2", "of the weight; the feet are at -5/4 and 5/4, with 3 legs the third at 5/4"},
         {"y", "1/4", "of the weight; the feet are at -3/4 and 3/4, with 3 legs the third at 0"},
         friction_option()}},
       make_table},
      {{"chain",
        "links that hang in each other; moved aside too far they tip",
        {{"links", "6", "number of links that hang"},
         {"offset", "1/50", "of a link along its upper bar"},
         friction_option("1/2")}},
       make_chain},
      {{"gate-3d",
        "a board held by a hinge and a rod, with a weight on it",
        {{"height", "3/2", "of the rod's fixed end above the hinge; at 0 the gate falls"},
         {"weight", "1", "mass on the board"},
         {"aside", "1/8", "of the weight from the middle"},
         friction_option()}},
       make_space_gate},
  };
}

}  // namespace collapse::scenes
