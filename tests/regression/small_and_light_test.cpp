/// Stacks of small bodies, and heavy bodies on light ones, once were brought down by what the programs of a step let
/// give way: it tilted bodies that are small beside what falls in a step, and did not vanish under a heavy load.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/moving_scene.hpp"

namespace collapse::testing {
namespace {

constexpr const char* kGround =
    R"({"collapse": 1, "dimension": 2, "gravity": [0, -10], "bodies": [
    {"name": "ground", "fixed": true, "plane": {"normal": [0, 1], "offset": 0}})";

double way_in_two_seconds(const std::string& text) {
  MovingScene scene = moving(text);
  scene.run(2.0);
  // Rounding, at ratios of masses of up to 1e12; it was 5 % and more.
  EXPECT_LE(scene.simulation.account().max_gain, 1e-5 * scene.simulation.account().initial_energy);
  return scene.farthest();
}

TEST(SmallBodies, StandInALeaningStack) {
  for (const int parts : {1, 100, 1000, 10000}) {
    std::string text = kGround;
    for (int i = 0; i < 6; ++i) {
      text += fmt::format(
          R"(, {{"name": "{0}", "box": ["1/{1}", "1/{1}"], "position": ["{0}/{2}", "{3}/{4}"]}})",
          i, parts, 10 * parts, 2 * i + 1, 2 * parts);
    }
    EXPECT_LE(way_in_two_seconds(text + "]}"), 1e-6 / parts) << parts;
  }
}

TEST(HeavyOnLight, StandsStill) {
  for (const char* exponent : {"2", "4", "6"}) {
    const std::string text =
        std::string(kGround) +
        fmt::format(
            R"(, {{"name": "light", "box": [1, 1], "position": [0, "1/2"], "mass": "1e-{0}"}},
                      {{"name": "heavy", "box": [1, 1], "position": [0, "3/2"], "mass": "1e{0}"}}]}})",
            exponent);
    EXPECT_LE(way_in_two_seconds(text), 1e-6) << exponent;
  }
}

}  // namespace
}  // namespace collapse::testing
