#include <algorithm>
#include <numbers>

#include "scenes/recipes.hpp"
#include "scenes/rotation.hpp"
#include "scenes/space_document.hpp"

namespace collapse::scenes {
namespace {

/// The simplest fractions above these roots by less than 1e-13: all gaps between spheres are far
/// below the tolerance of touching, and none overlap.
const Rational kRoot3(3650401, 2107560);
const Rational kRoot2(3880899, 2744210);
const Rational kRoot83(4656965, 2851797);  ///< √(8/3)

/// Spheres of radius 1 as cannon balls are piled, on a triangle or a square. Four of them (two
/// layers on a triangle) stand for μ ≥ √3 − √2 between spheres and a quarter of that on the floor.
SpaceDocument make_spheres(const Options& options) {
  const int layers = options.count("layers", 1, 60);
  const bool square = options.word("base", {"triangle", "square"}) == "square";
  const bool floor_apart = options.text("floor-friction") != "same";

  SpaceDocument scene("spheres, " + std::to_string(layers) + " layers on a " +
                          options.text("base") + ", friction " + options.text("friction"),
                      options.friction());
  scene.add_ground();
  if (floor_apart) {
    scene.set_ground_friction(options.number("floor-friction", {.low = 0, .high = 1000}));
  }
  for (int layer = 0; layer < layers; ++layer) {
    const int side = layers - layer;
    for (int row = 0; row < side; ++row) {
      for (int i = 0; i < (square ? side : side - row); ++i) {
        const Point3 centre = square
                                  ? Point3(2 * i + layer, 2 * row + layer, 1 + layer * kRoot2)
                                  : Point3(2 * i + row + layer, row * kRoot3 + layer * kRoot3 / 3,
                                           1 + layer * kRoot83);
        scene.add_sphere("sphere " + std::to_string(layer + 1) + '.' + std::to_string(row + 1) +
                             '.' + std::to_string(i + 1),
                         1, centre);
      }
    }
  }
  return scene;
}

/// A block, square below, on a fixed slope that falls away in any direction δ to the block's sides:
/// slides for tan θ > μ, tips for tan θ·max(|cos δ|, |sin δ|) > width over height.
SpaceDocument make_tilted_block(const Options& options) {
  const Rational tilt = options.number("tilt", {.low = 0, .high = 89});
  Rational direction = options.number("direction", {.low = -360, .high = 360});
  const Rational aspect = options.number("aspect", {.low = 0, .high = 1000, .open_low = true});
  direction -= 90 * floor_of(direction / 90);  // a square looks the same after a quarter turn
  const auto half = [](const Rational& degrees) {
    return half_tangent(to_double(degrees) * std::numbers::pi / 180);
  };
  // The block is turned about its own axis first: the slope falls towards +x.
  const Quaternion slope = turn_about(1, half(tilt));
  const Quaternion orientation = slope * turn_about(2, half(direction));

  SpaceDocument scene("block on a slope of " + options.text("tilt") + " degrees, direction " +
                          options.text("direction") + ", friction " + options.text("friction"),
                      options.friction());
  const Point3 normal = turned(slope, Point3(0, 0, 1));
  scene.add_plane("slope", normal, 0);
  scene.add_box("block", Point3(aspect, aspect, 1), normal / Rational(2), {}, orientation);
  return scene;
}

/// Corners of a regular polygon around the origin, the first side square to x and on its right.
std::vector<Point> polygon_corners(int sides) {
  std::vector<Point> corners;
  const double half_side = std::numbers::pi / sides;
  for (int i = 0; i < sides; ++i) {
    const double angle = half_side * (2 * i - 1);  // from −π/n on
    const double within = angle > std::numbers::pi ? angle - 2.0 * std::numbers::pi : angle;
    const Point corner = circle_point(half_tangent(std::min(std::abs(within), 3.14159265)));
    corners.emplace_back(corner[0], within < 0.0 ? Rational(-corner[1]) : corner[1]);
  }
  if (sides % 2 == 1) corners[static_cast<std::size_t>(sides + 1) / 2] = Point(-1, 0);
  return corners;
}

/// A truncated pyramid that hangs between n abutments which are free to slide on the ground: two
/// opposite ones (three wedges in all), or one at each side. Its sides are inclined by the tangent T
/// from the vertical. It slides down and pushes them aside for μ below the root of
/// kμ² + (k + 1)Tμ = 1, with k = 1 + n × weight of an abutment / weight of the keystone.
SpaceDocument make_keystone(const Options& options) {
  const int abutments = options.count("abutments", 2, 12);
  const Rational taper = options.number("taper", {.low = Rational(1, 100), .high = 1});
  const int sides = abutments == 2 ? 4 : abutments;
  const std::vector<Point> corners = polygon_corners(sides);
  const auto corner = [&](int i) { return corners[static_cast<std::size_t>(i % sides)]; };

  // At height z the keystone's corners have the distance radius(z), its sides are `inside` times that
  // from the axis.
  const Rational inside = (corner(0) + corner(1))[0] / 2;
  const Rational bottom(1, 4);
  const auto radius = [&](const Rational& z) { return Rational(1) + taper * z / inside; };
  SpaceDocument scene("keystone, " + std::to_string(abutments) + " abutments, taper " +
                          options.text("taper") + ", friction " + options.text("friction"),
                      options.friction());
  scene.add_ground();
  std::vector<Point3> keystone;
  for (const Rational& z : {bottom, Rational(1)}) {
    for (const Point& at : corners) {
      keystone.emplace_back(radius(z) * at[0], radius(z) * at[1], z);
    }
  }
  scene.add_hull("keystone", keystone);
  for (int i = 0; i < abutments; ++i) {
    const int side = abutments == 2 ? 2 * i : i;
    const Point from = (3 * corner(side) + corner(side + 1)) / Rational(4);
    const Point to = (corner(side) + 3 * corner(side + 1)) / Rational(4);
    const Point outwards = from + to;
    std::vector<Point3> points;
    for (const Point& at : {from, to}) {
      for (const Rational& z : {Rational(0), Rational(1)}) {
        const Point near = radius(z) * at;
        const Point far = near + outwards * (1 - (radius(z) - radius(0)) / 2);
        points.emplace_back(near[0], near[1], z);
        points.emplace_back(far[0], far[1], z);
      }
    }
    scene.add_hull("abutment " + std::to_string(i + 1), points);
  }
  return scene;
}

}  // namespace

std::vector<Recipe> space_friction_recipes() {
  return {
      {{"spheres",
        "cannon balls in layers; four stand for friction of at least sqrt(3) - sqrt(2)",
        {{"layers", "2", "number of layers"},
         {"base", "triangle", "triangle or square"},
         {"floor-friction", "same", "coefficient on the floor, or same as between spheres"},
         friction_option("0.32")}},
       make_spheres},
      {{"tilted-block",
        "a block on a slope that falls away in any direction: slides or tips",
        {{"tilt", "25", "angle of the slope in degrees"},
         {"direction", "30", "in which it falls away, degrees from a side of the block"},
         {"aspect", "1", "width over height of the block"},
         friction_option("1/2")}},
       make_tilted_block},
      {{"keystone",
        "a wedge between abutments that it pushes aside, unless friction holds them",
        {{"abutments", "2", "around the keystone"},
         {"taper", "1/4", "tangent of its sides' angle from the vertical"},
         friction_option("3/5")}},
       make_keystone},
  };
}

}  // namespace collapse::scenes
