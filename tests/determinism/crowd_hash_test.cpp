/// A crowd has the same bits for any number of threads, and after it was taken up again in mid-fall.

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "scenes/space_document.hpp"
#include "tests/support/moving_scene.hpp"

namespace collapse::testing {
namespace {

/// 45 cubes that lie on the ground, in rows of nine, and 36 turned ones that fall onto them: so many that schemes follow
/// them as a crowd, with some at rest and some in flight.
std::string falling_crowd() {
  scenes::SpaceDocument scene("crowd", Rational(3, 10));
  scene.add_ground();
  const scenes::Point3 cube(1, 1, 1);
  for (int i = 0; i < 45; ++i) {
    const scenes::Point3 at(Rational(9 * (i % 9), 8), Rational(9 * (i / 9), 8), Rational(1, 2));
    scene.add_box("below " + std::to_string(i), cube, at);
  }
  for (int i = 0; i < 36; ++i) {
    const scenes::Point3 at(Rational(13 * (i % 6), 8) + Rational(i, 50), Rational(3 * (i / 6), 4),
                            Rational(21, 10) + Rational(2 * (i / 6 % 2)) + Rational(i, 40));
    scene.add_box("above " + std::to_string(i), cube, at, {},
                  scenes::Quaternion{3, i % 3, 1, i % 2});
    scene.set_velocity(scenes::Point3(0, 0, -3));
  }
  return scene.text();
}

std::uint64_t bits_of(const Simulation<3>& simulation) {
  StateHash hash;
  for (const double number : simulation.snapshot()) hash.add(number);
  const Account& account = simulation.account();
  for (const double number : {account.energy, account.max_gain, account.max_penetration,
                              static_cast<double>(account.programs)}) {
    hash.add(number);
  }
  return hash.value();
}

using CrowdCase = std::tuple<SchemeKind, bool>;

class CrowdOfCubes : public ::testing::TestWithParam<CrowdCase> {
 protected:
  static constexpr int kFrames = 10;  ///< up to mid-fall, and as many after

  [[nodiscard]] static MovingSceneOf<3> crowd(int threads) {
    const auto& [scheme, freezing] = GetParam();
    SimulationOptions options;
    options.scheme = scheme;
    options.freezing = freezing;
    options.step = 1.0 / 30.0;
    options.threads = threads;
    return {falling_crowd(), options};
  }
  static std::ptrdiff_t frozen(const Simulation<3>& simulation) {
    return std::ranges::count(simulation.frozen(), std::uint8_t{1});
  }
};

TEST_P(CrowdOfCubes, HasTheSameBitsForAnyNumberOfThreads) {
  MovingSceneOf<3> one = crowd(1);
  MovingSceneOf<3> two = crowd(2);
  MovingSceneOf<3> three = crowd(3);
  std::ptrdiff_t most_frozen = 0;
  for (int k = 0; k < 2 * kFrames; ++k) {
    for (MovingSceneOf<3>* run : {&one, &two, &three}) ASSERT_TRUE(run->simulation.step());
    ASSERT_EQ(bits_of(one.simulation), bits_of(two.simulation)) << k;
    ASSERT_EQ(bits_of(one.simulation), bits_of(three.simulation)) << k;
    most_frozen = std::max(most_frozen, frozen(one.simulation));
  }
  EXPECT_EQ(most_frozen > 0, std::get<bool>(GetParam()));
  EXPECT_GT(one.simulation.contacts().size(), 100U);  // they have met
}

TEST_P(CrowdOfCubes, GoesOnInMidFallAsIfItHadNotBeenInterrupted) {
  MovingSceneOf<3> going = crowd(1);
  for (int k = 0; k < kFrames; ++k) ASSERT_TRUE(going.simulation.step());
  EXPECT_FALSE(going.simulation.resting());
  EXPECT_EQ(frozen(going.simulation) > 0, std::get<bool>(GetParam()));
  MovingSceneOf<3> restored = crowd(2);
  restored.simulation.restore(going.simulation.snapshot(), going.simulation.account(),
                              going.simulation.contacts());
  going.simulation.forget();
  EXPECT_EQ(bits_of(going.simulation), bits_of(restored.simulation));
  for (int k = 0; k < kFrames; ++k) {
    for (MovingSceneOf<3>* run : {&going, &restored}) ASSERT_TRUE(run->simulation.step());
    ASSERT_EQ(bits_of(going.simulation), bits_of(restored.simulation)) << k;
    ASSERT_TRUE(std::ranges::equal(going.simulation.frozen(), restored.simulation.frozen())) << k;
  }
}

std::string crowd_title(const ::testing::TestParamInfo<CrowdCase>& tested) {
  const auto& [scheme, freezing] = tested.param;
  return std::string(to_string(scheme)) + (freezing ? "_freezing" : "");
}
INSTANTIATE_TEST_SUITE_P(
    Schemes, CrowdOfCubes,
    ::testing::Combine(::testing::Values(SchemeKind::position, SchemeKind::oba), ::testing::Bool()),
    crowd_title);

}  // namespace
}  // namespace collapse::testing
