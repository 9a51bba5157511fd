/// A heavy cube on a light one once was said to fall, from a solution whose contacts opened and pushed all the same,
/// or pushed with a thousandth of the weight.

#include <gtest/gtest.h>

#include "tests/support/onset_scene.hpp"

namespace collapse::testing {
namespace {

std::string heavy_on_light(const std::string& light, const std::string& heavy) {
  return R"({"collapse": 1, "dimension": 2, "gravity": [0, -10], "bodies": [
    {"name": "ground", "fixed": true, "plane": {"normal": [0, 1], "offset": 0}},
    {"name": "light", "box": [1, 1], "position": [0, "1/2"], "mass": ")" +
         light + R"("}, {"name": "heavy", "box": [1, 1], "position": [0, "3/2"], "mass": ")" +
         heavy + R"("}]})";
}

TEST(HeavyOnLight, RestsWhileTheArithmeticCanTell) {
  for (const char* exponent : {"0", "2", "4", "6"}) {
    const std::string power(exponent);
    const OnsetScene stack = onset_of(heavy_on_light("1e-" + power, "1e" + power));
    EXPECT_TRUE(stack.onset.decided) << power;
    EXPECT_FALSE(stack.onset.moves) << power;
    EXPECT_EQ(stack.opening(), 0U) << power;
    const double weight = 10.0 * stack.mass("heavy").mass;
    EXPECT_NEAR(stack.force("light", "heavy").y(), weight, 1e-6 * weight) << power;
  }
}

TEST(HeavyOnLight, IsUndecidedBeyond) {
  const OnsetScene stack = onset_of(heavy_on_light("1e-9", "1e9"));
  EXPECT_TRUE(!stack.onset.decided || !stack.onset.moves) << stack.onset.share;
  if (!stack.onset.decided) {
    EXPECT_NE(stack.onset.reason.find("known only to"), std::string::npos);
  }
}

TEST(FarFromTheOrigin, OnsetIsUndecidedAsTheVerdictIs) {
  const OnsetScene brick = onset_of(R"({"collapse": 1, "dimension": 2, "bodies": [
    {"name": "ground", "fixed": true, "plane": {"normal": [0, 1], "offset": 0}},
    {"name": "brick", "box": [1, 1], "position": ["1e12", "1/2"]}]})");
  EXPECT_FALSE(brick.onset.decided);
  EXPECT_NE(brick.onset.reason.find("so far from the origin"), std::string::npos);
}

}  // namespace
}  // namespace collapse::testing
