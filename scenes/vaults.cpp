#include <numbers>

#include "collapse/core/error.hpp"
#include "collapse/core/random.hpp"
#include "scenes/recipes.hpp"
#include "scenes/rotation.hpp"
#include "scenes/space_document.hpp"

namespace collapse::scenes {
namespace {

/// Directions of the joints of an arch in the plane of x and z, from right to left. `angles` are
/// those of the right half, from its springing; the left half is their mirror image, with a joint at
/// the crown or without.
std::vector<Point> mirrored_joints(const std::vector<double>& angles, bool crown_joint) {
  std::vector<Point> joints;
  for (const double angle : angles) joints.push_back(circle_point(half_tangent(angle)));
  const std::size_t right = joints.size();
  if (crown_joint) joints.emplace_back(0, 1);
  for (std::size_t i = right; i > 0; --i) joints.emplace_back(-joints[i - 1][0], joints[i - 1][1]);
  return joints;
}

/// From `springing` (above the horizontal) to the same on the other side, in equal voussoirs.
std::vector<Point> even_joints(int voussoirs, double springing) {
  std::vector<double> angles;
  const double step = (std::numbers::pi - 2.0 * springing) / voussoirs;
  for (int k = 0; 2 * k < voussoirs; ++k) angles.push_back(springing + step * k);
  return mirrored_joints(angles, voussoirs % 2 == 0);
}

/// A semicircle in the same steps, but begun with half a voussoir.
std::vector<Point> shifted_joints(int voussoirs) {
  std::vector<double> angles = {0.0};
  const double step = std::numbers::pi / voussoirs;
  for (int k = 0; 2 * k + 1 < voussoirs; ++k) angles.push_back(step * (k + 0.5));
  return mirrored_joints(angles, voussoirs % 2 == 1);
}

/// The plane y = at + by_x·x + by_z·z.
struct Cut {
  Rational at;
  Rational by_x{0};
  Rational by_z{0};

  [[nodiscard]] Point3 put(const Point& p) const {
    return Point3(p[0], at + by_x * p[0] + by_z * p[1], p[1]);
  }
};

/// What lies between two radial joints, the radii 1 ± t/2, and two cuts.
std::vector<Point3> stone(const Point& from, const Point& to, const Rational& thickness,
                          const Cut& front, const Cut& back) {
  const Rational inner = 1 - thickness / 2;
  const Rational outer = 1 + thickness / 2;
  std::vector<Point3> points;
  for (const Cut& cut : {front, back}) {
    for (const Point& p : std::vector<Point>{inner * from, outer * from, outer * to, inner * to}) {
      points.push_back(cut.put(p));
    }
  }
  return points;
}

const Range kThickness{.low = 0, .high = 1, .open_low = true};
const Range kDepths{.low = 0, .high = 1000, .open_low = true};

/// The plane's arch with a depth along y: it stands where the plane's does.
SpaceDocument make_space_arch(const Options& options) {
  const int voussoirs = options.count("voussoirs", 2, 10'000);
  const Rational thickness = options.number("thickness", kThickness);
  const Rational depth = options.number("depth", kDepths);
  SpaceDocument scene("arch, " + std::to_string(voussoirs) + " voussoirs, t/R = " +
                          options.text("thickness") + ", friction " + options.text("friction"),
                      options.friction());
  scene.add_ground();
  const std::vector<Point> joints = even_joints(voussoirs, 0.0);
  for (std::size_t i = 0; i + 1 < joints.size(); ++i) {
    scene.add_hull("voussoir " + std::to_string(i + 1),
                   stone(joints[i], joints[i + 1], thickness, {-depth / 2}, {depth / 2}));
  }
  return scene;
}

/// Arches side by side. In stack bond they all are alike; in half bond every second one begins with
/// half a voussoir, so that the joints of neighbours do not meet.
SpaceDocument make_barrel_vault(const Options& options) {
  const int voussoirs = options.count("voussoirs", 2, 1000);
  const int rows = options.count("rows", 1, 99);
  const Rational thickness = options.number("thickness", kThickness);
  const Rational depth = options.number("depth", kDepths);
  const bool half_bond = options.word("bond", {"half", "stack"}) == "half";
  SpaceDocument scene("barrel vault, " + std::to_string(rows) + " rows of " +
                          std::to_string(voussoirs) + " voussoirs, t/R = " +
                          options.text("thickness") + ", friction " + options.text("friction"),
                      options.friction());
  scene.add_ground();
  for (int row = 0; row < rows; ++row) {
    const std::vector<Point> joints =
        half_bond && row % 2 == 1 ? shifted_joints(voussoirs) : even_joints(voussoirs, 0.0);
    const Cut front{depth * (2 * row - rows) / 2};
    const Cut back{depth * (2 * row + 2 - rows) / 2};
    const std::string prefix = "voussoir " + std::to_string(row + 1) + '.';
    for (std::size_t i = 0; i + 1 < joints.size(); ++i) {
      scene.add_hull(prefix + std::to_string(i + 1),
                     stone(joints[i], joints[i + 1], thickness, front, back));
    }
  }
  return scene;
}

/// Cuts of one course of a bridge into stones: in about equal steps, somewhat askew, but for the two
/// faces of the bridge. Askew cuts of one course stay apart: |x|, |z| < 2, so that a slope of 1/40 in
/// each moves a cut by less than 1/10 of a step with the quarter step that it is drawn aside.
std::vector<Cut> random_cuts(int stones, const Rational& depth, Random& random) {
  const Rational step = depth / stones;
  const auto drawn = [&random] { return Rational(random.below(33) - 16, 16); };
  std::vector<Cut> cuts = {{-depth / 2}};
  for (int i = 1; i < stones; ++i) {
    const Rational at = -depth / 2 + step * (i + drawn() / 4);
    cuts.push_back({at, step * drawn() / 40, step * drawn() / 40});
  }
  cuts.push_back({depth / 2});
  return cuts;
}

/// A segment of an arch between two fixed abutments, every course of it cut into stones at random:
/// irregular hulls whose joints are bridged by the next course. With a skew s its faces run along
/// (s, 1, 0), the line of thrust is not square to the joints' ends, and it needs more friction.
SpaceDocument make_bridge(const Options& options) {
  const int courses = options.count("courses", 2, 1000);
  const int stones = options.count("stones", 1, 100);
  const Rational degrees = options.number("angle", {.low = 10, .high = 170});
  const Rational thickness = options.number("thickness", kThickness);
  const Rational depth = options.number("depth", kDepths);
  const Rational skew = options.number("skew", {.low = -2, .high = 2});
  const int seed = options.count("seed", 0, 1'000'000'000);

  SpaceDocument scene("bridge, " + std::to_string(courses) + " courses of " +
                          std::to_string(stones) + " stones, seed " + std::to_string(seed),
                      options.friction());
  const auto sheared = [&skew](std::vector<Point3> points) {
    for (Point3& p : points) p[0] += skew * p[1];
    return points;
  };
  const double springing = (180.0 - to_double(degrees)) / 360.0 * std::numbers::pi;
  const std::vector<Point> joints = even_joints(courses, springing);
  for (const auto& [name, joint] :
       {std::pair("right abutment", joints.front()), std::pair("left abutment", joints.back())}) {
    std::vector<Point3> points;
    for (const Rational& y : {Rational(-depth / 2), Rational(depth / 2)}) {
      for (const Rational& radius : {Rational(1 - thickness / 2), Rational(1 + thickness / 2)}) {
        const Point p = radius * joint;
        points.emplace_back(p[0], y, p[1]);
        points.emplace_back(p[0], y, joint[1] - 1);
      }
    }
    scene.add_hull(name, sheared(std::move(points)), {.fixed = true, .mass = {}});
  }
  Random random(static_cast<std::uint64_t>(seed));
  for (std::size_t i = 0; i + 1 < joints.size(); ++i) {
    const std::vector<Cut> cuts = random_cuts(stones, depth, random);
    const std::string prefix = "stone " + std::to_string(i + 1) + '.';
    for (std::size_t j = 0; j + 1 < cuts.size(); ++j) {
      scene.add_hull(prefix + std::to_string(j + 1),
                     sheared(stone(joints[i], joints[i + 1], thickness, cuts[j], cuts[j + 1])));
    }
  }
  return scene;
}

/// Two flights of n courses that approach each other by e each, and caps across the gap of 1/4 that
/// is left. Blocks are 1 × 1/2 × 1/4, along y in half bond. Without friction the k topmost blocks of
/// a flight with half a cap on their far end must have their centre of mass behind the edge of the
/// next block: e ≤ (2k + 3/4)/(2k(k + 2)) for k = 1, …, n − 1.
SpaceDocument make_corbelled_vault(const Options& options) {
  const int courses = options.count("courses", 1, 1000);
  const int rows = options.count("rows", 1, 40);
  const Rational step = options.number("step", {.low = 0, .high = 1, .open_high = true});
  const Rational height(1, 4);
  const Rational depth(1, 2);
  const Rational half_gap(1, 8);

  SpaceDocument scene(
      "corbelled vault, " + std::to_string(courses) + " courses, step " + options.text("step"),
      options.friction());
  scene.add_ground();
  for (int course = 0; course <= courses; ++course) {
    const bool is_cap = course == courses;
    const Rational middle =
        is_cap ? Rational(0) : half_gap + step * (courses - 1 - course) + Rational(1, 2);
    std::vector<Rational> ends = {0};  // of blocks along y
    for (int i = 0; i < rows; ++i) {
      if (course % 2 == 1) ends.push_back(depth * (2 * i + 1) / 2);
      if (course % 2 == 0 || i + 1 == rows) ends.push_back(depth * (i + 1));
    }
    for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
      const Point3 sides(1, ends[i + 1] - ends[i], height);
      const Rational y = (ends[i] + ends[i + 1]) / 2;
      const Rational z = height * (2 * course + 1) / 2;
      const std::string number = std::to_string(course + 1) + '.' + std::to_string(i + 1);
      if (is_cap) {
        scene.add_box("cap " + std::to_string(i + 1), sides, Point3(0, y, z));
      } else {
        scene.add_box("left " + number, sides, Point3(-middle, y, z));
        scene.add_box("right " + number, sides, Point3(middle, y, z));
      }
    }
  }
  return scene;
}

}  // namespace

std::vector<Recipe> vault_recipes() {
  const Option voussoirs{"voussoirs", "20", "number of voussoirs"};
  const Option thickness{"thickness", "0.12", "thickness over the mid radius, t/R"};
  const Option depth{"depth", "1/2", "length along y"};
  return {
      {{"arch-3d",
        "a semicircular arch in space; with enough friction it stands from t/R = 0.1074 on",
        {voussoirs, thickness, depth, friction_option("0.7")}},
       make_space_arch},
      {{"barrel-vault",
        "arches side by side, in half bond; thinner than an arch it does not stand",
        {{"voussoirs", "12", "voussoirs of an arch"},
         {"rows", "5", "number of arches"},
         {"thickness", "0.15", "thickness over the mid radius, t/R"},
         {"depth", "1/4", "length of one arch along y"},
         {"bond", "half", "half: every second arch begins with half a voussoir; or stack"},
         friction_option("0.7")}},
       make_barrel_vault},
      {{"bridge",
        "a skew arch of irregular hulls between fixed abutments",
        {{"courses", "13", "from abutment to abutment"},
         {"stones", "4", "stones in a course"},
         {"angle", "120", "opening of the arch in degrees"},
         thickness,
         {"depth", "1", "length along y"},
         {"skew", "1/4", "x that its faces gain over y"},
         {"seed", "1", "another number, other stones"},
         friction_option("0.7")}},
       make_bridge},
      {{"corbelled-vault",
        "two flights of blocks that approach each other, and caps across the gap on top",
        {{"courses", "5", "number of courses below the caps"},
         {"rows", "4", "blocks along y"},
         {"step", "1/6", "offset of a block over the one below, a share of its length"},
         friction_option()}},
       make_corbelled_vault},
  };
}

}  // namespace collapse::scenes
