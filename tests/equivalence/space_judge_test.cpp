/// Verdicts on random structures in space against a linear program that shares no code with the
/// library. A sample: `./dev soak space` goes on.

#include <gtest/gtest.h>

#include "tests/support/random_space_scene.hpp"
#include "tests/support/space_verdict_fault.hpp"

namespace collapse::testing {
namespace {

TEST(SpaceJudge, AgreesWithTheVerdictOnRandomScenes) {
  constexpr int kScenes = 300;
  int stable = 0;
  int unstable = 0;
  for (int number = 0; number < kScenes; ++number) {
    Random random(static_cast<std::uint64_t>(number));
    const CheckedSceneOf<3> checked = check_text<3>(random_space_scene(random));
    EXPECT_EQ(space_verdict_fault(checked), "") << number << ": " << checked.scene.name;
    stable += checked.verdict.stability == Stability::stable ? 1 : 0;
    unstable += checked.verdict.stability == Stability::unstable ? 1 : 0;
  }
  // Both kinds, and few that are too close to call.
  EXPECT_GT(stable, kScenes / 5);
  EXPECT_GT(unstable, kScenes / 5);
  EXPECT_GT(stable + unstable, kScenes * 4 / 5);
}

TEST(SpaceJudge, TellsWhatIsFeasibleOnItsOwn) {
  // x + 2y = 3, x − y = 0 has x = y = 1; x + y = −1 has no solution over x, y ≥ 0.
  DenseSimplex solvable(2);
  solvable.add_column({1.0, 1.0});
  solvable.add_column({2.0, -1.0});
  // Up to the tiny right-hand sides that it adds.
  EXPECT_NEAR(solvable.least_residual({3.0, 0.0}).upper, 0.0, 1e-12);
  DenseSimplex unsolvable(1);
  unsolvable.add_column({1.0});
  unsolvable.add_column({1.0});
  EXPECT_NEAR(unsolvable.least_residual({-1.0}).upper, 1.0, 1e-12);
  EXPECT_NEAR(unsolvable.least_residual({-1.0}).lower, 1.0, 1e-12);
}

}  // namespace
}  // namespace collapse::testing
