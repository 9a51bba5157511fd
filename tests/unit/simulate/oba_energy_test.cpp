/// That scheme oba lifts nothing for free.

#include "simulate/oba_energy.hpp"

#include <gtest/gtest.h>

#include "tests/support/space_structure.hpp"

namespace collapse::testing {
namespace {

/// A cube on the ground and a sphere on it, in a frame that moves them.
struct LiftedPair : public ::testing::Test {
  LiftedPair() {
    structure.ground();
    cube = structure.add(SpaceStructure::box(1, 1, 1), Vec<3>(0, 0, 0.5));
    ball = structure.add(make_sphere(Rational(1, 2)), Vec<3>(0, 0, 1.5));
    start = poses = initial_state(structure.scene).poses;
    velocities.assign(start.size(), Twist<3>::Zero());
    driven.assign(start.size(), 0);
  }
  void lift(int body, double height) {
    poses[static_cast<std::size_t>(body)].position.z() += height;
  }
  bool undo() {
    const simulate::World<3> world(structure.scene, options);
    const std::vector<Pose<3>> moved = poses;
    const std::vector<Twist<3>> leaving =
        stopped ? std::vector<Twist<3>>(start.size(), Twist<3>::Zero()) : velocities;
    return simulate::undo_free_lifts(world, {start, velocities, leaving, moved, touching, driven},
                                     0.01, poses);
  }

  SpaceStructure structure;
  SimulationOptions options;
  int cube = 0;
  int ball = 0;
  std::vector<Pose<3>> start;
  std::vector<Pose<3>> poses;
  std::vector<Twist<3>> velocities;
  std::vector<std::uint8_t> driven;
  bool stopped = false;  ///< by contacts, at the start
  std::vector<std::pair<int, int>> touching = {{1, 2}};
};

TEST_F(LiftedPair, GoesBackWhereItHadNoSpeed) {
  lift(cube, 0.001);
  lift(ball, 0.002);
  EXPECT_TRUE(undo());
  EXPECT_EQ(poses, start);
}

TEST_F(LiftedPair, StaysWhereItsSpeedPaysForTheHeight) {
  velocities[1][2] = 0.5;  // 0.125 a mass, for 10 × 0.003
  lift(cube, 0.001);
  lift(ball, 0.002);
  EXPECT_FALSE(undo());
  EXPECT_NE(poses, start);
}

TEST_F(LiftedPair, GoesBackWhereContactsHaveTakenItsSpeed) {
  velocities[1][2] = 0.5;
  stopped = true;
  lift(cube, 0.001);
  lift(ball, 0.002);
  EXPECT_TRUE(undo());
  EXPECT_EQ(poses, start);
}

/// What one body falls another may rise.
TEST_F(LiftedPair, StaysWhereItFallsAsAWhole) {
  lift(cube, -0.002);
  lift(ball, 0.003);
  EXPECT_FALSE(undo());
}

TEST_F(LiftedPair, StaysWhereItMovesFar) {
  lift(cube, 0.02);
  EXPECT_FALSE(undo());
}

TEST_F(LiftedPair, StaysWhereAGivenBodyLiftsIt) {
  lift(cube, 0.001);
  driven[0] = 1;
  touching.emplace_back(0, 1);
  EXPECT_FALSE(undo());
}

}  // namespace
}  // namespace collapse::testing
