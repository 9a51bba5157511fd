/// Scenes in space as .glb files, read back.

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "collapse/core/error.hpp"
#include "collapse/io/gltf.hpp"
#include "collapse/io/scene_reader.hpp"
#include "tests/support/glb_file.hpp"

namespace collapse {
namespace {

using testing::Document;
using testing::GlbFile;

const std::string kGltfSpaceScene = R"({"collapse": 1, "dimension": 3, "name": "three", "bodies": [
  {"name": "ground", "plane": {"normal": [0, 0, 1]}},
  {"name": "a", "box": [2, 4, 6], "position": [1, 2, 3]},
  {"name": "b", "box": [2, 4, 6], "position": [10, 2, 3], "rotation_vector": [90, 0, 0]},
  {"name": "c", "hull": [[20, 0, 0], [22, 0, 0], [20, 4, 0], [20, 0, 6]]},
  {"name": "ball", "sphere": 1, "position": [-9, 0, 1]}]})";

ContactForce<3> upward_force(int a, int b, const Vec<3>& point, const Vec<3>& force) {
  ContactForce<3> contact;
  contact.id.a = a;
  contact.id.b = b;
  contact.point = point;
  contact.normal = Vec<3>::UnitZ();
  contact.force = force;
  return contact;
}

std::string gltf_of(const Scene<3>& scene, const State<3>& state,
                    const std::vector<ContactForce<3>>& forces) {
  GltfExport<3> gltf(scene);
  gltf.add(0.0, state);
  gltf.add_forces(forces);
  return gltf.finish();
}

Eigen::Affine3d placement(const Document& node) {
  Eigen::Affine3d place = Eigen::Affine3d::Identity();
  const auto t = node.value("translation", std::vector<double>{0, 0, 0});
  const auto q = node.value("rotation", std::vector<double>{0, 0, 0, 1});
  const auto s = node.value("scale", std::vector<double>{1, 1, 1});
  place.translate(Eigen::Vector3d(t[0], t[1], t[2]));
  place.rotate(Eigen::Quaterniond(q[3], q[0], q[1], q[2]));
  place.scale(Eigen::Vector3d(s[0], s[1], s[2]));
  return place;
}

/// Points of a node's surface as a viewer has them, y upwards.
std::vector<Eigen::Vector3d> points_of(const GlbFile& file, const std::string& name) {
  const Document node = file.node_at(name);
  const Document& root =
      file.document["nodes"][file.document["scenes"][0]["nodes"][0].get<std::size_t>()];
  const Eigen::Affine3d place = placement(root) * placement(node);
  const Document& mesh = file.document["meshes"][node["mesh"].get<std::size_t>()];
  std::vector<Eigen::Vector3d> points;
  for (const auto& p : file.floats(mesh["primitives"][0]["attributes"]["POSITION"])) {
    points.push_back(place * Eigen::Vector3d(p[0], p[1], p[2]));
  }
  return points;
}

TEST(GltfInSpace, StandsUprightWithEveryBodyInItsPlace) {
  const Scene<3> scene = parse_scene<3>(kGltfSpaceScene);
  const State<3> state = initial_state(scene);
  const GlbFile file(gltf_of(scene, state, {}));
  for (const std::size_t body : {1U, 2U, 3U}) {
    std::set<std::vector<long>> expected;
    for (const Vec<3>& vertex : scene.bodies[body].shape.boundary.points) {
      const Vec<3> at = state.poses[body].apply(vertex);
      // What is up here is z, in the file y; what is in front here is −y, in the file z.
      expected.insert(
          {std::lround(1e3 * at.x()), std::lround(1e3 * at.z()), std::lround(-1e3 * at.y())});
    }
    std::set<std::vector<long>> found;
    for (const Eigen::Vector3d& p : points_of(file, scene.bodies[body].name)) {
      found.insert({std::lround(1e3 * p.x()), std::lround(1e3 * p.y()), std::lround(1e3 * p.z())});
    }
    EXPECT_EQ(found, expected) << body;
  }
  for (const Eigen::Vector3d& p : points_of(file, "ball")) {
    EXPECT_NEAR((p - Eigen::Vector3d(-9, 1, 0)).norm(), 1.0, 1e-5);
  }
  double highest = -1.0;
  for (const Eigen::Vector3d& p : points_of(file, "ground")) highest = std::max(highest, p.y());
  EXPECT_NEAR(highest, 0.0, 1e-5);
  // Equal bodies share their mesh; nothing moves.
  EXPECT_EQ(file.node_at("a")["mesh"].is_number(), true);
  EXPECT_FALSE(file.document.contains("animations"));
}

TEST(GltfInSpace, ForcesAreArrowsFromTheContactAlongTheForce) {
  const Scene<3> scene = parse_scene<3>(kGltfSpaceScene);
  const State<3> state = initial_state(scene);
  const Vec<3> force(3.0, 4.0, 12.0);
  const GlbFile file(
      gltf_of(scene, state,
              {upward_force(0, 1, {0, 0, 0}, force), upward_force(1, 2, {4, 0, 0}, Vec<3>::Zero()),
               upward_force(4, 0, {-9, 0, 0}, Vec<3>(0, 0, -13.0))}));
  const std::vector<Eigen::Vector3d> first = points_of(file, "force 0 of ground on a");
  Eigen::Vector3d tip = Eigen::Vector3d::Zero();
  for (const Eigen::Vector3d& p : first) {
    if (p.norm() > tip.norm()) tip = p;
  }
  EXPECT_LT((tip.normalized() - Eigen::Vector3d(3, 12, -4) / 13.0).norm(), 1e-4);
  // On the ball, not on the ground.
  double highest = 0.0;
  for (const Eigen::Vector3d& p : points_of(file, "force 2 of ground on ball")) {
    highest = std::max(highest, p.y());
  }
  EXPECT_NEAR(highest, tip.norm(), 1e-4);
  EXPECT_EQ(file.document["nodes"].size(), 5U + 2U + 1U);
}

TEST(GltfInSpace, FarFromTheOriginItIsStillPrecise) {
  const Scene<3> scene = parse_scene<3>(R"({"collapse": 1, "dimension": 3, "bodies": [
    {"name": "a", "box": [1, 1, 1], "position": [1e7, 2e7, 3e7]},
    {"name": "b", "box": [1, 1, 1], "position": [10000001.25, 2e7, 3e7]}]})");
  const GlbFile file(gltf_of(scene, initial_state(scene), {}));
  const auto a = file.at("a", "translation", 0.0);
  const auto b = file.at("b", "translation", 0.0);
  EXPECT_NEAR(b[0] - a[0], 1.25, 1e-6);
  const Scene<3> huge = parse_scene<3>(R"({"collapse": 1, "dimension": 3, "bodies": [
    {"name": "a", "box": [1, 1, 1], "position": [1e16, 0, 0]}]})");
  EXPECT_THROW(static_cast<void>(gltf_of(huge, initial_state(huge), {})), Error);
}

/// "a" flies a parabola while it turns fast about a slanted axis, "b" turns evenly, "c" wobbles.
State<3> space_moment(const Scene<3>& scene, double time) {
  State<3> state = initial_state(scene);
  const auto turn = [&](std::size_t body, const Vec<3>& spin) {
    const Eigen::AngleAxisd turned(time * spin.norm(), spin.normalized());
    const Vec<3> centre = state.centre(scene, static_cast<int>(body));
    Pose<3>& pose = state.poses[body];
    pose.rotation = turned * pose.rotation;
    pose.position = centre - pose.rotation * scene.bodies[body].mass.centre;
    state.velocities[body].tail<3>() = spin;
  };
  turn(1, {120.0, -80.0, 200.0});  // about 4.1 radians from frame to frame
  state.poses[1].position += Vec<3>(time, 0.0, 4.0 * time - 5.0 * time * time);
  turn(2, {2.0, 3.0, 6.0});
  turn(3, {std::sin(9.0 * time), std::cos(7.0 * time), 1.0});
  return state;
}

GlbFile space_film(const Scene<3>& scene) {
  GltfExport<3> gltf(scene);
  for (int i = 0; i <= 60; ++i) gltf.add(2.0 + i / 60.0, space_moment(scene, i / 60.0));
  return GlbFile(gltf.finish());
}

Eigen::Matrix3d shown_turn(const GlbFile& file, const std::string& name, double time) {
  const auto q = file.at(name, "rotation", time);
  return Eigen::Quaterniond(q[3], q[0], q[1], q[2]).normalized().toRotationMatrix();
}

TEST(GltfInSpace, PosesAtTheFramesAreTheTrajectorys) {
  const Scene<3> scene = parse_scene<3>(kGltfSpaceScene);
  const GlbFile file = space_film(scene);
  const double thickness =
      2.0;  // of a typical body; a ten thousandth of it is what keyframes may be off
  for (int i = 0; i <= 60; ++i) {
    const double time = i / 60.0;
    const State<3> state = space_moment(scene, time);
    for (const int body : {1, 2, 3, 4}) {
      const std::string& name = scene.bodies[static_cast<std::size_t>(body)].name;
      const Vec<3> centre = state.centre(scene, body);
      const auto place = file.at(name, "translation", time);
      for (int k = 0; k < 3; ++k) {
        EXPECT_NEAR(place[static_cast<std::size_t>(k)], centre[k], 1.05e-4 * thickness)
            << name << time;
      }
      // The reach of these bodies is 1 at least; times are rounded to single precision, which turns "a" a little.
      const double off =
          (shown_turn(file, name, time) - state.poses[static_cast<std::size_t>(body)].rotation)
              .norm();
      EXPECT_LT(off, 4e-4) << name << time;
    }
  }
}

/// Halfway between frames too: players must not turn a fast body backwards.
TEST(GltfInSpace, FastTurnsAreNotAliased) {
  const Scene<3> scene = parse_scene<3>(kGltfSpaceScene);
  const GlbFile file = space_film(scene);
  for (int i = 0; i < 60; ++i) {
    const double time = (i + 0.5) / 60.0;
    const Eigen::Matrix3d expected = space_moment(scene, time).poses[1].rotation;
    EXPECT_LT((shown_turn(file, "a", time) - expected).norm(), 2e-3) << time;
  }
}

TEST(GltfInSpace, EvenTurnsNeedFewKeysAndRestNeedsNone) {
  const Scene<3> scene = parse_scene<3>(kGltfSpaceScene);
  const GlbFile file = space_film(scene);
  for (const char* still : {"ground", "ball"}) {
    EXPECT_EQ(file.find_sampler(still, "translation"), nullptr) << still;
    EXPECT_EQ(file.find_sampler(still, "rotation"), nullptr) << still;
  }
  EXPECT_EQ(file.find_sampler("b", "translation"), nullptr);
  const Document* turning = file.find_sampler("b", "rotation");
  ASSERT_NE(turning, nullptr);
  // Seven radians in steps of at most a quarter turn about each axis, each of which may be halved.
  EXPECT_LE(file.floats((*turning)["input"]).size(), 12U);
  for (const auto& q : file.floats((*turning)["output"])) {
    EXPECT_NEAR(std::hypot(std::hypot(q[0], q[1]), std::hypot(q[2], q[3])), 1.0, 1e-6);
  }
}

}  // namespace
}  // namespace collapse
