/// Structures with friction, on both sides of their published limits.

#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "tests/support/checked_scene.hpp"

namespace collapse::testing {
namespace {

std::string times(const std::string& number, const Rational& factor) {
  return to_string(*parse_rational(number) * factor);
}

const Rational kBelow(998, 1000);
const Rational kAbove(1002, 1000);

TEST(Slope, BlockSlidesWhereTheTangentExceedsFriction) {
  // A flat block, so that it cannot tip first.
  const SceneOptions base = {{"slope", "1/2"}, {"aspect", "3"}};
  const auto with = [&](const std::string& friction) {
    SceneOptions options = base;
    options["friction"] = friction;
    return stability_of("slope", options);
  };
  EXPECT_EQ(with(times("1/2", kAbove)), Stability::stable);
  EXPECT_EQ(with(times("1/2", kBelow)), Stability::unstable);
  EXPECT_NE(with("1/2"), Stability::unstable);
}

TEST(Slope, BlockTipsWhereTheTangentExceedsItsAspect) {
  const auto with = [](const std::string& aspect) {
    return stability_of("slope", {{"slope", "1/2"}, {"aspect", aspect}, {"friction", "4"}});
  };
  EXPECT_EQ(with(times("1/2", kAbove)), Stability::stable);
  EXPECT_EQ(with(times("1/2", kBelow)), Stability::unstable);
  EXPECT_NE(with("1/2"), Stability::unstable);
}

TEST(Ladder, StandsUpToTwiceTheFrictionAngle) {
  for (const double friction : {0.2, 0.5, 0.8}) {
    const double critical = 2.0 * std::atan(friction) * 180.0 / M_PI;
    const auto with = [&](double degrees) {
      return stability_of(
          "ladder", {{"lean", std::to_string(degrees)}, {"friction", std::to_string(friction)}});
    };
    EXPECT_EQ(with(0.998 * critical), Stability::stable) << friction;
    EXPECT_EQ(with(1.002 * critical), Stability::unstable) << friction;
  }
}

TEST(Wedge, HoldsTheBlockWithFrictionOfItsTangent) {
  const auto with = [](const std::string& friction) {
    return stability_of("wedge", {{"angle", "1/2"}, {"friction", friction}});
  };
  EXPECT_EQ(with("0"), Stability::unstable);
  EXPECT_EQ(with(times("1/2", kBelow)), Stability::unstable);
  EXPECT_EQ(with(times("1/2", kAbove)), Stability::stable);
}

TEST(ThreeCylinders, StandFromTwoMinusRootThreeOn) {
  const double critical = 2.0 - std::sqrt(3.0);
  const auto with = [](double friction) {
    return stability_of("cylinders", {{"friction", std::to_string(friction)}});
  };
  EXPECT_EQ(with(1.001 * critical), Stability::stable);
  EXPECT_EQ(with(0.999 * critical), Stability::unstable);
}

TEST(Arch, StandsFromThePublishedThicknessOn) {
  const std::vector<std::pair<std::string, double>> least = {
      {"10", 0.107011}, {"20", 0.107348}, {"30", 0.107410}, {"31", 0.107130},
      {"32", 0.107197}, {"40", 0.107432}, {"80", 0.107453}};
  for (const auto& [voussoirs, thickness] : least) {
    const auto with = [&, n = voussoirs](double t) {
      return stability_of(
          "arch", {{"voussoirs", n}, {"thickness", std::to_string(t)}, {"friction", "0.7"}});
    };
    EXPECT_EQ(with(1.001 * thickness), Stability::stable) << voussoirs;
    EXPECT_EQ(with(0.999 * thickness), Stability::unstable) << voussoirs;
  }
}

TEST(Arch, SlidesAtAnyThicknessWithTooLittleFriction) {
  for (const char* thickness : {"0.15", "0.25", "0.4"}) {
    EXPECT_EQ(
        stability_of("arch", {{"voussoirs", "80"}, {"thickness", thickness}, {"friction", "0.3"}}),
        Stability::unstable)
        << thickness;
  }
  EXPECT_EQ(
      stability_of("arch", {{"voussoirs", "80"}, {"thickness", "0.25"}, {"friction", "0.33"}}),
      Stability::stable);
}

/// A block between two fixed walls that it just touches.
std::string jammed(const std::string& friction) {
  return R"({"collapse": 1, "dimension": 2, "materials": {"default": {"friction": ")" + friction +
         R"("}}, "bodies": [
    {"name": "left", "fixed": true, "plane": {"normal": [1, 0], "offset": 0}},
    {"name": "right", "fixed": true, "plane": {"normal": [-1, 0], "offset": -1}},
    {"name": "block", "box": [1, 1], "position": ["1/2", 3]}]})";
}

TEST(JammedBlock, HasAnEquilibriumOfUnknownStrengthWithAnyFriction) {
  for (const char* friction : {"1/100", "1/2", "2"}) {
    const Verdict<2> verdict = check_text(jammed(friction)).verdict;
    EXPECT_EQ(verdict.stability, Stability::stable) << friction;
    EXPECT_EQ(verdict.strength, Strength::unknown) << friction;
  }
  EXPECT_EQ(check_text(jammed("0")).verdict.stability, Stability::unstable);
}

}  // namespace
}  // namespace collapse::testing
