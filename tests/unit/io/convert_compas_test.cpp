/// Small assemblies in the manner of real files: COMPAS 2, COMPAS 1 with a graph, COMPAS 1 as a network, a block model.

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "collapse/core/error.hpp"
#include "collapse/io/convert.hpp"
#include "collapse/io/scene_reader.hpp"

namespace collapse {
namespace {

using Json = nlohmann::ordered_json;

/// A box from z to z + 1, faces as COMPAS writes them.
Json box_mesh(double z, double x = 0.0) {
  Json vertices = Json::object();
  const double corners[8][3] = {{-0.5, -0.5, 0}, {-0.5, 0.5, 0}, {0.5, 0.5, 0}, {0.5, -0.5, 0},
                                {-0.5, -0.5, 1}, {0.5, -0.5, 1}, {0.5, 0.5, 1}, {-0.5, 0.5, 1}};
  for (int i = 0; i < 8; ++i) {
    vertices[std::to_string(i)] = {
        {"x", corners[i][0] + x}, {"y", corners[i][1]}, {"z", corners[i][2] + z}};
  }
  const Json faces = {{"0", {0, 1, 2, 3}}, {"1", {0, 3, 5, 4}}, {"2", {3, 2, 6, 5}},
                      {"3", {2, 1, 7, 6}}, {"4", {1, 0, 4, 7}}, {"5", {4, 5, 6, 7}}};
  return {{"vertex", vertices}, {"face", faces}};
}

Json typed(const std::string& type, const Json& content, const char* key = "data") {
  return {{"dtype", type}, {key, content}};
}

/// Two boxes, one on the other; the lower is a support.
Json second_version() {
  const std::string block = "compas_assembly.datastructures/Block";
  Json nodes;
  nodes["0"] = {{"block", typed(block, box_mesh(-0.5))}, {"is_support", true}};
  nodes["1"] = {{"block", typed(block, box_mesh(0.5))}};
  const Json graph = {{"default_node_attributes", {{"is_support", false}}},
                      {"node", nodes},
                      {"edge", {{"0", Json::object()}, {"1", Json::object()}}}};
  return typed("compas_assembly.datastructures/Assembly",
               {{"attributes", {{"name", "two blocks"}}},
                {"graph", typed("compas.datastructures/Graph", graph)}});
}

Json interface_between(double z) {
  const Json points = {{-0.5, -0.5, z}, {-0.5, 0.5, z}, {0.5, 0.5, z}, {0.5, -0.5, z}};
  const Json frame = typed("compas.geometry/Frame",
                           {{"point", {0, 0, z}}, {"xaxis", {1, 0, 0}}, {"yaxis", {0, 1, 0}}});
  return typed("compas_assembly.datastructures/Interface",
               {{"points", points}, {"size", 1.0}, {"frame", frame}, {"forces", nullptr}});
}

Json scene_of(const Json& file, const ConvertOptions& options = {}) {
  return Json::parse(convert_compas(file.dump(), options).scene);
}

TEST(ConvertCompas, ReadsTheSecondVersion) {
  const Json scene = scene_of(second_version());
  EXPECT_EQ(scene["name"], "two blocks");
  EXPECT_EQ(scene["dimension"], 3);
  EXPECT_EQ(scene["gravity"], Json({0, 0, -1}));
  EXPECT_EQ(scene["materials"]["default"], Json({{"density", 1}, {"friction", 0.84}}));
  ASSERT_EQ(scene["bodies"].size(), 2U);
  EXPECT_EQ(scene["bodies"][0]["name"], "0");
  EXPECT_EQ(scene["bodies"][0]["fixed"], true);
  EXPECT_FALSE(scene["bodies"][1].contains("fixed"));
  EXPECT_EQ(scene["bodies"][1]["hull"].size(), 8U);
  EXPECT_EQ(scene["bodies"][1]["hull"][0], Json({-0.5, -0.5, 0.5}));
}

TEST(ConvertCompas, ReadsTheFirstVersionWithAGraphAndAsANetwork) {
  const Json graph = {{"dna", {{"is_support", false}}},
                      {"node", {{"7", {{"block", typed("Block", box_mesh(0), "value")}}}}},
                      {"edge", {{"7", Json::object()}}}};
  const Json with_graph = typed("Assembly", {{"graph", graph}}, "value");
  const Json block = typed("Block", {{"data", box_mesh(0)}, {"datatype", "Block"}}, "value");
  const Json network = typed(
      "Assembly",
      {{"data", {{"node", {{"7", {{"x", 0.5}, {"block", block}}}}}, {"edge", Json::object()}}}},
      "value");
  for (const Json& file : {with_graph, network}) {
    const Json scene = scene_of(file);
    ASSERT_EQ(scene["bodies"].size(), 1U);
    EXPECT_EQ(scene["bodies"][0]["name"], "7");
    EXPECT_EQ(scene["bodies"][0]["hull"].size(), 8U);
  }
}

TEST(ConvertCompas, ReadsTheOldestLayoutAndBlockModels) {
  const Json oldest = {
      {"assembly", {{"vertex", {{"3", {{"is_support", true}}}}}, {"edge", Json::object()}}},
      {"blocks", {{"3", box_mesh(0)}}}};
  EXPECT_EQ(scene_of(oldest)["bodies"][0]["fixed"], true);

  Json element = {{"transformation", nullptr},
                  {"geometry", typed("compas.datastructures/Mesh", box_mesh(0))},
                  {"is_support", true},
                  {"material", "stone-guid"}};
  Json model = {{"elements", {{"a-guid", typed("compas_dem.elements/Block", element)}}},
                {"materials", {{"stone-guid", typed("Stone", {{"density", 2000}})}}},
                {"graph", {{"node", {{"0", {{"element", "a-guid"}}}}}, {"edge", Json::object()}}}};
  const Json scene = scene_of(typed("compas_dem.models/BlockModel", model));
  EXPECT_EQ(scene["bodies"][0]["fixed"], true);
  EXPECT_EQ(scene["bodies"][0]["material"], "density 2000");
  EXPECT_EQ(scene["materials"]["density 2000"]["density"], 2000);

  model["elements"]["a-guid"]["data"]["transformation"] = Json::array({1, 2});
  EXPECT_THROW(scene_of(typed("compas_dem.models/BlockModel", model)), Error);
}

TEST(ConvertCompas, GivesAScene) {
  const Scene<3> scene = parse_scene<3>(convert_compas(second_version().dump()).scene);
  ASSERT_EQ(scene.bodies.size(), 2U);
  EXPECT_EQ(scene.body_name(1), "1");
}

TEST(ConvertCompas, KeepsNumbersAsWritten) {
  std::string text = second_version().dump();
  const std::string rounded = "\"z\":1.5";
  for (std::size_t at = text.find(rounded); at != std::string::npos;
       at = text.find(rounded, at + 1)) {
    text.replace(at, rounded.size(), "\"z\":1.50000000000000000001");
  }
  EXPECT_NE(convert_compas(text).scene.find("1.50000000000000000001"), std::string::npos);
  EXPECT_EQ(convert_compas(text).scene.find("/"), std::string::npos);
}

TEST(ConvertCompas, TakesSupportsFrictionDensityGravityAndGround) {
  ConvertOptions options;
  options.supports = {"1"};
  options.friction = Rational(1) / 2;
  options.density = Rational(3);
  options.gravity = Rational(10);
  options.ground = true;
  const Json scene = scene_of(second_version(), options);
  EXPECT_EQ(scene["gravity"], Json({0, 0, -10}));
  EXPECT_EQ(scene["materials"]["default"], Json({{"density", 3}, {"friction", 0.5}}));
  EXPECT_EQ(scene["bodies"][0]["plane"], Json({{"normal", {0, 0, 1}}, {"offset", -0.5}}));
  EXPECT_EQ(scene["bodies"][2]["fixed"], true);
}

TEST(ConvertCompas, WritesBlocksThatAreNotConvexAsMeshes) {
  // An L of 12 vertices, extruded along y.
  const double profile[6][2] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
  Json mesh = {{"vertex", Json::object()}, {"face", Json::object()}};
  for (int i = 0; i < 12; ++i) {
    mesh["vertex"][std::to_string(i)] = {
        {"x", profile[i % 6][0]}, {"y", i < 6 ? 0 : 1}, {"z", profile[i % 6][1]}};
  }
  mesh["face"]["a"] = {0, 1, 2, 3, 4, 5};
  mesh["face"]["b"] = {11, 10, 9, 8, 7, 6};
  for (int i = 0; i < 6; ++i) {
    mesh["face"][std::to_string(i)] = {i, 6 + i, 6 + (i + 1) % 6, (i + 1) % 6};
  }
  Json file = second_version();
  file["data"]["graph"]["data"]["node"]["1"]["block"]["data"] = mesh;
  const Json body = scene_of(file)["bodies"][1];
  ASSERT_TRUE(body.contains("mesh"));
  EXPECT_EQ(body["mesh"]["vertices"].size(), 12U);
  EXPECT_EQ(body["mesh"]["faces"].size(), 8U);

  // Inside out: turned round, with a remark.
  for (auto& face : file["data"]["graph"]["data"]["node"]["1"]["block"]["data"]["face"]) {
    std::reverse(face.begin(), face.end());
  }
  const Converted turned = convert_compas(file.dump());
  EXPECT_EQ(turned.remarks.size(), 1U);
  EXPECT_EQ(Json::parse(turned.scene)["bodies"][1]["mesh"]["faces"][0].size(), 6U);
}

TEST(ConvertCompas, CutsWarpedFacesAlikeFromBothSides) {
  // A cube with one corner of its top lifted, and the block that stands on that top.
  Json lower = box_mesh(0);
  Json upper = box_mesh(1);
  lower["vertex"]["6"]["z"] = 1.25;
  upper["vertex"]["2"]["z"] = 1.25;
  Json file = second_version();
  file["data"]["graph"]["data"]["node"]["0"]["block"]["data"] = lower;
  file["data"]["graph"]["data"]["node"]["1"]["block"]["data"] = upper;
  const Json scene = scene_of(file);
  // One of them bulges over the diagonal and is convex, the other has a groove there.
  const bool lower_convex = scene["bodies"][0].contains("hull");
  const bool upper_convex = scene["bodies"][1].contains("hull");
  EXPECT_NE(lower_convex, upper_convex);
}

std::string refusal(const Json& file, const ConvertOptions& options = {}) {
  try {
    (void)convert_compas(file.dump(), options);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(ConvertCompas, RefusesWhatIsNoAssembly) {
  EXPECT_NE(
      refusal(typed("compas.datastructures/Mesh", box_mesh(0))).find("compas.datastructures/Mesh"),
      std::string::npos);
  EXPECT_NE(refusal({{"collapse", 1}}).find("a scene of Collapse"), std::string::npos);
  EXPECT_NE(refusal(Json::array({1})).find("an assembly of COMPAS"), std::string::npos);
  Json file = second_version();
  file["data"]["graph"]["data"]["node"] = Json::object();
  EXPECT_NE(refusal(file).find("an empty object"), std::string::npos);
}

TEST(ConvertCompas, RefusesBadBlocksWithTheirPlace) {
  Json file = second_version();
  const auto node = [&file]() -> Json& { return file["data"]["graph"]["data"]["node"]["1"]; };
  node()["block"] = nullptr;
  EXPECT_NE(refusal(file).find("data.graph.data.node.1: found a node without a block"),
            std::string::npos)
      << refusal(file);
  node()["block"] = typed("compas.geometry/Brep", {{"x", 1}});
  EXPECT_NE(refusal(file).find("compas.geometry/Brep"), std::string::npos);
  node()["block"] = typed("Block", box_mesh(0.5));
  node()["block"]["data"]["face"].erase("5");
  EXPECT_NE(refusal(file).find("has a face on one side only"), std::string::npos) << refusal(file);
  node()["block"] = typed("Block", box_mesh(0.5));
  node()["block"]["data"]["face"]["5"] = {4, 5, 6, 99};
  EXPECT_NE(refusal(file).find("the key of a vertex"), std::string::npos);
  node()["block"] = typed("Block", box_mesh(0.5));
  node()["block"]["data"]["vertex"]["5"]["x"] = "wide";
  EXPECT_NE(refusal(file).find("a number"), std::string::npos);
  for (auto& [key, vertex] : node()["block"]["data"]["vertex"].items()) vertex["x"] = 0;
  EXPECT_NE(refusal(file).find("block \"1\""), std::string::npos) << refusal(file);
}

TEST(ConvertCompas, RefusesKeysThatCannotBeNames) {
  Json file = second_version();
  Json& nodes = file["data"]["graph"]["data"]["node"];
  nodes["world"] = nodes["1"];
  EXPECT_NE(refusal(file).find("the key \"world\""), std::string::npos) << refusal(file);
}

TEST(ConvertCompas, RefusesBadOptions) {
  ConvertOptions options;
  options.supports = {"12"};
  EXPECT_NE(refusal(second_version(), options).find("--supports"), std::string::npos);
  options = {};
  options.friction = Rational(-1);
  EXPECT_NE(refusal(second_version(), options).find("--friction"), std::string::npos);
  options = {};
  options.density = Rational(0);
  EXPECT_NE(refusal(second_version(), options).find("--density"), std::string::npos);
  options = {};
  options.gravity = Rational(-1);
  EXPECT_NE(refusal(second_version(), options).find("--gravity"), std::string::npos);
}

/// The four corners under the upper block, a quarter of its weight and a little friction on each.
std::vector<InterfaceForce> four_forces() {
  std::vector<InterfaceForce> forces;
  for (const auto& [x, y] : {std::pair(-0.5, -0.5), {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}}) {
    forces.push_back({"0", "1", 0, {x, y, 0.5}, {0, 0, 1}, {0.01 * x, 0.02, 0.25}});
  }
  return forces;
}

/// The force on block 1 that an interface of the edge 0 → 1 tells.
Vec<3> force_on_second(const Json& interface, std::size_t i) {
  const auto vec = [](const Json& j) { return Vec<3>(j[0], j[1], j[2]); };
  const Json& data = interface["data"];
  const Json& frame = data["frame"]["data"];
  const Vec<3> x = vec(frame["xaxis"]);
  const Vec<3> y = vec(frame["yaxis"]);
  const Json& c = data["forces"][i];
  return (c["c_np"].get<double>() - c["c_nn"].get<double>()) * x.cross(y) +
         c["c_u"].get<double>() * x + c["c_v"].get<double>() * y;
}

TEST(CompasForces, GoToThePointsThatTheFileHas) {
  Json file = second_version();
  file["data"]["graph"]["data"]["edge"]["0"]["1"] = {{"interfaces", {interface_between(0.5)}}};
  const CompasForces written = compas_with_forces(file.dump(), four_forces());
  EXPECT_EQ(written.kept, 1);
  EXPECT_EQ(written.made, 0);
  const Json result = Json::parse(written.text);
  const Json& interface = result["data"]["graph"]["data"]["edge"]["0"]["1"]["interfaces"][0];
  ASSERT_EQ(interface["data"]["forces"].size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    const Json& p = interface["data"]["points"][i];
    EXPECT_NEAR(
        (force_on_second(interface, i) - Vec<3>(0.01 * p[0].get<double>(), 0.02, 0.25)).norm(), 0.0,
        1e-15);
    EXPECT_EQ(interface["data"]["forces"][i]["c_nn"], 0.0);
  }
  // All else is as it was.
  Json without = result;
  without["data"]["graph"]["data"]["edge"]["0"]["1"]["interfaces"][0]["data"]["forces"] = nullptr;
  EXPECT_EQ(without, file);
}

TEST(CompasForces, FollowAFrameThatPointsTheOtherWay) {
  Json file = second_version();
  Json interface = interface_between(0.5);
  interface["data"]["frame"]["data"]["yaxis"] = {0, -1, 0};  // normal from block 1 to block 0
  file["data"]["graph"]["data"]["edge"]["0"]["1"] = {{"interfaces", {interface}}};
  const Json result = Json::parse(compas_with_forces(file.dump(), four_forces()).text);
  const Json& found = result["data"]["graph"]["data"]["edge"]["0"]["1"]["interfaces"][0];
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_DOUBLE_EQ(found["data"]["forces"][i]["c_np"].get<double>(), 0.25);
    EXPECT_NEAR(force_on_second(found, i)[2], -0.25, 1e-15);  // on block 0, where the normal points
  }
}

TEST(CompasForces, MakeInterfacesWhereThereAreNone) {
  Json file = second_version();
  file["data"]["graph"]["data"]["adjacency"] = {{"0", Json::object()}, {"1", Json::object()}};
  const CompasForces written = compas_with_forces(file.dump(), four_forces());
  EXPECT_EQ(written.kept, 0);
  EXPECT_EQ(written.made, 1);
  const Json graph = Json::parse(written.text)["data"]["graph"]["data"];
  EXPECT_TRUE(graph["adjacency"]["0"].contains("1"));
  EXPECT_TRUE(graph["adjacency"]["1"].contains("0"));
  const Json& interface = graph["edge"]["0"]["1"]["interfaces"][0];
  EXPECT_DOUBLE_EQ(interface["data"]["size"].get<double>(), 1.0);
  EXPECT_EQ(interface["data"]["frame"]["data"]["point"], Json({0.0, 0.0, 0.5}));
  Vec<3> total = Vec<3>::Zero();
  for (std::size_t i = 0; i < 4; ++i) total += force_on_second(interface, i);
  EXPECT_NEAR((total - Vec<3>(0, 0.08, 1)).norm(), 0.0, 1e-15);
}

TEST(CompasForces, ReplaceInterfacesWithOtherPoints) {
  Json file = second_version();
  Json interface = interface_between(0.5);
  interface["data"]["points"] = {{-0.2, -0.2, 0.5}, {0.2, -0.2, 0.5}, {0.2, 0.2, 0.5}};
  // The edge goes the other way: the normal of what is made goes with it.
  file["data"]["graph"]["data"]["edge"]["1"]["0"] = {{"interfaces", {interface}}};
  const CompasForces written = compas_with_forces(file.dump(), four_forces());
  EXPECT_EQ(written.made, 1);
  const Json found =
      Json::parse(written.text)["data"]["graph"]["data"]["edge"]["1"]["0"]["interfaces"];
  ASSERT_EQ(found.size(), 1U);
  Vec<3> total = Vec<3>::Zero();
  for (std::size_t i = 0; i < 4; ++i) total += force_on_second(found[0], i);
  EXPECT_NEAR((total - Vec<3>(0, -0.08, -1)).norm(), 0.0, 1e-15);  // on block 0
}

TEST(CompasForces, OfTheVerdictHoldABlock) {
  const std::string file = second_version().dump();
  const Scene<3> scene = parse_scene<3>(convert_compas(file).scene);
  const State<3> state = initial_state(scene);
  const Verdict<3> verdict = check(scene, state, find_contacts(scene, state));
  ASSERT_EQ(verdict.stability, Stability::stable);
  const CompasForces written = compas_with_forces(file, interface_forces(scene, verdict));
  EXPECT_EQ(written.made, 1);
  const Json interface =
      Json::parse(written.text)["data"]["graph"]["data"]["edge"]["0"]["1"]["interfaces"][0];
  Vec<3> force = Vec<3>::Zero();
  Vec<3> moment = Vec<3>::Zero();  // about the vertical through the block's centre
  for (std::size_t i = 0; i < interface["data"]["points"].size(); ++i) {
    const Json& p = interface["data"]["points"][i];
    const Vec<3> one = force_on_second(interface, i);
    force += one;
    moment += Vec<3>(p[0], p[1], p[2].get<double>() - 1.0).cross(one);
  }
  // Weight is density 1 times volume 1.
  EXPECT_NEAR((force - Vec<3>(0, 0, 1)).norm(), 0.0, 1e-9);
  EXPECT_NEAR(moment.norm(), 0.0, 1e-9);
}

TEST(CompasForces, AreZeroWhereNothingTouches) {
  Json file = second_version();
  file["data"]["graph"]["data"]["edge"]["0"]["1"] = {{"interfaces", {interface_between(0.5)}}};
  const Json result = Json::parse(compas_with_forces(file.dump(), {}).text);
  const Json& forces =
      result["data"]["graph"]["data"]["edge"]["0"]["1"]["interfaces"][0]["data"]["forces"];
  ASSERT_EQ(forces.size(), 4U);
  EXPECT_EQ(forces[2]["c_np"], 0.0);
}

}  // namespace
}  // namespace collapse
