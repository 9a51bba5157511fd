/// What stands by `check` stays where it is at sixty steps a second, and what falls comes down.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/support/checked_scene.hpp"
#include "tests/support/moving_scene.hpp"
#include "tests/support/random_space_scene.hpp"

namespace collapse::testing {
namespace {

/// Of the smallest body: what has moved further has fallen.
constexpr double kFallen = 0.01;

struct MotionVerdict {
  double farthest = 0.0;  ///< over the size of the smallest body
  double time = 0.0;
  double penetration = 0.0;

  [[nodiscard]] bool fell() const { return farthest > kFallen; }
  [[nodiscard]] bool stayed() const { return farthest <= 1e-6; }
};

/// Until it has fallen, or for so long.
MotionVerdict verdict_of_motion(const std::string& text, double longest) {
  MovingSceneOf<3> scene = moving<3>(text);
  double size = std::numeric_limits<double>::infinity();
  for (const Body<3>& body : scene.scene->bodies) size = std::min(size, body.shape.size());
  MotionVerdict verdict;
  while (scene.simulation.time() < longest && !verdict.fell()) {
    scene.simulation.step();
    verdict.farthest = scene.farthest() / size;
  }
  verdict.time = scene.simulation.time();
  verdict.penetration = scene.simulation.account().max_penetration / size;
  return verdict;
}

void expect_verdict_of_check(const std::string& name, const std::string& text, double longest) {
  const Stability check = stability_of(parse_scene<3>(text));
  ASSERT_NE(check, Stability::undecided) << name;
  const MotionVerdict motion = verdict_of_motion(text, longest);
  EXPECT_EQ(motion.stayed(), check == Stability::stable) << name << ": " << motion.farthest;
  EXPECT_EQ(motion.fell(), check == Stability::unstable) << name << ": " << motion.farthest;
  EXPECT_LE(motion.penetration, 1e-6) << name;
}

struct GalleryCase {
  const char* name;
  SceneOptions options;
};

std::string title_of(const GalleryCase& scene) {
  std::string title = scene.name;
  for (const auto& [key, value] : scene.options) title += " " + key + "=" + value;
  return title;
}

void expect_verdicts_of_check(const std::vector<GalleryCase>& cases, double longest) {
  for (const GalleryCase& scene : cases) {
    expect_verdict_of_check(title_of(scene), scenes::make_scene(scene.name, scene.options),
                            longest);
  }
}

/// Ten cubes of 1, the top one of mass `top`, each shifted over the one below.
std::string cubes(const std::string& top, const Rational& shift) {
  scenes::SpaceDocument scene("cubes", Rational(1, 2));
  scene.add_ground();
  for (int i = 0; i < 10; ++i) {
    scenes::BodyTraits traits;
    if (i == 9) traits.mass = *parse_rational(top);
    scene.add_box("cube " + std::to_string(i + 1), scenes::Point3(1, 1, 1),
                  scenes::Point3(shift * i, shift * (i % 2), Rational(2 * i + 1, 2)), traits);
  }
  return scene.text();
}

TEST(MotionOfTenCubes, HasTheVerdictOfCheckAlsoUnderAHeavyTop) {
  expect_verdict_of_check("straight", cubes("1", 0), 5.0);
  expect_verdict_of_check("heavy top", cubes("100", 0), 5.0);
  // Leaning: the limit is where the middle of all above the lowest is over its edge.
  expect_verdict_of_check("leaning", cubes("1", Rational(98, 1000)), 5.0);
  expect_verdict_of_check("leaning too far", cubes("1", Rational(102, 1000)), 5.0);
  expect_verdict_of_check("leaning, heavy top", cubes("100", Rational(1, 20)), 5.0);
  expect_verdict_of_check("leaning too far, heavy top", cubes("100", Rational(7, 100)), 5.0);
}

TEST(MotionOfStacks, HasTheVerdictOfCheck) {
  expect_verdicts_of_check(
      {{"stack", {{"blocks", "5"}, {"lean", "0.1996"}, {"lean-y", "0.05"}}},
       {"stack", {{"blocks", "5"}, {"lean", "0.2004"}, {"lean-y", "0.05"}}},
       {"stack", {{"blocks", "5"}, {"lean", "0.1"}, {"lean-y", "-0.2004"}}},
       {"stack", {{"blocks", "2"}, {"lean", "0.498"}, {"lean-y", "0"}, {"twist", "45"}}},
       {"stack", {{"blocks", "2"}, {"lean", "0.502"}, {"lean-y", "0"}, {"twist", "45"}}},
       {"tower-3d", {{"layers", "5"}, {"gap", "0.499"}}},
       {"tower-3d", {{"layers", "5"}, {"gap", "0.501"}}},
       {"tower-3d", {{"layers", "8"}, {"top-mass", "100"}}}},
      5.0);
}

TEST(MotionOfJenga, HasTheVerdictOfCheck) {
  for (const char* missing :
       {"none", "3.1,3.3", "3.2", "2.1,3.3,4.2,5.1", "3.1,3.2", "3.2,3.3", "2.1,2.2,2.3"}) {
    expect_verdicts_of_check(
        {{"jenga", {{"levels", "6"}, {"missing", missing}, {"friction", "1/2"}}}}, 3.0);
  }
  expect_verdicts_of_check({{"jenga", {}}}, 3.0);
}

TEST(MotionOfWalls, HasTheVerdictOfCheck) {
  const auto wall = [](const char* lean) {
    return GalleryCase{
        "wall-3d",
        {{"courses", "5"}, {"width", "3"}, {"depth", "0"}, {"lean", lean}, {"friction", "0"}}};
  };
  expect_verdicts_of_check({wall("0.0998"), wall("-0.0998"), wall("0.1002"), {"wall-3d", {}}}, 5.0);
}

TEST(MotionOfArches, HasTheVerdictOfCheck) {
  const auto arch = [](const char* voussoirs, const char* thickness, const char* friction) {
    return GalleryCase{
        "arch-3d", {{"voussoirs", voussoirs}, {"thickness", thickness}, {"friction", friction}}};
  };
  expect_verdicts_of_check({arch("10", "0.109", "0.7"),
                            arch("10", "0.105", "0.7"),
                            arch("20", "0.25", "0.33"),
                            arch("20", "0.25", "0.28"),
                            {"barrel-vault", {}},
                            {"bridge", {}},
                            {"bridge", {{"friction", "0"}}}},
                           5.0);
}

TEST(MotionOnFriction, HasTheVerdictOfCheck) {
  const auto block = [](const char* tilt, const char* direction) {
    return GalleryCase{
        "tilted-block",
        {{"tilt", tilt}, {"direction", direction}, {"aspect", "2"}, {"friction", "0.4"}}};
  };
  const auto tipping = [](const char* tilt, const char* direction) {
    return GalleryCase{
        "tilted-block",
        {{"tilt", tilt}, {"direction", direction}, {"aspect", "1/2"}, {"friction", "5"}}};
  };
  // atan 0.4 = 21.801°; over the corner in 45°: atan √½ = 35.264°, over the side atan ½ = 26.565°.
  expect_verdicts_of_check(
      {block("21.77", "0"), block("21.83", "0"), block("21.77", "30"), block("21.83", "30"),
       tipping("26.5", "0"), tipping("26.63", "0"), tipping("35.2", "45"), tipping("35.33", "45")},
      5.0);
  expect_verdicts_of_check({{"spheres", {{"friction", "1/2"}}},
                            {"spheres", {{"friction", "1/20"}}},
                            {"keystone", {}},
                            {"keystone", {{"friction", "1/10"}}},
                            {"table", {}},
                            {"tripod", {}},
                            {"chain", {{"links", "3"}}}},
                           2.0);
}

TEST(MotionOfRandomStructures, HasTheVerdictOfCheck) {
  constexpr int kScenes = 40;
  int standing = 0;
  int falling = 0;
  for (int number = 0; number < kScenes; ++number) {
    Random random(static_cast<std::uint64_t>(number));
    const std::string text = random_upright_scene(random);
    const Stability check = stability_of(parse_scene<3>(text));
    if (check == Stability::undecided) continue;
    standing += check == Stability::stable ? 1 : 0;
    falling += check == Stability::unstable ? 1 : 0;
    const MotionVerdict motion = verdict_of_motion(text, 3.0);
    EXPECT_EQ(motion.stayed(), check == Stability::stable) << number << ": " << motion.farthest;
    EXPECT_EQ(motion.fell(), check == Stability::unstable) << number << ": " << motion.farthest;
    EXPECT_LE(motion.penetration, 1e-6) << number;
  }
  EXPECT_GT(standing, kScenes / 5);
  EXPECT_GT(falling, kScenes / 5);
}

}  // namespace
}  // namespace collapse::testing
