/// `run`, `settle` and tables of motions in space, as a user meets them.

#include <gtest/gtest.h>
#include <algorithm>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "collapse/io/trajectory.hpp"
#include "tests/support/tool.hpp"

namespace collapse::testing {
namespace {

/// Nothing touches anything. The sphere turns about one axis, with two thirds of a turn from frame to frame.
constexpr const char* kThrownSolids = R"({"collapse": 1, "dimension": 3, "gravity": [0, 0, -10],
  "simulation": {"step": "1/100", "duration": "1/2", "frame_rate": 25},
  "bodies": [
    {"name": "floor", "plane": {"normal": [0, 0, 1], "offset": -1000}},
    {"name": "post", "box": [1, 1, 1], "position": [500, 0, 0], "fixed": true},
    {"name": "a \"b\", c", "sphere": 1, "position": [1, 2, 3], "velocity": [3, 4, 5], "spin": [0, 0, 100]}]})";

/// A box on the floor and one that falls on it.
constexpr const char* kTwoBoxes = R"({"collapse": 1, "dimension": 3, "gravity": [0, 0, -10],
  "materials": {"default": {"friction": "1/2"}},
  "bodies": [
    {"name": "floor", "plane": {"normal": [0, 0, 1]}},
    {"name": "low", "box": [2, 2, 1], "position": [0, 0, "1/2"]},
    {"name": "high", "box": [1, 1, 1], "position": ["1/8", 0, "7/4"], "rotation_vector": [3, 2, 30]}]})";

constexpr const char* kTetrahedron =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0.1 0.1 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";

class RunInSpace : public Tool {
 protected:
  void SetUp() override {
    Tool::SetUp();
    write("thrown.json", kThrownSolids);
    write("boxes.json", kTwoBoxes);
  }
  [[nodiscard]] std::string bytes(const std::string& name) const { return content(folder_ / name); }
  [[nodiscard]] std::string path(const std::string& name) const {
    return (folder_ / name).string();
  }
  nlohmann::json answer(const std::string& arguments) {
    const Outcome outcome = run(arguments + " --json");
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return nlohmann::json::parse(outcome.out, nullptr, false);
  }
  /// Fields of each line of a table whose names need no quotes.
  static std::vector<std::vector<std::string>> fields(const std::string& text) {
    std::vector<std::vector<std::string>> rows;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      std::istringstream parts(line);
      rows.emplace_back();
      for (std::string part; std::getline(parts, part, ',');) rows.back().push_back(part);
    }
    return rows;
  }
};

TEST_F(RunInSpace, JsonHasWhatTheContractPromises) {
  const nlohmann::json json = answer("run thrown.json -o a.clps");
  EXPECT_EQ(json["frames"], 14);
  EXPECT_EQ(json["steps"], 13 * 4);
  EXPECT_NEAR(json["simulated"], 0.52, 1e-12);
  EXPECT_EQ(json["max_penetration"], 0.0);
  EXPECT_TRUE(json["energy"]["initial"].is_number());
  EXPECT_TRUE(json["energy"]["max_gain"].is_number());
  EXPECT_TRUE(json["programs"].is_number_integer());
  EXPECT_TRUE(json["worst_residual"].is_number());
  EXPECT_EQ(json["scheme"], "position");
  EXPECT_EQ(json["finished"], true);
  EXPECT_EQ(answer("run thrown.json")["hash"], json["hash"]);  // without a file, too
  const TrajectoryReader<3> reader(path("a.clps"));
  EXPECT_EQ(reader.header().scene, kThrownSolids);
  EXPECT_EQ(reader.frames(), 14);
  EXPECT_TRUE(reader.finished());
}

TEST_F(RunInSpace, ExportedFlightIsTheOneThrown) {
  ASSERT_EQ(run("run thrown.json -o a.clps").status, 0);
  ASSERT_EQ(run("export a.clps -o a.csv").status, 0);
  const std::string text = bytes("a.csv");
  EXPECT_TRUE(text.starts_with("time,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz\n"));
  const std::string name = "\"a \"\"b\"\", c\"";
  int flights = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t at = line.find(name);
    if (at == std::string::npos) continue;
    const double time = static_cast<double>(flights++) / 25.0;
    EXPECT_NEAR(std::stod(line), time, 1e-12);
    std::vector<double> numbers;
    std::istringstream rest(line.substr(at + name.size() + 1));
    for (std::string part; std::getline(rest, part, ',');) numbers.push_back(std::stod(part));
    ASSERT_EQ(numbers.size(), 13U);
    EXPECT_NEAR(numbers[0], 1.0 + 3.0 * time, 1e-9);
    EXPECT_NEAR(numbers[1], 2.0 + 4.0 * time, 1e-9);
    // First order in the step, at most: |g h t / 2|.
    EXPECT_NEAR(numbers[2], 3.0 + 5.0 * time - 5.0 * time * time, 0.5 * 10.0 * 0.01 * time + 1e-9);
    // By half the angle; the sign goes on from frame to frame.
    EXPECT_NEAR(numbers[3], std::cos(50.0 * time), 1e-6);
    EXPECT_NEAR(numbers[4], 0.0, 1e-9);
    EXPECT_NEAR(numbers[5], 0.0, 1e-9);
    EXPECT_NEAR(numbers[6], std::sin(50.0 * time), 1e-6);
    EXPECT_NEAR(numbers[7], 3.0, 1e-9);
    EXPECT_NEAR(numbers[8], 4.0, 1e-9);
    EXPECT_NEAR(numbers[9], 5.0 - 10.0 * time, 1e-9);
    EXPECT_NEAR(numbers[12], 100.0, 1e-9);
  }
  EXPECT_EQ(flights, 14);
  EXPECT_EQ(text.find("floor"), std::string::npos);
  EXPECT_NE(text.find("post"), std::string::npos);
}

TEST_F(RunInSpace, ExportedContactForcesCarryTheWeight) {
  ASSERT_EQ(run("run boxes.json -o a.clps --until 2").status, 0);
  ASSERT_EQ(run("export a.clps --contacts forces.csv --changes changes.csv").status, 0);
  EXPECT_TRUE(bytes("forces.csv").starts_with("time,a,b,x,y,z,nx,ny,nz,fx,fy,fz\n"));
  const auto rows = fields(bytes("forces.csv"));
  double carried = 0.0;
  double upper = 0.0;
  for (const auto& row : rows) {
    if (row[0] != rows.back()[0]) continue;
    (row[1] == "floor" ? carried : upper) += std::stod(row[11]);
  }
  EXPECT_NEAR(carried, 10.0 * (4.0 + 1.0), 1e-4);
  EXPECT_NEAR(upper, 10.0, 1e-4);
  const auto changes = fields(bytes("changes.csv"));
  ASSERT_GT(changes.size(), 1U);
  EXPECT_EQ(changes[1][3], "closed");
}

TEST_F(RunInSpace, ResumesToTheSameBytesFromAKillAtAnyByte) {
  ASSERT_EQ(run("run boxes.json -o whole.clps --until 3/2 --threads 1").status, 0);
  const std::string whole = bytes("whole.clps");
  ASSERT_GT(TrajectoryFile(path("whole.clps")).frames(), 64);
  const std::size_t size = whole.size();
  for (const std::size_t length : {std::size_t{0}, std::size_t{300}, size / 20, size / 2,
                                   size * 9 / 10, size - 41, size - 40, size - 1, size}) {
    write("torn.clps", whole.substr(0, length));
    const Outcome outcome = run("run boxes.json -o torn.clps --until 3/2 --resume --threads 2");
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_TRUE(bytes("torn.clps") == whole) << length;
  }
}

TEST_F(RunInSpace, ResumesToTheSameBytesInEveryScheme) {
  for (const std::string options : {"run --scheme oba", "run --scheme oba --freezing",
                                    "run --freezing", "run --friction-law associated"}) {
    SCOPED_TRACE(options);
    ASSERT_EQ(run(options + " boxes.json -o whole.clps --until 5/4").status, 0);
    const std::string whole = bytes("whole.clps");
    write("torn.clps", whole.substr(0, whole.size() * 24 / 25));  // beyond the checkpoint
    ASSERT_EQ(run(options + " boxes.json -o torn.clps --until 5/4 --resume").status, 0);
    EXPECT_TRUE(bytes("torn.clps") == whole);
  }
}

TEST_F(RunInSpace, WhatSchemeObaHasOptionsOfItsOwnForIsRefused) {
  const Outcome law = run("run boxes.json -o a.clps --scheme oba --friction-law associated");
  EXPECT_EQ(law.status, 2);
  EXPECT_NE(law.err.find("--friction-law: found scheme oba"), std::string::npos) << law.err;
  EXPECT_NE(law.err.find("lift="), std::string::npos) << law.err;
  const Outcome impact = run("run boxes.json -o a.clps --scheme oba --impact sequential");
  EXPECT_EQ(impact.status, 2);
  EXPECT_NE(impact.err.find("--impact: found scheme oba"), std::string::npos) << impact.err;
  EXPECT_FALSE(fs::exists(path("a.clps")));
}

TEST_F(RunInSpace, CollisionsAreAsTheSceneAsksUnlessAnOptionSaysOtherwise) {
  ASSERT_EQ(run("gallery oba-office-toy --spheres 3 -o " + path("toy.json")).status, 0);
  const std::string toy = "run toy.json --until 2";  // they meet after a second
  EXPECT_EQ(answer(toy)["hash"], answer(toy + " --impact sequential")["hash"]);
  EXPECT_NE(answer(toy)["hash"], answer(toy + " --impact simultaneous")["hash"]);
}

TEST_F(RunInSpace, SettlesBodiesOnTheFloor) {
  const nlohmann::json json = answer("settle boxes.json -o rest.clps");
  EXPECT_EQ(json["rests"], true);
  EXPECT_LT(json["energy"]["final"], json["energy"]["initial"]);
  const TrajectoryReader<3> reader(path("rest.clps"));
  const Frame<3> last = reader.frame(reader.frames() - 1);
  // A unit cube on a box of height 1, whatever face it lies on.
  EXPECT_NEAR(last.state.poses[2].position[2], 1.5, 1e-3);
}

TEST_F(RunInSpace, TrajectoriesNeedNoMeshFiles) {
  write("shape.obj", kTetrahedron);
  fs::create_directory(folder_ / "elsewhere");
  write("mesh.json", R"({"collapse": 1, "dimension": 3, "name": "é \"q\"", "bodies": [
    {"name": "one", "mesh": "shape.obj", "position": ["1/3", 0, 0.10], "fixed": false},
    {"name": "two", "parts": [{"mesh": "shape.obj", "position": [9, 9, 9]}, {"sphere": 1, "position": [5, 5, 5]}]}]})");
  ASSERT_EQ(run("run mesh.json -o a.clps --until 1/10").status, 0);
  ASSERT_EQ(run("run mesh.json -o a.clps --until 1/5 --resume").status, 0);  // the same text again
  ASSERT_EQ(run("inspect mesh.json --json").status, 0);
  fs::remove(folder_ / "shape.obj");
  EXPECT_EQ(run("export a.clps -o -").status, 0);
  const TrajectoryReader<3> reader(path("a.clps"));
  EXPECT_EQ(reader.scene().name, "é \"q\"");
  const std::vector<ExactVec<3>>& corners = reader.scene().bodies[0].shape.boundary.exact;
  EXPECT_EQ(
      std::count(corners.begin(), corners.end(), ExactVec<3>(Rational(1, 10), Rational(1, 10), 1)),
      1);
  EXPECT_NEAR(reader.scene().bodies[0].mass.mass, 1.0 / 6.0, 1e-15);
  EXPECT_EQ(reader.scene().bodies[0].exact_pose.position[0], Rational(1, 3));
}

TEST_F(RunInSpace, ExportReadsGrowingAndDamagedFiles) {
  ASSERT_EQ(run("run thrown.json -o a.clps").status, 0);
  const std::string whole = bytes("a.clps");
  const std::uint64_t end = TrajectoryFile(path("a.clps")).end_of(6);
  write("torn.clps", whole.substr(0, static_cast<std::size_t>(end) + 99));
  const Outcome torn = run("export torn.clps -o -");
  EXPECT_EQ(torn.status, 0);
  EXPECT_EQ(fields(torn.out).size(), 1U + 7U * 2U);
  std::string damaged = whole;
  damaged[static_cast<std::size_t>(end) + 99] ^= 1;
  write("damaged.clps", damaged);
  const Outcome outcome = run("export damaged.clps -o -");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.out, torn.out);
  expect_one_line(outcome.err);
}

TEST_F(RunInSpace, WhatIsForTheOtherDimensionIsRefusedWithOneLine) {
  write("plane.json", R"({"collapse": 1, "dimension": 2, "bodies": [{"box": [1, 1]}]})");
  write("asked.json", R"({"collapse": 1, "dimension": 3, "simulation": {"scheme": "acceleration"},
    "bodies": [{"sphere": 1}]})");
  ASSERT_EQ(run("run thrown.json -o a.clps").status, 0);
  ASSERT_EQ(run("run plane.json -o p.clps --until 1/10").status, 0);
  const std::size_t before = files();
  const std::pair<const char*, const char*> cases[] = {
      {"run thrown.json -o b.clps --scheme acceleration", "one of position, oba, event in space"},
      {"run thrown.json -o b.clps --model points", "one of rigid in space"},
      {"run plane.json -o b.clps --scheme oba",
       "one of position, acceleration, event in the plane"},
      {"run asked.json -o b.clps", "asked.json: simulation.scheme"},
      {"settle thrown.json --flat", "--flat: found a scene in space"},
      {"run thrown.json -o p.clps --resume", "another scene"},
      {"draw a.clps -o a.svg", "a drawing of a scene in space"}};
  for (const auto& [arguments, words] : cases) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 2) << arguments << "\n" << outcome.out << outcome.err;
    EXPECT_EQ(outcome.out, "") << arguments;
    expect_one_line(outcome.err);
    EXPECT_NE(outcome.err.find(words), std::string::npos) << arguments << "\n" << outcome.err;
  }
  EXPECT_EQ(files(), before);
}

}  // namespace
}  // namespace collapse::testing
