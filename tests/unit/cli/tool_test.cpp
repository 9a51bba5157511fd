/// The tool as a user or a script meets it: exit statuses, streams, files.

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/tool.hpp"

namespace collapse::testing {
namespace {

TEST_F(Tool, CheckExitsWithTheVerdict) {
  write_gallery("stands.json", "tower");
  write_gallery("falls.json", "diamond");
  write_gallery("critical.json", "harmonic");
  EXPECT_EQ(run("check stands.json").status, 0);
  EXPECT_EQ(run("check falls.json").status, 1);
  EXPECT_EQ(run("check critical.json").status, 3);
  EXPECT_EQ(run("check missing.json").status, 2);
}

TEST_F(Tool, CheckTellsAPersonInPlainTextWhenNotOnATerminal) {
  write_gallery("falls.json", "diamond");
  const Outcome outcome = run("check falls.json");
  EXPECT_TRUE(outcome.out.starts_with("diamond, 5 rows: falls\n")) << outcome.out;
  EXPECT_EQ(outcome.out.find('\033'), std::string::npos);
  EXPECT_EQ(outcome.err, "");
}

TEST_F(Tool, CheckOfSeveralScenesGivesALineEachAndTheLargestStatus) {
  write_gallery("stands.json", "tower");
  write_gallery("falls.json", "diamond");
  const Outcome outcome = run("check --json stands.json missing.json falls.json");
  EXPECT_EQ(outcome.status, 2);
  std::istringstream lines(outcome.out);
  std::vector<std::string> verdicts;
  for (std::string line; std::getline(lines, line);) {
    verdicts.push_back(nlohmann::json::parse(line)["verdict"]);
  }
  EXPECT_EQ(verdicts, (std::vector<std::string>{"stable", "unstable"}));
  expect_one_line(outcome.err);
  EXPECT_NE(outcome.err.find("missing.json"), std::string::npos);
}

TEST_F(Tool, CheckJsonHasWhatTheContractPromises) {
  write_gallery("stands.json", "arch");
  const nlohmann::json stands = nlohmann::json::parse(run("check --json stands.json").out);
  EXPECT_EQ(stands["verdict"], "stable");
  EXPECT_EQ(stands["strength"], "unknown");
  EXPECT_EQ(stands["certified"], false);
  EXPECT_GT(stands["margin"], 0.0);
  EXPECT_LT(stands["residual"], 1e-9);
  ASSERT_EQ(stands["contacts"].size(), 64U);
  for (const char* key : {"a", "b", "point", "normal", "force"}) {
    EXPECT_TRUE(stands["contacts"][0].contains(key)) << key;
  }
  write_gallery("falls.json", "diamond");
  const nlohmann::json falls = nlohmann::json::parse(run("check --json falls.json").out);
  ASSERT_EQ(falls["mechanism"].size(), 25U);
  for (const char* key : {"body", "velocity", "spin"}) {
    EXPECT_TRUE(falls["mechanism"][0].contains(key)) << key;
  }
  write_gallery("critical.json", "harmonic");
  EXPECT_TRUE(nlohmann::json::parse(run("check --json critical.json").out).contains("reason"));
}

TEST_F(Tool, ReadsStandardInput) {
  EXPECT_EQ(run("check -", scenes::make_scene("tower")).status, 0);
}

TEST_F(Tool, RefusesBadScenesWithOneLineAndWritesNothing) {
  write("bad.json", R"({"collapse": 1, "dimension": 2, "bodies": [{"box": [1, -2]}]})");
  for (const char* arguments : {"check bad.json", "check --json bad.json", "inspect bad.json",
                                "draw bad.json -o picture.svg"}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 2) << arguments;
    EXPECT_EQ(outcome.out, "") << arguments;
    expect_one_line(outcome.err);
    EXPECT_NE(outcome.err.find("bad.json: bodies[0].box[1]"), std::string::npos) << outcome.err;
  }
  EXPECT_EQ(files(), 1U);
}

TEST_F(Tool, RefusesOverlapsNamingThePair) {
  write("overlap.json", R"({"collapse": 1, "dimension": 2, "bodies": [
    {"name": "one", "box": [1, 1]}, {"name": "two", "box": [1, 1], "position": ["1/2", 0]}]})");
  const Outcome outcome = run("check overlap.json");
  EXPECT_EQ(outcome.status, 2);
  expect_one_line(outcome.err);
  EXPECT_NE(outcome.err.find("\"one\""), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("\"two\""), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("0.5"), std::string::npos) << outcome.err;
}

TEST_F(Tool, RefusesBadArgumentsWithOneLine) {
  write_gallery("tower.json", "tower");
  for (const char* arguments : {"",
                                "chekc tower.json",
                                "check",
                                "check tower.json --touch banana",
                                "check tower.json --touch 2",
                                "check tower.json --load wind",
                                "check tower.json --load push=fast",
                                "draw tower.json",
                                "draw tower.json -o picture.bmp",
                                "draw tower.json -o no/such/folder/picture.svg",
                                "draw tower.json -o picture.svg --width 5",
                                "draw tower.json -o - --json",
                                "gallery no-such-scene",
                                "gallery tower --brick 3",
                                "gallery tower --bricks -1",
                                "gallery tower --bricks",
                                "gallery tower extra",
                                "gallery tower --bricks 2 --bricks 3",
                                "bench no-such-benchmark",
                                "bench growth --plot growth.svg",
                                "bench oba-growth --plot growth.txt"}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 2) << arguments << "\n" << outcome.out << outcome.err;
    EXPECT_EQ(outcome.out, "") << arguments;
    expect_one_line(outcome.err);
  }
  EXPECT_EQ(files(), 1U);
}

TEST_F(Tool, BenchTellsASceneOfTheDissertationBesideItsTables) {
  const Outcome outcome = run("bench oba --only oba-pendulum --json");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const auto row = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(row["benchmark"], "oba");
  EXPECT_EQ(row["bodies"], 6.0);
  EXPECT_EQ(row["frames"], 60.0);
  EXPECT_EQ(row["programs (p)"], 2.1);
  EXPECT_GT(row["programs"], 0.0);
  for (const char* trouble : {"overlap", "crushed", "unsettled", "dulled"}) {
    EXPECT_EQ(row[trouble], 0.0) << trouble;
    EXPECT_EQ(row[std::string("default: ") + trouble], 0.0) << trouble;
  }
}

TEST_F(Tool, LoadsActByNameAndFactor) {
  write_gallery("tower.json", "tower", {{"friction", "1/2"}});
  EXPECT_EQ(run("check tower.json").status, 0);
  EXPECT_EQ(run("check tower.json --load push").status, 1);
  EXPECT_EQ(run("check tower.json --load push=0.01").status, 0);
  EXPECT_EQ(run("check tower.json --load push=1/100 --load push=2").status, 1);
}

TEST_F(Tool, DrawWritesAPicture) {
  write_gallery("tower.json", "tower");
  EXPECT_EQ(run("draw tower.json -o tower.svg").status, 0);
  EXPECT_TRUE(content(folder_ / "tower.svg").find("<svg") != std::string::npos);
  EXPECT_EQ(run("draw tower.json -o -").out, content(folder_ / "tower.svg"));
  EXPECT_EQ(run("draw tower.json -o tower.png --width 300").status, 0);
  const std::string png = content(folder_ / "tower.png");
  ASSERT_GT(png.size(), 24U);
  EXPECT_TRUE(png.starts_with("\x89PNG\r\n\x1a\n"));
  // Its header tells the width in four bytes, the highest first.
  EXPECT_EQ(256 * static_cast<unsigned char>(png[18]) + static_cast<unsigned char>(png[19]), 300);
  EXPECT_EQ(files(), 3U);
}

TEST_F(Tool, InspectListsBodiesAndContactsExactly) {
  write_gallery("tower.json", "tower", {{"bricks", "2"}});
  const nlohmann::json json = nlohmann::json::parse(run("inspect --json tower.json").out);
  ASSERT_EQ(json["bodies"].size(), 3U);
  EXPECT_EQ(json["bodies"][1]["exact"]["mass"], "1/4");
  EXPECT_EQ(json["bodies"][1]["exact"]["inertia"], "17/768");
  EXPECT_EQ(json["contacts"].size(), 4U);
}

TEST_F(Tool, FrameworksAreListedButNotJudged) {
  write_gallery("links.json", "links");
  const Outcome inspected = run("inspect --json links.json");
  EXPECT_EQ(inspected.status, 0) << inspected.err;
  const auto json = nlohmann::json::parse(inspected.out);
  EXPECT_EQ(json["framework"]["points"].size(), 19U);
  EXPECT_DOUBLE_EQ(json["framework"]["bars"][4]["length"].get<double>(), std::sqrt(2.0));
  EXPECT_EQ(json["framework"]["faces"].size(), 6U);
  const Outcome refused = run("check links.json");
  EXPECT_EQ(refused.status, 2);
  EXPECT_TRUE(refused.out.empty());
  EXPECT_NE(refused.err.find("links.json: framework: found a framework"), std::string::npos);
  EXPECT_EQ(files(), 1U);
  const Outcome drawn = run("draw links.json -o picture.svg --json");
  EXPECT_EQ(drawn.status, 0) << drawn.err;
  EXPECT_FALSE(nlohmann::json::parse(drawn.out).contains("verdict"));
  const std::string picture = content(folder_ / "picture.svg");
  EXPECT_NE(picture.find("19 points · 30 bars"), std::string::npos);
  EXPECT_EQ(picture.find(">stands<"), std::string::npos);
}

TEST_F(Tool, GalleryWritesWhatCheckReads) {
  const Outcome list = run("gallery --json");
  EXPECT_EQ(list.status, 0);
  const nlohmann::json gallery = nlohmann::json::parse(list.out);
  for (const auto& entry : gallery["scenes"]) {
    const std::string name = entry["name"];
    EXPECT_EQ(run("gallery " + name + " -o scene.json").status, 0) << name;
    EXPECT_EQ(run("inspect scene.json").status, 0) << name;
  }
}

TEST_F(Tool, EveryCommandHasHelpWithAnExample) {
  for (const char* command : {"check", "inspect", "draw", "run", "export", "gallery", "bench"}) {
    const Outcome outcome = run(std::string(command) + " --help");
    EXPECT_EQ(outcome.status, 0) << command;
    EXPECT_NE(outcome.out.find("Example"), std::string::npos) << command;
  }
  EXPECT_EQ(run("--help").status, 0);
  EXPECT_EQ(run("--version").status, 0);
}

}  // namespace
}  // namespace collapse::testing
