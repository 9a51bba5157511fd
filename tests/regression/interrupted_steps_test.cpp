/// A step that was interrupted once counted all the same, where the solver was content with what it had: a run that was
/// stopped and resumed then did not find its own last frame again.

#include <gtest/gtest.h>

#include "tests/support/moving_scene.hpp"

namespace collapse::testing {
namespace {

TEST(InterruptedStep, IsTheWholeStepOrNone) {
  for (const int number : {58, 66, 75}) {  // the tower hits the ground
    int calls = 0;
    int last = -1;  // the call that is answered by "stop"; none
    SimulationOptions options;
    options.interrupt = [&] { return calls++ == last; };
    const auto before_step = [&] {
      MovingScene tower = moving_gallery("harmonic", {{"bricks", "4"}, {"factor", "6/5"}}, options);
      for (int i = 0; i < number; ++i) EXPECT_TRUE(tower.simulation.step());
      return tower;
    };
    MovingScene whole = before_step();
    const State<2> start = whole.simulation.state();
    const int first = calls;
    ASSERT_TRUE(whole.simulation.step());
    const int end = calls;
    ASSERT_GT(end, first);
    for (int stop = first; stop < end; ++stop) {
      calls = 0;
      last = stop;
      MovingScene stopped = before_step();
      const bool done = stopped.simulation.step();
      EXPECT_FALSE(done) << number << ", call " << stop - first;
      EXPECT_EQ(stopped.simulation.state().poses, start.poses) << number;
    }
  }
}

/// The state went back, but not what scheme oba keeps beside it.
TEST(InterruptedStep, OfSchemeObaLeavesNoTrace) {
  int calls = 0;
  int last = -1;
  SimulationOptions options;
  options.scheme = SchemeKind::oba;
  options.interrupt = [&] { return calls++ == last; };
  const auto before_step = [&] {
    calls = 0;
    MovingSceneOf<3> stack = moving_gallery<3>("oba-stack", {{"cubes", "3"}}, options);
    for (int i = 0; i < 25; ++i) EXPECT_TRUE(stack.simulation.step());  // they land
    return stack;
  };
  MovingSceneOf<3> undisturbed = before_step();
  const int first = calls;
  ASSERT_TRUE(undisturbed.simulation.step());
  const int end = calls;
  MovingSceneOf<3> whole = before_step();
  whole.simulation.forget();  // as after a step that was stopped
  ASSERT_TRUE(whole.simulation.step());
  ASSERT_GT(end, first);
  for (int stop = first; stop < end; ++stop) {
    last = stop;
    MovingSceneOf<3> stopped = before_step();
    EXPECT_FALSE(stopped.simulation.step()) << "call " << stop - first;
    ASSERT_TRUE(stopped.simulation.step());
    EXPECT_EQ(stopped.simulation.state().poses, whole.simulation.state().poses)
        << "call " << stop - first;
    EXPECT_EQ(stopped.simulation.account().driven_work, whole.simulation.account().driven_work);
  }
}

}  // namespace
}  // namespace collapse::testing
