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

/// A body at rest, a hundredth in size, hinged to one that moves: it turns by radians in the first step.
TEST(CrowdedSpace, SmallBodyIsTornAlongByAJoint) {
  const std::string text = space_scene(
      R"({"name": "large", "box": [1, 1, 1], "velocity": [4, 1, 2], "spin": [3, 2, 7]},
    {"name": "small", "box": [0.01, 0.012, 0.008], "mass": 0.03, "position": [0.51, 0.1, 0.2]})",
      "{}", R"(, "joints": [{"type": "hinge", "bodies": ["large", "small"], "axis": [1, 2, -2],
                "at": [0.503, 0.1, 0.2], "collide": true}])");
  const CrowdFaults worst = faults_of(text, 30);
  EXPECT_LE(worst.overlap, 1e-4);
  EXPECT_LE(worst.gain, 1e-2);
  EXPECT_FALSE(worst.crushed);
}

}  // namespace
}  // namespace collapse::testing
