#pragma once
/// Random structures in space: touching, grazing, nested, coplanar, huge and tiny.

#include <algorithm>
#include <string>
#include <vector>

#include "scenes/rotation.hpp"
#include "scenes/space_document.hpp"
#include "tests/support/changed_space_scene.hpp"
#include "tests/support/random_plane_scene.hpp"
#include "tests/support/random_round_scene.hpp"

namespace collapse::testing {

using scenes::Point3;

/// Boxes let down one after another at random places of a coarse grid, each on the highest below it:
/// faces share planes, edges run along edges, corners meet.
inline std::string random_box_pile(Random& random, const Rational& friction) {
  struct Placed {
    Point3 low, high;
  };
  scenes::SpaceDocument scene("random boxes", friction);
  scene.add_ground();
  std::vector<Placed> placed;
  const int grid = 1 << random.below(4);  // the finer, the fewer corners meet
  const int boxes = 1 + random.below(8);
  // One in four scenes has bricks of very different sizes.
  const Rational spread = random.below(4) == 0 ? Rational(1, 100) : Rational(1);
  for (int i = 0; i < boxes; ++i) {
    const Rational unit = i % 2 == 1 ? spread : Rational(1);
    const auto side = [&] { return unit * Rational(1 + random.below(2 * grid), grid); };
    const Point3 sides(side(), side(), side());
    Point3 low(Rational(random.below(2 * grid), grid), Rational(random.below(2 * grid), grid), 0);
    for (const Placed& other : placed) {
      const bool below = low[0] < other.high[0] && other.low[0] < low[0] + sides[0] &&
                         low[1] < other.high[1] && other.low[1] < low[1] + sides[1];
      if (below) low[2] = std::max(low[2], other.high[2]);
    }
    placed.push_back({low, low + sides});
    scene.add_box("box " + std::to_string(i + 1), sides, low + sides / Rational(2));
  }
  return scene.text();
}

/// Frusta with irregular polygons for ends, each somewhere on the top of the one before.
inline std::string random_frusta(Random& random, const Rational& friction) {
  scenes::SpaceDocument scene("random frusta", friction);
  scene.add_ground();
  Point3 at = Point3::Zero();
  const int solids = 1 + random.below(5);
  for (int i = 0; i < solids; ++i) {
    const int corners = 3 + random.below(6);
    const Rational height(1 + random.below(8), 8);
    const Rational below(2 + random.below(7), 8);
    const Rational above(2 + random.below(7), 8);
    const Point3 lean(Rational(random.below(9) - 4, 16), Rational(random.below(9) - 4, 16), height);
    const Point3 shift(Rational(random.below(17) - 8, 16), Rational(random.below(17) - 8, 16), 0);
    if (i > 0) at += shift;
    std::vector<Point3> points;
    for (int k = 0; k < corners; ++k) {
      const double angle = 6.28 * (k + random.between(0.0, 0.9)) / corners;
      const Rational half = scenes::half_tangent(std::min(angle, 3.1));
      scenes::Point around = scenes::circle_point(half);
      if (angle > 3.14) around[1] = -around[1];
      points.emplace_back(at + Point3(below * around[0], below * around[1], 0));
      points.emplace_back(at + lean + Point3(above * around[0], above * around[1], 0));
    }
    points.emplace_back(at + Point3(0, 0, 0));  // the ends have their middle in them
    points.emplace_back(at + lean);
    scene.add_hull("frustum " + std::to_string(i + 1), points);
    at += lean;
  }
  return scene.text();
}

/// A cup that a box fits into, exactly or loosely, and a lid.
inline std::string random_nest(Random& random, const Rational& friction) {
  scenes::SpaceDocument scene("nested boxes", friction);
  scene.add_ground();
  const Rational wall(1, 8);
  const Rational inside(2 + random.below(4), 4);
  const Rational depth(1 + random.below(4), 4);
  const Rational outside = inside + 2 * wall;
  const Rational middle = wall + depth / 2;
  const Rational aside = (inside + wall) / 2;
  scene.add_union("cup", {{Point3(outside, outside, wall), Point3(0, 0, wall / 2)},
                          {Point3(wall, outside, depth), Point3(-aside, 0, middle)},
                          {Point3(wall, outside, depth), Point3(aside, 0, middle)},
                          {Point3(inside, wall, depth), Point3(0, -aside, middle)},
                          {Point3(inside, wall, depth), Point3(0, aside, middle)}});
  const Rational gap = random.below(2) == 0 ? Rational(0) : Rational(random.below(3), 1000);
  const Rational height(1 + random.below(6), 4);
  scene.add_box("box", Point3(inside - gap, inside - gap, height),
                Point3(gap / 2, -gap / 2, wall + height / 2));
  const Rational top = wall + std::max(height, depth);
  const Rational shift(random.below(33) - 16, 16);
  scene.add_box("lid", Point3(outside, outside, wall), Point3(shift, shift / 3, top + wall / 2));
  return scene.text();
}

/// Of the gallery in space, small.
inline std::string random_space_gallery(Random& random, const std::string& friction) {
  const auto count = [&random](int least, int most) {
    return std::to_string(least + random.below(most - least + 1));
  };
  switch (random.below(9)) {
    case 0:
      return scenes::make_scene("stack", {{"blocks", count(1, 6)},
                                          {"lean", random_fraction(random, -60, 60, 200)},
                                          {"lean-y", random_fraction(random, -60, 60, 200)},
                                          {"twist", count(-90, 90)},
                                          {"friction", friction}});
    case 1:
      return scenes::make_scene("tower-3d", {{"layers", count(1, 4)},
                                             {"gap", random_fraction(random, 0, 63, 64)},
                                             {"friction", friction}});
    case 2:
      return scenes::make_scene(
          "jenga", {{"levels", "3"},
                    {"missing", "2." + count(1, 3) + ",2." + count(1, 3) + ",1." + count(1, 3)},
                    {"friction", friction}});
    case 3:
      return scenes::make_scene("chain", {{"links", count(1, 5)},
                                          {"offset", random_fraction(random, -9, 9, 100)},
                                          {"friction", friction}});
    case 4:
      return scenes::make_scene("tilted-block", {{"tilt", count(0, 60)},
                                                 {"direction", count(-360, 360)},
                                                 {"aspect", random_fraction(random, 2, 16, 8)},
                                                 {"friction", friction}});
    case 5:
      return scenes::make_scene("keystone", {{"abutments", count(2, 5)},
                                             {"taper", random_fraction(random, 1, 8, 8)},
                                             {"friction", friction}});
    case 6:
      return scenes::make_scene("table", {{"legs", count(3, 4)},
                                          {"x", random_fraction(random, -10, 10, 8)},
                                          {"y", random_fraction(random, -6, 6, 8)},
                                          {"weight", count(1, 9)},
                                          {"friction", friction}});
    case 7:
      return scenes::make_scene("bridge", {{"courses", count(2, 4)},
                                           {"stones", count(1, 2)},
                                           {"skew", random_fraction(random, -8, 8, 8)},
                                           {"seed", count(0, 1000)},
                                           {"friction", friction}});
    default:
      return scenes::make_scene("arch-3d", {{"voussoirs", count(2, 7)},
                                            {"thickness", random_fraction(random, 80, 200, 1000)},
                                            {"friction", random_fraction(random, 30, 90, 100)}});
  }
}

/// In its first axes and units.
inline std::string random_upright_scene(Random& random) {
  const std::string friction = random.below(3) == 0 ? "0" : random_fraction(random, 1, 24, 16);
  const Rational mu = *parse_rational(friction);
  std::string text;
  switch (random.below(10)) {
    case 0:
    case 1:
      text = random_box_pile(random, mu);
      break;
    case 2:
      text = random_frusta(random, mu);
      break;
    case 3:
      text = random_nest(random, mu);
      break;
    case 4:
      text = random_balls(random, mu);
      break;
    case 5:
      text = random_cradle(random, mu);
      break;
    case 6:
    case 7:
      text = random_round_tower(random, mu);
      break;
    case 8:
      text = random_joints(random, mu);
      break;
    default:
      text = random_space_gallery(random, friction);
  }
  return text;
}

/// Turned anyhow, in any units.
inline SpaceChange random_space_change(Random& random) {
  const auto component = [&random] { return Rational(random.below(11) - 5); };
  const auto power = [&random] {
    return *parse_rational("1e" + std::to_string(random.below(13) - 6));
  };
  SpaceChange change;
  change.rotation.w = 6;
  change.rotation.x = component();
  change.rotation.y = component();
  change.rotation.z = component();
  change.length = power();
  change.density = power();
  change.gravity = power();
  return change;
}

/// One in two is turned and in units of its own.
inline std::string random_space_scene(Random& random) {
  const std::string text = random_upright_scene(random);
  if (random.below(2) == 0) return text;
  return SpaceChanger(random_space_change(random)).changed(text);
}

}  // namespace collapse::testing
