#pragma once
/// How the scenes are made: one function per family, each in a file of its own.

#include <functional>
#include <utility>
#include <vector>

#include "scenes/document.hpp"
#include "scenes/gallery.hpp"
#include "scenes/options.hpp"

namespace collapse::scenes {

struct Recipe {
  Entry entry;
  std::function<std::string(const Options&)> make;

  /// From a maker of documents in the plane or in space, which also tells the entry's dimension.
  template <class Written>
  Recipe(Entry described, Written (*maker)(const Options&))
      : entry(std::move(described)),
        make([maker](const Options& options) { return maker(options).text(); }) {
    entry.dimension = Written::kDimension;
  }
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
/// What falls or swings at once.

// In space.

/// Blocks laid flat: stacks, towers, walls.
[[nodiscard]] std::vector<Recipe> space_stack_recipes();
/// Arches, vaults and bridges, all of them with a profile that goes on along y.
[[nodiscard]] std::vector<Recipe> vault_recipes();
[[nodiscard]] std::vector<Recipe> dome_recipes();
/// Whether these stand is a matter of friction: slopes, spheres, wedges.
[[nodiscard]] std::vector<Recipe> space_friction_recipes();
/// Bodies held in a few places: legs, joints, links of a chain.
[[nodiscard]] std::vector<Recipe> space_frame_recipes();
/// Many bodies that fall into a container.
[[nodiscard]] std::vector<Recipe> container_recipes();

// In space, to be run: the scenes of Schmidl's dissertation.

/// Cubes, spheres and bricks that lie on one another in the end.
[[nodiscard]] std::vector<Recipe> oba_stack_recipes();
/// Bodies that are not convex, small ones that are fast.
[[nodiscard]] std::vector<Recipe> oba_pile_recipes();
/// Hourglasses.
[[nodiscard]] std::vector<Recipe> oba_glass_recipes();
/// Bodies on joints.
[[nodiscard]] std::vector<Recipe> oba_pendulum_recipes();
/// Bodies on given paths.
[[nodiscard]] std::vector<Recipe> oba_robot_recipes();

// In the plane and in space, to be run: what Baraff, and Jonquet, Nocent and Remion show.

/// Impacts, chains, dominoes.
[[nodiscard]] std::vector<Recipe> analytical_recipes();

[[nodiscard]] inline Option friction_option(const char* value = "0") {
  return {"friction", value, "coefficient of friction everywhere"};
}

}  // namespace collapse::scenes
