#include "scenes/crowd.hpp"
#include "scenes/recipes.hpp"

namespace collapse::scenes {
namespace {

/// Unit cubes in layers of cells above the floor of a square container, whose walls are half spaces.
SpaceDocument make_cube_container(const Options& options) {
  const int cubes = options.count("cubes", 1);
  const int side = options.count("side", 2, 1000);
  Random random = random_of(options);
  SpaceDocument scene("container of " + std::to_string(side) + " × " + std::to_string(side) + ", " +
                          std::to_string(cubes) + " cubes, seed " + options.text("seed"),
                      options.friction());
  add_shaft(scene, side, side);
  // A width of √3 would take every turn.
  const Cells cells =
      Cells::above(0, side, side, Point3(Rational(7, 5), Rational(7, 5), Rational(3, 2)));
  add_cubes(scene, cells, random, cubes);
  return scene;
}

}  // namespace

std::vector<Recipe> container_recipes() {
  return {{{"cube-container",
            "unit cubes, turned at random, that fall into a square container",
            {{"cubes", "100", "number of cubes"},
             {"side", "10", "inner length and width of the container"},
             seed_option(),
             friction_option("3/10")},
            false,
            "--until 10"},
           make_cube_container}};
}

}  // namespace collapse::scenes
