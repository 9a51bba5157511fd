#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <nlohmann/json.hpp>
#include <numbers>

#include "collapse/core/error.hpp"
#include "collapse/io/convert.hpp"
#include "collapse/io/scene_reader.hpp"

namespace collapse {
namespace {

using Json = nlohmann::ordered_json;

std::string model(const std::string& world, const std::string& head = "") {
  return "<mujoco model=\"test\">\n" + head + "\n<worldbody>\n" + world +
         "\n</worldbody>\n</mujoco>\n";
}

/// What the reader of scenes accepts, too.
Json mjcf_scene(const std::string& text) {
  const std::string scene = convert_mjcf(text).scene;
  (void)parse_scene<3>(scene);
  return Json::parse(scene);
}

double value_of(const Json& number) {
  return number.is_string() ? to_double(*parse_rational(number.get<std::string>()))
                            : number.get<double>();
}

Vec<3> vec(const Json& list) { return {value_of(list[0]), value_of(list[1]), value_of(list[2])}; }

/// The rotation of a body or part; the quaternion need not be unit.
Eigen::Matrix3d rotation(const Json& body) {
  if (!body.contains("orientation")) return Eigen::Matrix3d::Identity();
  const Json& q = body["orientation"];
  return Eigen::Quaterniond(value_of(q[0]), value_of(q[1]), value_of(q[2]), value_of(q[3]))
      .normalized()
      .toRotationMatrix();
}

Eigen::Matrix3d about(const Vec<3>& axis, double degrees) {
  return Eigen::AngleAxisd(degrees * std::numbers::pi / 180.0, axis).toRotationMatrix();
}

TEST(ConvertMjcf, ReadsAStackOnAPlane) {
  const Json scene = mjcf_scene(model(R"(
    <geom name="floor" type="plane" size="1 1 .1" pos="0 0 -.5"/>
    <body name="brick" pos="0 0 0.1">
      <freejoint/>
      <geom type="box" size=".2 .1 .05" density="2000" friction="0.6 .005 .0001"/>
    </body>
    <body name="ball" pos="0 0 1"><joint type="free"/><geom size="0.25" mass="3"/></body>)",
                                      R"(<option timestep="0.004" gravity="0 0 -9.8"/>)"));
  EXPECT_EQ(scene["name"], "test");
  EXPECT_EQ(scene["gravity"], Json({0, 0, -9.8}));
  EXPECT_EQ(scene["simulation"]["step"], 0.004);
  ASSERT_EQ(scene["bodies"].size(), 3U);
  EXPECT_EQ(scene["bodies"][0]["plane"], Json({{"normal", {0, 0, 1}}, {"offset", -0.5}}));
  EXPECT_EQ(scene["bodies"][1]["box"], Json({0.4, 0.2, 0.1}));
  EXPECT_EQ(scene["bodies"][1]["position"], Json({0, 0, 0.1}));
  EXPECT_FALSE(scene["bodies"][1].contains("mass"));
  EXPECT_EQ(scene["bodies"][2]["sphere"], 0.25);
  EXPECT_EQ(scene["bodies"][2]["mass"], 3);
  // Friction of a pair is the larger in MuJoCo, in a scene the smaller unless `pairs` says otherwise.
  const auto friction = [&](int i) {
    return scene["materials"][scene["bodies"][i]["material"].get<std::string>()]["friction"];
  };
  EXPECT_EQ(friction(0), 1);
  EXPECT_EQ(friction(1), 0.6);
  ASSERT_EQ(scene["pairs"].size(), 1U);
  EXPECT_EQ(scene["pairs"][0]["friction"], 1);
}

TEST(ConvertMjcf, TurnsAsMujocoDoes) {
  const Vec<3> x = Vec<3>::UnitX();
  const Vec<3> y = Vec<3>::UnitY();
  const Vec<3> z = Vec<3>::UnitZ();
  const auto turned = [](const std::string& attribute, const std::string& compiler = "") {
    const Json scene = mjcf_scene(model("<geom type=\"box\" size=\"1 2 3\" " + attribute + "/>",
                                        "<compiler " + compiler + "/>"));
    return rotation(scene["bodies"][0]);
  };
  const auto expect = [&](const std::string& attribute, const Eigen::Matrix3d& expected,
                          const std::string& compiler = "") {
    EXPECT_NEAR((turned(attribute, compiler) - expected).norm(), 0.0, 1e-14) << attribute;
  };
  expect("quat=\"1 2 3 4\"", Eigen::Quaterniond(1, 2, 3, 4).normalized().toRotationMatrix());
  expect("axisangle=\"0 0 2 30\"", about(z, 30));
  expect("axisangle=\"1 2 2 270\"", about(Vec<3>(1, 2, 2) / 3, 270));
  expect("axisangle=\"1 0 0 0.5\"", about(x, 0.5 * 180 / std::numbers::pi), "angle=\"radian\"");
  expect("euler=\"90 0 0\"", about(x, 90));
  expect("euler=\"-90 180 0\"", about(x, -90) * about(y, 180));
  expect("euler=\"10 20 30\"", about(x, 10) * about(y, 20) * about(z, 30));
  expect("euler=\"10 20 30\"", about(z, 10) * about(y, 20) * about(x, 30), "eulerseq=\"zyx\"");
  // About the fixed axes of the parent: the last turn stands on the left.
  expect("euler=\"10 20 30\"", about(z, 30) * about(y, 20) * about(x, 10), "eulerseq=\"XYZ\"");
  expect("xyaxes=\"0 2 0 -1 1 0\"", about(z, 90));
  EXPECT_NEAR((turned("zaxis=\"1 2 -2\"") * z - Vec<3>(1, 2, -2) / 3).norm(), 0.0, 1e-14);
  EXPECT_NEAR((turned("zaxis=\"0 0 -1\"") * z + z).norm(), 0.0, 1e-14);
}

TEST(ConvertMjcf, RightAnglesStayExact) {
  const Json scene = mjcf_scene(
      model("<body pos=\"1 0 0\" euler=\"0 0 90\"><geom size=\".5\" pos=\"0.1 0 0\"/></body>"));
  EXPECT_EQ(scene["bodies"][0]["position"], Json({1, 0.1, 0}));
  EXPECT_EQ(scene["bodies"][0]["orientation"], Json({1, 0, 0, 1}));
}

TEST(ConvertMjcf, PlacesGeomsThroughBodiesAndFrames) {
  const Json scene = mjcf_scene(model(R"(
    <frame pos="0 0 1" euler="0 90 0">
      <body name="outer" pos="1 0 0" axisangle="0 0 1 40">
        <frame pos="0 1 0">
          <geom type="capsule" size=".1 .2" pos="0.3 0 0"/>
        </frame>
      </body>
    </frame>)"));
  const Vec<3> expected =
      Vec<3>(0, 0, 1) + about(Vec<3>::UnitY(), 90) *
                            (Vec<3>(1, 0, 0) + about(Vec<3>::UnitZ(), 40) * Vec<3>(0.3, 1, 0));
  const Json& body = scene["bodies"][0];
  EXPECT_EQ(body["name"], "outer");
  EXPECT_EQ(body["fixed"], true);
  EXPECT_EQ(body["capsule"], Json({0.1, 0.4}));
  EXPECT_NEAR((vec(body["position"]) - expected).norm(), 0.0, 1e-14);
  const Eigen::Matrix3d turn = about(Vec<3>::UnitY(), 90) * about(Vec<3>::UnitZ(), 40);
  EXPECT_NEAR((rotation(body) - turn).norm(), 0.0, 1e-14);
}

TEST(ConvertMjcf, BodiesWithoutJointsArePartOfTheirParent) {
  const Json scene = mjcf_scene(model(R"(
    <body name="hammer" pos="0 0 2"><freejoint/>
      <geom type="cylinder" size=".1 .5"/>
      <body name="head" pos="0 0 .5" euler="90 0 0"><geom type="box" size=".2 .2 .3" pos="0 0 1"/></body>
    </body>)"));
  ASSERT_EQ(scene["bodies"].size(), 1U);
  const Json& parts = scene["bodies"][0]["parts"];
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[0]["cylinder"], Json({0.1, 1}));
  EXPECT_NEAR((vec(parts[1]["position"]) - Vec<3>(0, -1, 0.5)).norm(), 0.0, 1e-15);
  EXPECT_EQ(scene["bodies"][0]["position"], Json({0, 0, 2}));
}

TEST(ConvertMjcf, HingesAndBallsBecomeJoints) {
  const Json scene = mjcf_scene(model(R"(
    <body name="arm" pos="0 0 3"><joint type="hinge" axis="0 1 0" pos="0 0 .5"/>
      <geom type="capsule" fromto="0 0 .5 0 0 -.5" size=".05"/>
      <body name="hand" pos="0 0 -1"><joint type="ball"/><geom size=".1"/></body>
    </body>)"));
  ASSERT_EQ(scene["joints"].size(), 2U);
  EXPECT_EQ(scene["joints"][0], Json({{"type", "hinge"},
                                      {"bodies", {"world", "arm"}},
                                      {"at", {0, 0, 3.5}},
                                      {"axis", {0, 1, 0}}}));
  EXPECT_EQ(scene["joints"][1],
            Json({{"type", "ball"}, {"bodies", {"arm", "hand"}}, {"at", {0, 0, 2}}}));
  EXPECT_EQ(scene["bodies"][0]["capsule"], Json({0.05, 1}));
}

TEST(ConvertMjcf, DefaultsComeFromClasses) {
  const Json scene = mjcf_scene(model(R"(
    <body childclass="stone"><freejoint/><geom/></body>
    <body><freejoint/><geom class="brick" size="1 2 3"/></body>)",
                                      R"(<default><geom type="box" size="1 1 1"/>
      <default class="stone"><geom density="2500"/>
        <default class="brick"><geom friction=".7"/></default></default></default>)"));
  const auto material = [&](int i) {
    return scene["materials"][scene["bodies"][i]["material"].get<std::string>()];
  };
  EXPECT_EQ(material(0), Json({{"density", 2500}, {"friction", 1}}));
  EXPECT_EQ(material(1), Json({{"density", 2500}, {"friction", 0.7}}));
  EXPECT_EQ(scene["bodies"][0]["box"], Json({2, 2, 2}));
  EXPECT_EQ(scene["bodies"][1]["box"], Json({2, 4, 6}));
}

TEST(ConvertMjcf, TheOutermostClassIsForAllWhateverItsName) {
  const Json scene = mjcf_scene(model("<geom/><geom class=\"all\"/>",
                                      "<default class=\"all\"><geom size=\"0.5\"/></default>"));
  EXPECT_EQ(scene["bodies"][0]["sphere"], 0.5);
  EXPECT_EQ(scene["bodies"][1]["sphere"], 0.5);
}

TEST(ConvertMjcf, MeshesAreScaledAndReadFromFiles) {
  const std::string tetrahedron =
      "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
  ConvertOptions options;
  std::string asked;
  options.read_file = [&](const std::string& path) {
    asked = path;
    return tetrahedron;
  };
  const Converted converted = convert_mjcf(
      model(R"(<body><freejoint/><geom type="mesh" mesh="wedge"/></body>
               <body><freejoint/><geom type="mesh" mesh="points"/></body>)",
            R"(<compiler meshdir="meshes"/><asset><mesh file="wedge.obj" scale="2 2 -2"/>
               <mesh name="points" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset>)"),
      options);
  EXPECT_EQ(asked, "meshes/wedge.obj");
  const Json scene = Json::parse(converted.scene);
  EXPECT_EQ(scene["bodies"][0]["hull"].size(), 4U);
  EXPECT_EQ(scene["bodies"][0]["hull"][3], Json({0, 0, -2}));
  EXPECT_EQ(scene["bodies"][1]["hull"].size(), 4U);
  EXPECT_TRUE(converted.remarks.empty());
}

TEST(ConvertMjcf, MasksAndExcludesBecomeIgnoredPairs) {
  const Json scene = mjcf_scene(R"(<mujoco><worldbody>
      <geom name="floor" type="plane" size="1 1 1"/>
      <body name="a"><freejoint/><geom size="1" contype="2" conaffinity="1"/></body>
      <body name="b"><freejoint/><geom size="1" contype="2" conaffinity="1"/></body>
      <body name="c"><freejoint/><geom size="1"/></body>
    </worldbody><contact><exclude body1="c" body2="world"/></contact></mujoco>)");
  EXPECT_EQ(scene["ignore"].dump(), R"([["floor","c"],["a","b"]])");
}

TEST(ConvertMjcf, FrictionOfPairsFollowsPriorityAndCondim) {
  const Json scene = mjcf_scene(model(R"(
    <geom name="ice" type="plane" size="1 1 1" friction=".1" priority="1"/>
    <body name="a"><freejoint/><geom size="1" friction=".8"/></body>
    <body name="b"><freejoint/><geom size="1" friction=".5" condim="1"/></body>)"));
  const auto pair = [&](const std::string& a, const std::string& b) {
    const auto material = [&](const std::string& name) {
      for (const Json& body : scene["bodies"]) {
        if (body["name"] == name) return body["material"].get<std::string>();
      }
      return std::string();
    };
    for (const Json& entry : scene["pairs"]) {
      if (entry["materials"] == Json({material(a), material(b)}))
        return entry["friction"].get<double>();
    }
    return std::min(scene["materials"][material(a)]["friction"].get<double>(),
                    scene["materials"][material(b)]["friction"].get<double>());
  };
  EXPECT_EQ(pair("ice", "a"), 0.1);
  EXPECT_EQ(pair("ice", "b"), 0.1);
  EXPECT_EQ(pair("a", "b"), 0.8);
  EXPECT_EQ(pair("b", "b"), 0.0);
}

TEST(ConvertMjcf, LeavesOutWhatDoesNotActAndSaysSo) {
  const Converted converted = convert_mjcf(R"(<mujoco><visual/><worldbody>
      <light/><camera/><site/>
      <body><freejoint/><geom size="1"/><geom size="2" contype="0" conaffinity="0" mass="0"/></body>
    </worldbody><actuator><motor name="m" joint="j"/></actuator></mujoco>)");
  EXPECT_EQ(converted.remarks.size(), 6U);
  EXPECT_TRUE(Json::parse(converted.scene)["bodies"][0].contains("sphere"));
}

TEST(ConvertMjcf, OneDensityGivesTheMassOfSeveralGeoms) {
  const Json scene = mjcf_scene(model(R"(<body><freejoint/>
      <geom type="box" size=".5 .5 .5" mass="2"/>
      <geom type="box" size=".5 .5 1" mass="4" pos="1 0 0"/></body>)"));
  EXPECT_EQ(scene["bodies"][0]["mass"], 6);
}

TEST(ConvertMjcf, RefusesWithLineElementAndName) {
  const std::string body = "<body name=\"b\"><freejoint/>";
  const std::vector<std::pair<std::string, std::string>> worlds = {
      {"<geom name=\"e\" type=\"ellipsoid\" size=\"1 1 1\"/>",
       "line 4, geom \"e\": found a geom of type \"ellipsoid\""},
      {"<geom type=\"hfield\" hfield=\"h\"/>", "hfield"},
      {"<geom type=\"box\" size=\"1 1\"/>", "a size of 2 numbers"},
      {"<geom size=\"-1\"/>", "not positive"},
      {"<geom size=\"wide\"/>", "size: found \"wide\", expected a number"},
      {"<geom size=\"1\" class=\"none\"/>", "the class \"none\""},
      {"<geom size=\"1\" margin=\"0.1\"/>", "margin"},
      {"<geom size=\"1\" friction=\"-1\"/>", "friction -1"},
      {"<geom type=\"mesh\" mesh=\"m\"/>", "the mesh \"m\""},
      {"<geom type=\"mesh\"/>", "without one"},
      {"<geom size=\"1\" quat=\"1 0 0 0\" euler=\"0 0 0\"/>", "quat and euler"},
      {"<geom size=\"1\" quat=\"0 0 0 0\"/>", "a quaternion"},
      {"<geom size=\"1\" pos=\"0 0\"/>", "2 numbers"},
      {"<body name=\"s\"><joint name=\"j\" type=\"slide\"/><geom size=\"1\"/></body>",
       "joint \"j\": found a joint of type \"slide\""},
      {"<body><joint range=\"0 1\"/><geom size=\"1\"/></body>", "limits"},
      {"<body><joint stiffness=\"1\"/><geom size=\"1\"/></body>", "stiffness"},
      {"<body><joint/><joint/><geom size=\"1\"/></body>", "a second joint"},
      {body + "</body>", "without a geom"},
      {body + "<geom size=\"1\"/><body><freejoint/><geom size=\"1\"/></body></body>",
       "a free joint below"},
      {body + "<geom type=\"plane\" size=\"1 1 1\"/></body>", "a plane on a body that moves"},
      {body + "<inertial mass=\"1\" pos=\"0 0 0\"/><geom size=\"1\"/></body>", "inertial"},
      {body + "<geom size=\"1\" contype=\"0\" conaffinity=\"0\"/></body>", "touches nothing"},
      {body + "<geom size=\"1\" mass=\"0\"/></body>", "no mass"},
      {body + "<geom size=\"1\"/><geom size=\"1\" density=\"2\"/></body>", "a density other"},
      {body + "<geom size=\"1\"/><geom size=\"1\" friction=\"2\"/></body>", "friction, condim"},
      {body + "<geom size=\"1\"/><composite/></body>", "composite"},
      {"<geom size=\"1\" pos=\"1e200 0 0\" axisangle=\"1e200 1 1 10\"/>", "at most 1e50"},
  };
  const auto refusal = [](const std::string& text) {
    try {
      (void)convert_mjcf(text);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  for (const auto& [world, word] : worlds) {
    const std::string message = refusal(model(world));
    EXPECT_NE(message.find(word), std::string::npos) << world << "\n" << message;
    EXPECT_NE(message.find("line "), std::string::npos) << message;
  }
  const std::string good = "<geom size=\"1\"/>";
  const std::vector<std::pair<std::string, std::string>> heads = {
      {"<tendon><spatial name=\"t\"/></tendon>", "spatial \"t\""},
      {"<equality><weld name=\"w\" body1=\"a\"/></equality>", "weld \"w\""},
      {"<actuator><position name=\"p\"/></actuator>", "position \"p\""},
      {"<default><default><geom/></default></default>", "no class"},
      {"<include file=\"other.xml\"/>", "include"},
      {"<compiler coordinate=\"global\"/>", "global"},
      {"<compiler eulerseq=\"abc\"/>", "eulerseq"},
      {"<compiler settotalmass=\"5\"/>", "settotalmass"},
      {"<option density=\"1.2\"/>", "medium"},
      {"<option timestep=\"0\"/>", "timestep"},
      {"<option><flag contact=\"disable\"/></option>", "contact disabled"},
      {"<contact><pair geom1=\"a\" geom2=\"b\"/></contact>", "pair"},
      {"<contact><exclude body1=\"nobody\" body2=\"world\"/></contact>", "nobody"},
  };
  for (const auto& [head, word] : heads) {
    const std::string message = refusal(model(good, head));
    EXPECT_NE(message.find(word), std::string::npos) << head << "\n" << message;
  }
  EXPECT_NE(refusal("<robot/>").find("robot"), std::string::npos);
  EXPECT_NE(refusal("<mujoco><worldbody></mujoco>").find("line 1"), std::string::npos);
  EXPECT_NE(refusal("").find("XML"), std::string::npos);
  EXPECT_NE(refusal(model("")).find("no geom"), std::string::npos);
}

TEST(ConvertMjcf, RefusesOptionsThatTheModelAnswers) {
  ConvertOptions options;
  options.friction = Rational(1);
  EXPECT_THROW((void)convert_mjcf(model("<geom size=\"1\"/>"), options), Error);
  options = {};
  options.ground = true;
  EXPECT_THROW((void)convert_mjcf(model("<geom size=\"1\"/>"), options), Error);
}

}  // namespace
}  // namespace collapse
