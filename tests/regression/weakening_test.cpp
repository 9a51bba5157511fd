/// The weakened structure once depended on left and right, and on how a body was put together.

#include <gtest/gtest.h>

#include "tests/support/checked_scene.hpp"

namespace collapse::testing {
namespace {

/// A dumbbell on a dumbbell beside a wall.
std::string dumbbells(bool wall_on_the_left) {
  const std::string parts = R"("parts": [{"disk": 1, "position": [-2, 0]}, {"disk": 1,
      "position": [2, 0]}, {"box": [2, "1/2"]}])";
  const std::string wall = wall_on_the_left ? R"({"normal": [1, 0], "offset": -3})"
                                            : R"({"normal": [-1, 0], "offset": -3})";
  return R"({"collapse": 1, "dimension": 2, "bodies": [
    {"name": "lower", "fixed": true, )" +
         parts + R"(},
    {"name": "wall", "plane": )" +
         wall + R"(},
    {"name": "upper", )" +
         parts + R"(, "position": [0, 2]}]})";
}

TEST(Weakening, DoesNotPreferASide) {
  EXPECT_EQ(check_text(dumbbells(true)).verdict.stability,
            check_text(dumbbells(false)).verdict.stability);
}

TEST(Weakening, DoesNotDependOnTheNumberOfParts) {
  std::vector<double> margins;
  for (const int parts : {1, 2, 16}) {
    std::string beam;
    for (int i = 0; i < parts; ++i) {
      const Rational width(8, parts);
      const Rational x = -4 + width * i + width / 2;
      beam += (i == 0 ? "" : ", ") + std::string(R"({"box": [")") + to_string(width) +
              R"(", 1], "position": [")" + to_string(x) + R"(", 0]})";
    }
    const CheckedScene checked = check_text(R"({"collapse": 1, "dimension": 2, "bodies": [
      {"name": "left", "fixed": true, "polygon": [[-3, -2], [-1, -2], [-2, -1]]},
      {"name": "right", "fixed": true, "polygon": [[1, -2], [3, -2], [2, -1]]},
      {"name": "beam", "position": [0, "-1/2"], "parts": [)" +
                                            beam + "]}]}");
    ASSERT_EQ(checked.verdict.stability, Stability::stable);
    margins.push_back(checked.verdict.margin);
  }
  EXPECT_NEAR(margins[1], margins[0], 1e-9);
  EXPECT_NEAR(margins[2], margins[0], 1e-9);
}

}  // namespace
}  // namespace collapse::testing
