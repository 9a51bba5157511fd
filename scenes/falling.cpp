#include "scenes/recipes.hpp"

namespace collapse::scenes {
namespace {

/// Dominoes of 1/5 × 1 in a row, upright but the first, which leans by arcsin(9/41) about its foot: beyond the
/// arctan(1/5) at which it would balance, so that it falls against the next.
Document make_dominoes(const Options& options) {
  const int count = options.count("count", 1, 1000);
  // The first has to fall before it meets the next.
  const Rational gap = options.number("gap", {.low = Rational(1, 4), .high = Rational(9, 10)});
  const Rational width(1, 5);
  const Rational c(40, 41);
  const Rational s(9, 41);
  Document scene("dominoes, " + std::to_string(count) + ", " + options.text("gap") + " apart",
                 options.friction());
  scene.add_ground();
  const Point foot(width, 0);
  const auto leaning = [&](const Rational& x, const Rational& y) -> Point {
    return foot + Point(x * c + y * s, y * c - x * s);
  };
  scene.add_polygon("domino 1",
                    {leaning(0, 0), leaning(0, 1), leaning(-width, 1), leaning(-width, 0)});
  for (int i = 1; i < count; ++i) {
    scene.add_box("domino " + std::to_string(i + 1), width, 1,
                  Point(i * (width + gap) + width / 2, Rational(1, 2)));
  }
  return scene;
}

/// Links of 1 × 1/5, level at the start, each pinned to the one before and the first to the world.
Document make_hanging_chain(const Options& options) {
  const int links = options.count("links", 1, 1000);
  Document scene("hanging chain, " + std::to_string(links) + " links", options.friction());
  for (int i = 0; i < links; ++i) {
    const std::string name = "link " + std::to_string(i + 1);
    scene.add_box(name, 1, Rational(1, 5), Point(Rational(2 * i + 1, 2), 0));
    scene.add_pin(i == 0 ? "world" : "link " + std::to_string(i), name, Point(i, 0));
  }
  return scene;
}

}  // namespace

std::vector<Recipe> falling_recipes() {
  return {
      {{"dominoes",
        "a row of dominoes of which the first falls against the next",
        {{"count", "20", "number of dominoes"},
         {"gap", "3/10", "between two of them; they are 1 high and 1/5 wide"},
         friction_option("3/10")}},
       make_dominoes},
      {{"hanging-chain",
        "links that are pinned to one another and to a fixed pivot, let go level",
        {{"links", "30", "number of links, each 1 long"}, friction_option()}},
       make_hanging_chain},
  };
}

}  // namespace collapse::scenes
