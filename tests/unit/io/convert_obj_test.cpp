#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "collapse/core/error.hpp"
#include "collapse/io/convert.hpp"

namespace collapse {
namespace {

using Json = nlohmann::ordered_json;

/// The statements of a box [x, x + 1] × [0, 1] × [z, z + 1]; vertices counted backwards, so that boxes can follow one
/// another.
std::string obj_box(const std::string& head, int x, int z) {
  std::string text = head + "\n";
  for (int i = 0; i < 8; ++i) {
    text += "v " + std::to_string(x + (i & 1)) + " " + std::to_string((i >> 1) & 1) + ".0 " +
            std::to_string(z + ((i >> 2) & 1)) + "\n";
  }
  return text +
         "f -8 -6 -5 -7\nf -4 -3 -1 -2\nf -8 -7 -3 -4\nf -6 -2 -1 -5\nf -8 -4 -2 -6\nf -7 -5 -1 "
         "-3\n";
}

TEST(ConvertObj, MakesABodyOfEachObject) {
  ConvertOptions options;
  options.supports = {"foot"};
  const Converted converted =
      convert_obj("# wall\n" + obj_box("o foot", 0, 0) + obj_box("o head stone", 0, 1), options);
  const Json scene = Json::parse(converted.scene);
  EXPECT_EQ(scene["gravity"], Json({0, 0, -9.81}));
  ASSERT_EQ(scene["bodies"].size(), 2U);
  EXPECT_EQ(scene["bodies"][0]["name"], "foot");
  EXPECT_EQ(scene["bodies"][0]["fixed"], true);
  EXPECT_EQ(scene["bodies"][1]["name"], "head stone");
  EXPECT_EQ(scene["bodies"][1]["hull"].size(), 8U);
  EXPECT_TRUE(converted.remarks.empty());
}

TEST(ConvertObj, TakesGroupsNumbersOfSupportsAndYUp) {
  ConvertOptions options;
  options.supports = {"1"};
  options.y_up = true;
  options.ground = true;
  const Json scene =
      Json::parse(convert_obj(obj_box("g a", 0, 2) + obj_box("g b", 0, 3), options).scene);
  ASSERT_EQ(scene["bodies"].size(), 3U);
  EXPECT_EQ(scene["bodies"][0]["plane"]["offset"], 0);  // what was y = 0
  EXPECT_EQ(scene["bodies"][2]["fixed"], true);
  // (x, y, z) ↦ (x, −z, y)
  for (const Json& point : scene["bodies"][1]["hull"]) {
    EXPECT_GE(point[2], 0);
    EXPECT_LE(point[2], 1);
    EXPECT_LE(point[1], -2);
  }
}

TEST(ConvertObj, SaysThatNothingIsFixed) {
  const Converted converted = convert_obj(obj_box("o a", 0, 0));
  ASSERT_EQ(converted.remarks.size(), 1U);
  EXPECT_NE(converted.remarks[0].find("--supports"), std::string::npos);
}

TEST(ConvertObj, RefusesWhatItCannotUse) {
  const auto refusal = [](const std::string& text, const std::vector<std::string>& supports = {}) {
    ConvertOptions options;
    options.supports = supports;
    try {
      (void)convert_obj(text, options);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(refusal("v 0 0 0\n").find("face"), std::string::npos);
  EXPECT_NE(refusal(obj_box("o a", 0, 0), {"b"}).find("--supports"), std::string::npos);
  EXPECT_NE(refusal(obj_box("o a", 0, 0), {"1"}).find("--supports"), std::string::npos);
  const std::string box = obj_box("o a", 0, 0);
  const std::string open = box.substr(0, box.rfind("f "));
  EXPECT_NE(refusal(open).find("object \"a\": found block \"a\" where the edge"), std::string::npos)
      << refusal(open);
}

TEST(GuessFormat, ByEndingThenByContent) {
  EXPECT_EQ(guess_format("a.OBJ", ""), ForeignFormat::obj);
  EXPECT_EQ(guess_format("a.xml", ""), ForeignFormat::mjcf);
  EXPECT_EQ(guess_format("a.json", ""), ForeignFormat::compas);
  EXPECT_EQ(guess_format("-", " {\"dtype\": 1}"), ForeignFormat::compas);
  EXPECT_EQ(guess_format("-", "<mujoco/>"), ForeignFormat::mjcf);
  EXPECT_EQ(guess_format("-", "# exported\nmtllib a.mtl"), ForeignFormat::obj);
  EXPECT_EQ(guess_format("-", "solid cube"), std::nullopt);
  EXPECT_EQ(guess_format("-", ""), std::nullopt);
}

}  // namespace
}  // namespace collapse
