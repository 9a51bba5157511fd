/// Closed forms of motion, reached by scheme event to the tolerance that it is asked for.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "tests/support/moving_scene.hpp"

namespace collapse::testing {
namespace {

constexpr double kTolerances[] = {1e-6, 1e-8, 1e-10};

const std::string kEventGround = R"({"name": "ground", "plane": {"normal": [0, 1], "offset": 0}})";

std::string event_scene(const std::string& bodies, const std::string& material = "{}",
                        const std::string& rest = "") {
  return R"({"collapse": 1, "dimension": 2, "gravity": [0, -10], "materials": {"default": )" +
         material + R"(}, "bodies": [)" + bodies + "]" + rest + "}";
}

MovingScene by_events(const std::string& text, double tolerance, double step) {
  SimulationOptions options;
  options.scheme = SchemeKind::event;
  options.event.tolerance = tolerance;
  return moving(text, step, options);
}

std::vector<MotionEvent> events_until(MovingScene& scene, double until) {
  std::vector<MotionEvent> events;
  while (scene.simulation.time() < until * (1.0 - 1e-12)) {
    scene.simulation.step();
    const auto& now = scene.simulation.events();
    events.insert(events.end(), now.begin(), now.end());
  }
  return events;
}

/// The first of its kind between two bodies; NaN if there is none.
double first_time(const MovingScene& scene, const std::vector<MotionEvent>& events, EventKind kind,
                  const std::string& a, const std::string& b) {
  for (const MotionEvent& event : events) {
    const int low = std::min(scene.body(a), scene.body(b));
    const int high = std::max(scene.body(a), scene.body(b));
    if (event.kind == kind && event.id.a == low && event.id.b == high) return event.time;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

/// ∫ dθ/ω(θ) from a state of rest at `from`, ω² = speed_squared(θ − from): with θ = from ± u² nothing is singular.
double time_from_rest(double way, const std::function<double(double)>& speed_squared) {
  constexpr int kParts = 4000;
  const double end = std::sqrt(way);
  const auto f = [&](double u) { return 2.0 / std::sqrt(speed_squared(u * u) / (u * u)); };
  double sum = 0.0;  // by the midpoints of three parts of Gauss each
  const double h = end / kParts;
  for (int i = 0; i < kParts; ++i) {
    const double middle = (i + 0.5) * h;
    const double off = 0.5 * h * std::sqrt(0.6);
    sum += h / 18.0 * (5.0 * f(middle - off) + 8.0 * f(middle) + 5.0 * f(middle + off));
  }
  return sum;
}

/// 1 − cos differences without cancellation: cos a − cos b.
double cos_difference(double a, double b) {
  return 2.0 * std::sin(0.5 * (a + b)) * std::sin(0.5 * (b - a));
}

TEST(EventLadder, LeavesTheWallWhenItsTopHasDroppedByAThird) {
  // A needle of length 5, upright by 4/5; only its ends touch.
  const std::string text =
      event_scene(kEventGround + R"(, {"name": "wall", "plane": {"normal": [1, 0], "offset": 0}},
      {"name": "ladder", "polygon": [["-5/2", 0], [0, "-1/20"], ["5/2", 0], [0, "1/20"]],
       "rotation": ["3/5", "-4/5"], "position": ["3/2", 2]})");
  const double half = 2.5;
  const double inertia =
      half * half + (half * half + 0.0025) / 6.0;  // about where both ends' normals meet
  const double from = std::acos(0.8);
  const double to = std::acos(0.8 * 2.0 / 3.0);
  const double expected = time_from_rest(to - from, [&](double turned) {
    return 2.0 * 10.0 * half / inertia * cos_difference(from, from + turned);
  });
  for (const double tolerance : kTolerances) {
    MovingScene scene = by_events(text, tolerance, 0.1);
    const std::vector<MotionEvent> events = events_until(scene, 0.7);
    const double time = first_time(scene, events, EventKind::opening, "wall", "ladder");
    EXPECT_NEAR(time, expected, tolerance) << tolerance;
    MovingScene there = by_events(text, tolerance, expected);
    there.simulation.step();
    EXPECT_NEAR(there.centre("ladder").y(), half * std::cos(to), 5.0 * tolerance);
    EXPECT_NEAR(scene.simulation.account().energy, scene.simulation.account().initial_energy,
                10.0 * tolerance);
  }
}

TEST(EventBlockOverATablesEdge, TipsWhenItsMiddleIsBeyondIt) {
  const std::string text = event_scene(
      R"({"name": "table", "box": [4, 1], "position": [-2, "-1/2"], "fixed": true},
      {"name": "b", "box": [1, "1/2"], "position": [-1, "1/4"], "velocity": [2, 0]})");
  for (const double tolerance : kTolerances) {
    MovingScene scene = by_events(text, tolerance, 0.2);
    const std::vector<MotionEvent> events = events_until(scene, 0.6);
    EXPECT_NEAR(first_time(scene, events, EventKind::passing, "table", "b"), 0.25, tolerance);
    EXPECT_NEAR(first_time(scene, events, EventKind::opening, "table", "b"), 0.5, tolerance);
    EXPECT_LT(scene.velocity("b")[2], -1e-3);
  }
}

TEST(EventBouncingBall, ComesToRestAfterTheGeometricSeries) {
  const double e = 0.5;
  const double fall = std::sqrt(2.0 * 2.0 / 10.0);
  for (const double tolerance : kTolerances) {
    MovingScene scene = by_events(
        event_scene(kEventGround + R"(, {"name": "b", "disk": "1/10", "position": [0, "21/10"]})",
                    R"({"restitution": 0.5})"),
        tolerance, 0.25);
    const std::vector<MotionEvent> events = events_until(scene, 3.0);
    double expected = fall;
    double flight = 2.0 * fall;
    std::size_t hits = 0;
    for (; hits < 10 && hits < events.size(); ++hits) {
      EXPECT_EQ(events[hits].kind, EventKind::collision);
      EXPECT_NEAR(events[hits].time, expected, tolerance) << hits;
      flight *= e;
      expected += flight;
    }
    EXPECT_EQ(hits, 10U);
    // The last collision closes: the rest of the series is shorter than what is asked of its speed.
    ASSERT_EQ(events.back().kind, EventKind::closing);
    const double closing = EventOptions{}.closing_speed * std::sqrt(10.0 * 0.2);
    EXPECT_NEAR(events.back().time, fall * (1.0 + e) / (1.0 - e), 2.0 * closing / 10.0 / (1.0 - e));
    EXPECT_TRUE(scene.simulation.resting());
    EXPECT_NEAR(scene.centre("b").y(), 0.1, 1e-12);
  }
}

TEST(EventSlidingBlock, SticksWhereFrictionHasStoppedIt) {
  for (const double tolerance : kTolerances) {
    MovingScene scene = by_events(
        event_scene(
            kEventGround +
                R"(, {"name": "b", "box": [1, "1/2"], "position": [0, "1/4"], "velocity": [3, 0]})",
            R"({"friction": 0.4})"),
        tolerance, 0.5);
    const std::vector<MotionEvent> events = events_until(scene, 2.0);
    EXPECT_NEAR(first_time(scene, events, EventKind::sticking, "ground", "b"), 0.75, tolerance);
    EXPECT_NEAR(scene.centre("b").x(), 9.0 / 8.0, tolerance);
    EXPECT_EQ(scene.velocity("b"), Twist<2>::Zero());
    EXPECT_TRUE(scene.simulation.resting());
  }
}

TEST(EventRockingBlock, FallsBackInTimeAndLosesHousnersShareOfItsSpeed) {
  // 1 × 4, tilted about its left corner by 2 arctan(1/20).
  const std::string text = event_scene(
      kEventGround + R"(, {"name": "b", "box": [1, 4], "rotation": ["399/401", "40/401"],
      "position": ["239/802", "818/401"]})",
      R"({"friction": 2})");
  const double alpha = std::atan(0.25);
  const double tilt = 2.0 * std::atan(0.05);
  const double radius = std::sqrt(4.25);
  const double inertia = radius * radius + (1.0 + 16.0) / 12.0;
  const auto speed_squared = [&](double turned) {
    return 2.0 * 10.0 * radius / inertia * cos_difference(alpha - tilt, alpha - tilt + turned);
  };
  const double expected = time_from_rest(tilt, speed_squared);
  for (const double tolerance : kTolerances) {
    MovingScene scene = by_events(text, tolerance, 0.2);
    const std::vector<MotionEvent> events = events_until(scene, 0.8);
    EXPECT_NEAR(first_time(scene, events, EventKind::collision, "ground", "b"), expected,
                3.0 * tolerance);
    const double hit = std::sqrt(speed_squared(tilt));
    const double sine = std::sin(alpha);
    const double ratio = 1.0 - 1.5 * sine * sine;
    const double kinetic = 0.5 * 4.0 * inertia * hit * hit * ratio * ratio;  // density 1
    EXPECT_NEAR(scene.simulation.account().energy, 4.0 * 10.0 * 2.0 + kinetic, 100.0 * tolerance);
  }
}

TEST(EventDominoes, MeetWhenTheFirstHasTurnedSoFar) {
  // Faces 3/10 apart, height 1; the first turns about its foot with 2.
  const std::string text = event_scene(
      kEventGround +
          R"(, {"name": "d1", "box": ["1/5", 1], "position": [0, "1/2"], "velocity": [1, "1/5"], "spin": -2},
      {"name": "d2", "box": ["1/5", 1], "position": ["1/2", "1/2"]})",
      R"({"friction": 1})");
  const double alpha = std::atan(0.2);
  const double radius = std::sqrt(0.26);
  const double inertia = radius * radius + (0.04 + 1.0) / 12.0;
  const double turned = std::asin(0.3);
  // No rest at the start: the integrand is smooth, with ω² = 4 − (2 g r/I)(height gained).
  const auto speed = [&](double angle) {
    return std::sqrt(4.0 + 2.0 * 10.0 * radius / inertia * cos_difference(alpha, angle - alpha));
  };
  double expected = 0.0;
  constexpr int kParts = 2000;
  for (int i = 0; i < kParts; ++i) {
    const double h = turned / kParts;
    const double middle = (i + 0.5) * h;
    const double off = 0.5 * h * std::sqrt(0.6);
    expected +=
        h / 18.0 * (5.0 / speed(middle - off) + 8.0 / speed(middle) + 5.0 / speed(middle + off));
  }
  for (const double tolerance : kTolerances) {
    MovingScene scene = by_events(text, tolerance, 0.1);
    const std::vector<MotionEvent> events = events_until(scene, 0.3);
    EXPECT_NEAR(first_time(scene, events, EventKind::collision, "d1", "d2"), expected, tolerance);
  }
}

std::string chain_of(int links) {
  std::string bodies;
  std::string joints;
  for (int i = 0; i < links; ++i) {
    const std::string comma = i == 0 ? "" : ", ";
    const std::string name = "\"link " + std::to_string(i + 1) + "\"";
    const std::string before = i == 0 ? "\"world\"" : "\"link " + std::to_string(i) + "\"";
    bodies += comma + R"({"name": )" + name + R"(, "box": [1, "1/5"], "position": [")" +
              std::to_string(2 * i + 1) + R"(/2", 0]})";
    joints += comma + R"({"type": "pin", "bodies": [)" + before + ", " + name + R"(], "at": [)" +
              std::to_string(i) + ", 0]}";
  }
  return event_scene(bodies, "{}", R"(, "joints": [)" + joints + "]");
}

TEST(EventChain, KeepsItsEnergyToTheToleranceAtTheCostOfTheOrder) {
  std::vector<double> steps;
  for (const double tolerance : kTolerances) {
    MovingScene scene = by_events(chain_of(2), tolerance, 2.0);
    scene.run(4.0);
    const Account& account = scene.simulation.account();
    EXPECT_NEAR(account.energy, account.initial_energy, 10.0 * tolerance);
    steps.push_back(static_cast<double>(account.iterations));
    // The joints hold: the first link's end is where the second one's is.
    const Vec<2> end = scene.pose("link 1").apply(Vec<2>(0.5, 0.0));
    EXPECT_LT((end - scene.pose("link 2").apply(Vec<2>(-0.5, 0.0))).norm(), 1e-12);
  }
  // Errors per time are of order 4 in the step: a hundredth of the error costs 100^(1/4) ≈ 3.2 times as much.
  for (std::size_t i = 1; i < steps.size(); ++i) {
    EXPECT_GT(steps[i] / steps[i - 1], 2.0);
    EXPECT_LT(steps[i] / steps[i - 1], 4.5);
  }
}

TEST(EventChain, OfThirtyLinksSwingsWithoutStallingOrLosingEnergy) {
  MovingScene scene = by_events(chain_of(30), 1e-6, 0.1);
  scene.run(2.0);
  const Account& account = scene.simulation.account();
  EXPECT_NEAR(account.energy, account.initial_energy, 1e-4);
  EXPECT_LT(scene.centre("link 30").y(), -5.0);
  EXPECT_EQ(account.unsettled_steps, 0);
}

}  // namespace
}  // namespace collapse::testing
