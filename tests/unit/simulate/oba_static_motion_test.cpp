/// Static contact by accelerations and by moving cones (static=accelerations, static=cones of scheme oba) through whole
/// frames, with the number of iterations that is the default.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/support/watched_motion.hpp"

namespace collapse::testing {
namespace {

SimulationOptions static_contact_by(const std::string& kind) {
  SimulationOptions options;
  options.scheme = SchemeKind::oba;
  options.step = 1.0 / 30.0;
  options.oba.set_all(kind);
  return options;
}

/// Cubes on each other, from where they lie.
std::string lying_stack(int cubes) {
  std::string bodies = kSpaceGround;
  for (int k = 0; k < cubes; ++k) {
    bodies += R"(, {"name": "cube )" + std::to_string(k) + R"(", "box": [1, 1, 1], "position": )" +
              written(Vec<3>(k % 2 == 0 ? 0.0 : 0.0625, 0.0, k + 0.5)) + "}";
  }
  return space_scene(bodies, R"({"friction": "3/10"})");
}

TEST(ObaStaticContact, KeepsAStackWhereItIsByAnyMeans) {
  for (const char* kind : {"static=impulses", "static=accelerations", "static=cones"}) {
    WatchedMotion stack(lying_stack(6), static_contact_by(kind));
    stack.run_frames(90);
    EXPECT_LE(stack.farthest(), 1e-5) << kind;
    EXPECT_LE(stack.kinetic_energy(), 1e-8 * 10.0) << kind;  // of m g L
    EXPECT_LE(stack.overlap, 1e-6) << kind;
    EXPECT_LE(stack.gain, 1e-6 * 10.0) << kind;
  }
}

/// What has fallen a little and comes to rest there.
TEST(ObaStaticContact, BringsAFallingStackToRestByAnyMeans) {
  for (const char* kind : {"static=impulses", "static=accelerations", "static=cones"}) {
    WatchedMotion stack(scenes::make_scene("oba-stack", {{"cubes", "4"}}), static_contact_by(kind));
    stack.run_frames(200);
    const double lying = 800.0 * 10.0;  // m g L
    EXPECT_LE(stack.kinetic_energy(), 1e-8 * lying) << kind;
    EXPECT_LE(stack.overlap, 1e-4) << kind;
    EXPECT_LE(stack.gain, 1e-6 * stack.most_kinetic) << kind;
  }
}

/// A flat block on a slope of the tangent 0.3, and where it is after `frames`, along the slope.
WatchedMotion block_on_incline(const std::string& friction, const std::string& settings,
                               int frames) {
  const double angle = std::atan(0.3);
  const Vec<3> normal(std::sin(angle), 0.0, std::cos(angle));
  WatchedMotion slope(
      space_scene(R"({"name": "slope", "plane": {"normal": [3, 0, 10], "offset": 0}},
                     {"name": "block", "box": [2, 2, "1/2"], "position": )" +
                      written(0.25 * normal) + R"(, "rotation_vector": [0, )" +
                      std::to_string(angle * 180.0 / std::numbers::pi) + ", 0]}",
                  R"({"friction": )" + friction + "}"),
      static_contact_by(settings));
  slope.run_frames(frames);
  return slope;
}

TEST(ObaMovingCones, HoldABlockBelowTheAngleOfFriction) {
  for (const char* cone : {"", ",cone=circular"}) {
    const WatchedMotion slope = block_on_incline("0.35", std::string("static=cones") + cone, 90);
    EXPECT_LE(slope.farthest(), 1e-5) << cone;
    EXPECT_LE(slope.overlap, 1e-6) << cone;
  }
}

/// g (sin α − μ cos α) is what it slides with. Where cones still move after the last iteration it lifts a little, leaves
/// the slope after a few frames, and comes down with the friction of a collision: slower, and on.
TEST(ObaMovingCones, LetABlockSlideAboveTheAngleOfFriction) {
  struct Sliding {
    const char* settings;
    double least;  ///< of the way in closed form
  };
  constexpr int kFrames = 30;
  for (const auto& [settings, least] : {Sliding{"static=cones", 0.6},
                                        {"static=cones,cone=circular", 0.6},
                                        {"static=cones,iterations=10", 0.98}}) {
    const WatchedMotion slope = block_on_incline("0.2", settings, kFrames);
    const double t = kFrames / 30.0;
    const double expected = 0.5 * 10.0 * (0.3 - 0.2) / std::hypot(1.0, 0.3) * t * t;
    EXPECT_GE(slope.farthest(), least * expected) << settings;
    EXPECT_LE(slope.farthest(), 1.04 * expected) << settings;  // of a step of 1/30
    EXPECT_LE(slope.overlap, 1e-6) << settings;
    EXPECT_LE(slope.gain, 1e-6 * slope.most_kinetic) << settings;
  }
}

/// They know no friction: the same block slides with g sin α, whatever μ.
TEST(ObaAccelerations, LetABlockSlideAsWithoutFriction) {
  constexpr int kFrames = 30;
  const WatchedMotion slope = block_on_incline("0.35", "static=accelerations", kFrames);
  const double t = kFrames / 30.0;
  const double expected = 0.5 * 10.0 * 0.3 / std::hypot(1.0, 0.3) * t * t;
  EXPECT_NEAR(slope.farthest(), expected, 0.05 * expected);
  EXPECT_LE(slope.overlap, 1e-6);
  EXPECT_LE(slope.gain, 1e-6 * slope.most_kinetic);
}

}  // namespace
}  // namespace collapse::testing
