/// Whatever the bytes, the reader gives a scene or an Error: nothing else.

#include <gtest/gtest.h>

#include <ctime>
#include <string>
#include <string_view>
#include <vector>

#include "collapse/core/error.hpp"
#include "collapse/io/scene_reader.hpp"
#include "tests/support/mutation.hpp"

namespace collapse::testing {
namespace {

/// Whether it was a scene.
bool survives(const std::string& text) {
  try {
    const Scene<2> scene = parse_scene(text);
    EXPECT_FALSE(scene.bodies.empty() && scene.framework.points.empty());
    return true;
  } catch (const Error& error) {
    EXPECT_EQ(std::string_view(error.what()).find('\n'), std::string_view::npos);
    EXPECT_FALSE(error.found().empty());
    EXPECT_FALSE(error.expected().empty());
    return false;
  }
}

TEST(SceneSurvival, TheCorpusIsReadOrRefusedAsItsNamesSay) {
  const std::vector<Sample> samples = corpus();
  ASSERT_GE(samples.size(), 20U);
  for (const Sample& sample : samples) {
    SCOPED_TRACE(sample.name);
    EXPECT_EQ(survives(sample.text), sample.name.starts_with("valid_"));
  }
}

TEST(SceneSurvival, EveryBeginningOfAValidSceneIsRefused) {
  for (const Sample& sample : corpus()) {
    if (!sample.name.starts_with("valid_two") && !sample.name.starts_with("valid_parts")) continue;
    std::string text = sample.text;
    text.erase(text.find_last_of('}') + 1);
    for (std::size_t length = 0; length < text.size(); ++length) {
      EXPECT_FALSE(survives(text.substr(0, length))) << length;
    }
  }
}

TEST(SceneSurvival, MutatedScenesAreReadOrRefused) {
  const std::vector<Sample> samples = corpus();
  ASSERT_FALSE(samples.empty());
  Random random(2024);
  int scenes = 0;
  constexpr int kRounds = 20'000;
  for (int i = 0; i < kRounds; ++i) {
    const Sample& sample =
        samples[static_cast<std::size_t>(random.below(static_cast<int>(samples.size())))];
    const Sample& other =
        samples[static_cast<std::size_t>(random.below(static_cast<int>(samples.size())))];
    const std::string text = mutated(sample.text, other.text, random);
    const std::clock_t start = std::clock();
    if (survives(text)) ++scenes;
    ASSERT_LT(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, 20.0) << text;
  }
  // Otherwise only the parser of JSON was tested.
  EXPECT_GT(scenes, kRounds / 50);
  EXPECT_LT(scenes, kRounds);
}

}  // namespace
}  // namespace collapse::testing
