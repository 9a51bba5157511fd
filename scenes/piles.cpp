#include <algorithm>
#include <cmath>
#include <cstdint>

#include "collapse/core/random.hpp"
#include "scenes/recipes.hpp"

namespace collapse::scenes {
namespace {

constexpr int kCells = 16;  ///< of the skyline to a brick

/// How many layers of bricks lie on each sixteenth of a length.
class Skyline {
 public:
  explicit Skyline(int cells) : layers_(static_cast<std::size_t>(cells), 0) {}

  /// The layer in which a brick comes to lie whose left end is at `cell`.
  [[nodiscard]] int layer_at(int cell) const {
    return *std::max_element(at(cell), at(cell) + kCells);
  }

  /// Whether a brick there is held up on both sides, `care` cells or more from its middle.
  [[nodiscard]] bool holds_up(int cell, int care) const {
    const int layer = layer_at(cell);
    const auto supports = [layer](int top) { return top == layer; };
    const auto middle = at(cell) + kCells / 2;
    return std::any_of(at(cell), middle - care, supports) &&
           std::any_of(middle + care, at(cell) + kCells, supports);
  }

  void add(int cell) {
    const int layer = layer_at(cell);
    const auto first = layers_.begin() + cell;
    std::fill(first, first + kCells, layer + 1);
  }

 private:
  [[nodiscard]] std::vector<int>::const_iterator at(int cell) const {
    return layers_.begin() + cell;
  }

  std::vector<int> layers_;
};

/// Bricks fall at random multiples of 1/16 onto what lies there. A place that would not hold the
/// brick up is drawn again (there always is a good one: straight on the highest brick), so that
/// whether the pile stands depends on the bricks laid later. Corners may meet exactly.
Document make_pile(const Options& options) {
  const int bricks = options.count("bricks", 1);
  const int seed = options.count("seed", 0, 1'000'000'000);
  const int care = options.count("care", 0, kCells / 2 - 1);
  const Rational height(1, 4);

  const int width = 2 + static_cast<int>(std::sqrt(bricks / 2.0));  // in bricks
  Random random(static_cast<std::uint64_t>(seed));
  Skyline skyline(width * kCells);
  Document scene("pile, " + std::to_string(bricks) + " bricks, seed " + std::to_string(seed),
                 options.friction());
  scene.add_ground();
  for (int i = 1; i <= bricks; ++i) {
    int cell = 0;
    do {
      cell = random.below((width - 1) * kCells + 1);
    } while (!skyline.holds_up(cell, care));
    scene.add_box("brick " + std::to_string(i), 1, height,
                  Point(Rational(cell, kCells) + Rational(1, 2),
                        height * (2 * skyline.layer_at(cell) + 1) / 2));
    skyline.add(cell);
  }
  return scene;
}

}  // namespace

std::vector<Recipe> pile_recipes() {
  return {
      {{"pile",
        "bricks dropped at random on one another; some piles stand, some do not",
        {{"bricks", "30", "number of bricks"},
         {"seed", "1", "another number, another pile"},
         {"care", "2", "sixteenths of a brick around its middle that must lie between supports"},
         friction_option()}},
       make_pile}};
}

}  // namespace collapse::scenes
