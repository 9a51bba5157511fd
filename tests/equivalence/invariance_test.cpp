/// Verdicts and forces do not depend on units, on the direction of the axes, or on left and right.

#include <gtest/gtest.h>

#include "tests/support/changed_scene.hpp"

namespace collapse::testing {
namespace {

std::vector<Change> all_changes() {
  const Rational k(1000);
  const Rational milli(1, 1000);
  std::vector<Change> changes(9);
  changes[0].name = "length up", changes[0].length = k;
  changes[1].name = "length down", changes[1].length = milli;
  changes[2].name = "mass up", changes[2].mass = k;
  changes[3].name = "mass down", changes[3].mass = milli;
  changes[4].name = "gravity up", changes[4].gravity = k;
  changes[5].name = "gravity down", changes[5].gravity = milli;
  changes[6].name = "mirrored", changes[6].mirror = true;
  changes[7].name = "turned", changes[7].c = Rational(3, 5), changes[7].s = Rational(4, 5);
  changes[8].name = "all at once", changes[8].c = Rational(-5, 13), changes[8].s = Rational(12, 13);
  changes[8].mirror = true, changes[8].length = milli, changes[8].mass = k;
  return changes;
}

struct Case {
  const char* scene;
  SceneOptions options;
};

TEST(Invariance, OfVerdictsAndForcesUnderUnitsMirrorsAndRotations) {
  const std::vector<Case> cases = {
      {"harmonic", {{"factor", "0.999"}}},
      {"harmonic", {{"factor", "1.001"}}},
      {"diamond", {{"rows", "4"}}},
      {"diamond", {{"rows", "5"}}},
      {"triangle", {}},
      {"wall", {{"ends", "straight"}}},
      {"wall", {{"bond", "stack"}}},
      {"arch", {}},
      {"arch", {{"thickness", "0.106"}}},
      {"ladder", {}},
      {"wedge", {}},
      {"wedge", {{"friction", "0.6"}}},
      {"slope", {}},
      {"column", {}},
      {"seesaw", {}},
      {"cylinders", {}},
      {"gate", {}},
      {"pile", {{"seed", "3"}}},
  };
  for (const Case& scene : cases) {
    const std::string text = scenes::make_scene(scene.scene, scene.options);
    const CheckedScene original = check_text(text);
    ASSERT_NE(original.verdict.stability, Stability::undecided) << scene.scene;
    for (const Change& change : all_changes()) {
      SCOPED_TRACE(std::string(scene.scene) + ", " + change.name);
      const CheckedScene other = check_text(changed(text, change));
      ASSERT_EQ(other.verdict.stability, original.verdict.stability) << other.verdict.reason;
      EXPECT_EQ(other.contacts.contacts.size(), original.contacts.contacts.size());
      EXPECT_NEAR(other.verdict.margin, original.verdict.margin,
                  0.02 * std::abs(original.verdict.margin));
      ASSERT_EQ(other.verdict.forces.size(), original.verdict.forces.size());
      EXPECT_EQ(force_difference(original, other, change), "");
    }
  }
}

}  // namespace
}  // namespace collapse::testing
