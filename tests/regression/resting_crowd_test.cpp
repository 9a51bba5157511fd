/// Crowds come to rest, all bodies and exactly.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/moving_scene.hpp"
#include "tests/support/overlap.hpp"

namespace collapse::testing {
namespace {

/// Those that moved a little crept into those that were found to rest, step by step, until they had to be parted.
TEST(RestingCrowd, ClogsAFunnelAndStays) {
  SimulationOptions options;
  options.step = 1.0 / 30.0;
  MovingSceneOf<3> glass =
      moving_gallery<3>("oba-cubeglass", {{"cubes", "66"}, {"neck", "3"}, {"seed", "1"}}, options);
  OverlapJudge judge(*glass.scene);
  double deepest = 0.0;
  int steps = 0;
  // The last cube falls after 190 to 245 steps: that depends on the last digits.
  for (; steps < 500 && !glass.simulation.resting(); ++steps) {
    glass.simulation.step();
    deepest = std::max(deepest, judge.deepest(glass.simulation.state()).share);
  }
  EXPECT_TRUE(glass.simulation.resting());
  EXPECT_LE(deepest, 1e-4);
  const Account& account = glass.simulation.account();
  EXPECT_LE(account.max_gain, 1e-6 * std::abs(account.energy - account.initial_energy));
  EXPECT_EQ(account.crushed_steps, 0);
}

}  // namespace
}  // namespace collapse::testing
