/// `compare`, as a user meets it.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/tool.hpp"

namespace collapse::testing {
namespace {

constexpr const char* kSliding = R"({"collapse": 1, "dimension": 2, "gravity": [0, -10],
  "name": "sliding block", "materials": {"default": {"friction": 0.4}}, "bodies": [
  {"name": "ground", "plane": {"normal": [0, 1], "offset": 0}},
  {"name": "b", "box": [1, "1/2"], "position": [0, "1/4"], "velocity": [3, 0]}]})";

TEST_F(Tool, CompareTellsErrorsOrdersAndCostAsATable) {
  write("block.json", kSliding);
  const Outcome outcome = run("compare block.json --until 1 --step 1/10 --halvings 2");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_TRUE(outcome.out.starts_with("sliding block: errors until 1, as shares of 1.118"))
      << outcome.out;
  EXPECT_NE(outcome.out.find("reference: scheme event to 1e-08"), std::string::npos);
  for (const char* line :
       {"  position           1/10", "  position           1/40", "  acceleration       1/20"}) {
    EXPECT_NE(outcome.out.find(line), std::string::npos) << line << '\n' << outcome.out;
  }
  EXPECT_EQ(outcome.err, "");
}

TEST_F(Tool, CompareJsonHasWhatTheDocumentationPromises) {
  write("block.json", kSliding);
  const Outcome outcome =
      run("compare - --until 1 --step 1/10 --halvings 1 --tolerance 1e-6 --json", kSliding);
  const nlohmann::json json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["name"], "sliding block");
  EXPECT_EQ(json["until"], 1.0);
  EXPECT_EQ(json["reference"]["tolerance"], 1e-6);
  EXPECT_EQ(json["reference"]["decided"], true);
  for (const char* key : {"error", "error_at_end", "check_tolerance", "check_cpu", "events", "cpu",
                          "programs", "iterations", "steps", "incidents"}) {
    EXPECT_TRUE(json["reference"].contains(key)) << key;
  }
  ASSERT_EQ(json["schemes"].size(), 2U);
  EXPECT_EQ(json["schemes"][0]["scheme"], "position");
  ASSERT_EQ(json["schemes"][0]["trials"].size(), 2U);
  const nlohmann::json& trial = json["schemes"][0]["trials"][1];
  EXPECT_EQ(trial["exact_step"], "1/20");
  EXPECT_EQ(trial["steps"], 20);
  EXPECT_GT(trial["error"], 0.0);
  for (const char* key : {"step", "error_at_end", "below_reference", "order", "cpu", "programs",
                          "iterations", "max_penetration", "unsettled_steps"}) {
    EXPECT_TRUE(trial.contains(key)) << key;
  }
  EXPECT_TRUE(json["schemes"][0]["trials"][0]["order"].is_null());
}

TEST_F(Tool, CompareWritesThePlotOrTheTable) {
  write("block.json", kSliding);
  const std::string command = "compare block.json --until 1/2 --step 1/10 --halvings 1 -o ";
  EXPECT_EQ(run(command + "block.svg").status, 0);
  const std::string svg = content(folder_ / "block.svg");
  EXPECT_NE(svg.find("<svg"), std::string::npos);
  for (const char* words : {">position<", ">acceleration<", ">CPU seconds<", "order 1 and 2"}) {
    EXPECT_NE(svg.find(words), std::string::npos) << words;
  }
  EXPECT_EQ(run(command + "block.csv").status, 0);
  std::istringstream csv(content(folder_ / "block.csv"));
  std::string line;
  std::getline(csv, line);
  EXPECT_EQ(line, "scheme,step,error,error_at_end,order,cpu,programs,iterations");
  int lines = 0;
  while (std::getline(csv, line)) ++lines;
  EXPECT_EQ(lines, 4);
}

TEST_F(Tool, CompareRefusesWhatItCannotDoInOneLine) {
  write("block.json", kSliding);
  write_gallery("framework.json", "lattice");
  for (const char* arguments :
       {"compare missing.json", "compare block.json -o plot.gif",
        "compare block.json --schemes positon", "compare block.json --schemes event",
        "compare block.json --until 0", "compare block.json --step -1",
        "compare block.json --tolerance 1", "compare framework.json"}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 2) << arguments;
    expect_one_line(outcome.err);
    EXPECT_EQ(outcome.out, "") << arguments;
  }
  EXPECT_EQ(files(), 2U);
}

TEST_F(Tool, CompareGivesASchemeThatDoesNotTakeTheSceneALine) {
  write("block.json", kSliding);
  const Outcome outcome =
      run("compare block.json --until 1/2 --step 1/4 --halvings 0 --schemes oba,position");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("oba          does not take it: "), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("  position            1/4"), std::string::npos) << outcome.out;
}

TEST_F(Tool, CompareIsUndecidedWhereTheReferenceIs) {
  // Painlevé's rod: it slides on its end, and friction presses it on.
  write("rod.json", R"({"collapse": 1, "dimension": 2, "gravity": [0, -10],
    "materials": {"default": {"friction": 3}}, "bodies": [
    {"name": "ground", "plane": {"normal": [0, 1], "offset": 0}},
    {"name": "rod", "polygon": [[-1, 0], [0, "-1/50"], [1, 0], [0, "1/50"]],
     "rotation": ["5/13", "12/13"], "position": ["5/13", "12/13"], "velocity": [-3, 0]}]})");
  const Outcome outcome = run("compare rod.json --until 1/2 -o rod.svg");
  EXPECT_EQ(outcome.status, 3) << outcome.out;
  EXPECT_NE(outcome.out.find("undecided"), std::string::npos) << outcome.out;
  EXPECT_EQ(files(), 1U);
}

TEST_F(Tool, CompareHelpHasExamples) {
  const Outcome outcome = run("compare --help");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_NE(outcome.out.find("Example"), std::string::npos);
}

}  // namespace
}  // namespace collapse::testing
