#include <cstdlib>

#include "scenes/crowd.hpp"
#include "scenes/recipes.hpp"

namespace collapse::scenes {
namespace {

Rational tenths(int n) { return Rational(n, 10); }

Rational hundredths(int n) { return Rational(n, 100); }

/// Corners of a box about a point of the vertical axis, another width below than above.
std::vector<Point3> tapered(const Point& below, const Point& above, const Rational& z0,
                            const Rational& z1) {
  std::vector<Point3> corners;
  for (const int dx : {-1, 1}) {
    for (const int dy : {-1, 1}) {
      corners.emplace_back(dx * below[0], dy * below[1], z0);
      corners.emplace_back(dx * above[0], dy * above[1], z1);
    }
  }
  return corners;
}

/// Where the robot stands, from time to time: it wades through the pool on a round way.
const std::vector<PathPoint>& robot_way() {
  static const std::vector<PathPoint> kWay = {
      {3, Point3(0, 0, 0), {}},          {5, Point3(2, 0, 0), {}},
      {7, Point3(1, tenths(17), 0), {}}, {9, Point3(-1, tenths(17), 0), {}},
      {11, Point3(-2, 0, 0), {}},        {12, Point3(-1, 0, 0), {}},
  };
  return kWay;
}

/// When the claw is above it, has come down, has closed, and has pulled it out.
constexpr int kAbove = 13;
constexpr int kDown = 14;
constexpr int kClosed = 15;
constexpr int kOut = 19;
const Rational kLift = 6;

/// The robot's way and then up, out of the pool.
std::vector<PathPoint> robot_path(const Point3& offset) {
  std::vector<PathPoint> path = robot_way();
  const Point3 last = path.back().position;
  path.push_back({kClosed, last, {}});
  path.push_back({kOut, last + Point3(0, 0, kLift), {}});
  for (PathPoint& point : path) point.position += offset;
  return path;
}

/// An arm that waves: half a turn a second, to and fro.
std::vector<PathPoint> waving(const std::vector<PathPoint>& path, const Rational& half_tangent) {
  std::vector<PathPoint> waves;
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    const auto& [begin, from, unused] = path[i];
    const auto& [end, to, also_unused] = path[i + 1];
    const int parts = static_cast<int>(to_double(end - begin)) * 2;
    for (int k = 0; k < parts; ++k) {
      const Rational share(k, parts);
      waves.push_back({begin + (end - begin) * share, from + (to - from) * share,
                       turn_about(1, k % 2 == 0 ? half_tangent : half_tangent / 5)});
    }
  }
  waves.push_back({path.back().time, path.back().position, turn_about(1, half_tangent)});
  return waves;
}

/// Wide below, so that it pushes bodies up and aside and none under itself.
void add_robot(SpaceDocument& scene) {
  const Rational clearance(1, 50);
  const Point waist(tenths(4), tenths(3));
  scene.add_union("robot",
                  {{Point3(tenths(8), tenths(6), tenths(9)), Point3(0, 0, hundredths(165))},
                   {Point3(tenths(2), tenths(2), tenths(3)), Point3(0, 0, hundredths(220))},
                   {Point3(tenths(5), tenths(5), tenths(5)), Point3(0, 0, hundredths(255))}},
                  {tapered(Point(tenths(6), tenths(5)), waist, clearance, tenths(12))});
  scene.set_path(robot_path(Point3::Zero()));
  for (const int side : {-1, 1}) {
    const std::string name = side < 0 ? "left arm" : "right arm";
    const Rational thickness(3, 20);
    scene.add_union(name, {{Point3(thickness, thickness, tenths(8)), Point3(0, 0, tenths(4))}});
    const Point3 shoulder(side * tenths(5), 0, hundredths(195));
    scene.set_path(waving(robot_path(shoulder), Rational(side, 3)));
    scene.ignore("robot", name);
  }
}

/// A carriage above the robot's head and two fingers that close around its neck.
void add_claw(SpaceDocument& scene) {
  const Rational high = 6;
  const Rational away = 14;               // above all that falls into the pool
  const Rational grip = hundredths(322);  // above the robot's feet, when it holds the robot
  std::vector<PathPoint> path = {{2, Point3(-2, 0, away), {}}};
  // It comes a second late everywhere.
  for (const auto& [time, position, unused] : robot_way()) {
    path.push_back({time + 1, position + Point3(0, 0, high), {}});
  }
  const Point3 last = robot_way().back().position;
  path.push_back({kDown, last + Point3(0, 0, grip), {}});
  path.push_back({kClosed, last + Point3(0, 0, grip), {}});
  path.push_back({kOut, last + Point3(0, 0, grip + kLift), {}});

  scene.add_union("claw", {{Point3(tenths(4), 2, tenths(2)), Point3(0, 0, tenths(1))},
                           {Point3(tenths(2), tenths(2), 6), Point3(0, 0, tenths(32))}});
  scene.set_path(path);
  for (const int side : {-1, 1}) {
    const std::string name = side < 0 ? "front finger" : "back finger";
    scene.add_union(
        name, {{Point3(tenths(3), tenths(1), 1), Point3(0, side * hundredths(5), hundredths(-52))},
               {Point3(tenths(3), tenths(3), tenths(1)),
                Point3(0, side * hundredths(-15), hundredths(-97))}});
    std::vector<PathPoint> fingers = path;
    for (PathPoint& point : fingers) {
      const bool closed = point.time >= kClosed;
      point.position[1] += side * (closed ? hundredths(42) : hundredths(75));
    }
    scene.set_path(fingers);
    scene.ignore("claw", name);
  }
}

/// What the pool is full of, by turns; all of it fits into a ball of diameter 21/20.
void add_to_pool(SpaceDocument& scene, int index, const Placement& placement) {
  const std::string number = std::to_string(index + 1);
  const Rational fifth(1, 5);
  switch (index % 5) {
    case 0:
      scene.add_box("cube " + number, Point3::Constant(3 * fifth), placement.centre, {},
                    placement.turn);
      return;
    case 1:
      scene.add_box("brick " + number, Point3(4 * fifth, 2 * fifth, 2 * fifth), placement.centre,
                    {}, placement.turn);
      return;
    case 2:
      scene.add_union("jack " + number, {{Point3(4 * fifth, fifth, fifth), Point3::Zero()},
                                         {Point3(fifth, 4 * fifth, fifth), Point3::Zero()},
                                         {Point3(fifth, fifth, 4 * fifth), Point3::Zero()}});
      break;
    case 3:
      scene.add_hull("wedge " + number,
                     tapered(Point(2 * fifth, tenths(3)), Point(fifth, tenths(3)), -fifth, fifth));
      break;
    default:
      scene.add_union("angle " + number,
                      {{Point3(3 * fifth, fifth, fifth), Point3(0, 0, -fifth)},
                       {Point3(fifth, fifth, 2 * fifth), Point3(-fifth, 0, tenths(1))}});
  }
  scene.set_pose(placement.centre, placement.turn);
}

/// A robot on a given path wades through a pool of bodies, convex and not, and a claw pulls it out. The walls are
/// slanted: what the robot pushes against them can go up.
SpaceDocument make_oba_robot(const Options& options) {
  const int bodies = options.count("bodies", 0, 10'000);
  Random random = random_of(options);
  SpaceDocument scene =
      wooden_scene("robot, claw and " + std::to_string(bodies) + " bodies", options, 580);
  scene.add_ground();
  const Rational half = 4;
  const Rational slant(1, 2);
  scene.add_plane("left", Point3(1, 0, slant), -half);
  scene.add_plane("right", Point3(-1, 0, slant), -half);
  scene.add_plane("front", Point3(0, 1, slant), -half);
  scene.add_plane("back", Point3(0, -1, slant), -half);
  add_robot(scene);
  add_claw(scene);

  const Rational cell(11, 10);
  const int columns = 7;
  const Point3 corner(-cell * columns / 2, -cell * columns / 2, tenths(1));
  const Cells cells{corner, Point3::Constant(cell), columns, columns};
  int slot = 0;
  for (int i = 0; i < bodies; ++i, ++slot) {
    // Not where the robot is, nor above it.
    const auto near_the_robot = [&] {
      const int column = slot % columns;
      const int row = slot / columns % columns;
      return row == columns / 2 && std::abs(column - columns / 2) <= 1;
    };
    while (near_the_robot()) ++slot;
    add_to_pool(scene, i, cells.ball(random, slot, Rational(21, 20)));
  }
  return scene;
}

}  // namespace

std::vector<Recipe> oba_robot_recipes() {
  return {
      {{"oba-robot",
        "a robot on a given path in a pool of bodies, and a claw that pulls it out",
        {{"bodies", "300", "number of bodies in the pool"},
         restitution_option(),
         seed_option(),
         friction_option("3/10")},
        false,
        "--scheme oba"},
       make_oba_robot},
  };
}

}  // namespace collapse::scenes
