/// The acceleration loop for rigid bodies, against closed forms.

#include "simulate/acceleration_scheme.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "collapse/io/scene_reader.hpp"
#include "scenes/gallery.hpp"

namespace collapse::testing {
namespace {

/// A scene with a state that the scheme moves on.
struct AcceleratedRun {
  Scene<2> scene;
  SimulationOptions options;
  State<2> state;
  std::unique_ptr<simulate::Scheme<2>> scheme;
  double time = 0.0;
  double penetration = 0.0;
  double driven_work = 0.0;
  int unsettled = 0;
  simulate::StepReport<2> last;

  explicit AcceleratedRun(const std::string& text, double h = 1.0 / 60.0,
                          SimulationOptions given = {})
      : scene(parse_scene(text)), options(std::move(given)), state(initial_state(scene)) {
    options.step = h;
    options.scheme = SchemeKind::acceleration;
    scheme = simulate::make_acceleration_scheme(scene, options);
  }

  void until(double end) {
    while (time < end - 0.5 * options.step) {
      last = scheme->step(state, time, options.step);
      time += options.step;
      penetration = std::max(penetration, last.penetration);
      driven_work += last.driven_work;
      unsettled += last.settled ? 0 : 1;
    }
  }
  [[nodiscard]] Vec<2> centre(const std::string& name) const {
    return state.centre(scene, *scene.find_body(name));
  }
  [[nodiscard]] const Twist<2>& velocity(const std::string& name) const {
    return state.velocities[static_cast<std::size_t>(*scene.find_body(name))];
  }
};

std::string run_scene(const std::string& material, const std::string& bodies,
                      const std::string& rest = "") {
  return R"({"collapse": 1, "dimension": 2, "gravity": [0, -10], "materials": {"default": )" +
         material + R"(}, "bodies": [)" + bodies + "]" + rest + "}";
}

const std::string kRunFloor =
    R"({"name": "ground", "fixed": true, "plane": {"normal": [0, 1], "offset": 0}}, )";

/// Its balance is unstable: an error of 1e-13 would tear it down in five seconds. Not a bit changes, so two are enough.
TEST(AccelerationScheme, KeepsAWallWithoutFrictionWhereItIs) {
  AcceleratedRun wall(scenes::make_scene("wall", {{"courses", "5"}, {"width", "5"}}));
  wall.until(2.0);
  const State<2> start = initial_state(wall.scene);
  EXPECT_EQ(wall.state.poses, start.poses);
}

TEST(AccelerationScheme, LetsATowerFallByAHair) {
  AcceleratedRun tower(
      scenes::make_scene("harmonic", {{"bricks", "8"}, {"factor", "1000001/1000000"}}));
  const Vec<2> start = tower.centre("brick 1");
  tower.until(10.0);
  EXPECT_GE((tower.centre("brick 1") - start).norm(), 1.0);
}

TEST(AccelerationScheme, FliesAParabolaWithTheKnownErrorOfTheLoop) {
  AcceleratedRun run(
      run_scene("{}", R"({"name": "stone", "box": [1, 1], "velocity": [3, 4], "spin": 2})"), 0.01);
  run.until(1.0);
  // v⁺ first, then the position with it: y = v t − g t (t + h)/2.
  EXPECT_NEAR(run.centre("stone")[0], 3.0, 1e-12);
  EXPECT_NEAR(run.centre("stone")[1], 4.0 - 5.0 * 1.01, 1e-12);
  EXPECT_NEAR(run.velocity("stone")[1], -6.0, 1e-12);
  EXPECT_NEAR(run.velocity("stone")[2], 2.0, 1e-13);
}

TEST(AccelerationScheme, LeavesAWallAtRest) {
  for (const char* friction : {"0", "1/2"}) {
    AcceleratedRun run(scenes::make_scene("wall", {{"friction", friction}}));
    const State<2> start = run.state;
    run.until(1.0);
    for (std::size_t i = 0; i < start.poses.size(); ++i) {
      EXPECT_LT((run.state.poses[i].position - start.poses[i].position).norm(), 1e-8);
    }
    EXPECT_EQ(run.unsettled, 0);
    EXPECT_FALSE(run.last.contacts.empty());
  }
}

TEST(AccelerationScheme, StopsASlidingBlockAfterItsWayAndKeepsItThere) {
  const auto slid = [](double h) {
    AcceleratedRun run(
        run_scene(R"({"friction": 0.4})",
                  kRunFloor + R"({"name": "block", "box": [2, 1], "position": [0, "1/2"],
                                      "velocity": [2, 0]})"),
        h);
    run.until(1.0);
    EXPECT_LT(run.velocity("block").norm(), 1e-9);
    EXPECT_EQ(run.unsettled, 0);
    EXPECT_LT(run.penetration, 1e-9);
    return run.centre("block")[0];
  };
  // v²/(2 μ g) = 1/2, with an error of the first order.
  const double coarse = 0.5 - slid(0.01);
  const double fine = 0.5 - slid(0.005);
  EXPECT_NEAR(coarse, 0.0, 0.02);
  EXPECT_NEAR(fine, 0.5 * coarse, 0.1 * coarse);
}

TEST(AccelerationScheme, RollsADiskWithoutSinkingIt) {
  AcceleratedRun run(
      run_scene(R"({"friction": 1})", kRunFloor + R"({"name": "disk", "disk": 2, "position": [0, 2],
                                    "velocity": [4, 0], "spin": -2})"));
  run.until(2.0);
  EXPECT_NEAR(run.centre("disk")[0], 8.0, 1e-8);
  EXPECT_NEAR(run.centre("disk")[1], 2.0, 1e-10);
  EXPECT_LT(run.penetration, 1e-9);
}

TEST(AccelerationScheme, ReboundsToTheSquareOfRestitution) {
  // From height 2 with ε = 1/2 to 1/2; it is measured at the top of the first rebound.
  AcceleratedRun run(run_scene(R"({"restitution": 0.5})",
                               kRunFloor + R"({"name": "ball", "disk": 1, "position": [0, 3]})"),
                     1.0 / 400.0);
  double top = 0.0;
  bool hit = false;
  while (run.time < 0.632 + 0.6) {
    run.until(run.time + run.options.step);
    hit = hit || run.velocity("ball")[1] > 0.0;
    if (hit) top = std::max(top, run.centre("ball")[1] - 1.0);
  }
  EXPECT_NEAR(top, 0.5, 0.01);
  EXPECT_LT(run.penetration, 1e-4);
}

TEST(AccelerationScheme, StopsFiveSquaresInLineAtAFifthOfTheSpeed) {
  std::string bodies;
  for (int i = 0; i < 5; ++i) {
    bodies += fmt::format(R"({}{{"name": "{}", "box": [1, 1], "position": [{}, 0],
        "velocity": [{}, 0]}})",
                          i == 0 ? "" : ", ", i, i == 0 ? -1.25 : i - 1, i == 0 ? 5 : 0);
  }
  AcceleratedRun run(R"({"collapse": 1, "dimension": 2, "gravity": [0, 0], "bodies": [)" + bodies +
                     "]}");
  run.until(0.5);
  for (int i = 0; i < 5; ++i) {
    EXPECT_LT((run.velocity(std::to_string(i)) - Twist<2>(1.0, 0.0, 0.0)).norm(), 1e-9) << i;
  }
  EXPECT_LT(run.penetration, 1e-9);
}

TEST(AccelerationScheme, SwingsAPendulumWithItsPeriod) {
  // A bar of length 1 about its end, a small swing: T = 2π √(2 ℓ/(3 g)) (1 + θ²/16).
  const double theta = 0.1;
  const auto crossing = [&](double h) {
    AcceleratedRun run(
        run_scene("{}",
                  fmt::format(R"({{"name": "bar", "box": [1, "1/1000"], "position": [{}, {}],
                          "rotation": [{}, {}]}})",
                              0.5 * std::sin(theta), -0.5 * std::cos(theta), std::sin(theta),
                              -std::cos(theta)),
                  R"(, "joints": [{"type": "pin", "bodies": ["bar", "world"], "at": [0, 0]}])"),
        h);
    double before = run.centre("bar")[0];
    while (run.time < 1.0) {
      run.until(run.time + h);
      const double after = run.centre("bar")[0];
      if (before > 0.0 && after <= 0.0) return run.time - h * after / (after - before);
      before = after;
    }
    return 0.0;
  };
  const double quarter = 0.25 * 2.0 * M_PI * std::sqrt(2.0 / 30.0) * (1.0 + theta * theta / 16.0);
  EXPECT_NEAR(crossing(0.001), quarter, 1e-3);
  EXPECT_LT(std::abs(crossing(0.0005) - quarter), 0.6 * std::abs(crossing(0.001) - quarter));
}

TEST(AccelerationScheme, PushesWithABodyOnAGivenPathAndAccountsForItsWork) {
  AcceleratedRun run(R"({"collapse": 1, "dimension": 2, "gravity": [0, 0], "bodies": [
      {"name": "piston", "box": [1, 1], "motion": {"keyframes": [
        {"time": 0, "position": [0, 0]}, {"time": 1, "position": [3, 0]}]}},
      {"name": "block", "box": [1, 1], "mass": 2, "position": [2, 0]}]})");
  run.until(1.0);
  EXPECT_NEAR(run.centre("piston")[0], 3.0, 1e-12);
  EXPECT_NEAR(run.velocity("block")[0], 3.0, 1e-9);
  EXPECT_NEAR(run.centre("block")[0], 4.0, 1e-3);
  // An inelastic impact of something that does not give way: ½ m v² goes into the block, as much is lost.
  EXPECT_NEAR(run.driven_work, 2.0 * 9.0, 1e-6);
}

TEST(AccelerationScheme, ReportsWhatACrushingBodyDoes) {
  AcceleratedRun run(R"({"collapse": 1, "dimension": 2, "gravity": [0, -10], "bodies": [
      {"name": "ground", "fixed": true, "plane": {"normal": [0, 1], "offset": 0}},
      {"name": "press", "box": [1, 1], "motion": {"keyframes": [
        {"time": 0, "position": [0, 2]}, {"time": 1, "position": [0, 1]}]}},
      {"name": "block", "box": [1, 1], "position": [0, "1/2"]}]})");
  run.until(0.7);  // it touches at 1/2
  EXPECT_TRUE(run.last.crushed);
  ASSERT_FALSE(run.last.incidents.empty());
  EXPECT_NE(run.last.incidents[0].find("\"block\""), std::string::npos);
  EXPECT_TRUE(run.state.poses[2].position.allFinite());
}

TEST(AccelerationScheme, GivesTheSameBitsFromTheSameState) {
  AcceleratedRun run(scenes::make_scene("diamond"));
  run.until(0.3);
  AcceleratedRun again(scenes::make_scene("diamond"));
  again.state = run.state;
  again.time = run.time;
  run.until(0.6);
  again.until(0.6);
  for (std::size_t i = 0; i < run.state.poses.size(); ++i) {
    EXPECT_TRUE(run.state.poses[i] == again.state.poses[i]);
    EXPECT_EQ(run.state.velocities[i], again.state.velocities[i]);
  }
}

TEST(AccelerationScheme, BeginsTheCollapseOfTheDiamondWithItsOnset) {
  // After a short time the way is ½ a t², mirrored left and right.
  AcceleratedRun run(scenes::make_scene("diamond"), 1e-4);
  const Vec<2> start = run.centre("brick 5.1");
  run.until(0.01);
  const Vec<2> way = run.centre("brick 5.1") - start;
  EXPECT_NEAR(way[0], -0.5 * 0.364 * 1e-4, 1e-6);
  EXPECT_NEAR(way[1], -0.5 * 2.548 * 1e-4, 3e-6);
}

}  // namespace
}  // namespace collapse::testing
