/// Scenes that can be used: everything arrives exactly as written.

#include "collapse/io/scene_reader.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <ctime>
#include <numbers>
#include <string>

namespace collapse {
namespace {

using Turn = Eigen::Matrix<Rational, 2, 2>;

/// A scene whose bodies have these members.
Scene<2> read(const std::string& bodies, const std::string& more = "") {
  return parse_scene(R"({"collapse":1,"dimension":2,"bodies":[)" + bodies + "]" +
                     (more.empty() ? "" : "," + more) + "}");
}

ExactVec<2> point(const Rational& x, const Rational& y) { return {x, y}; }

TEST(SceneReader, ReadsTheExampleOfTheFormat) {
  const Scene<2> scene = parse_scene(R"({
    "collapse": 1, "name": "two bricks", "dimension": 2, "gravity": [0, -10],
    "materials": { "brick": { "density": 1, "friction": "1/2", "restitution": 0 } },
    "bodies": [
      { "name": "ground", "fixed": true, "plane": { "normal": [0, 1], "offset": 0 } },
      { "name": "lower", "material": "brick", "box": [1, "1/4"], "position": [0, "1/8"] },
      { "name": "upper", "material": "brick",
        "polygon": [["-1/4", "1/4"], ["3/4", "1/4"], ["3/4", "1/2"], ["-1/4", "1/2"]] } ],
    "joints": [],
    "loads": [ { "name": "push", "acceleration": [1, 0] } ],
    "simulation": { "scheme": "position", "impact": "sequential", "step": "1/60",
                    "duration": 5, "frame_rate": 60 } })");
  EXPECT_EQ(scene.name, "two bricks");
  EXPECT_EQ(scene.gravity.exact, point(0, -10));
  ASSERT_EQ(scene.materials.size(), 2U);
  EXPECT_EQ(scene.materials[1].name, "brick");
  EXPECT_EQ(scene.materials[1].friction.exact, Rational(1, 2));
  ASSERT_EQ(scene.bodies.size(), 3U);
  EXPECT_TRUE(scene.bodies[0].fixed);
  ASSERT_TRUE(scene.bodies[0].shape.half_space);
  EXPECT_EQ(scene.bodies[0].shape.half_space->exact_normal, point(0, 1));
  EXPECT_EQ(scene.bodies[1].material, 1);
  EXPECT_EQ(scene.bodies[1].exact_pose.position, point(0, Rational(1, 8)));
  ASSERT_TRUE(scene.bodies[1].mass.exact);
  EXPECT_EQ(scene.bodies[1].mass.exact->mass, Rational(1, 4));
  ASSERT_TRUE(scene.bodies[2].mass.exact);
  EXPECT_EQ(scene.bodies[2].mass.exact->centre, point(Rational(1, 4), Rational(3, 8)));
  ASSERT_EQ(scene.loads.size(), 1U);
  EXPECT_EQ(scene.loads[0].acceleration->exact, point(1, 0));
  EXPECT_EQ(scene.simulation.impact, "sequential");
  EXPECT_EQ(scene.simulation.step.exact, Rational(1, 60));
}

TEST(SceneReader, FillsInTheDefaults) {
  const Scene<2> scene = read(R"({"box":[2,1]})");
  EXPECT_EQ(scene.name, "");
  EXPECT_EQ(scene.gravity.exact, point(0, Rational(-981, 100)));
  ASSERT_EQ(scene.materials.size(), 1U);
  EXPECT_EQ(scene.materials[0].name, "default");
  EXPECT_EQ(scene.materials[0].density.exact, 1);
  EXPECT_EQ(scene.materials[0].friction.exact, 0);
  EXPECT_EQ(scene.materials[0].restitution.exact, 0);
  const Body<2>& body = scene.bodies[0];
  EXPECT_EQ(body.name, "body 0");
  EXPECT_EQ(body.material, 0);
  EXPECT_TRUE(body.free());
  EXPECT_TRUE(body.exact);
  EXPECT_EQ(body.exact_pose, ExactPose<2>{});
  EXPECT_EQ(body.mass.mass, 2.0);
  EXPECT_DOUBLE_EQ(body.mass.inertia(0, 0), 2.0 * (4.0 + 1.0) / 12.0);
  EXPECT_EQ(body.velocity.value, Vec<2>(0.0, 0.0));
  EXPECT_EQ(body.spin[0], 0.0);
  EXPECT_EQ(scene.simulation.scheme, "position");
  EXPECT_EQ(scene.simulation.impact, "simultaneous");
  EXPECT_EQ(scene.simulation.step.exact, Rational(1, 60));
  EXPECT_EQ(scene.simulation.duration.exact, 5);
  EXPECT_EQ(scene.simulation.frame_rate.exact, 60);
  EXPECT_TRUE(scene.ignored.empty());
}

TEST(SceneReader, ReadsNumbersExactlyAsWritten) {
  const std::string long_decimal = "0." + std::string(999, '3');
  const Rational thirds =
      (1 - 1 / boost::multiprecision::pow(Integer(10), 999).convert_to<Rational>()) / 3;
  const struct {
    std::string written;
    Rational exact;
  } cases[] = {
      {"0.1", Rational(1, 10)},
      {"\"0.1\"", Rational(1, 10)},
      {"\"-7/24\"", Rational(-7, 24)},
      {"2.5e-1", Rational(1, 4)},
      {"\"1e2\"", Rational(100)},
      {"1E+2", Rational(100)},
      {"-0", Rational(0)},
      {"123456789012345678901234567890", Rational(Integer("123456789012345678901234567890"))},
      {long_decimal, thirds},
      {"\"" + long_decimal + "\"", thirds},
  };
  for (const auto& each : cases) {
    SCOPED_TRACE(each.written);
    const Scene<2> scene = read(R"({"box":[1,1],"position":[)" + each.written + ",0]}");
    EXPECT_EQ(scene.bodies[0].exact_pose.position[0], each.exact);
    EXPECT_EQ(scene.bodies[0].pose.position[0], to_double(each.exact));
  }
}

TEST(SceneReader, UsesTheDefaultMaterialWhereABodyNamesNone) {
  const Scene<2> scene =
      read(R"({"name":"a","box":[1,1]},{"name":"b","box":[1,1],"material":"ice"},)"
           R"({"name":"c","box":[1,1],"material":"default"})",
           R"("materials":{"ice":{"density":3},"default":{"density":2,"friction":0.7}},)"
           R"("pairs":[{"materials":["default","ice"],"friction":0.6}])");
  EXPECT_EQ(scene.bodies[0].material, 0);
  EXPECT_EQ(scene.bodies[1].material, 1);
  EXPECT_EQ(scene.bodies[2].material, 0);
  EXPECT_EQ(scene.bodies[0].mass.mass, 2.0);
  EXPECT_EQ(scene.bodies[1].mass.mass, 3.0);
  EXPECT_EQ(scene.friction(0, 0).exact, Rational(7, 10));
  EXPECT_EQ(scene.friction(1, 1).exact, 0);
  EXPECT_EQ(scene.friction(1, 0).exact, Rational(3, 5));
}

TEST(SceneReader, MassOverridesDensityAndInertiaScalesWithIt) {
  const Scene<2> scene = read(
      R"({"name":"a","box":[2,1],"mass":12},{"name":"b","box":[2,1],"mass":12,"inertia":"1/3"},)"
      R"({"name":"c","disk":2,"mass":3},{"name":"d","box":[2,1],"inertia":7},)"
      R"({"name":"e","disk":2})");
  const auto& exact = scene.bodies[0].mass.exact;
  ASSERT_TRUE(exact);
  EXPECT_EQ(exact->mass, 12);
  EXPECT_EQ(exact->inertia(0, 0), 5);  // m (w² + h²)/12
  EXPECT_EQ(scene.bodies[0].mass.mass, 12.0);
  EXPECT_EQ(scene.bodies[0].mass.inertia(0, 0), 5.0);
  EXPECT_EQ(scene.bodies[1].mass.exact->inertia(0, 0), Rational(1, 3));
  EXPECT_EQ(scene.bodies[1].mass.mass, 12.0);
  ASSERT_TRUE(scene.bodies[2].mass.exact);
  EXPECT_EQ(scene.bodies[2].mass.mass, 3.0);
  EXPECT_EQ(scene.bodies[2].mass.exact->inertia(0, 0), 6);  // m r²/2
  EXPECT_EQ(scene.bodies[2].mass.inertia(0, 0), 6.0);
  EXPECT_EQ(scene.bodies[3].mass.mass, 2.0);
  EXPECT_EQ(scene.bodies[3].mass.inertia(0, 0), 7.0);
  EXPECT_FALSE(scene.bodies[4].mass.exact);
  EXPECT_DOUBLE_EQ(scene.bodies[4].mass.mass, 4.0 * std::numbers::pi);
}

TEST(SceneReader, ReadsRotationsAndSaysWhetherTheyAreExact) {
  const Scene<2> scene =
      read(R"({"name":"a","box":[1,1],"angle":-270},{"name":"b","box":[1,1],"rotation":[3,4]},)"
           R"({"name":"c","box":[1,1],"rotation":[1,1]},{"name":"d","box":[1,1],"angle":30})");
  Turn quarter;
  quarter << 0, -1, 1, 0;
  EXPECT_EQ(scene.bodies[0].exact_pose.rotation, quarter);
  Turn pythagoras;
  pythagoras << Rational(3, 5), Rational(-4, 5), Rational(4, 5), Rational(3, 5);
  EXPECT_EQ(scene.bodies[1].exact_pose.rotation, pythagoras);
  EXPECT_TRUE(scene.bodies[0].exact);
  EXPECT_TRUE(scene.bodies[1].exact);
  EXPECT_FALSE(scene.bodies[2].exact);
  EXPECT_NEAR(scene.bodies[2].pose.rotation(0, 0), std::sqrt(0.5), 1e-15);
  EXPECT_TRUE(scene.bodies[3].exact);
  EXPECT_NEAR(scene.bodies[3].pose.rotation(1, 0), 0.5, 1e-15);
  for (const Body<2>& body : scene.bodies) {
    const Turn product = body.exact_pose.rotation * body.exact_pose.rotation.transpose();
    EXPECT_EQ(product, Turn(Turn::Identity()));
  }
}

TEST(SceneReader, UnitesPartsIntoOneMass) {
  // An L of two boxes, the second turned by a quarter.
  const Scene<2> scene = read(R"({"parts":[{"box":[2,1],"position":[1,"1/2"]},)"
                              R"({"box":[1,1],"position":["1/2","3/2"],"angle":90}]})");
  const auto& exact = scene.bodies[0].mass.exact;
  ASSERT_TRUE(exact);
  EXPECT_EQ(exact->mass, 3);
  EXPECT_EQ(exact->centre, point(Rational(5, 6), Rational(5, 6)));
  ASSERT_EQ(scene.bodies[0].shape.boundary.size(), 1U);
  EXPECT_EQ(scene.bodies[0].shape.boundary[0].size(), 6);
}

TEST(SceneReader, ReadsGivenPathsAndStartsThemAtTimeZero) {
  const Scene<2> scene = read(
      R"({"name":"a","box":[1,1],"motion":{"keyframes":[{"time":-1,"position":[0,0]},)"
      R"({"time":2,"position":[3,6]}]}},)"
      R"({"name":"b","box":[1,1],"angle":90,"motion":{"keyframes":[{"time":1,"position":[7,0]},)"
      R"({"time":2,"position":[3,6],"angle":180}]}},)"
      R"({"name":"c","box":[1,1],"motion":{"keyframes":[{"time":-3,"position":[0,0],"angle":0},)"
      R"({"time":-1,"position":[1,1],"angle":90}]}},)"
      R"({"name":"d","box":[1,1],"motion":{"keyframes":[{"time":-1,"position":[0,0],"angle":0},)"
      R"({"time":1,"position":[1,1],"angle":60}]}})");
  EXPECT_FALSE(scene.bodies[0].free());
  EXPECT_FALSE(scene.bodies[0].fixed);
  ASSERT_EQ(scene.bodies[0].motion.size(), 2U);
  EXPECT_EQ(scene.bodies[0].exact_pose.position, point(1, 2));
  EXPECT_TRUE(scene.bodies[0].exact);
  EXPECT_EQ(scene.bodies[1].exact_pose.position, point(7, 0));
  EXPECT_EQ(scene.bodies[1].motion[0].pose.rotation, scene.bodies[1].exact_pose.rotation);
  EXPECT_EQ(scene.bodies[1].pose.rotation(1, 0), 1.0);
  EXPECT_EQ(scene.bodies[1].motion[1].pose.rotation(0, 0), -1);
  EXPECT_EQ(scene.bodies[2].exact_pose.position, point(1, 1));
  EXPECT_EQ(scene.bodies[2].pose.rotation(1, 0), 1.0);
  EXPECT_NEAR(scene.bodies[3].pose.rotation(1, 0), 0.5, 1e-14);
  EXPECT_FALSE(scene.bodies[3].exact);
}

TEST(SceneReader, JoinedBodiesDoNotTouchUnlessTheJointSaysSo) {
  const Scene<2> scene =
      read(R"({"name":"a","box":[1,1]},{"name":"b","box":[1,1]},{"name":"c","box":[1,1]})",
           R"("joints":[{"type":"pin","bodies":["b","a"],"at":["1/2",0]},)"
           R"({"type":"rod","bodies":["a","world"],"at":[[0,0],[3,4]]},)"
           R"({"type":"weld","bodies":["a","c"],"at":[0,0],"collide":true},)"
           R"({"type":"rod","bodies":["a","b"],"at":[[0,0],[1,1]],"length":1.4142136}],)"
           R"("ignore":[["c","b"],["b","c"]])");
  ASSERT_EQ(scene.joints.size(), 4U);
  EXPECT_EQ(scene.joints[0].type, JointType::pin);
  EXPECT_EQ(scene.joints[0].a, 1);
  EXPECT_EQ(scene.joints[0].b, 0);
  EXPECT_EQ(scene.joints[0].at_a.exact, point(Rational(1, 2), 0));
  EXPECT_EQ(scene.joints[0].at_b.exact, scene.joints[0].at_a.exact);
  EXPECT_EQ(scene.joints[1].type, JointType::rod);
  EXPECT_EQ(scene.joints[1].b, kWorld);
  EXPECT_EQ(scene.joints[1].length, 5.0);
  EXPECT_EQ(scene.joints[2].type, JointType::weld);
  EXPECT_TRUE(scene.joints[2].collide);
  EXPECT_EQ(scene.joints[3].length, 1.4142136);
  const std::vector<std::pair<int, int>> ignored{{1, 2}};
  EXPECT_EQ(scene.ignored, ignored);
}

TEST(SceneReader, ForcesActAtTheCentreOfMassUnlessTheySayWhere) {
  const Scene<2> scene =
      read(R"({"name":"a","polygon":[[0,0],[3,0],[0,3]],"position":[10,0],"angle":90})",
           R"("loads":[{"name":"p","body":"a","force":[1,2]},)"
           R"({"name":"q","body":"a","at":[0.5,0],"torque":-2.5}])");
  EXPECT_EQ(scene.loads[0].at.exact, point(9, 1));
  EXPECT_EQ(scene.loads[0].force.exact, point(1, 2));
  EXPECT_EQ(scene.loads[0].torque[0], 0.0);
  EXPECT_FALSE(scene.loads[0].acceleration);
  EXPECT_EQ(scene.loads[1].at.exact, point(Rational(1, 2), 0));
  EXPECT_EQ(scene.loads[1].torque[0], -2.5);
  EXPECT_EQ(scene.loads[1].force.value, Vec<2>(0.0, 0.0));
}

TEST(SceneReader, AcceptsZeroVelocityOfFixedBodiesAndPlanesSaidToBeFixed) {
  const Scene<2> scene =
      read(R"({"name":"a","box":[1,1],"fixed":true,"velocity":[0,0],"spin":0},)"
           R"({"name":"b","plane":{"normal":[3,4]},"fixed":true,"material":"default"})");
  EXPECT_TRUE(scene.bodies[0].fixed);
  EXPECT_TRUE(scene.bodies[1].fixed);
  EXPECT_EQ(scene.bodies[1].shape.half_space->exact_offset, 0);
}

TEST(SceneReader, ReadsAHundredThousandBricksInSeconds) {
  constexpr int kBricks = 100'000;
  std::string bodies;
  for (int i = 0; i < kBricks; ++i) {
    if (i > 0) bodies += ",";
    bodies += R"({"name":"brick )" + std::to_string(i) + R"(","box":[1,"1/4"],"position":[)" +
              std::to_string(i % 300) + ".5,\"" + std::to_string(i / 300) + "/4\"]}";
  }
  const std::clock_t start = std::clock();
  const Scene<2> scene = read(bodies);
  const double taken = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  EXPECT_EQ(scene.bodies.size(), static_cast<std::size_t>(kBricks));
  // Takes 2 to 5 s, with sanitizers up to 40; anything quadratic would take hours.
  EXPECT_LT(taken, 150.0);
}

}  // namespace
}  // namespace collapse
