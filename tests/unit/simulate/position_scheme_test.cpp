/// Whole steps of rigid bodies: what stands must stand, what falls must fall, and nothing may depend on how it is
/// computed.

#include <gtest/gtest.h>

#include "collapse/core/error.hpp"
#include "tests/support/moving_scene.hpp"

namespace collapse::testing {
namespace {

struct Case {
  std::string name;
  std::map<std::string, std::string> choices;
  bool stands = true;
};

const std::vector<Case> kVerdicts{
    {"harmonic", {{"factor", "0.98"}}, true},
    {"harmonic", {{"factor", "1.02"}}, false},
    {"harmonic", {{"factor", "0.998"}}, true},
    {"harmonic", {{"factor", "1.002"}}, false},
    {"harmonic", {{"factor", "0.9995"}}, true},
    {"harmonic", {{"factor", "1.0005"}}, false},
    {"wall", {{"courses", "5"}, {"width", "5"}}, true},
    {"wall", {{"courses", "20"}, {"width", "20"}, {"friction", "1/2"}}, true},
    {"tower", {{"bricks", "10"}, {"top-mass", "25"}}, true},
    {"arch", {{"thickness", "0.12"}}, true},
    {"arch", {{"thickness", "0.10"}}, false},
    {"arch", {{"thickness", "0.110"}}, true},
    {"arch", {{"thickness", "0.105"}}, false},
    {"arch", {{"thickness", "0.108"}}, true},
    {"arch", {{"thickness", "0.1062"}}, false},
};

TEST(TenSecondsAtSixtyHertz, LeaveStandingWhatStandsAndBringDownWhatFalls) {
  for (const Case& scene : kVerdicts) {
    MovingScene moving = moving_gallery(scene.name, scene.choices);
    moving.run(10.0);
    const std::string which = scene.name + " " + scene.choices.begin()->second;
    if (scene.stands) {
      EXPECT_LE(moving.farthest(), 1e-6) << which;
    } else {
      EXPECT_GT(moving.farthest(), 0.1) << which;
    }
    EXPECT_LE(moving.simulation.account().max_penetration, 1e-6) << which;
  }
}

TEST(Diamond, CollapsesWithoutPenetrationAndNearlySymmetric) {
  MovingScene diamond = moving_gallery("diamond", {});
  diamond.run(2.0);
  const Account& account = diamond.simulation.account();
  EXPECT_LE(account.max_penetration, 1e-6);
  EXPECT_LT(account.energy, account.initial_energy - 5.0);
  EXPECT_LT(account.max_gain, 1e-4 * account.initial_energy);
  EXPECT_EQ(account.unsettled_steps, 0);
  // Every brick has a mirror image.
  const State<2>& state = diamond.simulation.state();
  for (std::size_t i = 1; i < state.poses.size(); ++i) {
    const Vec<2> at = diamond.start.centre(*diamond.scene, static_cast<int>(i));
    const Vec<2> now = state.centre(*diamond.scene, static_cast<int>(i));
    double nearest = 1.0;
    for (std::size_t j = 1; j < state.poses.size(); ++j) {
      const Vec<2> other = diamond.start.centre(*diamond.scene, static_cast<int>(j));
      if ((other - Vec<2>(-at.x(), at.y())).norm() > 1e-9) continue;
      const Vec<2> image = state.centre(*diamond.scene, static_cast<int>(j));
      nearest = std::min(nearest, (image - Vec<2>(-now.x(), now.y())).norm());
    }
    EXPECT_LT(nearest, 1e-3) << i;
  }
}

bool same_bits(const State<2>& x, const State<2>& y) {
  for (std::size_t i = 0; i < x.poses.size(); ++i) {
    if (!(x.poses[i] == y.poses[i]) || x.velocities[i] != y.velocities[i]) return false;
  }
  return true;
}

TEST(Threads, DoNotChangeTheMotion) {
  SimulationOptions one;
  one.threads = 1;
  SimulationOptions two;
  two.threads = 2;
  const std::map<std::string, std::string> choices{{"bricks", "40"}, {"friction", "2/5"}};
  MovingScene first = moving_gallery("pile", choices, one);
  MovingScene second = moving_gallery("pile", choices, two);
  first.run(0.5);
  second.run(0.5);
  EXPECT_TRUE(same_bits(first.simulation.state(), second.simulation.state()));
}

TEST(Snapshot, RestoredGivesTheSameBits) {
  MovingScene going = moving_gallery("diamond", {{"friction", "1/5"}});
  going.run(0.5);
  const std::vector<double> snapshot = going.simulation.snapshot();
  const Account account = going.simulation.account();
  const std::vector<ContactForce<2>> contacts = going.simulation.contacts();
  going.simulation.forget();
  MovingScene restored = moving_gallery("diamond", {{"friction", "1/5"}});
  restored.simulation.restore(snapshot, account, contacts);
  going.run(1.0);
  restored.run(1.0);
  EXPECT_TRUE(same_bits(going.simulation.state(), restored.simulation.state()));
  EXPECT_EQ(restored.simulation.account().steps, 60);
}

/// A tower that stands, and a brick that falls beside it and then another one that hits it.
const char* const kTowerAndVisitors = R"({"collapse": 1, "dimension": 2, "gravity": [0, -10],
  "materials": {"default": {"friction": 0.5}}, "bodies": [
  {"name": "ground", "plane": {"normal": [0, 1], "offset": 0}},
  {"name": "low", "box": [1, "1/2"], "position": [0, "1/4"]},
  {"name": "middle", "box": [1, "1/2"], "position": ["1/8", "3/4"]},
  {"name": "high", "box": [1, "1/2"], "position": ["1/4", "5/4"]},
  {"name": "passes", "box": ["1/2", "1/2"], "position": [3, 6]},
  {"name": "hits", "box": ["1/2", "1/2"], "position": [-6, "3/2"], "velocity": [6, 4]}]})";

TEST(Freezing, ChangesNoMotionAndWakesOnTouch) {
  SimulationOptions options;
  options.freezing = true;
  MovingScene frozen = moving(kTowerAndVisitors, 1.0 / 60.0, options);
  MovingScene plain = moving(kTowerAndVisitors);
  bool was_frozen = false;
  bool woke = false;
  for (int k = 0; k < 240; ++k) {
    frozen.simulation.step();
    plain.simulation.step();
    const bool is_frozen = frozen.simulation.frozen()[1] != 0;
    woke = woke || (was_frozen && !is_frozen);
    was_frozen = was_frozen || is_frozen;
    EXPECT_EQ(frozen.simulation.contacts().size(), plain.simulation.contacts().size()) << k;
  }
  EXPECT_TRUE(was_frozen);
  EXPECT_TRUE(woke);
  for (std::size_t i = 0; i < frozen.start.poses.size(); ++i) {
    const int body = static_cast<int>(i);
    EXPECT_LT((frozen.simulation.state().centre(*frozen.scene, body) -
               plain.simulation.state().centre(*plain.scene, body))
                  .norm(),
              1e-6)
        << i;
  }
}

TEST(Settling, LowersThePotentialEnergyStepByStepToRest) {
  SimulationOptions options;
  options.scheme = SchemeKind::settle;
  options.step = 1.0;
  MovingScene scene(R"({"collapse": 1, "dimension": 2, "gravity": [0, -10], "bodies": [
      {"name": "left", "plane": {"normal": [1, 1], "offset": 0}},
      {"name": "right", "plane": {"normal": [-1, 1], "offset": 0}},
      {"name": "ball", "disk": "1/4", "position": [1, 3]},
      {"name": "box", "box": [1, "1/2"], "position": [-2, 4], "angle": 10}]})",
                    options);
  double last = scene.simulation.account().energy;
  for (int k = 0; k < 2000 && !scene.simulation.resting(); ++k) {
    scene.simulation.step();
    EXPECT_LE(scene.simulation.account().energy, last + 1e-9);
    last = scene.simulation.account().energy;
  }
  EXPECT_TRUE(scene.simulation.resting());
  EXPECT_LE(scene.simulation.account().max_penetration, 1e-6);
}

TEST(Settling, OfABallInAFunnelEndsAtTheBottom) {
  SimulationOptions options;
  options.scheme = SchemeKind::settle;
  options.step = 1.0;
  MovingScene scene(R"({"collapse": 1, "dimension": 2, "gravity": [0, -10],
      "materials": {"default": {"friction": 1}}, "bodies": [
      {"name": "left", "plane": {"normal": [1, 1], "offset": 0}},
      {"name": "right", "plane": {"normal": [-1, 1], "offset": 0}},
      {"name": "ball", "disk": "1/4", "position": [1, 3]}]})",
                    options);
  for (int k = 0; k < 2000 && !scene.simulation.resting(); ++k) scene.simulation.step();
  EXPECT_NEAR(scene.centre("ball").x(), 0.0, 1e-6);
  EXPECT_NEAR(scene.centre("ball").y(), 0.25 * std::sqrt(2.0), 1e-6);
}

TEST(SimulationOptions, ThatMakeNoSenseAreRefused) {
  SimulationOptions options;
  options.step = 0.0;
  EXPECT_THROW(moving_gallery("tower", {}, options), Error);
  options = {};
  options.touch = 0.0;
  EXPECT_THROW(moving_gallery("tower", {}, options), Error);
}

}  // namespace
}  // namespace collapse::testing
