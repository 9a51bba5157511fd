#include <algorithm>
#include <utility>

#include "collapse/core/error.hpp"
#include "scenes/recipes.hpp"

namespace collapse::scenes {
namespace {

/// Where a brick of a course begins and ends.
using Span = std::pair<Rational, Rational>;

std::vector<Span> whole_course(int width, const Rational& shift, bool straight) {
  std::vector<Span> bricks;
  const bool closers = straight && shift != 0;
  if (closers) bricks.emplace_back(0, shift);
  for (int i = 0; i < (closers ? width - 1 : width); ++i) {
    bricks.emplace_back(shift + i, shift + i + 1);
  }
  if (closers) bricks.emplace_back(width - 1 + shift, width);
  return bricks;
}

/// What is left of the bricks outside `gap`; and, if `filled`, one brick that fills it.
std::vector<Span> interrupted(const std::vector<Span>& bricks, const Span& gap, bool filled) {
  std::vector<Span> rest;
  for (const auto& [left, right] : bricks) {
    if (left < gap.first) rest.emplace_back(left, std::min(right, gap.first));
  }
  if (filled) rest.push_back(gap);
  for (const auto& [left, right] : bricks) {
    if (right > gap.second) rest.emplace_back(std::max(left, gap.second), right);
  }
  return rest;
}

/// Courses 1, 3, 5, … begin at x = 0, the others at the bond's shift. With ragged ends and half
/// bond the last brick of every second course has its centre exactly above the end of the course
/// below: without friction the wall is exactly balanced.
///
/// An opening takes the lower half of the courses; the brick above it bears on half a brick's
/// length at each side. Bricks are cut where opening and lintel need it.
Document make_wall(const Options& options) {
  const int courses = options.count("courses", 1);
  const int width = options.count("width", 1);
  if (courses > kMaxBricks / width) {
    throw Error("courses", std::to_string(courses) + " of " + std::to_string(width) + " bricks",
                "at most " + std::to_string(kMaxBricks) + " bricks in all");
  }
  const Rational height = options.number("height", {.low = 0, .high = 1000, .open_low = true});
  const std::string& bond = options.word("bond", {"half", "stack", "third"});
  const bool straight = options.word("ends", {"ragged", "straight"}) == "straight";
  const int opening = options.count("opening", 0);
  if (opening > 0 && (opening > width - 2 || courses < 2)) {
    throw Error("opening", std::to_string(opening) + " bricks",
                "at most the width less 2, in a wall of at least 2 courses");
  }

  const Rational shift = bond == "half"    ? Rational(1, 2)
                         : bond == "third" ? Rational(1, 3)
                                           : Rational(0);
  const Span door(Rational(width - opening) / 2, Rational(width + opening) / 2);
  const Span lintel(door.first - Rational(1, 2), door.second + Rational(1, 2));
  const int door_courses = opening > 0 ? courses / 2 : 0;

  Document scene("wall, " + std::to_string(courses) + " courses of " + std::to_string(width) +
                     " bricks, " + bond + " bond" +
                     (opening > 0 ? ", opening of " + std::to_string(opening) : ""),
                 options.friction());
  scene.add_ground();
  for (int course = 0; course < courses; ++course) {
    std::vector<Span> bricks = whole_course(width, course % 2 == 0 ? Rational(0) : shift, straight);
    if (opening > 0 && course < door_courses) bricks = interrupted(bricks, door, false);
    if (opening > 0 && course == door_courses) bricks = interrupted(bricks, lintel, true);
    const Rational middle = height * (2 * course + 1) / 2;
    const std::string prefix = "brick " + std::to_string(course + 1) + '.';
    for (std::size_t i = 0; i < bricks.size(); ++i) {
      const auto& [left, right] = bricks[i];
      const bool is_lintel = opening > 0 && course == door_courses && bricks[i] == lintel;
      scene.add_box(is_lintel ? "lintel" : prefix + std::to_string(i + 1), right - left, height,
                    Point((left + right) / 2, middle));
    }
  }
  return scene;
}

}  // namespace

std::vector<Recipe> wall_recipes() {
  return {{{"wall",
            "a wall of bricks; in half bond with ragged ends exactly balanced without friction",
            {{"courses", "5", "number of courses"},
             {"width", "5", "bricks in a course"},
             {"height", "1/4", "height of a brick of length 1"},
             {"bond", "half", "half, third or stack: the shift of every second course"},
             {"ends", "ragged", "ragged, or straight: cut bricks at the ends"},
             {"opening", "0", "width of an opening in the middle, in bricks; 0 for none"},
             friction_option()}},
           make_wall}};
}

}  // namespace collapse::scenes
