#include <array>

#include "scenes/recipes.hpp"

namespace collapse::scenes {
namespace {

const Range kMasses{.low = 0, .high = 1'000'000'000, .open_low = true};

BodyTraits with_mass(const Rational& mass) { return {.fixed = false, .mass = mass}; }

/// Weights L and R at the arms ±7/4 on a board (mass B) that lies centred on a pivot of width p:
/// stands for 7/4·|R − L| ≤ p/2·(L + R + B), when the resultant falls on the pivot.
Document make_seesaw(const Options& options) {
  const Rational left = options.number("left", kMasses);
  const Rational right = options.number("right", kMasses);
  const Rational board = options.number("board", kMasses);
  const Rational pivot = options.number("pivot", {.low = 0, .high = 4, .open_low = true});
  const Rational arm(7, 4);
  const Rational side(1, 2);
  const Rational thickness(1, 8);
  const Rational top = side + thickness;

  Document scene("seesaw, " + options.text("left") + " against " + options.text("right"),
                 options.friction());
  scene.add_ground();
  scene.add_box("pivot", pivot, side, Point(0, side / 2));
  scene.add_box("board", 4, thickness, Point(0, side + thickness / 2), with_mass(board));
  scene.add_box("left", side, side, Point(-arm, top + side / 2), with_mass(left));
  scene.add_box("right", side, side, Point(arm, top + side / 2), with_mass(right));
  return scene;
}

/// A level board of length 2 with a pin at its left end and a rod from its right end to a point
/// above the pin; a weight lies on it. With the rod level too (height 0) it falls.
Document make_gate(const Options& options) {
  const Rational height = options.number("height", {.low = -1000, .high = 1000});
  const Rational weight = options.number("weight", kMasses);
  const Rational thickness(1, 10);
  const Rational side(1, 2);

  Document scene("gate, rod to a height of " + options.text("height"), options.friction());
  scene.add_box("board", 2, thickness, Point(1, 0));
  scene.add_box("weight", side, side, Point(Rational(5, 4), (thickness + side) / 2),
                with_mass(weight));
  scene.add_pin("board", "world", Point(0, 0));
  scene.add_rod("board", "world", Point(2, 0), Point(0, height));
  return scene;
}

struct Bar {
  std::string name;
  std::array<std::size_t, 2> ends;  ///< nodes
};

/// Between neighbours in the order of x: bottom and top nodes take turns in a truss of triangles.
std::vector<Bar> truss_bars(std::size_t nodes) {
  std::vector<Bar> bars;
  const auto add = [&bars](std::size_t from, std::size_t to) {
    bars.push_back({"bar " + std::to_string(bars.size() + 1), {from, to}});
  };
  for (std::size_t node = 0; node + 1 < nodes; ++node) {
    add(node, node + 1);
    if (node + 2 < nodes) add(node, node + 2);
  }
  return bars;
}

/// The bars that meet at a node turn about one pin: the first is pinned to each of the others, and
/// these do not touch.
void join_at(Document& scene, const Point& node, const std::vector<std::string>& bars) {
  for (std::size_t i = 1; i < bars.size(); ++i) {
    scene.add_pin(bars[0], bars[i], node);
    for (std::size_t j = i + 1; j < bars.size(); ++j) scene.ignore(bars[i], bars[j]);
  }
}

/// A bridge of triangles (Warren's truss): as many bars as hold it still and not one more, so it
/// falls if any is left out. A bar is a needle, a rhombus from node to node of a fiftieth its
/// length in width; bar numbers run from left to right. A pin holds the left end, an upright rod
/// the right.
Document make_truss(const Options& options) {
  const int panels = options.count("panels", 1, 1000);
  const Rational height = options.number("height", {.low = Rational(1, 4), .high = 4});
  std::vector<Point> nodes;
  for (int i = 0; i <= 2 * panels; ++i) {
    nodes.emplace_back(Rational(i, 2), i % 2 == 0 ? Rational(0) : height);
  }
  const std::vector<Bar> bars = truss_bars(nodes.size());
  const int missing = options.count("missing", 0, static_cast<int>(bars.size()));

  Document scene("truss, " + std::to_string(panels) + " panels" +
                     (missing > 0 ? ", without bar " + std::to_string(missing) : ""),
                 options.friction());
  std::vector<std::vector<std::string>> meeting(nodes.size());
  for (std::size_t i = 0; i < bars.size(); ++i) {
    if (i + 1 == static_cast<std::size_t>(missing)) continue;
    const auto& [name, ends] = bars[i];
    const Point& from = nodes[ends[0]];
    const Point& to = nodes[ends[1]];
    const Point middle = (from + to) / Rational(2);
    const Point half_width = Point(from[1] - to[1], to[0] - from[0]) / Rational(100);
    scene.add_polygon(name, {from, middle - half_width, to, middle + half_width});
    for (const std::size_t end : ends) meeting[end].push_back(name);
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) join_at(scene, nodes[i], meeting[i]);
  if (!meeting.front().empty()) scene.add_pin(meeting.front()[0], "world", nodes.front());
  if (!meeting.back().empty()) {
    scene.add_rod(meeting.back()[0], "world", nodes.back(), nodes.back() - Point(0, 1));
  }
  return scene;
}

}  // namespace

std::vector<Recipe> frame_recipes() {
  return {
      {{"seesaw",
        "a board on a narrow pivot with a weight at each end",
        {{"left", "1", "mass of the left weight"},
         {"right", "1", "mass of the right weight"},
         {"board", "1", "mass of the board"},
         {"pivot", "1/4", "width of the pivot"},
         friction_option()}},
       make_seesaw},
      {{"gate",
        "a board held by a pin and a rod, with a weight on it",
        {{"height", "3/2", "of the rod's fixed end above the pin; at 0 the gate falls"},
         {"weight", "1", "mass on the board"},
         friction_option()}},
       make_gate},
      {{"truss",
        "a bridge of pinned bars that falls if any one is left out",
        {{"panels", "4", "number of triangles that stand on their base"},
         {"height", "3/4", "of the truss; a panel is 1 long"},
         {"missing", "0", "number of the bar left out; 0 for none"},
         friction_option()}},
       make_truss},
  };
}

}  // namespace collapse::scenes
