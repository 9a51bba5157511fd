/// Whatever the bytes, the reader gives a scene or an Error: nothing else.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "collapse/core/error.hpp"
#include "collapse/io/scene_reader.hpp"

namespace collapse {
namespace {

/// splitmix64: the same sequence everywhere.
class Generator {
 public:
  explicit Generator(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9E3779B97F4A7C15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31);
  }
  /// Below `bound`, which is not 0.
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(next() % bound); }

 private:
  std::uint64_t state_;
};

struct Sample {
  std::string name;
  std::string text;
};

std::vector<Sample> corpus() {
  const std::filesystem::path folder =
      std::filesystem::path(COLLAPSE_SOURCE_DIR) / "tests" / "fuzz" / "corpus";
  std::vector<Sample> samples;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::ifstream stream(entry.path(), std::ios::binary);
    samples.push_back({entry.path().filename().string(),
                       std::string(std::istreambuf_iterator<char>(stream), {})});
  }
  std::sort(samples.begin(), samples.end(),
            [](const Sample& a, const Sample& b) { return a.name < b.name; });
  return samples;
}

/// Changes, drops, doubles or swaps in some bytes or a word of the format.
std::string mutated(std::string text, const std::string& other, Generator& random) {
  constexpr std::string_view kWords[] = {"\"1/3\"",
                                         "-1",
                                         "0",
                                         "1e300",
                                         "1e-300",
                                         "[]",
                                         "{}",
                                         "null",
                                         "true",
                                         "\"a\"",
                                         "[0,0]",
                                         "[1,1]",
                                         "\"box\":",
                                         "\"disk\":1",
                                         "\"parts\":[",
                                         "\"angle\":45,",
                                         "\\u0000",
                                         "\xff",
                                         "\"rotation\":[1,2],",
                                         "999999999999999999999",
                                         "\"fixed\":true,"};
  const std::size_t changes = 1 + random.below(3);
  for (std::size_t i = 0; i < changes; ++i) {
    const std::size_t at = random.below(text.size() + 1);
    const std::size_t length = std::min(text.size() - at, random.below(12));
    switch (random.below(8)) {
      case 0:
        if (at < text.size()) text[at] = static_cast<char>(random.below(256));
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.insert(at, text.substr(at, length));
        break;
      case 3:
        text.insert(at, kWords[random.below(std::size(kWords))]);
        break;
      case 4:
        text.replace(at, length, kWords[random.below(std::size(kWords))]);
        break;
      case 5:
      case 6:
        if (const std::size_t digit = text.find_first_of("0123456789", at);
            digit != std::string::npos) {
          text[digit] = static_cast<char>('0' + random.below(10));
        }
        break;
      default:
        if (!other.empty()) {
          const std::size_t from = random.below(other.size());
          text.replace(at, length, other.substr(from, random.below(40)));
        }
        break;
    }
  }
  return text;
}

/// Whether it was a scene.
bool survives(const std::string& text) {
  try {
    const Scene<2> scene = parse_scene(text);
    EXPECT_FALSE(scene.bodies.empty());
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
  Generator random(2024);
  int scenes = 0;
  constexpr int kRounds = 20'000;
  for (int i = 0; i < kRounds; ++i) {
    const Sample& sample = samples[random.below(samples.size())];
    const Sample& other = samples[random.below(samples.size())];
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
}  // namespace collapse
