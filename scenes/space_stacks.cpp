#include <algorithm>
#include <charconv>
#include <numbers>
#include <set>
#include <utility>

#include "collapse/core/error.hpp"
#include "collapse/io/place.hpp"
#include "scenes/recipes.hpp"
#include "scenes/rotation.hpp"
#include "scenes/space_document.hpp"

namespace collapse::scenes {
namespace {

const Rational kHalf(1, 2);
const Rational kQuarter(1, 4);

/// n blocks of 1 × 1 × 1/2, each shifted by the same shares of its width over the one below. Without
/// twist the k topmost have their centre of mass (k + 1)/2 shifts beyond the centre of the block
/// below them, in x and in y: n ≥ 2 blocks stand where neither lean exceeds 1/n. With a twist each
/// block is also turned over the one below, and octagons touch.
SpaceDocument make_stack(const Options& options) {
  const int blocks = options.count("blocks", 1);
  const Range leans{.low = -1, .high = 1, .open_low = true, .open_high = true};
  const Rational lean_x = options.number("lean", leans);
  const Rational lean_y = options.number("lean-y", leans);
  const Rational twist = options.number("twist", {.low = -90, .high = 90});

  SpaceDocument scene("stack, " + std::to_string(blocks) + " blocks, leans " +
                          options.text("lean") + " and " + options.text("lean-y"),
                      options.friction());
  scene.add_ground();
  for (int i = 0; i < blocks; ++i) {
    // A square looks the same after a quarter turn, which keeps the half tangent from growing.
    Rational degrees = twist * i;
    degrees -= 90 * floor_of(degrees / 90);
    const Rational half = half_tangent(to_double(degrees) * std::numbers::pi / 180);
    scene.add_box("block " + std::to_string(i + 1), Point3(1, 1, kHalf),
                  Point3(lean_x * i, lean_y * i, kQuarter * (2 * i + 1)), {}, turn_about(2, half));
  }
  return scene;
}

/// Layers of two bricks of 1 × 1/2 × 1/4, crosswise, each brick on both below. A gap g between those
/// of a layer moves the middle of a brick to 1/4 + g/2, while the bricks below it end at 1/2: two
/// layers or more stand for g ≤ 1/2.
SpaceDocument make_crosswise_tower(const Options& options) {
  const int layers = options.count("layers", 1, kMaxBricks / 2);
  const Rational gap = options.number("gap", {.low = 0, .high = 1, .open_high = true});
  const Rational top_mass =
      options.number("top-mass", {.low = 0, .high = 1'000'000'000, .open_low = true});

  SpaceDocument scene("crosswise tower, " + std::to_string(layers) + " layers", options.friction());
  scene.add_ground();
  const Rational aside = (kHalf + gap) / 2;
  for (int layer = 0; layer < layers; ++layer) {
    const Rational z = kQuarter * (2 * layer + 1) / 2;
    BodyTraits traits;
    if (layer + 1 == layers) traits.mass = top_mass;
    const std::string name = "brick " + std::to_string(layer + 1) + '.';
    for (const int side : {-1, 1}) {
      const bool along_x = layer % 2 == 0;
      scene.add_box(name + (side < 0 ? '1' : '2'),
                    along_x ? Point3(1, kHalf, kQuarter) : Point3(kHalf, 1, kQuarter),
                    along_x ? Point3(0, side * aside, z) : Point3(side * aside, 0, z), traits);
    }
  }
  return scene;
}

/// A block of a jenga tower: level and place in it, both from 1.
using Slot = std::pair<int, int>;

std::optional<Slot> parse_slot(const std::string& word) {
  const std::size_t dot = word.find('.');
  if (dot == std::string::npos) return std::nullopt;
  Slot slot;
  const char* const begin = word.data();
  const auto [level_end, level_fault] = std::from_chars(begin, begin + dot, slot.first);
  const auto [place_end, place_fault] =
      std::from_chars(begin + dot + 1, begin + word.size(), slot.second);
  const bool all_read = level_fault == std::errc() && place_fault == std::errc() &&
                        level_end == begin + dot && place_end == begin + word.size();
  return all_read ? std::optional(slot) : std::nullopt;
}

/// `2.1,2.3`: blocks of the tower that are not there; `none`.
std::set<Slot> missing_slots(const Options& options, int levels) {
  const std::string& text = options.text("missing");
  std::set<Slot> missing;
  if (text == "none") return missing;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::optional<Slot> slot = parse_slot(text.substr(begin, end - begin));
    if (!slot || slot->first < 1 || slot->first > levels || slot->second < 1 || slot->second > 3) {
      throw Error("missing", in_quotes(text),
                  "none, or LEVEL.PLACE with levels up to " + std::to_string(levels) +
                      " and places 1, 2, 3, as in 2.1,2.3");
    }
    missing.insert(*slot);
    begin = end + 1;
  }
  return missing;
}

/// Levels of three blocks of 3 × 1 × 3/5, crosswise. A level that keeps its middle block, or both
/// others, carries what is above; one that keeps a block at the side alone does not.
SpaceDocument make_jenga(const Options& options) {
  const int levels = options.count("levels", 1, kMaxBricks / 3);
  const std::set<Slot> missing = missing_slots(options, levels);
  const Rational height(3, 5);

  SpaceDocument scene(
      "jenga, " + std::to_string(levels) + " levels, without " + options.text("missing"),
      options.friction());
  scene.add_ground();
  for (int level = 0; level < levels; ++level) {
    for (int place = 0; place < 3; ++place) {
      if (missing.contains({level + 1, place + 1})) continue;
      const bool along_x = level % 2 == 0;
      const Rational z = height * (2 * level + 1) / 2;
      scene.add_box("block " + std::to_string(level + 1) + '.' + std::to_string(place + 1),
                    along_x ? Point3(3, 1, height) : Point3(1, 3, height),
                    along_x ? Point3(0, place - 1, z) : Point3(place - 1, 0, z));
    }
  }
  return scene;
}

/// A course of a wall as it grows, in bricks of height 1/4.
struct Course {
  SpaceDocument& scene;
  std::string prefix;
  Rational z;      ///< of the centres
  Rational shift;  ///< in y
  int bricks = 0;

  void add(const Rational& x0, const Rational& x1, const Rational& y0, const Rational& y1) {
    scene.add_box(prefix + std::to_string(++bricks), Point3(x1 - x0, y1 - y0, kQuarter),
                  Point3((x0 + x1) / 2, (y0 + y1) / 2 + shift, z));
  }
};

/// `width` bricks along x; every second course begins and ends with half a brick.
void add_straight_course(Course& course, int width, bool even) {
  if (even) {
    for (int i = 0; i < width; ++i) course.add(i, i + 1, 0, kHalf);
    return;
  }
  course.add(0, kHalf, 0, kHalf);
  for (int i = 0; i + 1 < width; ++i) course.add(i + kHalf, i + 1 + kHalf, 0, kHalf);
  course.add(width - kHalf, width, 0, kHalf);
}

/// Four walls around a yard: those along x reach into the corners in even courses, those along y in
/// the others, so that all joints are bridged by whole bricks, in the corners too.
void add_closed_course(Course& course, int width, int depth, bool even) {
  const Rational begin = even ? Rational(0) : kHalf;
  for (int i = 0; i < (even ? width : width - 1); ++i) {
    for (const Rational& y : {Rational(0), Rational(depth - kHalf)}) {
      course.add(begin + i, begin + i + 1, y, y + kHalf);
    }
  }
  for (int i = 0; i < (even ? depth - 1 : depth); ++i) {
    for (const Rational& x : {Rational(0), Rational(width - kHalf)}) {
      course.add(x, x + kHalf, kHalf - begin + i, kHalf - begin + i + 1);
    }
  }
}

/// Bricks of 1 × 1/2 × 1/4 in half bond: a straight wall of `width` bricks, or with a depth of at
/// least 2 four walls of a house. Courses lean over those below them by the same length in y: a
/// straight wall of n ≥ 2 courses stands for up to 1/(2n).
SpaceDocument make_space_wall(const Options& options) {
  const int courses = options.count("courses", 1);
  const int width = options.count("width", 2, 1000);
  const int depth = options.count("depth", 0, 1000);
  if (depth == 1) throw Error("depth", "1", "0 for a straight wall, or at least 2");
  const int in_course = depth == 0 ? width + 1 : 2 * (width + depth - 1);
  if (courses > kMaxBricks / in_course) {
    throw Error("courses",
                std::to_string(courses) + " of about " + std::to_string(in_course) + " bricks",
                "at most " + std::to_string(kMaxBricks) + " bricks in all");
  }
  const Rational lean =
      options.number("lean", {.low = -kHalf, .high = kHalf, .open_low = true, .open_high = true});

  SpaceDocument scene((depth == 0 ? "wall, " : "house, ") + std::to_string(courses) +
                          " courses, lean " + options.text("lean"),
                      options.friction());
  scene.add_ground();
  for (int i = 0; i < courses; ++i) {
    Course course{scene, "brick " + std::to_string(i + 1) + '.', kQuarter * (2 * i + 1) / 2,
                  lean * i};
    if (depth == 0) {
      add_straight_course(course, width, i % 2 == 0);
    } else {
      add_closed_course(course, width, depth, i % 2 == 0);
    }
  }
  return scene;
}

}  // namespace

std::vector<Recipe> space_stack_recipes() {
  return {
      {{"stack",
        "blocks in space, shifted in x and y; n of them stand for leans of up to 1/n",
        {{"blocks", "6", "number of blocks, n"},
         {"lean", "1/10", "offset in x of a block over the one below, a share of its width"},
         {"lean-y", "1/20", "offset in y"},
         {"twist", "0", "degrees that a block is turned over the one below"},
         friction_option()}},
       make_stack},
      {{"tower-3d",
        "layers of two bricks, crosswise; it stands for gaps of up to 1/2",
        {{"layers", "8", "number of layers"},
         {"gap", "1/4", "between the bricks of a layer"},
         {"top-mass", "1/8", "mass of each brick of the top layer; the others have 1/8"},
         friction_option()}},
       make_crosswise_tower},
      {{"jenga",
        "levels of three blocks, crosswise, some missing; it falls where one at the side is left",
        {{"levels", "9", "number of levels"},
         {"missing", "2.1,2.3,4.2,5.1,7.1,7.3", "none, or blocks as LEVEL.PLACE, both from 1"},
         friction_option("1/2")}},
       make_jenga},
      {{"wall-3d",
        "a wall that may lean, or four walls of a house; n straight courses stand for 1/(2n)",
        {{"courses", "6", "number of courses"},
         {"width", "4", "length in bricks"},
         {"depth", "3", "of the house in bricks; 0 for a straight wall"},
         {"lean", "0", "offset in y of a course over the one below"},
         friction_option("1/2")}},
       make_space_wall},
  };
}

}  // namespace collapse::scenes
