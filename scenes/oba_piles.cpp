#include "scenes/crowd.hpp"
#include "scenes/recipes.hpp"

namespace collapse::scenes {
namespace {

/// Three boxes of 1 × 1/5 × 1/5 through one another, at right angles: not convex.
std::vector<Brick> jack_boxes() {
  std::vector<Brick> boxes;
  for (int axis = 0; axis < 3; ++axis) {
    Point3 sides = Point3::Constant(Rational(1, 5));
    sides[axis] = 1;
    boxes.push_back({sides, Point3::Zero()});
  }
  return boxes;
}

/// Jacks that fall into a container and catch in each other.
SpaceDocument make_oba_jacks(const Options& options) {
  const int jacks = options.count("jacks", 1, 10'000);
  const int side = 4;
  Random random = random_of(options);
  SpaceDocument scene = wooden_scene(std::to_string(jacks) + " jacks", options, 1500);
  add_shaft(scene, side, side);
  const Rational diameter(26, 25);  // √(1 + 1/25 + 1/25) is less
  const Cells cells = Cells::above(Rational(1, 4), side, side, Point3::Constant(Rational(13, 10)));
  for (int i = 0; i < jacks; ++i) {
    const auto [centre, turn] = cells.ball(random, i, diameter);
    scene.add_union("jack " + std::to_string(i + 1), jack_boxes());
    scene.set_pose(centre, turn);
  }
  return scene;
}

/// Thin boxes around a square of this width, and between them: slots in which a cube of 1/5 just has room.
void add_thin_walls(SpaceDocument& scene, const Rational& width, const Rational& height,
                    const Rational& thickness) {
  const BodyTraits fixed{.fixed = true, .mass = {}};
  const Rational outer = width + 2 * thickness;
  const Rational half = width / 2;
  const Rational beyond = (width + thickness) / 2;
  scene.add_box("floor", Point3(outer, outer, thickness), Point3(half, half, -thickness / 2),
                fixed);
  for (const int side : {-1, 1}) {
    const char* const name = side < 0 ? "left" : "right";
    scene.add_box(name, Point3(thickness, outer, height),
                  Point3(half + side * beyond, half, height / 2), fixed);
    const char* const other = side < 0 ? "front" : "back";
    scene.add_box(other, Point3(width, thickness, height),
                  Point3(half, half + side * beyond, height / 2), fixed);
  }
  const int slots = 4;
  const Rational low(3, 2);
  for (int i = 1; i < slots; ++i) {
    scene.add_box("partition " + std::to_string(i), Point3(thickness, width, low),
                  Point3(width * i / slots, half, low / 2), fixed);
  }
}

/// Small cubes, so fast that they go further than their own size in a frame, into a container with thin walls.
SpaceDocument make_oba_hybrid(const Options& options) {
  const int cubes = options.count("cubes", 1, 10'000);
  const Rational speed = options.number("speed", {.low = 0, .high = 1000});
  const Rational thickness =
      options.number("thickness", {.low = 0, .high = Rational(1, 20), .open_low = true});
  Random random = random_of(options);
  SpaceDocument scene =
      wooden_scene(std::to_string(cubes) + " fast cubes and thin walls", options, 1500);
  const Rational side(1, 5);
  const Rational width(11, 10);
  const Cells cells = Cells::above(Rational(8, 5), width, width, Point3::Constant(Rational(9, 25)));
  const int layers = (cubes - 1) / (cells.columns * cells.rows) + 1;
  add_thin_walls(scene, width, cells.corner[2] + cells.sides[2] * layers, thickness);
  const Point3 cube = Point3::Constant(side);
  for (int i = 0; i < cubes; ++i) {
    const auto [centre, turn] = cells.box(random, i, cube);
    scene.add_box("cube " + std::to_string(i + 1), cube, centre, {}, turn);
    const auto aside = [&] { return Rational(random.below(2049) - 1024, 1024); };
    const Rational x = aside();
    const Rational y = aside();
    scene.set_velocity(Point3(x, y, -speed));
  }
  return scene;
}

}  // namespace

std::vector<Recipe> oba_pile_recipes() {
  return {
      {{"oba-jacks",
        "jacks of three crossed boxes each that fall into a container",
        {{"jacks", "50", "number of jacks"},
         restitution_option(),
         seed_option(),
         friction_option("3/10")},
        false,
        "--scheme oba"},
       make_oba_jacks},
      {{"oba-hybrid",
        "small cubes, faster than their size in a frame, that fall between thin walls",
        {{"cubes", "100", "number of cubes"},
         {"speed", "10", "of the cubes at the start, downwards; they are 1/5 wide"},
         {"thickness", "1/50", "of the walls"},
         restitution_option(),
         seed_option(),
         friction_option("3/10")},
        false,
        "--scheme oba --oba hybrid=on,c_max=1"},
       make_oba_hybrid},
  };
}

}  // namespace collapse::scenes
