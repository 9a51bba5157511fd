#include "scenes/crowd.hpp"
#include "scenes/recipes.hpp"
#include "scenes/rotation.hpp"

namespace collapse::scenes {
namespace {

/// Ten balls of diameter 1 in a triangle in the corner of a table, touching each other, four of them the one cushion and
/// one the other one; an eleventh comes along the bisector. In space, so that gravity does not matter.
SpaceDocument make_billiards(const Options& options) {
  const Rational speed = options.number("speed", {.low = 0, .high = 1000});
  SpaceDocument scene("billiards, the break at a speed of " + options.text("speed"),
                      options.friction());
  scene.set_material(1, options.number("restitution", {.low = 0, .high = 1}));
  scene.set_frames(120, 60);
  scene.add_ground();
  scene.add_plane("left cushion", Point3(1, 0, 0), 0);
  scene.add_plane("lower cushion", Point3(0, 1, 0), 0);
  const Rational radius(1, 2);
  const Rational apart(3650401, 4215120);  // above half of sqrt(3) by less than 1e-13
  for (int row = 0; row < 4; ++row) {
    for (int i = 0; i < 4 - row; ++i) {
      scene.add_sphere("ball " + std::to_string(row + 1) + '.' + std::to_string(i + 1), radius,
                       Point3(radius + i + Rational(row, 2), radius + apart * row, radius));
    }
  }
  scene.add_sphere("cue ball", radius, Point3(6, 5, radius));
  scene.set_velocity(Point3(-speed, -speed, 0));
  return scene;
}

/// Thin bricks on end, the first one past its balance.
Document make_dominoes(const Options& options) {
  const int count = options.count("dominoes", 2, 10'000);
  const Rational gap = options.number("gap", {.low = Rational(1, 4), .high = Rational(9, 10)});
  const Rational thickness(1, 10);
  Document scene(std::to_string(count) + " dominoes, gaps of " + options.text("gap"),
                 options.friction());
  scene.set_frames(300, 60);
  scene.add_ground();
  // About its lower right corner, by 14 degrees; its centre is over the corner at 6.
  const Point turn = circle_point(Rational(1, 8));
  const Point along = Point(turn[0], -turn[1]) * thickness;
  const Point up(turn[1], turn[0]);
  const Point corner(0, 0);
  scene.add_polygon("domino 1", {corner, corner + up, corner + up - along, corner - along});
  for (int i = 1; i < count; ++i) {
    const Rational left = gap * i + thickness * (i - 1);
    scene.add_box("domino " + std::to_string(i + 1), thickness, 1,
                  Point(left + thickness / 2, Rational(1, 2)));
  }
  return scene;
}

/// Links of length 1 as flat bars on pins, from `start` on, each along a direction of length 1. Returns where they end.
Point add_chain(Document& scene, const Point& start, const std::vector<Point>& directions) {
  const Rational half(1, 20);
  Point joint = start;
  std::string previous = "world";
  for (std::size_t i = 0; i < directions.size(); ++i) {
    const Point& along = directions[i];
    const Point across = Point(-along[1], along[0]) * half;
    const Point next = joint + along;
    const std::string name = "link " + std::to_string(i + 1);
    scene.add_polygon(name, {joint - across, next - across, next + across, joint + across});
    scene.add_pin(previous, name, joint);
    previous = name;
    joint = next;
  }
  return joint;
}

/// A chain that is let go level.
Document make_swinging_chain(const Options& options) {
  const int links = options.count("links", 1, 1000);
  Document scene("chain of " + std::to_string(links) + " links on a fixed pivot",
                 options.friction());
  scene.set_frames(300, 60);
  add_chain(scene, Point(0, 0), std::vector<Point>(static_cast<std::size_t>(links), Point(1, 0)));
  return scene;
}

/// A chain between two pivots, let go in the shape of a V, and blocks in a row above it.
Document make_chain_blocks(const Options& options) {
  const int half = options.count("links", 2, 1000) / 2;
  const int blocks = options.count("blocks", 0, 1000);
  Document scene(std::to_string(blocks) + " blocks falling on a chain", options.friction());
  scene.set_frames(300, 60);
  const auto count = static_cast<std::size_t>(half);
  std::vector<Point> directions(count, Point(Rational(4, 5), Rational(-3, 5)));
  directions.insert(directions.end(), count, Point(Rational(4, 5), Rational(3, 5)));
  const Point end = add_chain(scene, Point(0, 0), directions);
  scene.add_pin("link " + std::to_string(2 * half), "world", end);
  const Rational side(3, 4);
  for (int i = 0; i < blocks; ++i) {
    scene.add_box("block " + std::to_string(i + 1), side, side,
                  Point(end[0] / 2 + Rational(i % 3 - 1) / 2, 1 + 2 * side * i));
  }
  return scene;
}

/// A ball at the end of a chain that is held aside, and a wall where it comes down.
Document make_wrecking_ball(const Options& options) {
  const int courses = options.count("courses", 1, 100);
  const int links = 5;
  const Rational radius(3, 4);
  Document scene("ball and chain before a wall of " + std::to_string(courses) + " courses",
                 options.friction());
  scene.set_frames(240, 60);
  scene.add_ground();
  const Point pivot(0, links + radius + Rational(1, 4));
  const Point end = add_chain(
      scene, pivot,
      std::vector<Point>(static_cast<std::size_t>(links), Point(Rational(-4, 5), Rational(-3, 5))));
  scene.add_disk("ball", radius, end);
  scene.add_pin("link " + std::to_string(links), "ball", end);
  const Rational height(1, 4);
  for (int course = 0; course < courses; ++course) {
    for (int i = 0; i < 2; ++i) {
      const Rational middle = radius + Rational(3, 4) + i + Rational(course % 2, 2);
      scene.add_box("brick " + std::to_string(course + 1) + '.' + std::to_string(i + 1), 1, height,
                    Point(middle, height * course + height / 2));
    }
  }
  return scene;
}

}  // namespace

std::vector<Recipe> analytical_recipes() {
  return {
      {{"billiards",
        "ten balls in the corner of a table, and one that breaks them",
        {{"speed", "10", "of the cue ball, along each side"},
         restitution_option("1"),
         friction_option()},
        false,
        "--step 1/240"},
       make_billiards},
      {{"dominoes",
        "dominoes, the first one about to fall",
        {{"dominoes", "20", "number of dominoes"},
         {"gap", "1/2", "between them; they are 1/10 thick and 1 high"},
         friction_option("1/2")},
        false,
        "--step 1/120"},
       make_dominoes},
      {{"swinging-chain",
        "a chain on a fixed pivot that is let go level",
        {{"links", "30", "number of links"}, friction_option()},
        false,
        "--step 1/240"},
       make_swinging_chain},
      {{"chain-blocks",
        "blocks that fall on a chain between two pivots",
        {{"links", "10", "number of links, even"},
         {"blocks", "5", "number of blocks"},
         friction_option("3/10")},
        false,
        "--step 1/240"},
       make_chain_blocks},
      {{"wrecking-ball",
        "a ball on a chain that swings into a wall",
        {{"courses", "12", "of the wall"}, friction_option("1/2")},
        false,
        "--step 1/240"},
       make_wrecking_ball},
  };
}

}  // namespace collapse::scenes
