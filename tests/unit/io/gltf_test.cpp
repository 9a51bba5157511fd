/// The .glb file, read back byte by byte as the specification of glTF 2.0 has it.

#include "collapse/io/gltf.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "collapse/core/error.hpp"
#include "collapse/io/scene_reader.hpp"
#include "tests/support/glb_file.hpp"

namespace collapse {
namespace {

using testing::Document;
using testing::GlbFile;

const std::string kGltfScene = R"({"collapse": 1, "dimension": 2, "name": "two", "bodies": [
  {"name": "ground", "plane": {"normal": [0, 1]}},
  {"name": "a", "box": [2, 1], "position": [0, 1]},
  {"name": "b", "polygon": [[9, 0], [11, 0], [11, 1], [9, 1]]},
  {"name": "rest", "box": [2, 1], "position": [-9, 1], "fixed": true},
  {"name": "frame", "position": [0, 9], "parts": [
    {"box": [3, 1], "position": [0, 1]}, {"box": [3, 1], "position": [0, -1]},
    {"box": [1, 3], "position": [-1, 0]}, {"box": [1, 3], "position": [1, 0]}]}],
  "framework": {"points": [{"name": "p", "position": [5, 5]}, {"name": "q", "position": [8, 9]}],
                "bars": [["p", "q"]]}})";

/// Body "a" flies a parabola and spins fast, "b" turns once; the rest stays.
State<2> moment(const Scene<2>& scene, double time) {
  State<2> state = initial_state(scene);
  const auto place = [&](std::size_t body, const Vec<2>& centre, double angle) {
    Pose<2>& pose = state.poses[body];
    pose.rotation = Eigen::Rotation2Dd(angle).toRotationMatrix();
    pose.position = centre - pose.rotation * scene.bodies[body].mass.centre;
  };
  place(1, {3.0 * time, 1.0 + 4.0 * time - 5.0 * time * time}, 200.0 * time);
  state.velocities[1] = {3.0, 4.0 - 10.0 * time, 200.0};
  place(2, {10.0, 0.5}, 2.0 * std::numbers::pi * time);
  state.velocities[2] = {0.0, 0.0, 2.0 * std::numbers::pi};
  state.points[1] = Vec<2>(5, 5) + 5.0 * Vec<2>(std::cos(time), std::sin(time));
  return state;
}

GlbFile sample_file(const Scene<2>& scene) {
  GltfExport<2> gltf(scene);
  for (int i = 0; i <= 60; ++i) gltf.add(5.0 + i / 60.0, moment(scene, i / 60.0));
  return GlbFile(gltf.finish());
}

TEST(Gltf, PosesAtTheFramesAreTheTrajectorys) {
  const Scene<2> scene = parse_scene(kGltfScene);
  const GlbFile file = sample_file(scene);
  for (int i = 0; i <= 60; ++i) {
    const double time = i / 60.0;
    const State<2> state = moment(scene, time);
    for (const int body : {1, 2, 3, 4}) {
      const std::string& name = scene.bodies[static_cast<std::size_t>(body)].name;
      const Vec<2> centre = state.centre(scene, body);
      const auto place = file.at(name, "translation", time);
      // A ten thousandth of a body's thickness, 1, is what keyframes may be off.
      EXPECT_NEAR(place[0], centre.x(), 1.01e-4) << name << time;
      EXPECT_NEAR(place[1], centre.y(), 1.01e-4) << name << time;
      EXPECT_EQ(place[2], 0.0);
      const auto q = file.at(name, "rotation", time);
      EXPECT_NEAR(std::hypot(q[2], q[3]), 1.0, 1e-6);
      const Eigen::Matrix2d turned =
          Eigen::Rotation2Dd(2.0 * std::atan2(q[2], q[3])).toRotationMatrix();
      const Pose<2>& pose = state.poses[static_cast<std::size_t>(body)];
      EXPECT_LT((turned - pose.rotation).norm(), 2e-4) << name << time;
    }
    const auto bar = file.at("bar p q", "translation", time);
    EXPECT_NEAR(bar[0], 0.5 * (5.0 + state.points[1].x()), 1.01e-4);
  }
}

/// Halfway between frames too: players must not turn a fast body backwards.
TEST(Gltf, FastTurnsAreNotAliased) {
  const Scene<2> scene = parse_scene(kGltfScene);
  const GlbFile file = sample_file(scene);
  for (int i = 0; i < 60; ++i) {
    const double time = (i + 0.5) / 60.0;
    const auto q = file.at("a", "rotation", time);
    const double off =
        std::remainder(2.0 * std::atan2(q[2], q[3]) - 200.0 * time, 2.0 * std::numbers::pi);
    EXPECT_NEAR(off, 0.0, 2e-3) << time;
  }
}

TEST(Gltf, WhatDoesNotMoveHasNoChannelAndStraightPathsFewKeys) {
  const Scene<2> scene = parse_scene(kGltfScene);
  const GlbFile file = sample_file(scene);
  for (const char* still : {"ground", "rest", "frame", "p"}) {
    EXPECT_EQ(file.find_sampler(still, "translation"), nullptr) << still;
    EXPECT_EQ(file.find_sampler(still, "rotation"), nullptr) << still;
  }
  EXPECT_EQ(file.find_sampler("b", "translation"), nullptr);
  const Document* turning = file.find_sampler("b", "rotation");
  ASSERT_NE(turning, nullptr);
  // One even turn in steps of at most a quarter.
  EXPECT_LE(file.floats((*turning)["input"]).size(), 6U);
  const Document* flying = file.find_sampler("a", "translation");
  ASSERT_NE(flying, nullptr);
  const auto times = file.floats((*flying)["input"]);
  EXPECT_EQ(times.front()[0], 0.0);
  EXPECT_FLOAT_EQ(static_cast<float>(times.back()[0]), 1.0F);
  for (std::size_t i = 1; i < times.size(); ++i) EXPECT_LT(times[i - 1][0], times[i][0]);
}

TEST(Gltf, EqualBodiesShareAMeshAndWallsEncloseTheRightArea) {
  const Scene<2> scene = parse_scene(kGltfScene);
  const GlbFile file = sample_file(scene);
  const auto mesh_of = [&](const std::string& name) {
    return file.document["meshes"][file.node_at(name)["mesh"].get<std::size_t>()];
  };
  // Equal boxes, one a polygon somewhere else: the same points, of two shades.
  EXPECT_EQ(mesh_of("a")["primitives"][0]["attributes"],
            mesh_of("b")["primitives"][0]["attributes"]);
  for (const auto& [name, area] : {std::pair{"a", 2.0}, std::pair{"frame", 8.0}}) {
    const Document primitive = mesh_of(name)["primitives"][0];
    const auto points = file.floats(primitive["attributes"]["POSITION"]);
    const auto normals = file.floats(primitive["attributes"]["NORMAL"]);
    double depth = 0.0;
    for (const auto& point : points) depth = std::max(depth, 2.0 * point[2]);
    // By the side walls alone, from Gauss' theorem: area = ½ ∮ x·n, whatever the front is cut into.
    double doubled = 0.0;
    for (std::size_t i = 0; i + 3 < points.size(); ++i) {
      if (normals[i][2] != 0.0) continue;
      const double length =
          std::hypot(points[i + 1][0] - points[i][0], points[i + 1][1] - points[i][1]);
      doubled += length * (points[i][0] * normals[i][0] + points[i][1] * normals[i][1]);
      i += 3;  // four corners to a wall
    }
    EXPECT_NEAR(0.5 * doubled, area, 1e-4) << name;
    EXPECT_NEAR(depth, std::sqrt(2.0), 1e-6);
  }
}

TEST(Gltf, ForcesAreArrowsAndNamesStayAsTheyAre) {
  Scene<2> scene = parse_scene(kGltfScene);
  scene.name = "</script> \"é\xFF";
  GltfExport<2> gltf(scene);
  gltf.add(0.0, initial_state(scene));
  ContactForce<2> force;
  force.id.a = 0;
  force.id.b = 1;
  force.point = {0.5, 0.5};
  force.normal = {0.0, 1.0};
  force.force = {0.0, 8.0};
  gltf.add_forces({force});
  const GlbFile file(gltf.finish());
  EXPECT_FALSE(file.document.contains("animations"));
  EXPECT_EQ(file.document["nodes"].back()["name"], "</script> \"é\xEF\xBF\xBD");
  const Document arrow = file.node_at("force 0 of ground on a");
  EXPECT_EQ(arrow["translation"][0], 0.5);
  EXPECT_EQ(arrow["translation"][1], 0.5);
  EXPECT_NEAR(arrow["rotation"][2].get<double>(), std::sqrt(0.5), 1e-6);  // upwards
}

TEST(Gltf, FarAwayScenesKeepTheirPrecision) {
  Scene<2> scene = parse_scene(R"({"collapse": 1, "dimension": 2, "bodies": [
    {"name": "a", "box": [1, 1], "position": [1000000, 0]},
    {"name": "b", "box": [1, 1], "position": ["1000001.0001", 0]}]})");
  GltfExport<2> gltf(scene);
  gltf.add(0.0, initial_state(scene));
  const GlbFile file(gltf.finish());
  const double apart = file.at("b", "translation", 0)[0] - file.at("a", "translation", 0)[0];
  EXPECT_NEAR(apart, 1.0001, 1e-6);
  State<2> lost = initial_state(scene);
  lost.poses[0].position.x() = 1e20;
  GltfExport<2> refused(scene);
  EXPECT_THROW(refused.add(0.0, lost), Error);
}

TEST(Gltf, SameInputSameBytes) {
  const Scene<2> scene = parse_scene(kGltfScene);
  GltfExport<2> a(scene);
  GltfExport<2> b(scene);
  for (GltfExport<2>* gltf : {&a, &b}) {
    for (int i = 0; i < 3; ++i) gltf->add(i, moment(scene, i));
  }
  EXPECT_EQ(a.finish(), b.finish());
}

}  // namespace
}  // namespace collapse
