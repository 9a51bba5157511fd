/// Scenes that cannot be used, and the words that say so.

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "collapse/core/error.hpp"
#include "collapse/io/json.hpp"
#include "collapse/io/scene_reader.hpp"
#include "tests/support/refusal.hpp"

namespace collapse {
namespace {

using testing::Refusal;

void expect_refused(const std::vector<Refusal>& refusals) {
  ASSERT_FALSE(refusals.empty());
  for (const Refusal& refusal : refusals) {
    testing::expect_refused(refusal, [](const std::string& text) { return parse_scene(text); });
  }
}

/// A scene with one good body and more members.
std::string scene(const std::string& more) {
  return R"({"collapse":1,"dimension":2,"bodies":[{"name":"a","box":[1,1]}])" +
         (more.empty() ? "" : "," + more) + "}";
}

/// A scene with the good bodies a and b, the fixed body f, and more members.
std::string scene_of_three(const std::string& more) {
  return R"({"collapse":1,"dimension":2,"bodies":[{"name":"a","box":[1,1]},)"
         R"({"name":"b","box":[1,1],"position":[2,0]},{"name":"f","box":[1,1],"fixed":true}],)" +
         more + "}";
}

/// A scene whose only body has these members.
std::string body(const std::string& members) {
  return R"({"collapse":1,"dimension":2,"bodies":[{)" + members + "}]}";
}

TEST(SceneRefusal, OfTheWholeDocument) {
  expect_refused({
      {"[]", "", "an empty list", "a scene, an object with the keys collapse"},
      {"{}", "", "no \"collapse\"", "\"collapse\": 1"},
      {R"({"collapse":2})", "collapse", "the number 2", "1, the version"},
      {R"({"collapse":"1"})", "collapse", "the string \"1\"", "1, the version"},
      {R"({"collapse":1})", "", "no \"dimension\"", "\"dimension\": 2"},
      {R"({"collapse":1,"dimension":3,"bodies":[{"sphere":1}]})", "dimension", "3",
       "2: this is for scenes in the plane only"},
      {R"({"collapse":1,"dimension":4})", "dimension", "the number 4", "2 (the plane) or 3"},
      {R"({"collapse":1,"dimension":"two"})", "dimension", "the string \"two\"", "2 (the plane)"},
      {R"({"collapse":1,"dimension":2})", "", "no \"bodies\"", "\"bodies\""},
      {R"({"collapse":1,"dimension":2,"bodies":[]})", "bodies", "an empty list",
       "a list of 1 to 1000000 bodies"},
      {R"({"collapse":1,"dimension":2,"bodies":{}})", "bodies", "an empty object", "a list of"},
      {R"({"collapse":1,"dimension":2,"bodies":[7]})", "bodies[0]", "the number 7", "a body"},
      {scene(R"("framework":{"points":[]})"), "framework.points", "an empty list", "1 to 1000000"},
      {scene(R"("name":7)"), "name", "the number 7", "a name, as a string"},
      {scene(R"("gravty":[0,-1])"), "gravty", "unknown key \"gravty\"",
       "did you mean \"gravity\"?"},
      {scene(R"("gravity":[0,-1,0])"), "gravity", "a list of 3", "[x, y]"},
      {scene(R"("gravity":-9.81)"), "gravity", "the number -9.81", "[x, y]"},
      {scene(R"("gravity":[0,"down"])"), "gravity[1]", "the string \"down\"",
       "a number such as 0.25 or \"1/4\""},
      {scene(R"("gravity":[0,-1e200])"), "gravity", "longer than 1e50", "[x, y]"},
      {scene(R"("a\nb":1)"), "[\"a\\nb\"]", "unknown key \"a\\nb\"", "one of collapse"},
      {R"({"collapse":1,"dimension":2,"bodies":[{"disk":1}],"name":"x","name":"y"})", "",
       "the key \"name\" twice", "at most once"},
  });
}

TEST(SceneRefusal, OfMaterials) {
  expect_refused({
      {scene(R"("materials":[])"), "materials", "an empty list", "each material's name"},
      {scene(R"("materials":{"brick":1})"), "materials.brick", "the number 1", "a material"},
      {scene(R"("materials":{"brick":{"frction":1}})"), "materials.brick.frction",
       "unknown key \"frction\"",
       "one of density, friction, restitution; did you mean \"friction\"?"},
      {scene(R"("materials":{"brick":{"friction":-1}})"), "materials.brick.friction",
       "the number -1", "not less than 0"},
      {scene(R"("materials":{"brick":{"restitution":1.5}})"), "materials.brick.restitution",
       "the number 1.5", "from 0 to 1"},
      {scene(R"("materials":{"brick":{"restitution":"-1/2"}})"), "materials.brick.restitution",
       "the string \"-1/2\"", "from 0 to 1"},
      {scene(R"("materials":{"brick":{"density":0}})"), "materials.brick.density", "the number 0",
       "greater than 0"},
      {scene(R"("materials":{"red brick":{"density":0}})"), "materials[\"red brick\"].density",
       "the number 0", "greater than 0"},
      {scene(R"("materials":{"":{}})"), "materials[\"\"]", "an empty name", "1 to 200 bytes"},
      {scene(R"("pairs":{})"), "pairs", "an empty object", "a list of pairs"},
      {scene(R"("pairs":[{"friction":1}])"), "pairs[0]", "no \"materials\"", "two names"},
      {scene(R"("pairs":[{"materials":["default"],"friction":1}])"), "pairs[0].materials",
       "a list of 1", "two materials"},
      {scene(R"("pairs":[{"materials":["default","defualt"],"friction":1}])"),
       "pairs[0].materials[1]", "the unknown name \"defualt\"", "did you mean \"default\"?"},
      {scene(R"("pairs":[{"materials":["default","default"]}])"), "pairs[0]",
       "neither friction nor restitution", "at least one"},
      {scene(R"("pairs":[{"materials":["default","default"],"friction":1},)"
             R"({"materials":["default","default"],"restitution":1}])"),
       "pairs[1].materials", "given before", "at most once"},
      {body(R"("box":[1,1],"material":"wood")"), "bodies[0].material", "the unknown name \"wood\"",
       "the name of a material"},
      {body(R"("box":[1,1],"material":3)"), "bodies[0].material", "the number 3",
       "the name of a material"},
  });
}

TEST(SceneRefusal, OfNames) {
  expect_refused({
      {body(R"("name":"","disk":1)"), "bodies[0].name", "an empty name", "1 to 200 bytes"},
      {body(R"("name":"world","disk":1)"), "bodies[0].name", "\"world\"", "another name"},
      {body(R"("name":"a\tb","disk":1)"), "bodies[0].name", "\"a\\tb\"",
       "without control characters"},
      {body(R"("name":")" + std::string(201, 'n') + R"(","disk":1)"), "bodies[0].name",
       "a name of 201 bytes", "1 to 200 bytes"},
      {body(R"("name":null,"disk":1)"), "bodies[0].name", "null", "a name"},
      {body(R"("name":"x","disk":1},{"name":"x","disk":1)"), "bodies[1].name",
       "the name \"x\", which bodies[0] has already", "of its own"},
      {body(R"("name":"body 1","disk":1},{"disk":1)"), "bodies[1]",
       "the name \"body 1\", which bodies[0] has already", "of its own"},
  });
}

TEST(SceneRefusal, OfShapes) {
  expect_refused({
      {body(""), "bodies[0]", "no shape", "exactly one of box, polygon, disk, plane, parts"},
      {body(R"("box":[1,1],"disk":1)"), "bodies[0]", "two shapes, box and disk", "exactly one"},
      {body(R"("bx":[1,1])"), "bodies[0].bx", "unknown key \"bx\"", "did you mean \"box\"?"},
      {body(R"("sphere":1)"), "bodies[0].sphere", "for scenes in space", "one of name"},
      {body(R"("mesh":"a.obj")"), "bodies[0].mesh", "for scenes in space", "one of name"},
      {body(R"("box":[1,1],"orientation":[1,0,0,0])"), "bodies[0].orientation",
       "for scenes in space", "one of name"},
      {body(R"("box":1)"), "bodies[0].box", "the number 1", "[width, height]"},
      {body(R"("box":[1,2,3])"), "bodies[0].box", "a list of 3", "[width, height]"},
      {body(R"("box":[1,0])"), "bodies[0].box[1]", "the number 0", "greater than 0"},
      {body(R"("box":["-1/4",1])"), "bodies[0].box[0]", "the string \"-1/4\"", "greater than 0"},
      {body(R"("disk":0)"), "bodies[0].disk", "the number 0", "greater than 0"},
      {body(R"("disk":[1])"), "bodies[0].disk", "a list of 1", "a number such as"},
      {body(R"("disk":"1/0")"), "bodies[0].disk", "the string \"1/0\"", "a number such as"},
      {body(R"("disk":"1e301")"), "bodies[0].disk", "the string \"1e301\"", "within ±300"},
      {body(R"("disk":")" + std::string(400, '9') + R"(")"), "bodies[0].disk", "the string \"999",
       "nearest double is finite"},
      {body(R"("disk":"0.)" + std::string(400, '0') + R"(1")"), "bodies[0].disk",
       "the string \"0.000", "not zero"},
      {body(R"("box":[1e200,1e200])"), "bodies[0]", "beyond the range of floating point",
       "sizes and masses"},
      {body(R"("box":["1e-200","1e-200"])"), "bodies[0]", "beyond the range of floating point",
       "sizes and masses"},
      {body(R"("polygon":"square")"), "bodies[0].polygon", "the string", "3 to 4096 vertices"},
      {body(R"("polygon":[[0,0],[1,0]])"), "bodies[0].polygon", "a list of 2",
       "3 to 4096 vertices"},
      {body(R"("polygon":[[0,0],[1,0],[1]])"), "bodies[0].polygon[2]", "a list of 1", "[x, y]"},
      {body(R"("polygon":[[0,0],[1,0],[1,true]])"), "bodies[0].polygon[2][1]", "true",
       "a number such as"},
      {body(R"("polygon":[[0,0],[1,1],[1,0],[0,1]])"), "bodies[0].polygon", "",
       "sides meet only at its vertices"},
      {body(R"("polygon":[[0,0],[1,1],[2,2]])"), "bodies[0].polygon", "",
       "sides meet only at its vertices"},
      {body(R"("polygon":[[0,0],[1,0],[1,0],[0,1]])"), "bodies[0].polygon", "",
       "sides meet only at its vertices"},
      {body(R"("parts":[])"), "bodies[0].parts", "an empty list", "1 to 1000 shapes"},
      {body(R"("parts":[{"plane":{"normal":[0,1]}}])"), "bodies[0].parts[0].plane", "within parts",
       "one of box, polygon, disk"},
      {body(R"("parts":[{"parts":[{"disk":1}]}])"), "bodies[0].parts[0].parts", "within parts",
       "one of box, polygon, disk"},
      {body(R"("parts":[{"disk":1,"mass":1}])"), "bodies[0].parts[0].mass", "unknown key \"mass\"",
       "one of box"},
      {body(R"("parts":[{"position":[0,0]}])"), "bodies[0].parts[0]", "no shape", "exactly one"},
      {body(R"("parts":[{"disk":1},{"disk":1,"position":[1,0]}])"), "bodies[0].parts", "", ""},
  });
}

TEST(SceneRefusal, OfPlanes) {
  expect_refused({
      {body(R"("plane":[0,1])"), "bodies[0].plane", "a list of 2", "a plane, an object"},
      {body(R"("plane":{"offset":1})"), "bodies[0].plane", "no \"normal\"", "[x, y]"},
      {body(R"("plane":{"normal":[0,0],"offset":1})"), "bodies[0].plane.normal", "the zero vector",
       "a direction"},
      {body(R"("plane":{"normal":[0,1],"ofset":1})"), "bodies[0].plane.ofset",
       "unknown key \"ofset\"", "did you mean \"offset\"?"},
      {body(R"("plane":{"normal":[0,1]},"fixed":false)"), "bodies[0].fixed", "false",
       "always fixed"},
      {body(R"("plane":{"normal":[0,1]},"position":[0,1])"), "bodies[0].position",
       "the key \"position\" of a plane", "normal and offset place it"},
      {body(R"("plane":{"normal":[0,1]},"mass":1)"), "bodies[0].mass",
       "the key \"mass\" of a plane", "only name, material and fixed"},
  });
}

TEST(SceneRefusal, OfMassPoseAndMotion) {
  expect_refused({
      {body(R"("disk":1,"mass":0)"), "bodies[0].mass", "the number 0", "greater than 0"},
      {body(R"("disk":1,"inertia":-1)"), "bodies[0].inertia", "the number -1", "greater than 0"},
      {body(R"("disk":1,"mass":"1e-300","inertia":1e308)"), "bodies[0].inertia", "the number 1e308",
       "a number such as"},
      {body(R"("disk":"1e-50","mass":"1e-300")"), "bodies[0]", "beyond the range of floating point",
       "sizes and masses"},
      {body(R"("disk":1,"fixed":1)"), "bodies[0].fixed", "the number 1", "true or false"},
      {body(R"("disk":1,"position":[0])"), "bodies[0].position", "a list of 1", "[x, y]"},
      {body(R"("disk":1,"angle":[0])"), "bodies[0].angle", "a list of 1", "a number such as"},
      {body(R"("disk":1,"angle":0,"rotation":[1,0])"), "bodies[0].rotation",
       "both angle and rotation", "one of the two"},
      {body(R"("disk":1,"rotation":[0,0])"), "bodies[0].rotation", "the zero vector",
       "not both zero"},
      {body(R"("disk":1,"fixed":true,"velocity":[1,0])"), "bodies[0].velocity", "a velocity",
       "zero: the body is fixed"},
      {body(R"("disk":1,"fixed":true,"spin":1)"), "bodies[0].spin", "a spin", "zero"},
      {body(R"("disk":1,"spin":[0,0,1])"), "bodies[0].spin", "a list of 3", "a number such as"},
      {body(R"("disk":1,"motion":[])"), "bodies[0].motion", "an empty list", "a motion"},
      {body(R"("disk":1,"motion":{})"), "bodies[0].motion", "no \"keyframes\"", "at least one"},
      {body(R"("disk":1,"motion":{"keyframes":[]})"), "bodies[0].motion.keyframes", "an empty list",
       "at least one"},
      {body(R"("disk":1,"motion":{"keyframes":[{"time":0}]})"), "bodies[0].motion.keyframes[0]",
       "no \"position\"", "[x, y]"},
      {body(R"("disk":1,"motion":{"keyframes":[{"position":[0,0]}]})"),
       "bodies[0].motion.keyframes[0]", "no \"time\"", "a number"},
      {body(R"("disk":1,"motion":{"keyframes":[{"time":1,"position":[0,0]},)"
            R"({"time":1,"position":[1,0]}]})"),
       "bodies[0].motion.keyframes[1].time", "the number 1", "later"},
      {body(R"("disk":1,"fixed":true,"motion":{"keyframes":[{"time":0,"position":[0,0]}]})"),
       "bodies[0].motion", "a fixed body", "either fixed or motion"},
      {body(R"("disk":1,"position":[1,0],"motion":{"keyframes":[{"time":0,"position":[0,0]}]})"),
       "bodies[0].position", "other than the path's", "time 0"},
      {body(R"("disk":1,"spin":1,"motion":{"keyframes":[{"time":0,"position":[0,0]}]})"),
       "bodies[0].spin", "a spin", "follows a given path"},
      {body(R"("disk":1,"mass":1e60)"), "bodies[0]", "beyond the range", "not that extreme"},
      {body(R"("disk":1,"mass":"1e-60")"), "bodies[0]", "beyond the range", "not that extreme"},
      {R"({"collapse":1,"dimension":2,"gravity":[0,"-1e-60"],"bodies":[{"disk":1}]})", "gravity",
       "shorter than 1e-50", "[0, 0]"},
      {R"({"collapse":1,"dimension":2,"materials":{"m":{"friction":1e7}},"bodies":[{"disk":1}]})",
       "materials.m.friction", "1e7", "at most 1000000"},
  });
}

TEST(SceneRefusal, OfJointsAndIgnoredPairs) {
  const auto joint = [](const std::string& members) {
    return scene_of_three(R"("joints":[{)" + members + "}]");
  };
  expect_refused({
      {joint(R"("bodies":["a","b"])"), "joints[0]", "no \"type\"", "pin, rod, weld"},
      {joint(R"("type":"pinn","bodies":["a","b"])"), "joints[0].type", "the string \"pinn\"",
       "did you mean \"pin\"?"},
      {joint(R"("type":"ball","bodies":["a","b"])"), "joints[0].type", "for scenes in space",
       "pin, rod, weld"},
      {joint(R"("type":"hinge","bodies":["a","b"])"), "joints[0].type", "for scenes in space",
       "pin, rod, weld"},
      {joint(R"("type":"pin","bodies":["a","b"],"at":[0,0],"axis":[0,0,1])"), "joints[0].axis",
       "for scenes in space", "type"},
      {joint(R"("type":"pin","at":[0,0])"), "joints[0]", "no \"bodies\"", "two names"},
      {joint(R"("type":"pin","bodies":["a"],"at":[0,0])"), "joints[0].bodies", "a list of 1",
       "two bodies, or of one and \"world\""},
      {joint(R"("type":"pin","bodies":["a","c"],"at":[0,0])"), "joints[0].bodies[1]",
       "the unknown name \"c\"", "the name of a body"},
      {joint(R"("type":"pin","bodies":["a","a"],"at":[0,0])"), "joints[0].bodies",
       "the same body twice", "two bodies"},
      {joint(R"("type":"pin","bodies":["world","world"],"at":[0,0])"), "joints[0].bodies",
       "the same body twice", "two bodies"},
      {joint(R"("type":"weld","bodies":["a","b"])"), "joints[0]", "no \"at\"", "[x, y]"},
      {joint(R"("type":"pin","bodies":["a","b"],"at":[[0,0],[1,1]])"), "joints[0].at[0]",
       "a list of 2", "a number such as"},
      {joint(R"("type":"pin","bodies":["a","b"],"at":[0,0],"length":1)"), "joints[0].length",
       "not a rod", "rod only"},
      {joint(R"("type":"rod","bodies":["a","b"],"at":[0,0])"), "joints[0].at[0]", "the number 0",
       "[x, y]"},
      {joint(R"("type":"rod","bodies":["a","b"],"at":[[0,0],[0,0]])"), "joints[0].at",
       "two points in one place", "some length"},
      {joint(R"("type":"rod","bodies":["a","b"],"at":[[0,0],[2,0]],"length":2.1)"),
       "joints[0].length", "the number 2.1", "the distance of the two points, 2"},
      {joint(R"("type":"pin","bodies":["a","b"],"at":[0,0],"collide":"no")"), "joints[0].collide",
       "the string \"no\"", "true or false"},
      {scene_of_three(R"("joints":{})"), "joints", "an empty object", "a list of joints"},
      {scene_of_three(R"("ignore":["a","b"])"), "ignore[0]", "the string \"a\"", "two bodies"},
      {scene_of_three(R"("ignore":[["a","world"]])"), "ignore[0][1]", "\"world\"", "two bodies"},
      {scene_of_three(R"("ignore":[["a","a"]])"), "ignore[0]", "the same body twice", "two bodies"},
      {scene_of_three(R"("ignore":[["a","z"]])"), "ignore[0][1]", "the unknown name \"z\"",
       "the name of a body"},
  });
}

TEST(SceneRefusal, OfLoadsAndSimulation) {
  const auto load = [](const std::string& members) {
    return scene_of_three(R"("loads":[{)" + members + "}]");
  };
  expect_refused({
      {load(R"("acceleration":[1,0])"), "loads[0]", "no \"name\"", "a string"},
      {load(R"("name":"p")"), "loads[0]", "no \"body\"", "\"acceleration\", or \"body\""},
      {load(R"("name":"p","acceleration":[1,0],"force":[1,0])"), "loads[0]",
       "both acceleration and force", "either"},
      {load(R"("name":"p","body":"a")"), "loads[0]", "neither force nor torque", "\"force\""},
      {load(R"("name":"p","body":"f","force":[1,0])"), "loads[0].body", "fixed", "a free body"},
      {load(R"("name":"p","body":"q","force":[1,0])"), "loads[0].body", "the unknown name \"q\"",
       "the name of a body"},
      {load(R"("name":"p","body":"a","force":1)"), "loads[0].force", "the number 1", "[x, y]"},
      {load(R"("name":"p","body":"a","torqe":1)"), "loads[0].torqe", "unknown key \"torqe\"",
       "did you mean \"torque\"?"},
      {load(R"("name":"p","acceleration":[1,0]},{"name":"p","acceleration":[1,0])"),
       "loads[1].name", "the name \"p\", which loads[0] has already", "of its own"},
      {scene(R"("simulation":{"scheme":"positon"})"), "simulation.scheme", "the string \"positon\"",
       "one of position, acceleration, oba, event; did you mean \"position\"?"},
      {scene(R"("simulation":{"impact":"sequental"})"), "simulation.impact",
       "the string \"sequental\"", "one of simultaneous, sequential; did you mean \"sequential\"?"},
      {scene(R"("simulation":{"step":0})"), "simulation.step", "the number 0", "greater than 0"},
      {scene(R"("simulation":{"duration":-1})"), "simulation.duration", "the number -1",
       "not less than 0"},
      {scene(R"("simulation":{"frame_rate":"0"})"), "simulation.frame_rate", "the string \"0\"",
       "greater than 0"},
      {scene(R"("simulation":{"fps":60})"), "simulation.fps", "unknown key \"fps\"",
       "one of scheme, impact, step, duration, frame_rate"},
  });
}

TEST(SceneRefusal, SuggestsNothingWhereNothingIsNear) {
  try {
    static_cast<void>(parse_scene(scene(R"("quux":1)")));
    ADD_FAILURE() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.expected().find("did you mean"), std::string::npos) << error.expected();
  }
}

/// A body with a polygon of `count` vertices whose abscissas have denominators of 400 digits, of
/// which `different` ones without a common factor of any size.
std::string polygon_of_long_fractions(int count, int different) {
  std::string vertices;
  for (int i = 0; i < count; ++i) {
    if (i > 0) vertices += ",";
    const std::string numerator = std::to_string(1 + i * i) + std::string(396, '0');
    const std::string denominator =
        std::string(396, '7') + std::to_string(1001 + 2 * (i % different));
    vertices += "[\"" + numerator + "/" + denominator + "\"," + std::to_string(i) + "]";
  }
  return body("\"polygon\":[" + vertices + "]");
}

TEST(SceneRefusal, OfFractionsThatWouldBlowUpExactSums) {
  expect_refused({
      {polygon_of_long_fractions(60, 60), "bodies[0].polygon", "least common denominator",
       "simpler denominators"},
      {polygon_of_long_fractions(4000, 10), "bodies[0].polygon",
       "too many coordinates with long denominators", "simpler denominators"},
  });
  EXPECT_NO_THROW(static_cast<void>(parse_scene(polygon_of_long_fractions(30, 10))));
}

TEST(SceneRefusal, OfTooManyVertices) {
  std::string vertices = "[0,-1]";
  for (int i = 0; i < 4096; ++i) {
    vertices += ",[" + std::to_string(-i) + "," + std::to_string(i) + "]";
  }
  expect_refused({{body("\"polygon\":[" + vertices + "]"), "bodies[0].polygon", "a list of 4097",
                   "3 to 4096 vertices"}});
}

class SceneFile : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(::testing::TempDir()) /
              ("collapse_scene_file_" +
               std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] std::string write(const std::string& name, const std::string& text) const {
    const std::filesystem::path path = folder_ / name;
    std::ofstream(path, std::ios::binary) << text;
    return path.string();
  }

  std::filesystem::path folder_;
};

TEST_F(SceneFile, IsReadAndNamedInItsErrors) {
  EXPECT_EQ(read_scene(write("good.json", scene(""))).bodies.size(), 1U);
  const std::string path = write("bad.json", scene(R"("gravity":7)"));
  try {
    static_cast<void>(read_scene(path));
    ADD_FAILURE() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.file(), path);
    EXPECT_EQ(error.place(), "gravity");
    EXPECT_EQ(std::string(error.what()).find(path), 0U);
  }
}

TEST_F(SceneFile, IsRefusedWhereItIsMissingOrAFolderOrTooLong) {
  const std::string missing = (folder_ / "missing.json").string();
  const std::string too_long = write("long.json", "1" + std::string(json::kMaxBytes, ' '));
  const std::pair<std::string, std::string> cases[] = {
      {missing, "no such file"},
      {folder_.string(), "a directory"},
      {too_long, "more than 64 MiB"},
      {(folder_ / "missing.json" / "below").string(), "no such file"},
  };
  for (const auto& [path, found] : cases) {
    SCOPED_TRACE(path);
    try {
      static_cast<void>(read_scene(path));
      ADD_FAILURE() << "accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.file(), path);
      EXPECT_NE(error.found().find(found), std::string::npos) << error.found();
    }
  }
}

}  // namespace
}  // namespace collapse
