/// What random crowds in space found (tests/soak/crowds_campaign.cpp), each in the smallest scene that showed it.

#include <gtest/gtest.h>

#include "tests/support/moving_scene.hpp"
#include "tests/support/overlap.hpp"

namespace collapse::testing {
namespace {

/// Overlap of the smaller body's size, and energy from nowhere, at the worst in so many steps.
struct CrowdFaults {
  double overlap = 0.0;
  double gain = 0.0;
  bool crushed = false;
};

CrowdFaults faults_of(const std::string& text, int steps) {
  MovingSceneOf<3> scene = moving<3>(text);
  OverlapJudge judge(*scene.scene);
  CrowdFaults worst;
  for (int k = 0; k < steps; ++k) {
    scene.simulation.step();
    worst.overlap = std::max(worst.overlap, judge.deepest(scene.simulation.state()).share);
  }
  worst.gain = scene.simulation.account().max_gain;
  worst.crushed = scene.simulation.account().crushed_steps > 0;
  return worst;
}

/// The far side of the plate was taken for something that the rim had come down on, and crushed it.
TEST(CrowdedSpace, CylinderStandsOnAPlateThinnerThanItsRim) {
  const CrowdFaults worst = faults_of(
      space_scene(
          R"({"name": "plate", "box": [4, 4, "1/50"], "position": [0, 0, "-1/100"], "fixed": true},
    {"name": "cylinder", "cylinder": [0.237244, 0.414151], "mass": 9.86354,
     "position": [0.407315, 0.229235, 1.831331], "orientation": [1, 1, -2, -5]},
    {"name": "capsule", "capsule": [0.113698, 0.117558], "mass": 0.0322447,
     "position": [0.154819, 0.687854, 1.587654], "orientation": [7, -6, 4, 2]})",
          R"({"friction": 0})"),
      60);
  EXPECT_LE(worst.overlap, 1e-6);
  EXPECT_LE(worst.gain, 1e-6);
  EXPECT_FALSE(worst.crushed);
}

/// Corners that had passed through the large ball were to come out on its far side.
TEST(CrowdedSpace, SmallAngleOnALargeLightBallStaysOnItsSide) {
  const CrowdFaults worst = faults_of(
      space_scene(
          R"({"name": "floor", "box": [6, 6, 1], "position": [0, 0, "-1/2"], "fixed": true},
    {"name": "angle", "parts": [
      {"box": [0.017431, 0.002667, 0.002667], "position": [0.008716, 0, 0]},
      {"box": [0.002667, 0.002667, 0.017431], "position": [0, 0, 0.008716]}], "mass": 2.20422,
     "position": [0.866628, -0.74796, 0.598326], "orientation": [1, 2, -4, -8],
     "velocity": [2.657652, 0.088714, -3.647377], "spin": [0.799993, 3.423456, 3.004011]},
    {"name": "ball", "sphere": 0.728425, "mass": 0.0548474, "position": [0.780271, -0.292025, 1.187271]})",
          R"({"friction": 0.128})",
          R"(, "joints": [{"type": "ball", "bodies": ["angle", "ball"],
            "at": [0.864282, -0.735574, 0.614325], "collide": true}])"),
      40);
  EXPECT_LE(worst.overlap, 1e-4);
  EXPECT_LE(worst.gain, 1e-6);
  EXPECT_FALSE(worst.crushed);
}

/// A small body at rest, hinged to one that moves: it turns by radians in the first step, and rounds went astray.
TEST(CrowdedSpace, SmallBodyIsTornAlongByAJoint) {
  const CrowdFaults worst =
      faults_of(space_scene(
                    R"({"name": "ball", "sphere": 0.03048, "mass": 0.0644347,
     "position": [-1.45366, 1.939376, 1.165344], "orientation": [2, 1, 8, 6],
     "velocity": [-1.191738, 2.669359, -1.765921], "spin": [-1.1808, 5.91352, -7.332459]},
    {"name": "box", "box": [0.00711, 0.007424, 0.00475], "mass": 0.520803,
     "position": [-1.430994, 1.968745, 1.147473], "orientation": [7, -9, -4, 7]})",
                    R"({"friction": 0.797})",
                    R"(, "joints": [{"type": "hinge", "bodies": ["ball", "box"], "collide": true,
            "at": [-1.436333, 1.961828, 1.151682], "axis": [-0.242515, -0.570101, -0.54554]}])"),
                10);
  EXPECT_LE(worst.overlap, 1e-4);
  EXPECT_LE(worst.gain, 1e-3);  // of 0.4, all kinetic energy
  EXPECT_FALSE(worst.crushed);
}

/// A corner that came down and went up again within a step was pushed while it went up.
TEST(CrowdedSpace, FastTurningBoxBouncesWithoutGainingEnergy) {
  const CrowdFaults worst = faults_of(
      space_scene(kSpaceGround + R"(, {"name": "box", "box": [0.078845, 0.042812, 0.077647],
     "mass": 23.1072, "position": [-1.851746, 2.160559, 0.935307], "orientation": [7, -1, -1, 4]})",
                  R"({"friction": 0, "restitution": 0.317})"),
      120);
  EXPECT_LE(worst.overlap, 1e-4);
  EXPECT_LE(worst.gain, 0.1);  // of 216, mass · gravity · height
}

/// The edge of the small box touched the ball far beside itself, as the line that it is a part of.
TEST(CrowdedSpace, SmallBoxFallsOnALargeBall) {
  const CrowdFaults worst = faults_of(
      space_scene(kSpaceGround + R"(, {"name": "ball", "sphere": 0.557354, "mass": 0.894046,
     "position": [-1.735215, 0.159052, 0.982945], "orientation": [9, -8, -2, 8]},
    {"name": "box", "box": [0.001334, 0.006359, 0.007283], "mass": 1.02597,
     "position": [-1.981869, 0.175451, 1.810266], "orientation": [8, -2, 8, 9]})",
                  R"({"friction": 0})"),
      40);
  EXPECT_LE(worst.overlap, 1e-3);  // the step in which the box is struck does not settle
  EXPECT_LE(worst.gain, 0.1);
}

/// A corner that would sink into the floor was beside the wall's face at the end, which goes on behind the floor.
TEST(CrowdedSpace, HullSlidesIntoTheCornerOfAContainerOfParts) {
  const CrowdFaults worst = faults_of(space_scene(
                                          R"({"name": "container", "parts": [
      {"box": [6.29481, 6.29481, 0.3], "position": [0, 0, -0.15]},
      {"box": [0.3, 6.29481, 20], "position": [-2.997405, 0, 10]},
      {"box": [5.69481, 0.3, 20], "position": [0, -2.997405, 10]}], "fixed": true},
    {"name": "hull", "hull": [[0.006807, -0.002887, -0.003858], [-0.002643, 0.004514, -0.004975],
      [-0.00226, -0.002277, 0.012202], [-0.004592, -0.001374, -0.004785]], "mass": 1.00883,
     "position": [0.570776, -0.3369, 1.347302], "orientation": [6, -6, -9, 4],
     "velocity": [-1.834982, -1.942467, -0.096058], "spin": [2.331071, 8.989046, -8.927121]})",
                                          R"({"friction": 0})"),
                                      125);
  EXPECT_LE(worst.overlap, 1e-6);
  EXPECT_LE(worst.gain, 1e-6);
}

/// The rim of the small end counted as the line along it, which touches the large ball far beside the cylinder.
TEST(CrowdedSpace, SmallCylinderHitsALargeBall) {
  const CrowdFaults worst = faults_of(space_scene(
                                          R"({"name": "ball", "sphere": 0.251393, "mass": 1.26754,
     "position": [-0.189203, -0.312151, 1.142878], "orientation": [1, -6, -2, -6],
     "velocity": [1.320924, -1.617673, -2.079091], "spin": [-3.514144, -5.441315, 1.208874]},
    {"name": "cylinder", "cylinder": [0.005856, 0.006242], "mass": 0.0949605,
     "position": [0.14309, -0.264982, 0.638185], "orientation": [5, 7, -7, -4],
     "velocity": [-2.530331, 0.538642, 3.533216], "spin": [-6.941045, -7.632045, -7.733886]})",
                                          R"({"friction": 0.2})"),
                                      10);
  EXPECT_LE(worst.overlap, 1e-6);
  EXPECT_LE(worst.gain, 1e-6);
}

/// A face of the small box counted as the whole plane, and only the corners of what was closest were held.
TEST(CrowdedSpace, SmallBoxTipsOverOnALargeBall) {
  const CrowdFaults worst = faults_of(
      space_scene(kSpaceGround + R"(, {"name": "ball", "sphere": 0.206849, "mass": 3.29575,
     "position": [0.388837, -1.356646, 0.427668], "orientation": [9, -3, -2, 9]},
    {"name": "box", "box": [0.002233, 0.006055, 0.005931], "mass": 0.913782,
     "position": [0.384822, -1.413415, 1.855612], "orientation": [3, -1, -7, -2]})",
                  R"({"friction": 0.366})"),
      40);
  EXPECT_LE(worst.overlap, 1e-6);
  EXPECT_LE(worst.gain, 1e-2);  // of 31, its weight times its height
}

/// The work of a wall in the bounce itself: m (1 + ε) (u − v) u with all of the wall's and the ball's velocities.
TEST(CrowdedSpace, WallThatComesToMeetABallAccountsForTheBounce) {
  MovingSceneOf<3> scene = moving<3>(space_scene(
      R"({"name": "wall", "box": [1, 1, 1], "motion": {"keyframes": [
      {"time": 0, "position": [0, 0, 0]}, {"time": 1, "position": [1, 0, 0]}]}},
    {"name": "ball", "sphere": 0.1, "mass": 2, "position": [1.6, 0, 0], "velocity": [-1, 0, 0]})",
      R"({"friction": 0, "restitution": 0.5})", "", "[0, 0, 0]"));
  scene.run(0.9);
  EXPECT_NEAR(scene.velocity("ball")[0], 2.0, 1e-6);
  EXPECT_NEAR(scene.simulation.account().driven_work, 6.0, 1e-6);
  EXPECT_LE(scene.simulation.account().max_gain, 1e-9);
}

/// What has no room kept all others from being parted, and was not told of once the press stood still.
TEST(CrowdedSpace, WhatIsSqueezedIsToldAndPartsWhenThereIsRoom) {
  MovingSceneOf<3> scene = moving<3>(
      space_scene(kSpaceGround + R"(, {"name": "press", "box": [1, 1, 1], "motion": {"keyframes": [
      {"time": 0, "position": [0, 0, 1.6]}, {"time": 0.5, "position": [0, 0, 1.4]},
      {"time": 1, "position": [0, 0, 1.4]}, {"time": 1.25, "position": [0, 0, 2]}]}},
    {"name": "box", "box": [1, 1, 1], "position": [0, 0, "1/2"]})",
                  R"({"friction": 0.5})"));
  OverlapJudge judge(*scene.scene);
  scene.run(0.6);
  const std::int64_t before = scene.simulation.account().crushed_steps;
  scene.run(0.9);
  EXPECT_EQ(scene.simulation.account().crushed_steps - before, 18);
  scene.run(1.4);
  EXPECT_LE(judge.deepest(scene.simulation.state()).share, 1e-6);
}

}  // namespace
}  // namespace collapse::testing
