/// How structures at rest begin to move: closed forms, under both laws of friction.

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/changed_scene.hpp"
#include "tests/support/onset_scene.hpp"

namespace collapse::testing {
namespace {

constexpr double kG = 10.0;
constexpr double kExact = 1e-9;  // solved to 1e-10 under Coulomb's law

TEST(Onset, OfAMovableWedgeIsThatOfTheTextbook) {
  for (const char* tangent : {"1/4", "1/2", "1"}) {
    for (const auto& [wedge_mass, block_mass] : {std::pair("2", "1"), std::pair("1", "7")}) {
      const OnsetScene result = gallery_onset(
          "wedge", {{"angle", tangent}, {"wedge-mass", wedge_mass}, {"block-mass", block_mass}});
      ASSERT_TRUE(result.onset.decided);
      EXPECT_TRUE(result.onset.moves);
      const double theta = std::atan(to_double(*parse_rational(tangent)));
      const double M = result.mass("wedge").mass;
      const double m = result.mass("block").mass;
      const double sine = std::sin(theta);
      EXPECT_NEAR(std::abs(result.of("wedge").linear[0]),
                  m * kG * sine * std::cos(theta) / (M + m * sine * sine), kExact);
      EXPECT_NEAR(result.of("wedge").linear[1], 0.0, kExact);
      EXPECT_NEAR(result.of("block").angular[0], 0.0, kExact);
      EXPECT_LT(worst_force_fault(result), 1e-9);
    }
  }
}

// --- a block on a slope -------------------------------------------------------------------------

struct Slope {
  double theta = std::atan(0.5);
  Vec<2> down{-std::cos(theta), -std::sin(theta)};
  Vec<2> out{-std::sin(theta), std::cos(theta)};
};

OnsetScene on_slope(const std::string& friction, const std::string& aspect,
                    FrictionLaw law = FrictionLaw::coulomb) {
  return gallery_onset("slope", {{"slope", "1/2"}, {"aspect", aspect}, {"friction", friction}},
                       law);
}

TEST(OnsetOnASlope, ABlockSlidesWithWhatFrictionLeaves) {
  const Slope slope;
  for (const double mu : {0.0, 0.1, 0.4, 0.499}) {
    const OnsetScene result = on_slope(std::to_string(mu), "3");
    ASSERT_TRUE(result.onset.decided) << result.onset.reason;
    const BodyAcceleration<2> block = result.of("block");
    EXPECT_NEAR(block.linear.dot(slope.down),
                kG * (std::sin(slope.theta) - mu * std::cos(slope.theta)), kExact);
    EXPECT_NEAR(block.linear.dot(slope.out), 0.0, kExact);
    EXPECT_NEAR(block.angular[0], 0.0, kExact);
    for (const auto& contact : result.onset.contacts) {
      EXPECT_EQ(contact.state, ContactState::slipping);
    }
    EXPECT_LT(worst_force_fault(result), 1e-8);
  }
}

TEST(OnsetOnASlope, TheAssociatedLawLiftsTheSlidingBlock) {
  // It moves along t + μ n, with what gravity has in that direction.
  const Slope slope;
  const double mu = 0.4;
  const OnsetScene result = on_slope("0.4", "3", FrictionLaw::associated);
  ASSERT_TRUE(result.onset.decided);
  const double along = kG * (std::sin(slope.theta) - mu * std::cos(slope.theta)) / (1.0 + mu * mu);
  EXPECT_NEAR(result.of("block").linear.dot(slope.down), along, kExact);
  EXPECT_NEAR(result.of("block").linear.dot(slope.out), mu * along, kExact);
}

TEST(OnsetOnASlope, ABlockStaysWithEnoughFriction) {
  for (const FrictionLaw law : {FrictionLaw::coulomb, FrictionLaw::associated}) {
    const OnsetScene result = on_slope("0.501", "3", law);
    ASSERT_TRUE(result.onset.decided) << result.onset.reason;
    EXPECT_FALSE(result.onset.moves);
    EXPECT_NEAR(result.onset.share, 0.0, 1e-9);
    EXPECT_LT(worst_force_fault(result), 1e-8);
  }
}

TEST(OnsetOnASlope, ASlenderBlockTipsAboutItsLowerCorner) {
  const Slope slope;
  for (const double aspect : {0.2, 0.45}) {
    const OnsetScene result = on_slope("4", std::to_string(aspect));
    ASSERT_TRUE(result.onset.decided) << result.onset.reason;
    const double m = result.mass("block").mass;
    const double I = result.mass("block").inertia(0, 0);
    const double length = std::sqrt(1.25);
    const double b = 0.5 * aspect * length;
    const double h = 0.5 * length;
    const double torque = m * kG * (h * std::sin(slope.theta) - b * std::cos(slope.theta));
    EXPECT_NEAR(result.of("block").angular[0], torque / (I + m * (b * b + h * h)), kExact);
    EXPECT_EQ(result.opening(), 1U);
  }
  EXPECT_FALSE(on_slope("4", "0.502").onset.moves);
}

// --- ladder, table, disk ------------------------------------------------------------------------

TEST(OnsetOfALadder, WithoutFrictionTurnsAboutTheInstantaneousCentre) {
  for (const char* half : {"1/20", "1/4", "4/5"}) {
    const OnsetScene result = gallery_onset("ladder", {{"half-tangent", half}, {"friction", "0"}});
    ASSERT_TRUE(result.onset.decided);
    const double theta = 2.0 * std::atan(to_double(*parse_rational(half)));
    const double m = result.mass("ladder").mass;
    const double alpha =
        m * kG * 0.5 * std::sin(theta) / (result.mass("ladder").inertia(0, 0) + 0.25 * m);
    EXPECT_NEAR(result.of("ladder").angular[0], alpha, kExact);
    EXPECT_NEAR(result.of("ladder").linear[0], 0.5 * std::cos(theta) * alpha, kExact);
    EXPECT_NEAR(result.of("ladder").linear[1], -0.5 * std::sin(theta) * alpha, kExact);
    EXPECT_EQ(result.opening(), 0U);
  }
}

/// A block 2 × 1 whose centre is 1/4 beyond the edge of a table.
std::string over_the_edge(const std::string& friction) {
  return R"({"collapse": 1, "dimension": 2, "gravity": [0, -10],
    "materials": {"default": {"friction": ")" +
         friction + R"("}}, "bodies": [
    {"name": "table", "fixed": true, "box": [4, 1], "position": [-2, "-1/2"]},
    {"name": "block", "box": [2, 1], "position": ["1/4", "1/2"]}]})";
}

TEST(OnsetOverATableEdge, IsARotationAboutTheEdge) {
  const double m = 2.0;
  const double I = m * 5.0 / 12.0;
  const double d = 0.25;
  // Without friction the edge holds only upwards.
  const OnsetScene smooth = onset_of(over_the_edge("0"));
  ASSERT_TRUE(smooth.onset.decided);
  EXPECT_NEAR(smooth.of("block").angular[0], -m * kG * d / (I + m * d * d), kExact);
  EXPECT_NEAR(smooth.of("block").linear[0], 0.0, kExact);
  EXPECT_NEAR(smooth.force("table", "block")[1], m * kG / (1.0 + m * d * d / I), kExact);
  EXPECT_EQ(smooth.opening(), 1U);
  // With friction it is a hinge.
  const double r = d * d + 0.25;
  const OnsetScene rough = onset_of(over_the_edge("2"));
  ASSERT_TRUE(rough.onset.decided) << rough.onset.reason;
  const double alpha = -m * kG * d / (I + m * r);
  EXPECT_NEAR(rough.of("block").angular[0], alpha, kExact);
  EXPECT_NEAR(rough.of("block").linear[0], -0.5 * alpha, kExact);
  EXPECT_NEAR(rough.of("block").linear[1], 0.25 * alpha, kExact);
}

/// A disk of radius 2 that touches a slope of tangent 3/4 at the origin, and moves along it.
std::string disk_on_slope(double friction, double velocity = 0.0, double spin = 0.0) {
  return R"({"collapse": 1, "dimension": 2, "gravity": [0, -10],
    "materials": {"default": {"friction": )" +
         std::to_string(friction) + R"(}}, "bodies": [
    {"name": "slope", "fixed": true, "plane": {"normal": ["-3/5", "4/5"], "offset": 0}},
    {"name": "disk", "disk": 2, "position": ["-6/5", "8/5"], "velocity": [)" +
         std::to_string(-0.8 * velocity) + ", " + std::to_string(-0.6 * velocity) +
         R"(], "spin": )" + std::to_string(spin) + "}]}";
}

TEST(OnsetOfADisk, RollsDownASlopeOrSlipsWithTooLittleFriction) {
  const double sine = 0.6;
  const double cosine = 0.8;
  const Vec<2> down(-cosine, -sine);
  for (const double mu : {0.251, 1.0}) {  // rolls from a third of the tangent on
    const OnsetScene result = onset_of(disk_on_slope(mu));
    ASSERT_TRUE(result.onset.decided) << result.onset.reason;
    EXPECT_NEAR(result.of("disk").linear.dot(down), 2.0 / 3.0 * kG * sine, kExact);
    EXPECT_NEAR(result.of("disk").angular[0], kG * sine / 3.0, kExact);
    EXPECT_EQ(result.onset.contacts.at(0).state, ContactState::resting);
  }
  for (const double mu : {0.249, 0.1}) {
    const OnsetScene result = onset_of(disk_on_slope(mu));
    ASSERT_TRUE(result.onset.decided) << result.onset.reason;
    EXPECT_NEAR(result.of("disk").linear.dot(down), kG * (sine - mu * cosine), kExact);
    EXPECT_NEAR(result.of("disk").angular[0], mu * kG * cosine, kExact);  // 2 μ g cos θ / R
    EXPECT_EQ(result.onset.contacts.at(0).state, ContactState::slipping);
  }
}

// --- invariance, and agreement with check -------------------------------------------------------

TEST(Onset, DoesNotDependOnUnitsMirrorsAndRotations) {
  Change turned;
  turned.c = Rational(3, 5);
  turned.s = Rational(4, 5);
  Change all = turned;
  all.mirror = true;
  all.length = Rational(1, 1000);
  all.mass = Rational(1000);
  all.gravity = Rational(7);
  const std::vector<std::pair<std::string, SceneOptions>> cases = {
      {"diamond", {}},
      {"wedge", {{"friction", "0.2"}}},
      {"ladder", {{"lean", "70"}}},
      {"cylinders", {{"friction", "0.1"}}},
      {"slope", {{"friction", "0.3"}}},
      {"arch", {{"thickness", "0.1"}}},
      {"gate", {{"height", "0"}}}};
  for (const auto& [name, scene] : cases) {
    for (const FrictionLaw law : {FrictionLaw::coulomb, FrictionLaw::associated}) {
      OnsetOptions options;
      options.friction_law = law;
      const std::string text = scenes::make_scene(name, scene);
      const OnsetScene original = onset_of(text, options);
      ASSERT_TRUE(original.onset.decided) << name;
      ASSERT_TRUE(original.onset.moves) << name;
      for (const Change& change : {turned, all}) {
        const OnsetScene other = onset_of(changed(text, change), options);
        ASSERT_TRUE(other.onset.decided) << name << ": " << other.onset.reason;
        EXPECT_NEAR(other.onset.share, original.onset.share, 1e-8);
        const double scale = to_double(change.gravity);
        const double turn = (change.mirror ? -1.0 : 1.0) * scale / to_double(change.length);
        for (std::size_t i = 0; i < original.onset.bodies.size(); ++i) {
          const auto& here = original.onset.bodies[i];
          const auto& there = other.onset.bodies[i];
          EXPECT_LT((there.linear - scale * change.direction(here.linear)).norm(), 1e-7 * scale)
              << name;
          EXPECT_NEAR(there.angular[0], turn * here.angular[0], 1e-7 * std::abs(turn)) << name;
        }
      }
    }
  }
}

std::vector<std::pair<std::string, SceneOptions>> many_scenes() {
  std::vector<std::pair<std::string, SceneOptions>> cases;
  for (const scenes::Entry& entry : scenes::gallery()) {
    if (entry.dimension == 2) cases.push_back({entry.name, {}});
  }
  cases.insert(cases.end(), {{"harmonic", {{"factor", "0.99"}}},
                             {"harmonic", {{"factor", "1.01"}}},
                             {"diamond", {{"rows", "4"}}},
                             {"arch", {{"thickness", "0.105"}}},
                             {"arch", {{"thickness", "0.2"}, {"friction", "0.3"}}},
                             {"ladder", {{"lean", "54"}}},
                             {"slope", {{"friction", "0.4"}}},
                             {"cylinders", {{"friction", "0.2"}}},
                             {"gate", {{"height", "0"}}},
                             {"truss", {{"missing", "3"}}},
                             {"seesaw", {{"right", "2"}}},
                             {"wedge", {{"friction", "0.6"}}},
                             {"wall", {{"friction", "1/2"}}}});
  return cases;
}

TEST(Onset, IsZeroUnderTheAssociatedLawExactlyWhereCheckSaysStable) {
  for (const auto& [name, scene] : many_scenes()) {
    SCOPED_TRACE(name);
    const OnsetScene result = gallery_onset(name, scene, FrictionLaw::associated);
    ASSERT_TRUE(result.onset.decided) << result.onset.reason;
    const Stability stability = stability_of(name, scene);
    if (stability != Stability::undecided) {
      EXPECT_EQ(result.onset.moves, stability == Stability::unstable) << result.onset.share;
    }
    EXPECT_LT(result.onset.residual, 1e-9);
    // What the loads gain on the onset is aᵀMa.
    double gain = 0.0;
    double inertial = 0.0;
    for (const BodyAcceleration<2>& motion : result.onset.bodies) {
      const MassProperties<2>& mass =
          result.scene.bodies[static_cast<std::size_t>(motion.body)].mass;
      gain += mass.mass * result.scene.gravity.value.dot(motion.linear);
      inertial += mass.mass * motion.linear.squaredNorm() +
                  mass.inertia(0, 0) * motion.angular[0] * motion.angular[0];
    }
    EXPECT_NEAR(gain, inertial, 1e-9 * std::max(1.0, inertial));
  }
}

TEST(Onset, OfZeroUnderCoulombsLawIsAnEquilibrium) {
  for (const auto& [name, scene] : many_scenes()) {
    SCOPED_TRACE(name);
    const OnsetScene result = gallery_onset(name, scene);
    if (!result.onset.decided) continue;
    EXPECT_LT(result.onset.residual, 1e-8);
    if (!result.onset.moves) {
      EXPECT_NE(stability_of(name, scene), Stability::unstable);
    }
  }
}

}  // namespace
}  // namespace collapse::testing
