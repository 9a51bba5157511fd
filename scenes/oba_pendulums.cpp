#include "scenes/crowd.hpp"
#include "scenes/recipes.hpp"
#include "scenes/rotation.hpp"

namespace collapse::scenes {
namespace {

/// Sticks on ball joints, the first one at the world. They begin to fall from a zigzag that leans over, so that the
/// motion does not stay in one plane.
SpaceDocument make_oba_pendulum(const Options& options) {
  const int sticks = options.count("sticks", 1, 1000);
  SpaceDocument scene =
      wooden_scene("pendulum of " + std::to_string(sticks) + " sticks", options, 1000);
  const Rational thickness(1, 10);
  const Point3 along(1, 0, 0);
  const Quaternion down = turn_about(1, Rational(1, 3));  // 3 down for 4 aside
  const Quaternion aside = turn_about(2, Rational(1, 8));
  Quaternion turn = down;
  Point3 joint = Point3::Zero();
  std::string previous = "world";
  for (int i = 0; i < sticks; ++i) {
    const Point3 reach = turned(turn, along);
    const std::string name = "stick " + std::to_string(i + 1);
    scene.add_box(name, Point3(1, thickness, thickness), joint + reach / Rational(2), {}, turn);
    scene.add_ball(previous, name, joint);
    joint += reach;
    previous = name;
    turn = i % 2 == 0 ? aside * down : down;
  }
  return scene;
}

/// Spheres that hang in a row on two rods each, and touch. Some at the left are held aside.
SpaceDocument make_oba_office_toy(const Options& options) {
  const int spheres = options.count("spheres", 2, 1000);
  const int lifted = options.count("lifted", 1, spheres - 1);
  SpaceDocument scene =
      wooden_scene("office toy with " + std::to_string(spheres) + " spheres", options, 300);
  scene.set_sequential_impact();  // at once they would share the speed
  const Rational radius(1, 2);
  const Rational length = 4;  // from the line between the rods' upper ends to the sphere
  const Rational apart = 1;
  const Point swing = circle_point(Rational(1, 4));
  for (int i = 0; i < spheres; ++i) {
    const Point3 above(2 * radius * i, 0, length + 1);
    const Point3 down = i < lifted ? Point3(-swing[1], 0, -swing[0]) : Point3(0, 0, -1);
    const Point3 centre = above + down * length;
    const std::string name = "sphere " + std::to_string(i + 1);
    scene.add_sphere(name, radius, centre);
    for (const int side : {-1, 1}) {
      scene.add_rod(name, "world", centre, above + Point3(0, side * apart, 0));
    }
  }
  return scene;
}

}  // namespace

std::vector<Recipe> oba_pendulum_recipes() {
  return {
      {{"oba-pendulum",
        "sticks on ball joints that swing",
        {{"sticks", "6", "number of sticks"}, restitution_option(), friction_option("3/10")},
        false,
        "--scheme oba"},
       make_oba_pendulum},
      {{"oba-office-toy",
        "spheres in a row on rods; what the first ones bring the last ones take away",
        {{"spheres", "10", "number of spheres"},
         {"lifted", "1", "how many are held aside at the start"},
         restitution_option("1"),
         friction_option("3/10")},
        false,
        "--scheme oba"},
       make_oba_office_toy},
  };
}

}  // namespace collapse::scenes
