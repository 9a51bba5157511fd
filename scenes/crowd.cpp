#include "scenes/crowd.hpp"

#include <array>
#include <cstdint>

#include "collapse/core/check.hpp"
#include "collapse/geometry/pose.hpp"

namespace collapse::scenes {
namespace {

// Positions are multiples of 1/1024, components of quaternions whole numbers up to 64.
constexpr int kGrid = 1024;
constexpr int kTurns = 64;

/// Any direction of the quaternion, each as likely as the others.
Quaternion any_turn(Random& random) {
  for (;;) {
    std::array<int, 4> q{};
    int square = 0;
    for (int& component : q) {
      component = random.below(2 * kTurns + 1) - kTurns;
      square += component * component;
    }
    if (square > 0 && square <= kTurns * kTurns) return {q[0], q[1], q[2], q[3]};
  }
}

/// How far a box so turned reaches along the axes, from one side to the other.
Point3 reach_of(const Quaternion& turn, const Point3& box) {
  Point3 reach = Point3::Zero();
  for (int axis = 0; axis < 3; ++axis) {
    const Point3 edge = turned(turn, Point3::Unit(axis) * box[axis]);
    for (int k = 0; k < 3; ++k) reach[k] += abs(edge[k]);
  }
  return reach;
}

/// The same rounded, to tell in no time what is far from fitting.
Vec<3> rough_reach(const Quaternion& turn, const Vec<3>& box) {
  const double w = to_double(turn.w);
  const Vec<3> v(to_double(turn.x), to_double(turn.y), to_double(turn.z));
  Vec<3> reach = Vec<3>::Zero();
  for (int axis = 0; axis < 3; ++axis) {
    const Vec<3> e = box[axis] * Vec<3>::Unit(axis);
    const Vec<3> edge = (w * w - v.squaredNorm()) * e + 2 * v.dot(e) * v + 2 * w * v.cross(e);
    reach += edge.cwiseAbs();
  }
  return reach / (w * w + v.squaredNorm());
}

/// The middle of what reaches so far and lies inside a cell.
Point3 place_in(Random& random, const Point3& corner, const Point3& sides, const Point3& reach) {
  Point3 centre;
  for (int k = 0; k < 3; ++k) {
    const Rational room = sides[k] - reach[k];
    COLLAPSE_DEMAND(room > 0);
    const int places = static_cast<int>(to_double(floor_of(room * kGrid)));
    if (places < 2) {
      centre[k] = corner[k] + sides[k] / 2;
      continue;
    }
    const Rational first = floor_of((corner[k] + reach[k] / 2) * kGrid) + 1;
    centre[k] = (first + random.below(places - 1)) / kGrid;
  }
  return centre;
}

}  // namespace

SpaceDocument wooden_scene(const std::string& name, const Options& options, int frames) {
  SpaceDocument scene(name, options.friction());
  scene.set_material(800, options.number("restitution", {.low = 0, .high = 1}));
  scene.set_frames(frames, 30);
  return scene;
}

Option restitution_option(const char* value) {
  return {"restitution", value, "coefficient of restitution everywhere"};
}

Option seed_option() { return {"seed", "1", "another number, other places and turns"}; }

Random random_of(const Options& options) {
  return Random(static_cast<std::uint64_t>(options.count("seed", 0, 1'000'000'000)));
}

void add_shaft(SpaceDocument& scene, const Rational& width, const Rational& depth) {
  scene.add_ground();
  scene.add_plane("left", Point3(1, 0, 0), 0);
  scene.add_plane("right", Point3(-1, 0, 0), -width);
  scene.add_plane("front", Point3(0, 1, 0), 0);
  scene.add_plane("back", Point3(0, -1, 0), -depth);
}

Cells Cells::above(const Rational& height, const Rational& width, const Rational& depth,
                   const Point3& least) {
  const auto whole = [](const Rational& number) {
    return static_cast<int>(to_double(floor_of(number)));
  };
  const int columns = whole(width / least[0]);
  const int rows = whole(depth / least[1]);
  return {Point3(0, 0, height), Point3(width / columns, depth / rows, least[2]), columns, rows};
}

Point3 Cells::corner_of(int index) const {
  const int row = index / columns;
  const int layer = row / rows;
  return corner + sides.cwiseProduct(Point3(index % columns, row % rows, layer));
}

Placement Cells::box(Random& random, int index, const Point3& box) const {
  const Vec<3> room = to_double<3>(sides) + Vec<3>::Constant(1e-6);
  const Vec<3> lengths = to_double<3>(box);
  for (;;) {
    const Quaternion turn = any_turn(random);
    if ((room - rough_reach(turn, lengths)).minCoeff() < 0.0) continue;
    const Point3 reach = reach_of(turn, box);
    if ((sides - reach).minCoeff() <= 0) continue;
    return {place_in(random, corner_of(index), sides, reach), turn};
  }
}

Placement Cells::ball(Random& random, int index, const Rational& diameter) const {
  const Quaternion turn = any_turn(random);
  return {place_in(random, corner_of(index), sides, Point3::Constant(diameter)), turn};
}

void add_cubes(SpaceDocument& scene, const Cells& cells, Random& random, int cubes) {
  const Point3 cube(1, 1, 1);
  for (int i = 0; i < cubes; ++i) {
    const auto [centre, turn] = cells.box(random, i, cube);
    scene.add_box("cube " + std::to_string(i + 1), cube, centre, {}, turn);
  }
}

}  // namespace collapse::scenes
