/// A motion in space has the same bits for any number of threads, and after it was taken up again.

#include <gtest/gtest.h>

#include "tests/support/moving_scene.hpp"

namespace collapse::testing {
namespace {

/// Several heaps, with joints, a path and all kinds of shapes.
std::string heaps() {
  std::string bodies = kSpaceGround + R"(,
    {"name": "sweeper", "box": ["1/2", 6, "1/2"], "motion": {"keyframes": [
      {"time": 0, "position": [-3, 0, "1/2"]}, {"time": 2, "position": [3, 0, "1/2"]}]}})";
  std::string joints;
  for (int i = 0; i < 2; ++i) {
    const std::string n = std::to_string(i);
    const auto at = [&](double x, double y, double z) {
      return R"(, "position": )" + written(Vec<3>(2.0 * i - 1.0 + x, y, z)) + "}";
    };
    bodies += R"(, {"name": "box )" + n +
              R"(", "box": [1, "1/2", "1/2"], "orientation": [6, 1, 1, 0])" + at(0, 0, 0.6);
    bodies += R"(, {"name": "ball )" + n + R"(", "sphere": "3/10")" + at(0.2, 0.1, 1.4);
    bodies += R"(, {"name": "rod )" + n +
              R"(", "capsule": ["1/8", "1/2"], "orientation": [3, 1, 1, 0])" + at(0, 0.2, 2.2);
    bodies += R"(, {"name": "drum )" + n +
              R"(", "cylinder": ["1/4", "1/2"], "orientation": [3, 1, 0, 1])" + at(-0.1, -0.1, 3.0);
    bodies += R"(, {"name": "slab )" + n + R"(", "box": ["1/2", "1/2", "1/8"])" + at(0.9, 0.9, 1.0);
    joints += (i == 0 ? R"(, "joints": [)" : ", ") +
              (R"({"type": "ball", "bodies": ["rod )" + n + R"(", "drum )" + n + R"("], "at": )" +
               written(Vec<3>(2.0 * i - 1.0, 0.0, 2.6)) + "}");
  }
  return space_scene(bodies, R"({"friction": 0.4, "restitution": 0.2})", joints + "]");
}

std::uint64_t hash_of_state(const State<3>& state) {
  StateHash hash;
  for (std::size_t i = 0; i < state.poses.size(); ++i) {
    for (const double x : state.poses[i].rotation.reshaped()) hash.add(x);
    for (const double x : state.poses[i].position) hash.add(x);
    for (const double x : state.velocities[i]) hash.add(x);
  }
  return hash.value();
}

class MotionInSpaceOf : public ::testing::TestWithParam<SchemeKind> {
 protected:
  [[nodiscard]] static SimulationOptions options(int threads) {
    SimulationOptions options;
    options.scheme = GetParam();
    options.threads = threads;
    if (GetParam() == SchemeKind::settle) options.step = 1.0;
    return options;
  }
  /// Until bodies have met.
  [[nodiscard]] static int steps() { return GetParam() == SchemeKind::settle ? 12 : 40; }
};

TEST_P(MotionInSpaceOf, DoesNotDependOnThreads) {
  MovingSceneOf<3> one(heaps(), options(1));
  MovingSceneOf<3> two(heaps(), options(2));
  MovingSceneOf<3> again(heaps(), options(1));
  for (int k = 0; k < steps(); ++k) {
    one.simulation.step();
    two.simulation.step();
    again.simulation.step();
    const std::uint64_t hash = hash_of_state(one.simulation.state());
    ASSERT_EQ(hash, hash_of_state(two.simulation.state())) << k;
    ASSERT_EQ(hash, hash_of_state(again.simulation.state())) << k;
  }
}

TEST_P(MotionInSpaceOf, GoesOnAsIfItHadNotBeenInterrupted) {
  for (const bool freezing : {false, true}) {
    if (freezing && GetParam() == SchemeKind::settle) continue;
    SimulationOptions some = options(1);
    some.freezing = freezing;
    MovingSceneOf<3> going(heaps(), some);
    for (int k = 0; k < steps(); ++k) going.simulation.step();
    const std::vector<double> snapshot = going.simulation.snapshot();
    const Account account = going.simulation.account();
    const std::vector<ContactForce<3>> contacts = going.simulation.contacts();
    going.simulation.forget();
    MovingSceneOf<3> restored(heaps(), some);
    restored.simulation.restore(snapshot, account, contacts);
    for (int k = 0; k < steps(); ++k) {
      going.simulation.step();
      restored.simulation.step();
      ASSERT_EQ(hash_of_state(going.simulation.state()), hash_of_state(restored.simulation.state()))
          << k;
    }
    EXPECT_EQ(restored.simulation.account().steps, 2 * steps());
    EXPECT_EQ(restored.simulation.account().energy, going.simulation.account().energy);
    EXPECT_EQ(restored.simulation.account().max_gain, going.simulation.account().max_gain);
  }
}

TEST_P(MotionInSpaceOf, IsNotChangedByAnInterruptedStep) {
  MovingSceneOf<3> plain(heaps(), options(1));
  bool stop = false;
  int interruptions = 0;
  SimulationOptions interrupted = options(1);
  interrupted.interrupt = [&stop] { return stop; };
  MovingSceneOf<3> other(heaps(), interrupted);
  for (int k = 0; k < steps() / 2; ++k) {
    if (k % 5 == 4) {
      const std::uint64_t before = hash_of_state(other.simulation.state());
      stop = true;
      const bool went_on = other.simulation.step();
      stop = false;
      if (went_on) {  // nothing touches yet: over before anybody asked
        plain.simulation.step();
        continue;
      }
      ++interruptions;
      EXPECT_EQ(before, hash_of_state(other.simulation.state()));
      // What is kept for speed may be gone after it.
      plain.simulation.forget();
      other.simulation.forget();
    }
    plain.simulation.step();
    ASSERT_TRUE(other.simulation.step());
    ASSERT_EQ(hash_of_state(plain.simulation.state()), hash_of_state(other.simulation.state()))
        << k;
  }
  EXPECT_GT(interruptions, 0);
}

INSTANTIATE_TEST_SUITE_P(Schemes, MotionInSpaceOf,
                         ::testing::Values(SchemeKind::position, SchemeKind::oba,
                                           SchemeKind::settle),
                         [](const auto& tested) { return std::string(to_string(tested.param)); });

}  // namespace
}  // namespace collapse::testing
