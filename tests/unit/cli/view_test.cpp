#include "tests/support/tool.hpp"

namespace collapse::testing {
namespace {

class ViewTool : public Tool {
 protected:
  void SetUp() override {
    Tool::SetUp();
    write_gallery("stack.json", "tower", {{"bricks", "3"}});
    if (run("view stack.json -o page.html").err.find("built without its page") !=
        std::string::npos) {
      GTEST_SKIP() << "a tool without its page";
    }
    fs::remove(folder_ / "page.html");
  }
  void expect_refusal(const std::string& arguments, const std::string& word) {
    const std::size_t before = files();
    const Outcome outcome = run("view " + arguments);
    EXPECT_EQ(outcome.status, 2) << arguments;
    expect_one_line(outcome.err);
    EXPECT_NE(outcome.err.find(word), std::string::npos) << outcome.err;
    EXPECT_EQ(files(), before) << "left behind by " << arguments;
  }
};

TEST_F(ViewTool, WritesAPageForASceneAndForAMotion) {
  const Outcome scene = run("view stack.json -o page.html --json");
  EXPECT_EQ(scene.status, 0) << scene.err;
  EXPECT_NE(scene.out.find("\"verdict\":\"stable\""), std::string::npos);
  const std::string page = content(folder_ / "page.html");
  EXPECT_TRUE(page.starts_with("<!doctype html>"));
  EXPECT_NE(page.find("Content-Security-Policy"), std::string::npos);

  ASSERT_EQ(run("run stack.json -o motion.clps --until 1/2").status, 0);
  const Outcome motion = run("view motion.clps -o motion.html --json");
  EXPECT_EQ(motion.status, 0) << motion.err;
  EXPECT_NE(motion.out.find("\"frames\":31"), std::string::npos) << motion.out;
}

TEST_F(ViewTool, ReadsStandardInputAndWritesStandardOutput) {
  const Outcome outcome = run("view - -o -", content(folder_ / "stack.json"));
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_TRUE(outcome.out.starts_with("<!doctype html>"));
  EXPECT_EQ(run("view stack.json -o -").out, outcome.out);
}

TEST_F(ViewTool, LeavesFramesAndForcesOut) {
  ASSERT_EQ(run("run stack.json -o motion.clps --until 1").status, 0);
  const auto frames = [&](const std::string& options) {
    const Outcome outcome = run("view motion.clps -o page.html --json " + options);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return outcome.out.substr(outcome.out.find("\"frames\""));
  };
  EXPECT_EQ(frames(""), "\"frames\":61}\n");
  const auto whole = fs::file_size(folder_ / "page.html");
  EXPECT_EQ(frames("--no-forces"), "\"frames\":61}\n");
  EXPECT_LT(fs::file_size(folder_ / "page.html"), whole);
  EXPECT_EQ(frames("--frame-rate 30"), "\"frames\":31}\n");
  EXPECT_EQ(frames("--frame-rate 1/2"), "\"frames\":2}\n");  // the first and the last
}

TEST_F(ViewTool, ShowsTheGoodFramesOfADamagedFile) {
  ASSERT_EQ(run("run stack.json -o motion.clps --until 1").status, 0);
  std::string bytes = content(folder_ / "motion.clps");
  bytes[bytes.size() / 2] ^= 1;
  write("motion.clps", bytes);
  const Outcome outcome = run("view motion.clps -o page.html");
  EXPECT_EQ(outcome.status, 2);
  expect_one_line(outcome.err);
  EXPECT_TRUE(fs::exists(folder_ / "page.html"));
}

TEST_F(ViewTool, RefusesWhatMakesNoSense) {
  ASSERT_EQ(run("run stack.json -o motion.clps --until 1/10").status, 0);
  expect_refusal("stack.json -o page.htm", "ends in .html");
  expect_refusal("stack.json -o - --json", "standard output");
  expect_refusal("stack.json -o page.html --no-forces", "--no-forces");
  expect_refusal("stack.json -o page.html --frame-rate 10", "--frame-rate");
  expect_refusal("stack.json -o page.html --load quake", "quake");
  expect_refusal("motion.clps -o page.html --load quake", "--load");
  expect_refusal("motion.clps -o page.html --frame-rate 0", "--frame-rate");
  expect_refusal("motion.clps -o page.html --frame-rate fast", "--frame-rate");
  expect_refusal("nothing.json -o page.html", "nothing.json");
  expect_refusal("stack.json -o missing/page.html", "missing/page.html");
  write("broken.json", "{");
  expect_refusal("broken.json -o page.html", "broken.json");
}

}  // namespace
}  // namespace collapse::testing
