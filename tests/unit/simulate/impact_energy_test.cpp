/// Impacts give no energy but what bodies on given paths put in.

#include "simulate/impact_energy.hpp"

#include <gtest/gtest.h>

#include "tests/support/moving_scene.hpp"

namespace collapse::testing {
namespace {

/// A ball of mass 2 beside a blade that turns: it flies off faster than it came.
class BallAndBlade : public ::testing::Test {
 protected:
  [[nodiscard]] double bounce(double work, double bounce_work) {
    SimulationOptions options;
    const simulate::World<3> world(*scene_.scene, options);
    const std::vector<Pose<3>>& poses = scene_.start.poses;
    std::vector<Twist<3>> still(2, Twist<3>::Zero());
    std::vector<Twist<3>> turned = still;
    turned[0][5] = 0.1;
    std::vector<Twist<3>> before = still;
    before[1][0] = 1.0;
    std::vector<Twist<3>> dull = still;
    dull[1][0] = 1.5;
    const std::vector<double> works = {0.0, work};
    const std::vector<double> bounce_works = {0.0, bounce_work};
    const std::vector<std::pair<int, int>> touching = {{0, 1}, {1, 0}};
    return simulate::keep_from_gaining(
        world, {poses, poses, before, turned, still, dull, touching, works, bounce_works, 0.1},
        velocities_);
  }
  [[nodiscard]] double kinetic_energy() const { return velocities_[1].head<3>().squaredNorm(); }

  std::vector<Twist<3>> velocities_ = {Twist<3>::Zero(), Twist<3>::Unit(0) * 3.0};

 private:
  MovingSceneOf<3> scene_ = moving<3>(space_scene(
      R"({"name": "blade", "box": [1, 1, 1], "motion": {"keyframes": [{"time": 0, "position": [0, 0, 0]},
          {"time": 1, "position": [0, 0, 0], "orientation": [1, 0, 0, 1]}]}},
         {"name": "ball", "sphere": 1, "mass": 2, "position": [2, 0, 0]})"));
};

TEST_F(BallAndBlade, MayGainWhatTheBladePutsIn) {
  EXPECT_EQ(bounce(1.25, 6.75), 0.0);
  EXPECT_EQ(velocities_[1][0], 3.0);
}

TEST_F(BallAndBlade, BouncesLessWhereItWouldGainMore) {
  // (3/2 + 3/2 s)² = 1 + 2 + 4 s
  const double share = (std::sqrt(7.0) - 0.5) / 4.5;
  EXPECT_NEAR(bounce(2.0, 4.0), -4.0 * (1.0 - share), 1e-12);
  EXPECT_NEAR(kinetic_energy(), 3.0 + 4.0 * share, 1e-12);
}

TEST_F(BallAndBlade, DoesNotBounceWhereItGainsAlready) {
  EXPECT_EQ(bounce(1.0, 4.0), -4.0);
  EXPECT_EQ(velocities_[1][0], 1.5);
}

TEST_F(BallAndBlade, IsSlowedWhereItWouldGainFarMoreThanTheBladePutsIn) {
  EXPECT_EQ(bounce(0.2, 4.0), -4.0);
  EXPECT_NEAR(kinetic_energy(), 1.2, 1e-12);
}

}  // namespace
}  // namespace collapse::testing
