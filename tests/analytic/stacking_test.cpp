/// Towers of bricks without friction, against published results on block stacking.

#include <gtest/gtest.h>

#include <set>

#include "tests/support/checked_scene.hpp"

namespace collapse::testing {
namespace {

TEST(HarmonicTower, StandsBelowAndFallsAboveTheCriticalOffset) {
  for (int bricks = 2; bricks <= 12; ++bricks) {
    const std::string n = std::to_string(bricks);
    EXPECT_EQ(stability_of("harmonic", {{"bricks", n}, {"factor", "0.999"}}), Stability::stable)
        << n;
    EXPECT_EQ(stability_of("harmonic", {{"bricks", n}, {"factor", "1.001"}}), Stability::unstable)
        << n;
  }
}

TEST(HarmonicTower, IsNeverJudgedWronglyHoweverCloseToCritical) {
  for (const char* digits : {"0001", "000001", "00000001", "0000000001", "000000000001"}) {
    for (const char* bricks : {"2", "5", "12"}) {
      const std::string above = std::string("1.") + digits;
      // 1 − ε, written as a fraction: 2 − (1 + ε).
      const std::string below = to_string(Rational(2) - *parse_rational(above));
      EXPECT_NE(stability_of("harmonic", {{"bricks", bricks}, {"factor", above}}),
                Stability::stable)
          << bricks << " bricks, factor " << above;
      EXPECT_NE(stability_of("harmonic", {{"bricks", bricks}, {"factor", below}}),
                Stability::unstable)
          << bricks << " bricks, factor " << below;
    }
  }
}

TEST(HarmonicTower, IsNotCalledUnstableExactlyAtTheCriticalOffset) {
  for (int bricks = 2; bricks <= 12; ++bricks) {
    EXPECT_NE(stability_of("harmonic", {{"bricks", std::to_string(bricks)}}), Stability::unstable);
  }
}

TEST(HarmonicTower, UndecidedSaysHowClose) {
  const Verdict<2> verdict = check_gallery("harmonic").verdict;
  ASSERT_EQ(verdict.stability, Stability::undecided);
  EXPECT_NE(verdict.reason.find("too close to call"), std::string::npos) << verdict.reason;
  EXPECT_LT(verdict.residual, 1e-9);
  EXPECT_EQ(verdict.margin, 0.0);
}

TEST(Diamond, StandsExactlyUpToFourRows) {
  for (int rows = 1; rows <= 8; ++rows) {
    EXPECT_EQ(stability_of("diamond", {{"rows", std::to_string(rows)}}),
              rows <= 4 ? Stability::stable : Stability::unstable)
        << rows;
  }
}

TEST(InvertedTriangle, FallsFromThreeRowsOn) {
  EXPECT_EQ(stability_of("triangle", {{"rows", "1"}}), Stability::stable);
  EXPECT_NE(stability_of("triangle", {{"rows", "2"}}), Stability::unstable);
  for (int rows = 3; rows <= 8; ++rows) {
    EXPECT_EQ(stability_of("triangle", {{"rows", std::to_string(rows)}}), Stability::unstable);
  }
}

TEST(ParabolicStack, IsBalanced) {
  for (int d = 2; d <= 8; ++d) {
    const CheckedScene checked = check_gallery("dstack", {{"d", std::to_string(d)}});
    EXPECT_NE(checked.verdict.stability, Stability::unstable) << d;
    // Balanced: forces exist that carry every brick to within rounding.
    EXPECT_FALSE(checked.verdict.forces.empty()) << d;
    EXPECT_LT(checked.verdict.residual, 1e-9) << d;
  }
}

TEST(HalfBondWall, OfFiveByFiveIsBalancedButCritical) {
  const CheckedScene checked =
      check_gallery("wall", {{"courses", "5"}, {"width", "5"}, {"ends", "ragged"}});
  EXPECT_NE(checked.verdict.stability, Stability::unstable);
  EXPECT_LT(checked.verdict.residual, 1e-9);
}

TEST(HalfBondWall, WithStraightEndsStandsInEverySize) {
  for (const char* size : {"1", "2", "5", "12"}) {
    EXPECT_EQ(stability_of("wall", {{"courses", size}, {"width", size}, {"ends", "straight"}}),
              Stability::stable)
        << size;
  }
}

TEST(StackBondWall, StandsInSpiteOfItsCornerContacts) {
  const CheckedScene checked =
      check_gallery("wall", {{"courses", "6"}, {"width", "6"}, {"bond", "stack"}});
  EXPECT_EQ(checked.contacts.corners.size(), 2U * 5U * 5U);
  EXPECT_EQ(checked.verdict.stability, Stability::stable);
}

// Top k blocks of n: their centre lies (k − 1)/2 offsets beyond the k-th block from the top, whose
// support ends at half a width: the bottom joint is the critical one, at offset = width/n.
TEST(LeaningColumn, FallsBeyondOneOverTheNumberOfBlocks) {
  for (int blocks = 2; blocks <= 9; ++blocks) {
    const std::string n = std::to_string(blocks);
    const Rational critical(1, blocks);
    const std::string below = to_string(critical * Rational(999, 1000));
    const std::string above = to_string(critical * Rational(1001, 1000));
    // The bottom block lies flat on the ground: its own joint has no offset, so the column is that
    // of n blocks on a block.
    EXPECT_EQ(stability_of("column", {{"blocks", n}, {"lean", below}}), Stability::stable) << n;
    EXPECT_EQ(stability_of("column", {{"blocks", n}, {"lean", above}}), Stability::unstable) << n;
  }
}

// Board of mass 1 and weights at ±7/4 on a pivot of width 1/4: the resultant lies at
// 7/4 (right − left)/(1 + left + right) and must stay within 1/8 of the middle.
TEST(Seesaw, StandsWhileTheResultantFallsOnThePivot) {
  const auto right_weight = [](const Rational& share) {
    // 7/4 (r − 1)/(2 + r) = share/8  ⇒  r = (14 + 2·share)/(14 − share)
    return to_string((14 + 2 * share) / (14 - share));
  };
  const auto stability = [&](const Rational& share) {
    return stability_of("seesaw", {{"left", "1"}, {"right", right_weight(share)}});
  };
  EXPECT_EQ(stability(Rational(999, 1000)), Stability::stable);
  EXPECT_EQ(stability(Rational(1001, 1000)), Stability::unstable);
}

TEST(Diamond, OfTheSourcesHasTwentyFiveBricksAndFallsSymmetrically) {
  const CheckedScene checked = check_gallery("diamond");
  ASSERT_EQ(checked.verdict.mechanism.size(), 25U);
  // For every brick there is one at the mirrored place with the mirrored motion.
  const auto mirrored = [&](const BodyMotion<2>& m, const BodyMotion<2>& other) {
    const Vec<2> p = checked.state.centre(checked.scene, m.body);
    const Vec<2> q = checked.state.centre(checked.scene, other.body);
    return std::abs(p[0] + q[0]) < 1e-12 && std::abs(p[1] - q[1]) < 1e-12 &&
           std::abs(m.velocity[0] + other.velocity[0]) < 1e-9 &&
           std::abs(m.velocity[1] - other.velocity[1]) < 1e-9 &&
           std::abs(m.spin[0] + other.spin[0]) < 1e-9;
  };
  for (const BodyMotion<2>& m : checked.verdict.mechanism) {
    int partners = 0;
    for (const BodyMotion<2>& other : checked.verdict.mechanism) partners += mirrored(m, other);
    EXPECT_EQ(partners, 1) << checked.scene.body_name(m.body);
  }
}

}  // namespace
}  // namespace collapse::testing
