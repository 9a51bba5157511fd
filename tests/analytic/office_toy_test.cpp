/// Newton's cradle of the dissertation, the whole scene: what the first spheres bring the last ones take away.

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/watched_motion.hpp"

namespace collapse::testing {
namespace {

constexpr int kToySpheres = 10;
/// What a sphere has at the bottom: it falls by 4 (1 − 15/17), as the gallery holds it aside.
const double kToySpeed = std::sqrt(2.0 * 10.0 * 8.0 / 17.0);

/// All at once they would share the speed, by either scheme.
SimulationOptions toy_options(SchemeKind scheme) {
  SimulationOptions options;
  options.scheme = scheme;
  options.impact = ImpactRule::sequential;
  options.step = 1.0 / 30.0;
  return options;
}

class OfficeToy : public ::testing::TestWithParam<SchemeKind> {
 protected:
  OfficeToy() : OfficeToy(1, toy_options(GetParam())) {}
  OfficeToy(int lifted, const SimulationOptions& options)
      : toy(scenes::make_scene("oba-office-toy", {{"lifted", std::to_string(lifted)}}), options) {}

  [[nodiscard]] static std::string sphere(int number) { return "sphere " + std::to_string(number); }
  /// Of all spheres but those of these numbers.
  [[nodiscard]] double fastest_but(int first, int last) const {
    double fastest = 0.0;
    for (int i = 1; i <= kToySpheres; ++i) {
      if (i < first || i > last) fastest = std::max(fastest, toy.speed(sphere(i)));
    }
    return fastest;
  }
  /// Until `hit` is faster than half of what a sphere brings, the end of the frame with the collision. What `by` had
  /// a frame before.
  double run_to_hit(const std::string& by, const std::string& hit) {
    double brought = 0.0;
    for (int frame = 0; frame < 90 && toy.speed(hit) < 0.5 * kToySpeed; ++frame) {
      brought = toy.speed(by);
      toy.run_frames(1);
    }
    return brought;
  }

  WatchedMotion toy;
};

TEST_P(OfficeToy, SendsTheLastSphereAwayWithTheSpeedOfTheFirst) {
  const double brought = run_to_hit(sphere(1), sphere(kToySpheres));
  // The default scheme is of the first order: a quarter of a swing at 1/30 takes a twentieth of the speed.
  EXPECT_NEAR(brought, kToySpeed, (GetParam() == SchemeKind::oba ? 0.01 : 0.05) * kToySpeed);
  EXPECT_NEAR(toy.velocity(sphere(kToySpheres))[0] / brought, 1.0, 0.01);
  // The others hang still while it is away.
  double restless = fastest_but(kToySpheres, kToySpheres);
  for (int frame = 0; frame < 45; ++frame) {
    toy.run_frames(1);
    restless = std::max(restless, fastest_but(kToySpheres, kToySpheres));
  }
  EXPECT_LE(restless, 0.01 * brought);
  // It comes back, and the first one goes.
  const double back = run_to_hit(sphere(kToySpheres), sphere(1));
  EXPECT_NEAR(-toy.velocity(sphere(1))[0] / back, 1.0, 0.01);
  EXPECT_LE(fastest_but(1, 1), 0.01 * back);
  EXPECT_LE(toy.overlap, 1e-6);
  EXPECT_LE(toy.gain, 1e-6 * toy.most_kinetic);
}

INSTANTIATE_TEST_SUITE_P(Schemes, OfficeToy,
                         ::testing::Values(SchemeKind::position, SchemeKind::oba),
                         [](const auto& tested) { return std::string(to_string(tested.param)); });

class OfficeToyOfThree : public OfficeToy {
 protected:
  OfficeToyOfThree() : OfficeToy(3, options()) {}
  /// Three times seven hits, one by one; by default there are no more than spheres.
  static SimulationOptions options() {
    SimulationOptions options = toy_options(GetParam());
    options.oba.sequential_collisions = 3 * 7 + kToySpheres;
    return options;
  }
};

TEST_P(OfficeToyOfThree, SendsTheLastThreeAway) {
  const double brought = run_to_hit(sphere(3), sphere(kToySpheres));
  toy.run_frames(1);  // they do not all come in the same frame
  for (int i = kToySpheres - 2; i <= kToySpheres; ++i) {
    EXPECT_NEAR(toy.velocity(sphere(i))[0] / brought, 1.0, 0.01) << i;
  }
  EXPECT_LE(fastest_but(kToySpheres - 2, kToySpheres), 0.01 * brought);
  EXPECT_LE(toy.gain, 1e-6 * toy.most_kinetic);
}

INSTANTIATE_TEST_SUITE_P(Schemes, OfficeToyOfThree,
                         ::testing::Values(SchemeKind::position, SchemeKind::oba),
                         [](const auto& tested) { return std::string(to_string(tested.param)); });

}  // namespace
}  // namespace collapse::testing
