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

}  // namespace
}  // namespace collapse::testing
