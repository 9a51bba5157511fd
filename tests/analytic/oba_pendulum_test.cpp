/// The pendulum of the dissertation to its end, by both schemes.

#include <gtest/gtest.h>

#include "tests/support/watched_motion.hpp"

namespace collapse::testing {
namespace {

constexpr int kPendulumSticks = 6;

/// Sticks of length 1 along their own x, the first one at the origin: how far the ends are apart that a joint holds
/// together.
double widest_joint(const WatchedMotion& pendulum) {
  double widest = 0.0;
  Vec<3> end = Vec<3>::Zero();
  for (int i = 1; i <= kPendulumSticks; ++i) {
    const Pose<3>& pose = pendulum.pose("stick " + std::to_string(i));
    widest = std::max(widest, (pose.apply(Vec<3>(-0.5, 0.0, 0.0)) - end).norm());
    end = pose.apply(Vec<3>(0.5, 0.0, 0.0));
  }
  return widest;
}

class PendulumOfSticks : public ::testing::TestWithParam<SchemeKind> {};

TEST_P(PendulumOfSticks, StaysClosedAndGainsNoEnergyInAThousandFrames) {
  SimulationOptions options;
  options.scheme = GetParam();
  options.step = 1.0 / 30.0;
  WatchedMotion pendulum(scenes::make_scene("oba-pendulum"), options);
  ASSERT_EQ(pendulum.scene->joints.size(), static_cast<std::size_t>(kPendulumSticks));
  const double before = pendulum.energy();
  double widest = widest_joint(pendulum);
  double above = 0.0;
  double lowest = 0.0;
  for (int frame = 0; frame < 1000; ++frame) {
    pendulum.run_frames(1);
    widest = std::max(widest, widest_joint(pendulum));
    above = std::max(above, pendulum.energy() - before);
    lowest = std::min(lowest, pendulum.centre("stick 6").z());
  }
  EXPECT_TRUE(pendulum.finite);
  EXPECT_LE(widest, 1e-9);
  EXPECT_LE(above, 1e-9 * pendulum.most_kinetic);
  EXPECT_LE(pendulum.gain, 1e-6 * pendulum.most_kinetic);
  EXPECT_LT(lowest, -5.0);  // it swung
}

INSTANTIATE_TEST_SUITE_P(Schemes, PendulumOfSticks,
                         ::testing::Values(SchemeKind::position, SchemeKind::oba),
                         [](const auto& tested) { return std::string(to_string(tested.param)); });

}  // namespace
}  // namespace collapse::testing
