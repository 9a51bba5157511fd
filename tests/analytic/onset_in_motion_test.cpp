/// Accelerations and forces of bodies that already move: the terms of velocity, and sliding friction.

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/onset_scene.hpp"

namespace collapse::testing {
namespace {

constexpr double kGravity = 10.0;
constexpr double kDigits = 1e-9;

std::string moving_scene(const std::string& gravity, const std::string& friction,
                         const std::string& bodies, const std::string& joints = "") {
  return R"({"collapse": 1, "dimension": 2, "gravity": )" + gravity +
         R"(, "materials": {"default": {"friction": )" + friction + R"(}}, "bodies": [)" + bodies +
         R"(], "joints": [)" + joints + "]}";
}

const std::string kFloor =
    R"({"name": "ground", "fixed": true, "plane": {"normal": [0, 1], "offset": 0}})";

// --- joints -------------------------------------------------------------------------------------

TEST(OnsetInMotion, APinHoldsARotatingBodyByItsCentrifugalForce) {
  // A square of mass 1, its centre at (3, 4) from the pin, turning with 2.
  const OnsetScene result = onset_of(
      moving_scene("[0, 0]", "0",
                   R"({"name": "bob", "box": [1, 1], "position": [3, 4], "velocity": [-8, 6],
                       "spin": 2})",
                   R"({"type": "pin", "bodies": ["world", "bob"], "at": [0, 0]})"));
  ASSERT_TRUE(result.onset.decided) << result.onset.reason;
  EXPECT_LT((result.of("bob").linear - Vec<2>(-12.0, -16.0)).norm(), kDigits);
  EXPECT_NEAR(result.of("bob").angular[0], 0.0, kDigits);
  EXPECT_LT((result.onset.joint_forces.at(0).force - Vec<2>(-12.0, -16.0)).norm(), kDigits);
}

TEST(OnsetInMotion, APendulumAddsItsWeight) {
  // Hanging straight down and swinging: m g + m ω² r.
  const OnsetScene result = onset_of(
      moving_scene("[0, -10]", "0",
                   R"({"name": "bob", "box": [1, 1], "position": [0, -3], "velocity": [6, 0],
                       "spin": 2})",
                   R"({"type": "pin", "bodies": ["bob", "world"], "at": [0, 0]})"));
  ASSERT_TRUE(result.onset.decided) << result.onset.reason;
  // On the world, which is the joint's second body.
  EXPECT_LT((result.onset.joint_forces.at(0).force - Vec<2>(0.0, -22.0)).norm(), kDigits);
}

TEST(OnsetInMotion, TwoBodiesThatTurnAboutTheirJointPullAtIt) {
  for (const char* type : {"pin", "weld"}) {
    const OnsetScene result = onset_of(moving_scene(
        "[0, 0]", "0",
        R"({"name": "left", "box": [2, 1], "position": [-1, 0], "velocity": [0, -3], "spin": 3},
           {"name": "right", "box": [2, 1], "position": [1, 0], "velocity": [0, 3], "spin": 3})",
        R"({"type": ")" + std::string(type) + R"(", "bodies": ["left", "right"], "at": [0, 0]})"));
    ASSERT_TRUE(result.onset.decided) << result.onset.reason;
    EXPECT_LT((result.onset.joint_forces.at(0).force - Vec<2>(-18.0, 0.0)).norm(), kDigits);
    EXPECT_NEAR(result.onset.joint_forces.at(0).torque[0], 0.0, kDigits);
    EXPECT_LT(worst_force_fault(result), 1e-9);
  }
}

TEST(OnsetInMotion, ARodPullsWithTheSquareOfTheSpeedOverItsLength) {
  // Both ends move: relative velocity 5 across a rod of length 4 between bodies of mass 1 and 3, held at
  // their centres: tension = v²/(ℓ (1/m + 1/M)).
  const OnsetScene result = onset_of(
      moving_scene("[0, 0]", "0",
                   R"({"name": "one", "box": [1, 1], "position": [0, 0], "velocity": [1, 2]},
         {"name": "other", "box": [3, 1], "position": [4, 0], "velocity": [1, 7]})",
                   R"({"type": "rod", "bodies": ["one", "other"], "at": [[0, 0], [4, 0]]})"));
  ASSERT_TRUE(result.onset.decided) << result.onset.reason;
  const double tension = 25.0 / 4.0 / (1.0 + 1.0 / 3.0);
  EXPECT_LT((result.onset.joint_forces.at(0).force - Vec<2>(-tension, 0.0)).norm(), kDigits);
  // Held at a corner of a turning body: the end's own rotation counts too.
  const OnsetScene corner = onset_of(moving_scene(
      "[0, 0]", "0", R"({"name": "box", "box": [2, 2], "position": [5, 0], "spin": 1})",
      R"({"type": "rod", "bodies": ["world", "box"], "at": [[0, 0], [4, 0]]})"));
  ASSERT_TRUE(corner.onset.decided) << corner.onset.reason;
  // The end, 1 left of the centre, has velocity (0, −1) and centripetal acceleration (1, 0): the rod has
  // to take −(1 + 1/4) along itself off the mass 4.
  EXPECT_LT((corner.onset.joint_forces.at(0).force - Vec<2>(-5.0, 0.0)).norm(), kDigits);
}

// --- round bodies -------------------------------------------------------------------------------

std::string rolling_disk(const std::string& floor, const std::string& position, double velocity,
                         double spin, const std::string& friction = "1") {
  return moving_scene("[0, -10]", friction,
                      floor + R"(, {"name": "disk", "disk": 2, "mass": 3, "position": )" +
                          position +
                          fmt::format(R"(, "velocity": [{}, 0], "spin": {}}})", velocity, spin));
}

TEST(OnsetInMotion, ARollingDiskDoesNotSink) {
  const OnsetScene result = onset_of(rolling_disk(kFloor, "[0, 2]", 7.0, -3.5));
  ASSERT_TRUE(result.onset.decided) << result.onset.reason;
  EXPECT_FALSE(result.onset.accelerates) << result.onset.share;
  EXPECT_LT((result.force("ground", "disk") - Vec<2>(0.0, 30.0)).norm(), 1e-8);
}

TEST(OnsetInMotion, ASkiddingDiskIsBrakedAndSpunUp) {
  const OnsetScene result = onset_of(rolling_disk(kFloor, "[0, 2]", 7.0, 0.0, "0.25"));
  ASSERT_TRUE(result.onset.decided) << result.onset.reason;
  EXPECT_NEAR(result.of("disk").linear[0], -2.5, kDigits);
  EXPECT_NEAR(result.of("disk").angular[0], -2.5, kDigits);  // 2 μ g / R
  EXPECT_EQ(result.onset.contacts.at(0).state, ContactState::sliding);
}

TEST(OnsetInMotion, ADiskThatRollsOverAHillIsLighter) {
  const std::vector<std::pair<std::string, double>> hills = {
      {R"({"name": "hill", "fixed": true, "disk": 3, "position": [0, -3]})", 5.0},
      {R"({"name": "hill", "fixed": true, "polygon": [[-1, -2], [1, -2], [0, 0]]})", 2.0}};
  for (const auto& [hill, distance] : hills) {
    const double limit = std::sqrt(kGravity * distance);
    for (const double share : {0.5, 0.99}) {
      const double v = share * limit;
      const OnsetScene result = onset_of(rolling_disk(hill, "[0, 2]", v, -0.5 * v));
      ASSERT_TRUE(result.onset.decided) << result.onset.reason;
      EXPECT_NEAR(result.force("hill", "disk")[1], 3.0 * (kGravity - v * v / distance), 1e-8);
      EXPECT_EQ(result.opening(), 0U);
    }
    const OnsetScene leaving = onset_of(rolling_disk(hill, "[0, 2]", 1.01 * limit, -0.505 * limit));
    ASSERT_TRUE(leaving.onset.decided) << leaving.onset.reason;
    EXPECT_EQ(leaving.opening(), 1U);
    EXPECT_NEAR(leaving.of("disk").linear[1], -kGravity, kDigits);
  }
}

TEST(OnsetInMotion, ARiderOnATurningPlateFeelsCoriolisAndCentrifugalForce) {
  // The plate is so heavy that it turns evenly, about the origin. The rider's centre is at
  // (3, 1/2 + height) and moves outwards along the plate's edge with u.
  const double omega = 2.0;
  const double m = 0.5;
  const double u = 4.0;
  struct Rider {
    std::string shape;
    double height;
    double spin;
  };
  for (const Rider& rider : {Rider{R"("disk": 1)", 1.0, -1.0}, Rider{R"("disk": 1)", 1.0, 2.0},
                             Rider{R"("polygon": [[-1, 0], [0, -1], [1, 0], [0, 1]])", 1.0, 2.0}}) {
    for (const bool rider_first : {false, true}) {
      const double y = 0.5 + rider.height;
      const std::string plate = R"({"name": "plate", "box": [20, 1], "mass": 1e12,
                                    "inertia": 1e12, "spin": 2})";
      const std::string own = fmt::format(
          R"({{"name": "rider", {}, "mass": 0.5, "position": [3, {}], "velocity": [{}, {}],
              "spin": {}}})",
          rider.shape, y, u - omega * y, omega * 3.0, rider.spin);
      const OnsetScene result =
          onset_of(moving_scene("[0, 0]", "0", rider_first ? own + "," + plate : plate + "," + own,
                                R"({"type": "pin", "bodies": ["plate", "world"], "at": [0, 0]})"));
      ASSERT_TRUE(result.onset.decided) << result.onset.reason;
      const double expected = m * (2.0 * omega * u - omega * omega * y);
      const Vec<2> force =
          rider_first ? Vec<2>(-result.force("rider", "plate")) : result.force("plate", "rider");
      EXPECT_NEAR(force[1], expected, 1e-8) << rider.shape;
      EXPECT_NEAR(force[0], 0.0, 1e-8);
    }
  }
}

TEST(OnsetInMotion, APlankThatTurnsAndSlidesOverACornerKeepsTouchingIt) {
  // The corner is s from the plank's middle, k below its centre; the plank turns with ω and slides.
  const double s = 0.75;
  const double k = 0.25;
  const double slide = 1.5;  // of the corner along the plank
  const double omega = 0.5;
  const double m = 2.0;
  const double I = m * (16.0 + 0.25) / 12.0;
  for (const bool plank_first : {false, true}) {
    const std::string corner =
        R"({"name": "corner", "fixed": true, "polygon": [[-1, -2], [1, -2], [0, 0]]})";
    const std::string plank = fmt::format(
        R"({{"name": "plank", "box": [4, "1/2"], "mass": 2, "position": [{}, {}],
            "velocity": [{}, {}], "spin": {}}})",
        -s, k, -(slide + k * omega), -s * omega, omega);
    const OnsetScene result = onset_of(
        moving_scene("[0, -10]", "0", plank_first ? plank + "," + corner : corner + "," + plank));
    ASSERT_TRUE(result.onset.decided) << result.onset.reason;
    const double N =
        m * (kGravity - 2.0 * slide * omega - k * omega * omega) / (1.0 + m * s * s / I);
    EXPECT_NEAR(result.of("plank").angular[0], s * N / I, kDigits);
    EXPECT_NEAR(result.of("plank").linear[1], N / m - kGravity, kDigits);
  }
}

TEST(OnsetInMotion, ABodyOnAGivenPathCarriesOthersAlong) {
  // A plate that turns evenly about its origin, the middle of its upper side: a rider on its middle, on a
  // point that rests, keeps its weight; one pushed aside by the plate's end is thrown.
  const OnsetScene result =
      onset_of(moving_scene("[0, -10]", "0",
                            R"({"name": "plate", "polygon": [[-4, -1], [4, -1], [4, 0], [-4, 0]],
          "motion": {"keyframes": [{"time": 0, "position": [0, 0], "angle": 0},
                                   {"time": 1, "position": [0, 0], "angle": 90}]}},
         {"name": "rider", "disk": 1, "mass": 2, "position": [2, 1], "velocity": [0, )" +
                                fmt::format("{}", M_PI) + "]}"));
  ASSERT_TRUE(result.onset.decided) << result.onset.reason;
  // The rider's centre is at (2, 1) over the pivot and does not move sideways: along the plate, which
  // turns with ω = π/2, it moves with u = ω, so that its normal acceleration is 2 ω u − ω².
  const double omega = 0.5 * M_PI;
  EXPECT_NEAR(result.force("plate", "rider")[1],
              2.0 * (kGravity + 2.0 * omega * omega - omega * omega), 1e-8);
}

// --- sliding friction ---------------------------------------------------------------------------

std::string sliding_block(const std::string& friction, double width, double height,
                          double velocity) {
  return moving_scene("[0, -10]", friction,
                      kFloor + fmt::format(R"(, {{"name": "block", "box": [{}, {}], "mass": 1,
                                 "position": [0, {}], "velocity": [{}, 0]}})",
                                           width, height, 0.5 * height, velocity));
}

TEST(OnsetInMotion, ASlidingBlockIsBrakedByFriction) {
  for (const double velocity : {3.0, -0.01}) {
    const OnsetScene result = onset_of(sliding_block("0.3", 2.0, 1.0, velocity));
    ASSERT_TRUE(result.onset.decided) << result.onset.reason;
    EXPECT_NEAR(result.of("block").linear[0], velocity > 0.0 ? -3.0 : 3.0, kDigits);
    EXPECT_NEAR(result.of("block").linear[1], 0.0, kDigits);
    EXPECT_NEAR(result.of("block").angular[0], 0.0, kDigits);
    // The front corner carries more: moments about the centre, N_front − N_back = 2 μ h N / b.
    double front = 0.0;
    double back = 0.0;
    for (const auto& contact : result.onset.contacts) {
      (contact.point[0] * velocity > 0.0 ? front : back) = contact.force[1];
    }
    EXPECT_NEAR(front + back, 10.0, 1e-8);
    EXPECT_NEAR(front - back, 0.3 * 10.0 * 0.5, 1e-8);
  }
}

TEST(OnsetInMotion, ATallSlidingBlockTipsOverItsFrontCorner) {
  const double b = 0.5;
  const double h = 1.0;
  const double I = 5.0 / 12.0;
  for (const double mu : {0.499, 0.501, 0.7, 1.2}) {
    const OnsetScene result = onset_of(sliding_block(std::to_string(mu), 2 * b, 2 * h, 1.0));
    ASSERT_TRUE(result.onset.decided) << result.onset.reason;
    const bool tips = mu * h > b;
    const double N = tips ? kGravity / (1.0 + b * (b - mu * h) / I) : kGravity;
    EXPECT_NEAR(result.of("block").angular[0], tips ? N * (b - mu * h) / I : 0.0, 1e-7) << mu;
    EXPECT_NEAR(result.of("block").linear[0], -mu * N, 1e-7) << mu;
    EXPECT_EQ(result.opening(), tips ? 1U : 0U) << mu;
  }
}

/// A rod of length 2 that leans at the given angle over the floor and slides on its end at the origin.
std::string painleve_rod(double friction, double degrees, double velocity) {
  const double c = std::cos(degrees * M_PI / 180.0);
  const double s = std::sin(degrees * M_PI / 180.0);
  return moving_scene("[0, -10]", fmt::format("{}", friction),
                      kFloor + fmt::format(R"(, {{"name": "rod", "mass": 1, "inertia": "1/3",
          "velocity": [{}, 0], "polygon": [[0, 0],
          [{}, {}], [{}, {}], [{}, {}]]}})",
                                           velocity, c + 0.01 * s, s - 0.01 * c, 2 * c, 2 * s,
                                           c - 0.01 * s, s + 0.01 * c));
}

TEST(PainleveRod, IsUndecidedFromTheFrictionOnThatPressesItOntoTheFloor) {
  const double degrees = 60.0;
  const double c = std::cos(degrees * M_PI / 180.0);
  const double s = std::sin(degrees * M_PI / 180.0);
  // Its foot ahead, it is pushed at the foot against its own weight's turn: friction presses it on.
  // 1/m + c (c − μ s)/I vanishes at:
  const double critical = (1.0 / 3.0 + c * c) / (c * s);
  for (const double share : {0.5, 0.9, 0.99}) {
    const double mu = share * critical;
    const OnsetScene result = onset_of(painleve_rod(mu, degrees, -1.0));
    ASSERT_TRUE(result.onset.decided) << share << result.onset.reason;
    const double N = kGravity / (1.0 + 3.0 * c * (c - mu * s));
    EXPECT_NEAR(result.force("ground", "rod")[1], N, 1e-6 * N) << share;
  }
  for (const double share : {1.01, 1.5, 4.0}) {
    const OnsetScene result = onset_of(painleve_rod(share * critical, degrees, -1.0));
    EXPECT_FALSE(result.onset.decided) << share;
    EXPECT_NE(result.onset.reason.find("\"rod\" on \"ground\""), std::string::npos)
        << result.onset.reason;
    EXPECT_NE(result.onset.reason.find("Painlevé"), std::string::npos) << result.onset.reason;
    // With its foot behind it slides as any other.
    EXPECT_TRUE(onset_of(painleve_rod(share * critical, degrees, 1.0)).onset.decided);
  }
}

// --- the falling ladder -------------------------------------------------------------------------

/// The needle of the gallery, turning as it does when it has slid down from rest at lean₀.
OnsetScene falling_ladder(double height_share) {
  const double start = 0.8;  // cos of the first lean
  const double rise = height_share * start;
  const double run = std::sqrt(1.0 - rise * rise);
  const auto scene = [&](double omega) {
    return moving_scene(
        "[0, -10]", "0",
        kFloor +
            R"(, {"name": "wall", "fixed": true, "plane": {"normal": [1, 0], "offset": 0}}, )" +
            fmt::format(R"({{"name": "ladder", "velocity": [{}, {}], "spin": {},
                "polygon": [[{}, 0], [{}, {}], [0, {}], [{}, {}]]}})",
                        0.5 * rise * omega, -0.5 * run * omega, omega, run,
                        0.5 * run + 0.005 * rise, 0.5 * rise + 0.005 * run, rise,
                        0.5 * run - 0.005 * rise, 0.5 * rise - 0.005 * run));
  };
  const OnsetScene resting = onset_of(scene(0.0));
  const double m = resting.mass("ladder").mass;
  const double J = resting.mass("ladder").inertia(0, 0) + 0.25 * m;
  return onset_of(scene(std::sqrt(m * kGravity * (start - rise) / J)));
}

TEST(FallingLadder, LeavesTheWallAtTwoThirdsOfItsHeight) {
  for (const double share : {0.95, 0.7, 0.668}) {
    const OnsetScene result = falling_ladder(share);
    ASSERT_TRUE(result.onset.decided) << result.onset.reason;
    EXPECT_GT(result.force("wall", "ladder")[0], 0.0) << share;
    EXPECT_EQ(result.opening(), 0U) << share;
  }
  for (const double share : {0.665, 0.5}) {
    const OnsetScene result = falling_ladder(share);
    ASSERT_TRUE(result.onset.decided) << result.onset.reason;
    EXPECT_EQ(result.force("wall", "ladder")[0], 0.0) << share;
    EXPECT_EQ(result.opening(), 1U) << share;
  }
}

}  // namespace
}  // namespace collapse::testing
