#include <array>

#include "collapse/core/error.hpp"
#include "scenes/crowd.hpp"
#include "scenes/recipes.hpp"

namespace collapse::scenes {
namespace {

const Point3 kUnitCube(1, 1, 1);
/// Of the shaft of a stack: a unit cube has some play in it and cannot turn over.
const Rational kNarrow(5, 4);

/// Cubes one above the other, a little turned, that fall onto each other.
SpaceDocument make_oba_stack(const Options& options) {
  const int cubes = options.count("cubes", 1, 1000);
  Random random = random_of(options);
  SpaceDocument scene = wooden_scene("stack of " + std::to_string(cubes) + " cubes", options, 600);
  add_shaft(scene, kNarrow, kNarrow);
  const Cells cells{Point3(0, 0, Rational(1, 2)), Point3(kNarrow, kNarrow, Rational(3, 2)), 1, 1};
  for (int i = 0; i < cubes; ++i) {
    const auto [centre, turn] = cells.box(random, i, kUnitCube);
    scene.add_box("cube " + std::to_string(i + 1), kUnitCube, centre, {}, turn);
  }
  return scene;
}

/// The same with spheres between the cubes.
SpaceDocument make_oba_mixed_stack(const Options& options) {
  const int bodies = options.count("bodies", 1, 1000);
  Random random = random_of(options);
  SpaceDocument scene =
      wooden_scene("stack of " + std::to_string(bodies) + " cubes and spheres", options, 600);
  add_shaft(scene, kNarrow, kNarrow);
  const Cells cells{Point3(0, 0, Rational(1, 2)), Point3(kNarrow, kNarrow, Rational(3, 2)), 1, 1};
  for (int i = 0; i < bodies; ++i) {
    const std::string number = std::to_string(i + 1);
    if (i % 2 == 0) {
      const auto [centre, turn] = cells.box(random, i, kUnitCube);
      scene.add_box("cube " + number, kUnitCube, centre, {}, turn);
    } else {
      const Placement sphere = cells.ball(random, i, 1);
      scene.add_sphere("sphere " + number, Rational(1, 2), sphere.centre);
    }
  }
  return scene;
}

/// Cubes that fall through a shaft whose sides reach out to the left and to the right, into what winds like a river,
/// until all of it is full of them.
SpaceDocument make_oba_cubejam(const Options& options) {
  const int cubes = options.count("cubes", 1, 10'000);
  const int width = 5;
  const int depth = 3;
  Random random = random_of(options);
  SpaceDocument scene =
      wooden_scene(std::to_string(cubes) + " cubes around obstacles", options, 1500);
  add_shaft(scene, width, depth);
  const Rational reach = options.number("reach", {.low = Rational(1, 10), .high = 3});
  const std::array<Rational, 3> heights = {3, Rational(13, 2), 10};
  for (std::size_t i = 0; i < heights.size(); ++i) {
    const bool left = i % 2 == 0;
    const Rational wall = left ? Rational(0) : Rational(width);
    const Rational tip = left ? reach : width - reach;
    std::vector<Point3> corners;
    for (const int y : {0, depth}) {
      corners.emplace_back(wall, y, heights[i] + 1);
      corners.emplace_back(tip, y, heights[i] - Rational(1, 2));
      corners.emplace_back(wall, y, heights[i] - 1);
    }
    scene.add_hull("obstacle " + std::to_string(i + 1), corners, {.fixed = true, .mass = {}});
  }
  const Cells cells =
      Cells::above(12, width, depth, Point3(Rational(5, 4), Rational(3, 2), Rational(7, 5)));
  for (int i = 0; i < cubes; ++i) {
    const auto [centre, turn] = cells.box(random, i, kUnitCube);
    scene.add_box("cube " + std::to_string(i + 1), kUnitCube, centre, {}, turn);
  }
  return scene;
}

/// Bricks of 1 × 1/2 × 1/4 as they are when the first blast wave has just passed: it gives a brick at r from a centre
/// at a distance d before the wall the speed blast·(d/r)³, away from there.
class BlastWall {
 public:
  BlastWall(SpaceDocument& scene, const Point3& centre, const Rational& blast)
      : scene_(scene), centre_(centre), blast_(blast), distance_(-centre[1]) {}

  void add(const Rational& x0, const Rational& x1, int course) {
    const Rational height(1, 4);
    const Rational depth(1, 2);
    const Point3 at((x0 + x1) / 2, depth / 2, height * (2 * course + 1) / 2);
    scene_.add_box("brick " + std::to_string(++bricks_), Point3(x1 - x0, depth, height), at);
    const Point3 away = at - centre_;
    const Rational share = distance_ * distance_ / away.squaredNorm();
    // In multiples of 1/1024: exact, and short.
    const Point3 velocity = away * (blast_ * share * share / distance_);
    Point3 rounded;
    for (int k = 0; k < 3; ++k) rounded[k] = floor_of(velocity[k] * 1024) / Rational(1024);
    if (!rounded.isZero()) scene_.set_velocity(rounded);
  }

 private:
  SpaceDocument& scene_;
  Point3 centre_;
  Rational blast_;
  Rational distance_;
  int bricks_ = 0;
};

/// The second wave: half a ball that goes through the wall on a given path. All that it pushes it pushes up and aside,
/// so that nothing is caught between it and the ground.
void add_blast_front(SpaceDocument& scene, const Rational& x, const Rational& time) {
  const Rational radius(3, 2);
  const std::vector<std::array<Rational, 2>> circle = {
      {1, 0}, {Rational(4, 5), Rational(3, 5)}, {Rational(3, 5), Rational(4, 5)}};
  const std::vector<std::array<Rational, 2>> meridian = {
      {1, 0}, {Rational(12, 13), Rational(5, 13)}, {Rational(5, 13), Rational(12, 13)}};
  std::vector<Point3> points = {Point3(0, 0, radius)};
  for (const auto& [across, up] : meridian) {
    for (const auto& [c, s] : circle) {
      // The same in all four quarters.
      for (const auto& [dx, dy] : {std::pair(c, s), {-s, c}, {-c, -s}, {s, -c}}) {
        points.emplace_back(radius * across * dx, radius * across * dy, radius * up);
      }
    }
  }
  scene.add_hull("blast wave", points);
  const Rational above(1, 64);
  scene.set_path({{time, Point3(x, -12, above)}, {time + 5, Point3(x, 48, above)}});
}

/// A wall in half bond that two blast waves hit one after the other: the first on the left, the second on the right.
SpaceDocument make_oba_blast_wall(const Options& options) {
  const int courses = options.count("courses", 1, 1000);
  const int width = options.count("width", 2, 1000);
  if (courses > kMaxBricks / (width + 1)) {
    throw Error("courses",
                std::to_string(courses) + " of up to " + std::to_string(width + 1) + " bricks",
                "at most " + std::to_string(kMaxBricks) + " bricks in all");
  }
  const Rational blast = options.number("blast", {.low = 0, .high = 1000});
  const Rational second = options.number("second", {.low = 0, .high = 1000});
  SpaceDocument scene = wooden_scene(
      "wall of " + std::to_string(courses) + " courses and two blast waves", options, 600);
  scene.add_ground();
  BlastWall wall(scene, Point3(Rational(width) / 4, -1, Rational(courses, 8)), blast);
  const Rational half(1, 2);
  for (int i = 0; i < courses; ++i) {
    if (i % 2 == 0) {
      for (int k = 0; k < width; ++k) wall.add(k, k + 1, i);
    } else {
      wall.add(0, half, i);
      for (int k = 0; k + 1 < width; ++k) wall.add(k + half, k + 1 + half, i);
      wall.add(width - half, width, i);
    }
  }
  add_blast_front(scene, Rational(3 * width) / 4, second);
  return scene;
}

}  // namespace

std::vector<Recipe> oba_stack_recipes() {
  return {
      {{"oba-stack",
        "cubes that fall into a narrow shaft and come to rest on one another",
        {{"cubes", "10", "number of cubes"},
         restitution_option(),
         seed_option(),
         friction_option("3/10")},
        false,
        "--scheme oba"},
       make_oba_stack},
      {{"oba-cs-stack",
        "cubes and spheres in turn that fall into a narrow shaft",
        {{"bodies", "12", "number of cubes and spheres"},
         restitution_option(),
         seed_option(),
         friction_option("3/10")},
        false,
        "--scheme oba"},
       make_oba_mixed_stack},
      {{"oba-cubejam",
        "cubes that squeeze around obstacles in a shaft until it is full of them",
        {{"cubes", "100", "number of cubes"},
         {"reach", "2", "of the obstacles into the shaft, which is 5 wide"},
         restitution_option(),
         seed_option(),
         friction_option("3/10")},
        false,
        "--scheme oba"},
       make_oba_cubejam},
      {{"oba-blast-wall",
        "a wall that is hit by two blast waves, the first one at the start",
        {{"courses", "12", "number of courses"},
         {"width", "7", "length in bricks"},
         {"blast", "12", "speed of a brick right before the centre of the first wave"},
         {"second", "3", "time at which the second wave begins to come"},
         restitution_option(),
         friction_option("3/10")},
        false,
        "--scheme oba"},
       make_oba_blast_wall},
  };
}

}  // namespace collapse::scenes
