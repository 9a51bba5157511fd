#include <numbers>

#include "scenes/recipes.hpp"
#include "scenes/rotation.hpp"
#include "scenes/space_document.hpp"

namespace collapse::scenes {
namespace {

/// Rational directions of equal steps around the circle; those of the lower half are mirror images.
std::vector<Point> around(int segments) {
  std::vector<Point> directions;
  for (int j = 0; 2 * j < segments; ++j) {
    directions.push_back(circle_point(half_tangent(2.0 * std::numbers::pi * j / segments)));
  }
  if (segments % 2 == 0) directions.emplace_back(-1, 0);
  for (int j = static_cast<int>(directions.size()); j < segments; ++j) {
    const Point& mirrored = directions[static_cast<std::size_t>(segments - j)];
    directions.emplace_back(mirrored[0], -mirrored[1]);
  }
  return directions;
}

/// Towards the height of `rise` = (cos θ, sin θ) above the horizontal in the direction `around`.
Point3 towards(const Point& rise, const Point& around) {
  return Point3(rise[0] * around[0], rise[0] * around[1], rise[1]);
}

/// Half a sphere of mid radius R = 1 whose voussoirs have flat faces: joints lie in planes through
/// the centre, where neighbours meet exactly. Meridian joints run through from ring to ring. The
/// topmost part, from half a ring's height, is one keystone, or open to the sky.
SpaceDocument make_dome(const Options& options) {
  const int rings = options.count("rings", 1, 300);
  const int segments = options.count("segments", 3, 300);
  const Rational thickness = options.number("thickness", {.low = 0, .high = 1, .open_low = true});
  const bool closed = options.word("crown", {"closed", "open"}) == "closed";
  const std::vector<Rational> radii = {1 - thickness / 2, 1 + thickness / 2};

  std::vector<Point> rises;
  for (int i = 0; i <= rings; ++i) {
    rises.push_back(circle_point(half_tangent(std::numbers::pi * i / (2 * rings + 1))));
  }
  const std::vector<Point> directions = around(segments);

  SpaceDocument scene("dome, " + std::to_string(rings) + " rings of " + std::to_string(segments) +
                          ", t/R = " + options.text("thickness") + ", friction " +
                          options.text("friction"),
                      options.friction());
  scene.add_ground();
  for (std::size_t i = 0; i + 1 < rises.size(); ++i) {
    for (std::size_t j = 0; j < directions.size(); ++j) {
      std::vector<Point3> points;
      for (const Rational& radius : radii) {
        for (const std::size_t ring : {i, i + 1}) {
          for (const std::size_t side : {j, (j + 1) % directions.size()}) {
            points.push_back(radius * towards(rises[ring], directions[side]));
          }
        }
      }
      scene.add_hull("voussoir " + std::to_string(i + 1) + '.' + std::to_string(j + 1), points);
    }
  }
  if (closed) {
    std::vector<Point3> points;
    for (const Rational& radius : radii) {
      for (const Point& side : directions) points.push_back(radius * towards(rises.back(), side));
    }
    scene.add_hull("keystone", points);
  }
  return scene;
}

}  // namespace

std::vector<Recipe> dome_recipes() {
  return {{{"dome",
            "half a sphere of voussoirs; it stands thinner than an arch, from t/R of about 0.04 on",
            {{"rings", "8", "number of rings below the keystone"},
             {"segments", "16", "voussoirs of a ring"},
             {"thickness", "0.08", "thickness over the mid radius, t/R"},
             {"crown", "closed", "closed by a keystone, or open"},
             friction_option("0.7")}},
           make_dome}};
}

}  // namespace collapse::scenes
