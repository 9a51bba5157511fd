#pragma once
/// How the scenes are made: one function per family, each in a file of its own.

#include <vector>

#include "scenes/document.hpp"
#include "scenes/gallery.hpp"
#include "scenes/options.hpp"

namespace collapse::scenes {

struct Recipe {
  Entry entry;
  Document (*make)(const Options&);
};

/// Bricks laid flat, in towers and in symmetric rows.
[[nodiscard]] std::vector<Recipe> stack_recipes();
/// Bricks in courses.
[[nodiscard]] std::vector<Recipe> wall_recipes();
/// Bricks dropped at random.
[[nodiscard]] std::vector<Recipe> pile_recipes();
[[nodiscard]] std::vector<Recipe> arch_recipes();
/// Whether these stand is a matter of friction: slopes, wedges, ladders, cylinders.
[[nodiscard]] std::vector<Recipe> friction_recipes();
/// Boards and bars that are held in a few places: levers, pins, rods.
[[nodiscard]] std::vector<Recipe> frame_recipes();
/// Point masses and bars.
[[nodiscard]] std::vector<Recipe> framework_recipes();

[[nodiscard]] inline Option friction_option(const char* value = "0") {
  return {"friction", value, "coefficient of friction everywhere"};
}

}  // namespace collapse::scenes
