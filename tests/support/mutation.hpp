#pragma once
/// Scene files of the corpus, and ways to damage them.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "collapse/core/random.hpp"

namespace collapse::testing {

struct Sample {
  std::string name;
  std::string text;
};

inline std::vector<Sample> corpus() {
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
inline std::string mutated(std::string text, const std::string& other, Random& random) {
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
  const auto below = [&random](std::size_t n) {
    return static_cast<std::size_t>(random.below(static_cast<int>(n)));
  };
  const std::size_t changes = 1 + below(3);
  for (std::size_t i = 0; i < changes; ++i) {
    const std::size_t at = below(text.size() + 1);
    const std::size_t length = std::min(text.size() - at, below(12));
    switch (below(8)) {
      case 0:
        if (at < text.size()) text[at] = static_cast<char>(below(256));
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.insert(at, text.substr(at, length));
        break;
      case 3:
        text.insert(at, kWords[below(std::size(kWords))]);
        break;
      case 4:
        text.replace(at, length, kWords[below(std::size(kWords))]);
        break;
      case 5:
      case 6:
        if (const std::size_t digit = text.find_first_of("0123456789", at);
            digit != std::string::npos) {
          text[digit] = static_cast<char>('0' + below(10));
        }
        break;
      default:
        if (!other.empty()) {
          const std::size_t from = below(other.size());
          text.replace(at, length, other.substr(from, below(40)));
        }
        break;
    }
  }
  return text;
}

}  // namespace collapse::testing
