/// Schemes with a fixed step come to closed forms of motion with the orders that `compare` tells.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "collapse/simulate/comparison.hpp"
#include "tests/support/moving_scene.hpp"

namespace collapse::testing {
namespace {

constexpr int kHalvings = 4;

Comparison compared(const Scene<2>& scene, double until, std::int64_t intervals) {
  ComparisonOptions options;
  options.schemes = {SchemeKind::position, SchemeKind::acceleration};
  options.interval = until / static_cast<double>(intervals);
  options.intervals = intervals;
  options.halvings = kHalvings;
  return compare_schemes(scene, options);
}

/// That errors at the end are those of the closed form, from `distance` of a state to it, and fall with the first power
/// of the step.
void expect_first_order(const std::string& text, double until, std::int64_t intervals,
                        const std::function<double(const MovingScene&)>& distance) {
  const Scene<2> scene = parse_scene<2>(text);
  const Comparison comparison = compared(scene, until, intervals);
  EXPECT_EQ(comparison.reference.doubt, "");
  EXPECT_LT(comparison.reference.error, 1e-7);
  ASSERT_EQ(comparison.schemes.size(), 2U);
  for (const SchemeTrials& scheme : comparison.schemes) {
    ASSERT_EQ(scheme.trials.size(), static_cast<std::size_t>(kHalvings + 1));
    for (const Trial& trial : scheme.trials) {
      SCOPED_TRACE(std::string(to_string(scheme.scheme)) + ", step " + std::to_string(trial.step));
      SimulationOptions options;
      options.scheme = scheme.scheme;
      MovingScene moved = moving(text, trial.step, options);
      moved.run(until);
      EXPECT_NEAR(trial.error_at_end * comparison.size, distance(moved), 1e-7);
    }
    EXPECT_NEAR(*scheme.trials.back().order, 1.0, 0.05) << to_string(scheme.scheme);
    EXPECT_LT(scheme.trials.back().error, 0.1 * scheme.trials.front().error);
  }
}

TEST(SchemeOrder, IsOneForABlockThatSlidesUntilItSticks) {
  expect_first_order(R"({"collapse": 1, "dimension": 2, "gravity": [0, -10],
    "materials": {"default": {"friction": 0.4}}, "bodies": [
    {"name": "ground", "plane": {"normal": [0, 1], "offset": 0}},
    {"name": "b", "box": [1, "1/2"], "position": [0, "1/4"], "velocity": [3, 0]}]})",
                     1.0, 10, [](const MovingScene& scene) {
                       return (scene.centre("b") - Vec<2>(9.0 / 8.0, 0.25)).norm();
                     });
}

TEST(SchemeOrder, IsOneForABlockOnAMovableWedge) {
  // The gallery's wedge has the tangent 1/2; both masses follow from the scene.
  const std::string text = scenes::make_scene("wedge", {});
  const Scene<2> scene = parse_scene<2>(text);
  const double g = -scene.gravity.value.y();
  const auto body = [&](const char* name) {
    return scene.bodies[static_cast<std::size_t>(*scene.find_body(name))];
  };
  const double m = body("block").mass.mass;
  const double wedge = body("wedge").mass.mass;
  const double sine = 1.0 / std::sqrt(5.0);
  const double cosine = 2.0 / std::sqrt(5.0);
  // Of the wedge, away from the block; of the block relative to it, down the slope.
  const double recoil = m * g * sine * cosine / (wedge + m * sine * sine);
  const double along = (wedge + m) * g * sine / (wedge + m * sine * sine);
  const double time = 0.25;
  const double half = 0.5 * time * time;
  expect_first_order(text, time, 8, [&](const MovingScene& moved) {
    const auto way = [&](const char* name) {
      const int index = moved.body(name);
      return Vec<2>(moved.centre(name) - moved.start.centre(*moved.scene, index));
    };
    const double side = way("block").x() - way("wedge").x() > 0.0 ? 1.0 : -1.0;
    const Vec<2> wedge_way(-side * half * recoil, 0.0);
    const Vec<2> block_way = wedge_way + half * along * Vec<2>(side * cosine, -sine);
    return std::max((way("wedge") - wedge_way).norm(), (way("block") - block_way).norm());
  });
}

TEST(SchemeOrder, IsOneForAPendulumAtTheTimeOfItsLowestPoint) {
  // ω² = 3 g sin(θ)/l for a thin rod from the horizontal; here a box of 1 × 1/5 about the middle of its short side.
  const double inertia = 0.25 + (1.0 + 0.04) / 12.0;
  double time = 0.0;  // ∫ dθ/ω over a quarter, with θ = u² against the singular start
  constexpr int kParts = 20000;
  const double end = std::sqrt(std::acos(0.0));
  for (int i = 0; i < kParts; ++i) {
    const double u = (i + 0.5) * end / kParts;
    time += 2.0 * u / std::sqrt(10.0 * std::sin(u * u) / inertia) * end / kParts;
  }
  const std::string text = R"({"collapse": 1, "dimension": 2, "gravity": [0, -10], "bodies": [
    {"name": "link", "box": [1, "1/5"], "position": ["1/2", 0]}],
    "joints": [{"type": "pin", "bodies": ["world", "link"], "at": [0, 0]}]})";
  const double reach = 0.5 * std::sqrt(1.04);
  expect_first_order(text, time, 40, [&](const MovingScene& moved) {
    const double turned = std::abs(moved.angle("link") + std::acos(0.0));
    return (moved.centre("link") - Vec<2>(0.0, -0.5)).norm() + turned * reach;
  });
}

}  // namespace
}  // namespace collapse::testing
