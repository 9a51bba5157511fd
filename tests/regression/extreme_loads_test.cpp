/// Loads at the ends of floating point once made a falling brick look weightless, hence at rest.

#include <gtest/gtest.h>

#include "tests/support/checked_scene.hpp"

namespace collapse::testing {
namespace {

TEST(ExtremeLoads, NeverMakeABrickInTheAirStand) {
  for (const char* size : {"1e-45", "1e-20", "1", "1e20", "1e45"}) {
    for (const char* what : {"gravity", "mass"}) {
      const bool gravity = std::string(what) == "gravity";
      const std::string text = std::string(R"({"collapse": 1, "dimension": 2, "gravity": [0, "-)") +
                               (gravity ? size : "10") +
                               R"("], "bodies": [{"box": [1, 1], "mass": ")" +
                               (gravity ? "1" : size) + R"("}]})";
      EXPECT_EQ(check_text(text).verdict.stability, Stability::unstable) << what << " " << size;
    }
  }
}

}  // namespace
}  // namespace collapse::testing
