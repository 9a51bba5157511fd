#include <array>

#include "scenes/crowd.hpp"
#include "scenes/recipes.hpp"

namespace collapse::scenes {
namespace {

constexpr int kWidth = 14;  ///< of the glass, inside

/// Heights of the neck: of the room below it at the sides, where the neck begins and ends, where the funnel begins.
struct Waist {
  Rational neck;  ///< its width
  Rational eaves;
  Rational lower;
  Rational upper;
  Rational brim;
};

/// A square glass with four bodies around its neck: in a cut across the middle, each has its slopes above and below.
void add_glass(SpaceDocument& scene, const Waist& waist) {
  add_shaft(scene, kWidth, kWidth);
  const std::array<const char*, 4> names = {"funnel left", "funnel right", "funnel front",
                                            "funnel back"};
  for (std::size_t side = 0; side < names.size(); ++side) {
    const int across = side < 2 ? 0 : 1;
    const auto at = [&](const Rational& inwards, const Rational& along, const Rational& z) {
      Point3 p(along, along, z);
      p[across] = side % 2 == 0 ? inwards : kWidth - inwards;
      return p;
    };
    const Rational tip = (kWidth - waist.neck) / 2;
    std::vector<Point3> corners;
    for (const int along : {0, kWidth}) {
      corners.push_back(at(0, along, waist.eaves));
      corners.push_back(at(tip, along, waist.lower));
      corners.push_back(at(tip, along, waist.upper));
      corners.push_back(at(0, along, waist.brim));
    }
    scene.add_hull(names[side], corners, {.fixed = true, .mass = {}});
  }
}

const Range kNecks{.low = 2, .high = kWidth - 2};

/// Above the neck what runs through it, below it as much room.
SpaceDocument make_oba_sphereglass(const Options& options) {
  const int spheres = options.count("spheres", 1, 10'000);
  const Rational neck = options.number("neck", kNecks);
  Random random = random_of(options);
  SpaceDocument scene =
      wooden_scene("hourglass with " + std::to_string(spheres) + " spheres", options, 2000);
  const Rational slope = (kWidth - neck) / 2;                   // 45 degrees
  const Rational room = 1 + floor_of(Rational(spheres) / 300);  // with the slopes above it for all
  add_glass(scene, {neck, room, room + slope, room + slope + 1, room + 2 * slope + 1});
  const Cells cells =
      Cells::above(room + 2 * slope + 1, kWidth, kWidth, Point3::Constant(Rational(11, 10)));
  for (int i = 0; i < spheres; ++i) {
    const Placement sphere = cells.ball(random, i, 1);
    scene.add_sphere("sphere " + std::to_string(i + 1), Rational(1, 2), sphere.centre);
  }
  return scene;
}

/// A funnel above a box.
SpaceDocument make_oba_cubeglass(const Options& options) {
  const int cubes = options.count("cubes", 1, 10'000);
  const Rational neck = options.number("neck", kNecks);
  Random random = random_of(options);
  SpaceDocument scene =
      wooden_scene("hourglass with " + std::to_string(cubes) + " cubes", options, 1500);
  const Rational slope = (kWidth - neck) / 2;
  const Rational room = 2 + floor_of(Rational(cubes) / 125);
  add_glass(scene, {neck, room, room, room + Rational(1, 2), room + Rational(1, 2) + slope});
  const Cells cells = Cells::above(room + slope + Rational(1, 2), kWidth, kWidth,
                                   Point3(Rational(5, 4), Rational(5, 4), Rational(5, 4)));
  add_cubes(scene, cells, random, cubes);
  return scene;
}

}  // namespace

std::vector<Recipe> oba_glass_recipes() {
  return {
      {{"oba-sphereglass",
        "spheres without friction that run through an hourglass",
        {{"spheres", "1000", "number of spheres, of diameter 1"},
         {"neck", "4", "width of the neck; the glass is 14 wide"},
         restitution_option("7/10"),
         seed_option(),
         friction_option()},
        false,
        "--scheme oba"},
       make_oba_sphereglass},
      {{"oba-cubeglass",
        "cubes with friction that run through a funnel until they clog it",
        {{"cubes", "1000", "number of unit cubes"},
         {"neck", "5", "width of the neck; the glass is 14 wide"},
         restitution_option(),
         seed_option(),
         friction_option("3/10")},
        false,
        "--scheme oba --freezing --oba cold=0,0,0,14,14,10"},
       make_oba_cubeglass},
  };
}

}  // namespace collapse::scenes
