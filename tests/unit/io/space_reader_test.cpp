#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <variant>

#include "collapse/io/scene_reader.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/temporary_folder.hpp"

namespace collapse::testing {
namespace {

/// A scene in space whose only body has these members.
std::string space_body(const std::string& members) {
  return R"({"collapse":1,"dimension":3,"bodies":[{)" + members + "}]}";
}

Body<3> body_of(const std::string& members) {
  return parse_scene<3>(space_body(members)).bodies.at(0);
}

void expect_refused_in_space(const std::string& text, const std::string& place,
                             const std::string& found, const std::string& expected) {
  expect_refused({text, place, found, expected},
                 [](const std::string& scene) { static_cast<void>(parse_any_scene(scene)); });
}

TEST(SpaceReader, ReadsEveryShapeWithItsMass) {
  EXPECT_EQ(body_of(R"("box":[1,2,"1/2"])").mass.exact->mass, 1);
  EXPECT_NEAR(body_of(R"("sphere":2)").mass.mass, 32.0 / 3.0 * 3.14159265358979, 1e-10);
  EXPECT_NEAR(body_of(R"("cylinder":[2,3])").mass.mass, 12.0 * 3.14159265358979, 1e-10);
  EXPECT_NEAR(body_of(R"("capsule":[1,3])").mass.mass, (3.0 + 4.0 / 3.0) * 3.14159265358979, 1e-10);
  const std::string corners = "[[0,0,0],[1,0,0],[0,1,0],[0,0,1]]";
  EXPECT_EQ(body_of("\"hull\":" + corners).mass.exact->mass, Rational(1, 6));
  const Body<3> mesh = body_of(R"("mesh":{"vertices":)" + corners +
                               R"(,"faces":[[0,2,1],[0,1,3],[1,2,3],[2,0,3]]})");
  EXPECT_EQ(mesh.mass.exact->mass, Rational(1, 6));
  EXPECT_EQ(mesh.mass.exact->centre[0], Rational(1, 4));
  const Body<3> parts =
      body_of(R"("parts":[{"box":[1,1,1]},{"box":[1,1,1],"position":["1/2",0,0]}])");
  EXPECT_EQ(parts.mass.exact->mass, Rational(3, 2));
  EXPECT_TRUE(body_of(R"("plane":{"normal":[0,0,2],"offset":4})").fixed);
}

TEST(SpaceReader, ReadsOrientationsExactly) {
  const Body<3> turned = body_of(R"("box":[1,1,1],"orientation":[1,0,0,1],"position":[1,2,3])");
  EXPECT_TRUE(turned.exact);
  EXPECT_EQ(turned.exact_pose.rotation(1, 0), 1);  // a quarter turn about z
  EXPECT_EQ(turned.exact_pose.rotation(0, 0), 0);
  const Body<3> vector = body_of(R"("box":[1,1,1],"rotation_vector":[0,0,90])");
  EXPECT_EQ(vector.exact_pose.rotation, turned.exact_pose.rotation);
  const Body<3> odd = body_of(R"("box":[1,1,1],"rotation_vector":[0,0,30])");
  EXPECT_FALSE(odd.exact);
  EXPECT_NEAR(odd.pose.rotation(1, 0), 0.5, 1e-15);
}

TEST(SpaceReader, MassAndInertiaMayBeGiven) {
  const Body<3> ball = body_of(R"("sphere":"1/2","mass":10)");
  EXPECT_EQ(ball.mass.exact->inertia(2, 2), 1);  // 2/5 · 10 · 1/4
  const Body<3> box = body_of(R"("box":[1,1,1],"mass":6,"inertia":[1,2,3])");
  EXPECT_EQ(box.mass.exact->inertia(1, 1), 2);
  EXPECT_EQ(box.mass.exact->inertia(0, 1), 0);
  const Body<3> matrix = body_of(R"("box":[1,1,1],"inertia":[[2,1,0],[1,2,0],[0,0,1]])");
  EXPECT_DOUBLE_EQ(matrix.mass.inertia(0, 1), 1.0);
}

TEST(SpaceReader, GravityPointsDownUnlessGiven) {
  const Scene<3> scene = parse_scene<3>(space_body(R"("sphere":1)"));
  EXPECT_EQ(scene.gravity.exact[2], Rational(-981, 100));
  EXPECT_EQ(scene.gravity.exact[1], 0);
}

TEST(SpaceReader, JointsLoadsAndPaths) {
  const Scene<3> scene = parse_scene<3>(R"({"collapse":1,"dimension":3,"bodies":[
    {"name":"a","sphere":1},{"name":"b","sphere":1,"position":[3,0,0]},
    {"name":"c","box":[1,1,1],"motion":{"keyframes":[
      {"time":-1,"position":[9,0,0]},
      {"time":1,"position":[11,0,0],"orientation":[1,0,0,1]}]}}],
    "joints":[{"type":"hinge","bodies":["a","b"],"at":[1,0,0],"axis":[0,3,4]},
              {"type":"ball","bodies":["a","world"],"at":[0,0,0]},
              {"type":"rod","bodies":["a","b"],"at":[[0,0,0],[2,3,6]]}],
    "loads":[{"name":"p","body":"a","force":[1,2,3],"torque":[4,5,6]},
             {"name":"q","acceleration":[1,0,0]}]})");
  EXPECT_EQ(scene.joints[0].type, JointType::hinge);
  EXPECT_LT((scene.joints[0].axis - Vec<3>(0, 0.6, 0.8)).norm(), 1e-15);
  EXPECT_EQ(scene.joints[1].type, JointType::pin);
  EXPECT_DOUBLE_EQ(scene.joints[2].length, 7.0);
  EXPECT_EQ(scene.loads[0].torque, Spin<3>(4, 5, 6));
  EXPECT_DOUBLE_EQ(scene.bodies[2].pose.position[0], 10.0);
  EXPECT_NEAR(scene.bodies[2].pose.rotation(0, 0), std::sqrt(0.5), 1e-15);  // half of 90°
}

TEST(SpaceReader, FindsMeshFilesBesideTheScene) {
  const TemporaryFolder folder("space-reader");
  std::filesystem::create_directory(folder.file("shapes"));
  folder.write("shapes/corner.obj",
               "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n");
  const std::string file = folder.write("scene.json", space_body(R"("mesh":"shapes/corner.obj")"));
  EXPECT_EQ(read_scene<3>(file).bodies[0].mass.exact->mass, Rational(1, 6));
}

TEST(SpaceReader, RefusesWhatItCannotUse) {
  expect_refused_in_space(space_body(R"("polygon":[[0,0],[1,0],[0,1]])"), "bodies[0].polygon",
                          "for scenes in the plane", "one of name");
  expect_refused_in_space(space_body(R"("box":[1,1])"), "bodies[0].box", "a list of 2",
                          "[x, y, z]");
  expect_refused_in_space(space_body(R"("box":[1,1,1],"angle":3)"), "bodies[0].angle",
                          "for scenes in the plane", "orientation");
  expect_refused_in_space(space_body(R"("box":[1,1,1],"orientation":[0,0,0,0])"),
                          "bodies[0].orientation", "the zero quaternion", "not zero");
  expect_refused_in_space(space_body(R"("hull":[[0,0,0],[1,0,0],[0,1,0],[1,1,0]])"),
                          "bodies[0].hull", "in one plane", "span a solid");
  expect_refused_in_space(
      space_body(
          R"("mesh":{"vertices":[[0,0,0],[1,0,0],[0,1,0],[0,0,1]],"faces":[[0,2,1],[0,1,3],[1,2,3],[2,0,4]]})"),
      "bodies[0].mesh.faces[3][2]", "the number 4", "from 0 to 3");
  expect_refused_in_space(
      space_body(
          R"("mesh":{"vertices":[[0,0,0],[1,0,0],[0,1,0],[0,0,1]],"faces":[[0,2,1],[0,1,3],[1,2,3],[0,1,3]]})"),
      "bodies[0].mesh", "edge", "a closed surface");
  expect_refused_in_space(space_body(R"("mesh":"nowhere.obj")"), "bodies[0].mesh", "nowhere.obj",
                          "");
  expect_refused_in_space(space_body(R"("box":[1,1,1],"inertia":[[1,2,0],[2,1,0],[0,0,1]])"),
                          "bodies[0].inertia", "a list", "symmetric positive");
  expect_refused_in_space(space_body(R"("box":[1,1,1],"spin":1)"), "bodies[0].spin", "the number 1",
                          "[x, y, z]");
}

TEST(SpaceReader, TellsTheDimensionsApart) {
  EXPECT_TRUE(std::holds_alternative<Scene<3>>(parse_any_scene(space_body(R"("sphere":1)"))));
  EXPECT_TRUE(std::holds_alternative<Scene<2>>(
      parse_any_scene(R"({"collapse":1,"dimension":2,"bodies":[{"disk":1}]})")));
  EXPECT_THROW(static_cast<void>(parse_scene<2>(space_body(R"("sphere":1)"))), Error);
}

}  // namespace
}  // namespace collapse::testing
