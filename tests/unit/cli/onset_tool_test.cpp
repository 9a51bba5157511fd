/// `onset`, as a user meets it.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/tool.hpp"

namespace collapse::testing {
namespace {

constexpr const char* kColliding = R"({"collapse": 1, "dimension": 2, "bodies": [
  {"name": "ground", "fixed": true, "plane": {"normal": [0, 1], "offset": 0}},
  {"name": "brick", "box": [1, 1], "position": [0, "1/2"], "velocity": [0, -1]}]})";

TEST_F(Tool, OnsetExitsWithZeroWhetherItMovesOrNotAndWithThreeIfUndecided) {
  write_gallery("stands.json", "tower");
  write_gallery("falls.json", "diamond");
  write("collides.json", kColliding);
  EXPECT_EQ(run("onset stands.json").status, 0);
  EXPECT_EQ(run("onset falls.json").status, 0);
  EXPECT_EQ(run("onset missing.json").status, 2);
  EXPECT_EQ(run("onset --friction-law sticky stands.json").status, 2);
  const Outcome undecided = run("onset collides.json");
  EXPECT_EQ(undecided.status, 3);
  EXPECT_NE(undecided.out.find("\"brick\" on \"ground\" collides"), std::string::npos)
      << undecided.out;
}

TEST_F(Tool, OnsetTellsAPersonWhatMovesAndWhatOpens) {
  write_gallery("falls.json", "diamond");
  const Outcome outcome = run("onset falls.json --ranges");
  EXPECT_TRUE(outcome.out.starts_with("diamond, 5 rows: moves\n")) << outcome.out;
  EXPECT_NE(outcome.out.find("24 of 25 bodies accelerate"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("opens with"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("largest contact forces"), std::string::npos) << outcome.out;
  EXPECT_EQ(outcome.out.find('\033'), std::string::npos);
  EXPECT_EQ(outcome.err, "");
}

TEST_F(Tool, OnsetJsonHasWhatTheContractPromises) {
  write_gallery("falls.json", "wedge", {{"friction", "1/5"}});
  for (const char* law : {"coulomb", "associated"}) {
    const nlohmann::json falls = nlohmann::json::parse(
        run("onset --json --ranges falls.json --friction-law " + std::string(law)).out);
    EXPECT_EQ(falls["onset"], "moves");
    EXPECT_EQ(falls["friction_law"], law);
    EXPECT_EQ(falls["certified"], false);
    EXPECT_LT(falls["residual"], 1e-8);
    ASSERT_EQ(falls["bodies"].size(), 2U);
    for (const char* key : {"body", "linear", "angular"}) {
      EXPECT_TRUE(falls["bodies"][0].contains(key)) << key;
    }
    ASSERT_EQ(falls["contacts"].size(), 4U);
    for (const char* key : {"a", "b", "point", "normal", "force", "acceleration", "opens", "state",
                            "range", "unique"}) {
      EXPECT_TRUE(falls["contacts"][0].contains(key)) << key;
    }
  }
}

TEST_F(Tool, OnsetWritesNoRangeUnlessAskedAndNullWhereNothingBoundsIt) {
  write("jammed.json", R"({"collapse": 1, "dimension": 2,
    "materials": {"default": {"friction": "1/2"}}, "bodies": [
    {"name": "left", "fixed": true, "plane": {"normal": [1, 0], "offset": 0}},
    {"name": "right", "fixed": true, "plane": {"normal": [-1, 0], "offset": -1}},
    {"name": "block", "box": [1, 1], "position": ["1/2", 3]}]})");
  const std::string command = "onset --json --friction-law associated jammed.json";
  const nlohmann::json plain = nlohmann::json::parse(run(command).out);
  EXPECT_FALSE(plain["contacts"][0].contains("range"));
  const nlohmann::json ranges = nlohmann::json::parse(run(command + " --ranges").out);
  EXPECT_TRUE(ranges["contacts"][0]["range"][1].is_null());
  // Coulomb's law alone does not say whether it stays.
  const Outcome coulomb = run("onset --json jammed.json");
  EXPECT_EQ(coulomb.status, 3);
  EXPECT_TRUE(nlohmann::json::parse(coulomb.out).contains("reason"));
}

TEST_F(Tool, OnsetLetsLoadsActByName) {
  write("pushed.json", R"({"collapse": 1, "dimension": 2, "gravity": [0, -10], "bodies": [
    {"name": "ground", "fixed": true, "plane": {"normal": [0, 1], "offset": 0}},
    {"name": "brick", "box": [1, 1], "position": [0, "1/2"]}],
    "loads": [{"name": "push", "acceleration": [1, 0]}]})");
  const nlohmann::json json =
      nlohmann::json::parse(run("onset pushed.json --json --load push=3").out);
  EXPECT_NEAR(json["bodies"][0]["linear"][0].get<double>(), 3.0, 1e-10);
  EXPECT_EQ(run("onset pushed.json --load pull").status, 2);
}

TEST_F(Tool, OnsetNamesTheMethodOfItsForcesAndTheGuess) {
  write_gallery("falls.json", "diamond");
  write_gallery("fails.json", "harmonic", {{"factor", "1.1"}});
  write_gallery("rough.json", "wall", {{"friction", "1/2"}});
  EXPECT_EQ(nlohmann::json::parse(run("onset falls.json --json").out)["forces"], "convex");
  const Outcome falls = run("onset falls.json --json --forces heuristic");
  EXPECT_EQ(falls.status, 0);
  EXPECT_EQ(nlohmann::json::parse(falls.out)["forces"], "heuristic");
  EXPECT_EQ(nlohmann::json::parse(falls.out)["guess"], "residuals");
  const Outcome fails = run("onset fails.json --forces heuristic");
  EXPECT_EQ(fails.status, 3);
  EXPECT_NE(fails.out.find("no forces after 2 guesses"), std::string::npos) << fails.out;
  const Outcome refused = run("onset rough.json --forces heuristic");
  EXPECT_EQ(refused.status, 2);
  expect_one_line(refused.err);
  EXPECT_EQ(run("onset falls.json --forces guessed").status, 2);
}

TEST_F(Tool, OnsetHelpHasExamples) {
  const Outcome outcome = run("onset --help");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_NE(outcome.out.find("Example"), std::string::npos);
}

}  // namespace
}  // namespace collapse::testing
