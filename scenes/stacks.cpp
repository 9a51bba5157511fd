#include "scenes/recipes.hpp"

namespace collapse::scenes {
namespace {

const Rational kLength = 1;
const Rational kHeight(1, 4);

/// Height of the centre of a brick in a layer, counted from 0.
Rational middle_of(int layer) { return kHeight * (2 * layer + 1) / 2; }

/// A fixed table whose top is y = 0 and whose right edge is x = 0.
void add_table(Document& scene, const Rational& length) {
  scene.add_box("table", length, kHeight, Point(-length / 2, -kHeight / 2),
                {.fixed = true, .mass = {}});
}

/// `bricks` side by side, symmetric about x = 0.
void add_row(Document& scene, int layer, int bricks) {
  const std::string prefix = "brick " + std::to_string(layer + 1) + '.';
  for (int i = 0; i < bricks; ++i) {
    scene.add_box(prefix + std::to_string(i + 1), kLength, kHeight,
                  Point(kLength * (2 * i + 1 - bricks) / 2, middle_of(layer)));
  }
}

/// f/(2i), brick i's offset over the next. In towers of more than `kExactBricks` the sums of exact
/// offsets would have more digits than a scene allows: there offsets are rounded down to multiples
/// of 1e-18, which makes the tower more stable.
Rational harmonic_offset(const Rational& factor, int i, int bricks) {
  constexpr int kExactBricks = 1000;
  static const Integer kUnits("1000000000000000000");
  Rational offset = factor * kLength / (2 * i);
  if (bricks <= kExactBricks) return offset;
  const Integer units = numerator(offset) * kUnits / denominator(offset);
  return Rational(units, kUnits);
}

/// Brick i from the top reaches f/(2i) beyond the next, the last one beyond the table, the overhang
/// is f·H_n/2. The i topmost bricks have their centre of mass exactly above the edge below them for
/// f = 1: it stands for f ≤ 1.
Document make_harmonic(const Options& options) {
  const int bricks = options.count("bricks", 1);
  const Rational factor = options.number("factor", {.low = 0, .high = 2, .open_high = true});
  Document scene(
      "harmonic tower, " + std::to_string(bricks) + " bricks, factor " + options.text("factor"),
      options.friction());
  add_table(scene, 2 * kLength);
  Rational right = 0;
  for (int i = bricks; i >= 1; --i) {
    right += harmonic_offset(factor, i, bricks);
    scene.add_box("brick " + std::to_string(i), kLength, kHeight,
                  Point(right - kLength / 2, middle_of(bricks - i)));
  }
  return scene;
}

/// Rows of 1, 2, …, m, …, 2, 1 bricks: balanced without friction exactly for m ≤ 4.
Document make_diamond(const Options& options) {
  const int rows = options.count("rows", 1, 316);
  Document scene("diamond, " + std::to_string(rows) + " rows", options.friction());
  scene.add_ground();
  for (int layer = 0; layer < 2 * rows - 1; ++layer) {
    add_row(scene, layer, layer < rows ? layer + 1 : 2 * rows - 1 - layer);
  }
  return scene;
}

/// Rows of 1, 2, …, m bricks, the widest on top: balanced without friction exactly for m ≤ 2.
Document make_triangle(const Options& options) {
  const int rows = options.count("rows", 1, 446);
  Document scene("inverted triangle, " + std::to_string(rows) + " rows", options.friction());
  scene.add_ground();
  for (int layer = 0; layer < rows; ++layer) add_row(scene, layer, layer + 1);
  return scene;
}

/// Paterson and Zwick's parabolic stack: on one brick, slabs r = 2, 3, …, d. Slab r has 2r − 3
/// rows, in turn of r and of r − 1 bricks, r at the bottom and the top: 2(r − 1)² bricks.
/// Altogether d(d − 1)(2d − 1)/3 + 1 bricks and an overhang of d/2, exactly balanced over the
/// table's edge.
Document make_dstack(const Options& options) {
  const int d = options.count("d", 1, 53);
  Document scene("parabolic " + std::to_string(d) + "-stack", options.friction());
  add_table(scene, d * kLength);
  int layer = 0;
  add_row(scene, layer++, 1);
  for (int r = 2; r <= d; ++r) {
    for (int row = 0; row < 2 * r - 3; ++row) add_row(scene, layer++, row % 2 == 0 ? r : r - 1);
  }
  return scene;
}

/// Bricks straight on one another: stands, and does not mind a heavy brick on top.
Document make_tower(const Options& options) {
  const int bricks = options.count("bricks", 1);
  const Rational top_mass =
      options.number("top-mass", {.low = 0, .high = 1'000'000'000, .open_low = true});
  Document scene("tower, " + std::to_string(bricks) + " bricks", options.friction());
  scene.add_ground();
  for (int layer = 0; layer < bricks; ++layer) {
    BodyTraits traits;
    if (layer + 1 == bricks) traits.mass = top_mass;
    scene.add_box("brick " + std::to_string(layer + 1), kLength, kHeight,
                  Point(0, middle_of(layer)), traits);
  }
  return scene;
}

/// Every block is shifted by e, a share of its width, over the one below. The k topmost have their
/// centre of mass e(k + 1)/2 beyond the centre of the block below them; it must be within 1/2 for
/// k = 1, …, n − 1, so n ≥ 2 blocks stand for e ≤ 1/n (the ground holds any block up).
Document make_column(const Options& options) {
  const int blocks = options.count("blocks", 1);
  const Rational lean =
      options.number("lean", {.low = -1, .high = 1, .open_low = true, .open_high = true});
  Document scene(
      "leaning column, " + std::to_string(blocks) + " blocks, offset " + options.text("lean"),
      options.friction());
  scene.add_ground();
  const Rational height(1, 2);
  for (int i = 0; i < blocks; ++i) {
    scene.add_box("block " + std::to_string(i + 1), kLength, height,
                  Point(lean * kLength * i, height * (2 * i + 1) / 2));
  }
  return scene;
}

}  // namespace

std::vector<Recipe> stack_recipes() {
  return {
      {{"harmonic",
        "the tower of bricks that hangs over a table's edge; exactly balanced for factor 1",
        {{"bricks", "8", "number of bricks"},
         {"factor", "1", "of every offset: above 1 it falls"},
         friction_option()}},
       make_harmonic},
      {{"diamond",
        "rows of 1, 2, ..., m, ..., 2, 1 bricks; without friction it stands for m up to 4",
        {{"rows", "5", "bricks in the widest row, m"}, friction_option()}},
       make_diamond},
      {{"triangle",
        "rows of 1, 2, ..., m bricks, widest on top; without friction it stands for m up to 2",
        {{"rows", "3", "number of rows, m"}, friction_option()}},
       make_triangle},
      {{"dstack",
        "Paterson and Zwick's parabolic stack: overhang d/2, exactly balanced",
        {{"d", "6", "twice the overhang"}, friction_option()}},
       make_dstack},
      {{"tower",
        "bricks straight on one another",
        {{"bricks", "10", "number of bricks"},
         {"top-mass", "1/4", "mass of the top brick; the others have 1/4"},
         friction_option()}},
       make_tower},
      {{"column",
        "a leaning column of n equal blocks; it stands for a lean of up to 1/n",
        {{"blocks", "6", "number of blocks, n"},
         {"lean", "1/10", "offset of a block over the one below, a share of its width"},
         friction_option()}},
       make_column},
  };
}

}  // namespace collapse::scenes
