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

/// The rim of the small cylinder counted as the line along it, which the large one touched far beside it, and rounds went
/// from one place to another.
TEST(CrowdedSpace, SmallCylinderHitsALargeCylinder) {
  const CrowdFaults worst =
      faults_of(space_scene(
                    R"({"name": "large", "cylinder": [0.210404, 0.784041], "mass": 0.0576246,
     "position": [-1.279334097, 1.661386845, 1.772378017],
     "orientation": [0.421832190, -0.178749331, 0.849122913, -0.262862243],
     "velocity": [1.964447, -2.464990, -0.687825], "spin": [8.042826, 6.231061, -2.108242]},
    {"name": "small", "cylinder": [0.002362, 0.011086], "mass": 0.0682134,
     "position": [-1.064597600, 1.317393467, 1.527082229],
     "orientation": [-0.067607774, -0.407444233, 0.907194283, -0.080105675],
     "velocity": [3.969546, 2.852197, 2.033017], "spin": [0.227282, 9.269779, -2.164954]})",
                    R"({"friction": 0, "restitution": 0.482})"),
                10);
  EXPECT_LE(worst.overlap, 1e-6);
  EXPECT_LE(worst.gain, 1e-6);
}

/// Two places of one edge, where the cylinder touched first and where it ends, had the same number, and one was dropped
/// after it had told how deep the solids are.
TEST(CrowdedSpace, CylinderRollsAlongAnEdgeOfAHull) {
  const CrowdFaults worst = faults_of(
      space_scene(
          R"({"name": "floor", "box": [6, 6, 1], "position": [0, 0, "-1/2"], "fixed": true},
    {"name": "cylinder", "cylinder": [0.034283, 0.091612], "mass": 1.49575,
     "position": [-1.241394563, 1.644695200, 0.034283000],
     "orientation": [0.276876336, 0.445355870, -0.549234147, 0.650645445],
     "velocity": [0.722569, 0.488373, 0], "spin": [0.015460, -0.045635, -6.916973]},
    {"name": "hull", "hull": [[0.049071, -0.014261, -0.046865], [-0.023489, 0.045561, -0.056059],
      [-0.022088, -0.023585, 0.143655], [-0.019005, -0.026558, -0.091314],
      [0.021209, -0.027235, -0.137964], [-0.004446, 0.028269, -0.152979],
      [-0.035968, -0.012021, 0.125712]], "mass": 10.3982,
     "position": [-1.266031852, 1.549140162, 0.026562952],
     "orientation": [0.504495212, -0.481650679, -0.479463201, -0.532552573],
     "velocity": [-0.108385, 0.136442, 0], "spin": [0.016488, -0.090295, -7.485588]})",
          R"({"friction": 0, "restitution": 0.23})"),
      15);
  EXPECT_LE(worst.overlap, 1e-6);
  EXPECT_LE(worst.gain, 1e-6);
}

/// A corner that sank into the flat end counted as inside the cylinder's side, a radius deep.
TEST(CrowdedSpace, SmallBoxHitsTheFlatEndOfACylinder) {
  const CrowdFaults worst =
      faults_of(space_scene(
                    R"({"name": "box", "box": [0.019715, 0.011162, 0.010508], "mass": 1.11316,
     "position": [-0.375717513, -1.839309087, 0.431892355],
     "orientation": [0.982786015, -0.027904125, 0.107830824, 0.147395803],
     "velocity": [1.186464, 0.960694, -4.753161], "spin": [-13.377115, 13.861633, -114.184875]},
    {"name": "cylinder", "cylinder": [0.259712, 0.353894], "mass": 3.98622,
     "position": [-0.300870159, -1.731956755, 0.176947000],
     "orientation": [0, 0.083363148, 0.996519235, 0], "velocity": [0.238545, -1.221238, 0],
     "spin": [0, 0, -2.345863]})",
                    R"({"friction": 0.098, "restitution": 0.33})"),
                10);
  EXPECT_LE(worst.overlap, 1e-6);
  EXPECT_LE(worst.gain, 1e-6);
}

/// Likewise an edge along the axis, of a box that has come to stand there.
TEST(CrowdedSpace, SmallBoxComesToStandOnACylinder) {
  const CrowdFaults worst = faults_of(
      space_scene(kSpaceGround + R"(, {"name": "cylinder", "cylinder": [0.26, 0.35], "mass": 4,
     "position": [0, 0, 0.175]},
    {"name": "box", "box": [0.02, 0.012, 0.008], "mass": 0.5, "position": [0.03, 0.05, 0.5],
     "orientation": [3, 1, 2, 1], "velocity": [0.5, 0, -6], "spin": [2, 1, 60]})",
                  R"({"friction": 0.3})"),
      60);
  EXPECT_LE(worst.overlap, 1e-6);
  EXPECT_LE(worst.gain, 1e-6);
}

/// The ball went from a small face, which was held at a point, over its edge, which was not held.
TEST(CrowdedSpace, BallRollsOverTheEdgeOfASmallFace) {
  const CrowdFaults worst = faults_of(
      space_scene(
          R"({"name": "floor", "box": [6.6, 6.6, 1], "position": [0, 0, "-1/2"], "fixed": true},
    {"name": "large", "parts": [{"box": [0.039780, 0.010934, 0.010934]},
      {"sphere": 0.017050, "position": [0.036940, 0, 0]},
      {"sphere": 0.017050, "position": [-0.036940, 0, 0]}], "mass": 8.86662,
     "position": [2.962745276, 2.842856814, 0.017050000],
     "orientation": [0.650226630, 0.136945585, -0.154010854, -0.731253645],
     "velocity": [-0.028772, 0.973033, 0.000363], "spin": [-0.879040, -7.505079, 0.194356]},
    {"name": "small", "parts": [{"box": [0.010100, 0.004613, 0.004613]},
      {"sphere": 0.004330, "position": [0.009380, 0, 0]},
      {"sphere": 0.004330, "position": [-0.009380, 0, 0]}], "mass": 1.34069,
     "position": [2.969325804, 2.895842663, 0.004330000],
     "orientation": [0.941216663, -0.290960490, 0.050686456, -0.163963623],
     "velocity": [0.094338, 0.635410, 0.001142], "spin": [-6.209491, 2.360549, 20.422969]})",
          R"({"friction": 0, "restitution": 0.015})"),
      15);
  EXPECT_LE(worst.overlap, 1e-6);
  EXPECT_LE(worst.gain, 1e-6);
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

/// Half of the press's way, the box went into the floor; through it, where that was thin.
TEST(CrowdedSpace, WhatIsCrushedIsNotPressedThroughTheFloor) {
  MovingSceneOf<3> scene = moving<3>(space_scene(
      R"({"name": "plate", "box": [4, 4, "1/50"], "position": [0, 0, "-1/100"], "fixed": true},
    {"name": "press", "box": [1, 1, 1], "motion": {"keyframes": [
      {"time": 0, "position": [0, 0, 1.6]}, {"time": 1, "position": [0, 0, 1.3]}]}},
    {"name": "box", "box": [1, 1, 1], "position": [0, 0, "1/2"]})",
      R"({"friction": 0.5})"));
  scene.run(1.0);
  EXPECT_GT(scene.simulation.account().crushed_steps, 0);
  EXPECT_NEAR(scene.pose("box").position[2], 0.5, 5e-3);
}

}  // namespace
}  // namespace collapse::testing
