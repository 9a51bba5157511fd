/// Bodies that are very light beside others once moved into them by 1e-7 of the speed of the mechanism
/// that proves a fall.

#include <gtest/gtest.h>

#include "tests/support/audit.hpp"

namespace collapse::testing {
namespace {

constexpr const char* kTinyBoxesOnLargeOnes = R"({
  "collapse": 1, "dimension": 3, "gravity": [0, 0, -10],
  "materials": {"default": {"friction": "1/8"}},
  "bodies": [
    {"name": "ground", "fixed": true, "plane": {"normal": [0, 0, 1], "offset": 0}},
    {"name": "1", "box": [1, 2, 1], "position": ["3/2", 1, "1/2"]},
    {"name": "2", "box": ["1/50", "1/50", "1/50"], "position": ["101/100", "1/100", "101/100"]},
    {"name": "3", "box": [2, 1, 2], "position": [1, "1/2", "101/50"]},
    {"name": "4", "box": ["1/100", "1/100", "1/100"], "position": ["201/200", "1/200", "121/40"]}
  ]})";

TEST(LightBodies, DoNotMoveIntoOthersInAMechanism) {
  const CheckedSceneOf<3> checked = check_text<3>(kTinyBoxesOnLargeOnes);
  ASSERT_EQ(checked.verdict.stability, Stability::unstable);
  const MotionAudit audit = audit_mechanism(checked);
  EXPECT_GT(audit.gain, 0.0);
  EXPECT_LT(audit.violation, 1e-9);
}

}  // namespace
}  // namespace collapse::testing
