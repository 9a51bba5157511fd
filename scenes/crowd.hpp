#pragma once
/// Many bodies that fall into a container: the material, the walls, and a cell for each body to begin in.

#include "collapse/core/random.hpp"
#include "scenes/options.hpp"
#include "scenes/space_document.hpp"

namespace collapse::scenes {

/// Wood, steps of a thirtieth of a second, as in the dissertation that the scenes are from (§7.2; lengths in metres,
/// masses in kilogrammes): density 800, and the options "friction" and "restitution".
[[nodiscard]] SpaceDocument wooden_scene(const std::string& name, const Options& options,
                                         int frames);
[[nodiscard]] Option restitution_option(const char* value = "3/10");
[[nodiscard]] Option seed_option();
[[nodiscard]] Random random_of(const Options& options);

/// The floor z = 0 and half spaces around 0 < x < width, 0 < y < depth.
void add_shaft(SpaceDocument& scene, const Rational& width, const Rational& depth);

/// Where a body begins: how it is turned, where its origin is.
struct Placement {
  Point3 centre;
  Quaternion turn;
};

/// Cells in layers of columns × rows, the first one at `corner`. Bodies are placed inside, away from the faces.
struct Cells {
  Point3 corner;
  Point3 sides;
  int columns = 1;
  int rows = 1;

  /// Those that fit into a shaft above a height, with at least `least` for each in width and depth.
  [[nodiscard]] static Cells above(const Rational& height, const Rational& width,
                                   const Rational& depth, const Point3& least);
  [[nodiscard]] Point3 corner_of(int index) const;
  /// A box with these sides, about its centre, turned at random so that it fits.
  [[nodiscard]] Placement box(Random& random, int index, const Point3& box) const;
  /// What is in a ball about the origin, turned at random. The ball must fit into a cell.
  [[nodiscard]] Placement ball(Random& random, int index, const Rational& diameter) const;
};

/// Unit cubes, one in each cell from the first on.
void add_cubes(SpaceDocument& scene, const Cells& cells, Random& random, int cubes);

}  // namespace collapse::scenes
