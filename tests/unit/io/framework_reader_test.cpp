#include <gtest/gtest.h>

#include "collapse/io/scene_reader.hpp"
#include "tests/support/refusal.hpp"

namespace collapse {
namespace {

using collapse::testing::expect_refused;
using collapse::testing::Refusal;

/// A scene with four corners of a square, a point inside, and these members of the framework.
std::string framed(const std::string& members) {
  return R"({"collapse":1,"dimension":2,"framework":{"points":[)"
         R"({"name":"a","position":[0,0]},{"name":"b","position":[1,0]},)"
         R"({"name":"c","position":[1,1]},{"name":"d","position":[0,1]},)"
         R"({"name":"e","position":["3/4","1/2"]},{"name":"f","position":[1,1]}])" +
         (members.empty() ? "" : "," + members) + "}}";
}

std::string with_points(const std::string& points) {
  return R"({"collapse":1,"dimension":2,"framework":{"points":[)" + points + "]}}";
}

TEST(FrameworkReader, ReadsPointsBarsAndFacesExactly) {
  const Scene<2> scene = parse_scene(
      R"({"collapse":1,"dimension":2,"framework":{
        "points":[{"name":"peg","position":["1/3",2],"fixed":true},
                  {"position":[1,0.1],"mass":"1/7","velocity":[0,-2]},
                  {"name":"c","position":[0,0]}],
        "bars":[["peg","point 1"],["c","peg"]],
        "faces":[["peg","point 1","c"]]}})");
  const Framework<2>& framework = scene.framework;
  ASSERT_EQ(framework.points.size(), 3U);
  EXPECT_EQ(framework.points[0].position.exact.x(), Rational(1, 3));
  EXPECT_TRUE(framework.points[0].fixed);
  EXPECT_EQ(framework.points[1].name, "point 1");
  EXPECT_EQ(framework.points[1].mass.exact, Rational(1, 7));
  EXPECT_EQ(framework.points[1].velocity.exact.y(), Rational(-2));
  EXPECT_EQ(framework.points[2].mass.exact, Rational(1));
  ASSERT_EQ(framework.bars.size(), 2U);
  EXPECT_EQ(framework.bars[1], (std::pair<int, int>(2, 0)));
  EXPECT_TRUE(scene.bodies.empty());
  // Written clockwise.
  ASSERT_EQ(framework.faces.size(), 1U);
  EXPECT_EQ(framework.faces[0], (std::vector<int>{2, 1, 0}));
}

TEST(FrameworkReader, TakesFacesEitherWayRound) {
  const Scene<2> scene =
      parse_scene(framed(R"("faces":[["a","b","c","d"],["a","d","c","b"],["b","e","c"]])"));
  EXPECT_EQ(scene.framework.faces[0], (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(scene.framework.faces[1], (std::vector<int>{1, 2, 3, 0}));
  EXPECT_EQ(scene.framework.faces[2], (std::vector<int>{2, 4, 1}));
}

TEST(FrameworkReader, RefusesWhatMakesNoFramework) {
  for (const Refusal& refusal : std::vector<Refusal>{
           {R"({"collapse":1,"dimension":2,"framework":[]})", "framework", "an empty list",
            "a framework"},
           {R"({"collapse":1,"dimension":2,"framework":{}})", "framework", "no \"points\"",
            "\"points\""},
           {with_points(""), "framework.points", "an empty list", "1 to 1000000 points"},
           {with_points("7"), "framework.points[0]", "the number 7", "a point"},
           {with_points("{}"), "framework.points[0]", "no \"position\"", "[x, y]"},
           {with_points(R"({"position":[0]})"), "framework.points[0].position", "a list of 1",
            "[x, y]"},
           {with_points(R"({"position":[0,0],"mass":0})"), "framework.points[0].mass",
            "the number 0", "greater than 0"},
           {with_points(R"({"position":[0,0],"mass":"1e-60"})"), "framework.points[0].mass",
            "1e-60", "between 1e-50 and 1e50"},
           {with_points(R"({"position":[0,0],"mas":1})"), "framework.points[0].mas",
            "unknown key \"mas\"", "did you mean \"mass\"?"},
           {with_points(R"({"position":[0,0],"fixed":true,"velocity":[1,0]})"),
            "framework.points[0].velocity", "a velocity", "the point is fixed"},
           {with_points(R"({"name":"x","position":[0,0]},{"name":"x","position":[1,0]})"),
            "framework.points[1].name", "which framework.points[0] has already", "of its own"},
           {framed(R"("bars":[["a"]])"), "framework.bars[0]", "a list of 1", "two points"},
           {framed(R"("bars":[["a","B"]])"), "framework.bars[0][1]", "the unknown name \"B\"",
            "did you mean"},
           {framed(R"("bars":[["a","a"]])"), "framework.bars[0]", "the same point twice",
            "two different points"},
           {framed(R"("bars":[["a","b"],["b","a"]])"), "framework.bars[1]", "given before",
            "at most once"},
           {framed(R"("bars":[["c","f"]])"), "framework.bars[0]", "two points in one place",
            "of some length"},
           {framed(R"("faces":[["a","b"]])"), "framework.faces[0]", "a list of 2",
            "3 to 4096 points around a convex polygon"},
           {framed(R"("faces":[["a","b","z"]])"), "framework.faces[0][2]", "the unknown name \"z\"",
            "the name of a point"},
           {framed(R"("faces":[["a","b","b"]])"), "framework.faces[0]", "vertices 1 and 2 coincide",
            "convex polygon"},
           {framed(R"("faces":[["a","c","f"]])"), "framework.faces[0]", "coincide", "convex"},
           {framed(R"("faces":[["a","b","d","c"]])"), "framework.faces[0]", "cross", "convex"},
           {framed(R"("faces":[["a","b","e","c","d"]])"), "framework.faces[0]",
            "not convex at \"e\"", "cut it into convex faces"},
           {framed(R"("faces":[["d","c","e","b","a"]])"), "framework.faces[0]",
            "not convex at \"e\"", "cut it into convex faces"},
       }) {
    expect_refused(refusal, [](const std::string& text) { return parse_scene(text); });
  }
}

TEST(FrameworkReader, NeedsNoBodiesButTakesThem) {
  EXPECT_TRUE(parse_scene(framed("")).bodies.empty());
  const std::string both = R"({"collapse":1,"dimension":2,"bodies":[{"plane":{"normal":[0,1]}}],)"
                           R"("framework":{"points":[{"position":[0,1]}]}})";
  EXPECT_EQ(parse_scene(both).bodies.size(), 1U);
  const std::string empty = R"({"collapse":1,"dimension":2,"bodies":[],)"
                            R"("framework":{"points":[{"position":[0,1]}]}})";
  EXPECT_TRUE(parse_scene(empty).bodies.empty());
}

}  // namespace
}  // namespace collapse
