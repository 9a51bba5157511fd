/// Forces in space where closed forms tell them: legs, spheres.

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tests/support/audit.hpp"

namespace collapse::testing {
namespace {

/// Mass and centre of mass of all free bodies.
struct Whole {
  double mass = 0.0;
  Vec<3> centre = Vec<3>::Zero();

  explicit Whole(const CheckedSceneOf<3>& checked) {
    for (std::size_t i = 0; i < checked.scene.bodies.size(); ++i) {
      if (!checked.scene.bodies[i].free()) continue;
      const double part = checked.scene.bodies[i].mass.mass;
      mass += part;
      centre += part * checked.state.centre(checked.scene, static_cast<int>(i));
    }
    centre /= mass;
  }
};

/// What the ground carries at each foot.
std::vector<std::pair<Vec<3>, double>> feet(const CheckedSceneOf<3>& checked) {
  std::vector<std::pair<Vec<3>, double>> found;
  for (const ContactForce<3>& contact : checked.verdict.forces) {
    if (checked.scene.body_name(contact.id.a) == "ground") {
      found.emplace_back(contact.point, contact.force.z());
    }
  }
  return found;
}

TEST(Table, OnThreeLegsSharesItsWeightAsItsMiddleDemands) {
  const CheckedSceneOf<3> checked =
      check_gallery<3>("table", {{"legs", "3"}, {"x", "1/8"}, {"y", "-1/3"}, {"weight", "3"}});
  ASSERT_EQ(checked.verdict.stability, Stability::stable);
  const Whole whole(checked);
  // Moments about the line through the other two feet.
  const double at_front = (whole.centre.x() + 1.25) / 2.5;
  const double aside = whole.centre.y() / 1.5;
  const auto found = feet(checked);
  ASSERT_EQ(found.size(), 3U);
  for (const auto& [point, force] : found) {
    const double share = point.x() > 0.0   ? at_front
                         : point.y() > 0.0 ? 0.5 * (1.0 - at_front) + aside
                                           : 0.5 * (1.0 - at_front) - aside;
    EXPECT_NEAR(force, 10.0 * whole.mass * share, 1e-8);
  }
}

TEST(Table, OnThreeLegsFallsWhereItsMiddleLeavesTheFeet) {
  // The feet's triangle has the side from (5/4, 0) to (−5/4, 3/4): 3/10·x + y = 3/8. The table alone
  // has its middle inside, and a heavy weight takes the whole wherever it stands.
  const auto with = [](const std::string& y) {
    return stability_of("table", {{"legs", "3"}, {"x", "1/4"}, {"y", y}, {"weight", "1000000"}});
  };
  EXPECT_EQ(with("0.2999"), Stability::stable);
  EXPECT_EQ(with("0.3001"), Stability::unstable);
}

TEST(Table, OnFourLegsSharesItsWeightInTheLeastSquares) {
  const CheckedSceneOf<3> checked =
      check_gallery<3>("table", {{"x", "1/2"}, {"y", "1/4"}, {"weight", "3"}});
  ASSERT_EQ(checked.verdict.stability, Stability::stable);
  const Whole whole(checked);
  const auto found = feet(checked);
  ASSERT_EQ(found.size(), 4U);
  for (const auto& [point, force] : found) {
    // The least sum of squares under three equations of balance is linear in x and y.
    const double share = 0.25 + 0.25 * whole.centre.x() * point.x() / (1.25 * 1.25) +
                         0.25 * whole.centre.y() * point.y() / (0.75 * 0.75);
    EXPECT_NEAR(force, 10.0 * whole.mass * share, 1e-6);
  }
}

TEST(Tripod, SlidesApartBelowTheFrictionThatItsLeanDemands) {
  for (const double lean : {0.3, 0.8}) {
    for (const double weight : {0.01, 1.0, 20.0}) {
      const double critical = lean * (3.0 + 2.0 * weight) / (6.0 + 2.0 * weight);
      const auto with = [&](double friction) {
        return stability_of("tripod", {{"lean", std::to_string(lean)},
                                       {"weight", std::to_string(weight)},
                                       {"friction", std::to_string(friction)}});
      };
      EXPECT_EQ(with(1.002 * critical), Stability::stable) << lean << ' ' << weight;
      EXPECT_EQ(with(0.998 * critical), Stability::unstable) << lean << ' ' << weight;
    }
  }
}

TEST(FourSpheres, StandFromRootThreeMinusRootTwoOn) {
  const double critical = std::sqrt(3.0) - std::sqrt(2.0);
  const auto with = [](double friction, double floor) {
    return stability_of("spheres", {{"friction", std::to_string(friction)},
                                    {"floor-friction", std::to_string(floor)}});
  };
  EXPECT_EQ(with(1.001 * critical, 1.0), Stability::stable);
  EXPECT_EQ(with(0.999 * critical, 1.0), Stability::unstable);
  EXPECT_EQ(with(1.0, 0.25 * 1.001 * critical), Stability::stable);
  EXPECT_EQ(with(1.0, 0.25 * 0.999 * critical), Stability::unstable);
  EXPECT_EQ(with(1.001 * critical, 0.25 * 1.001 * critical), Stability::stable);
}

TEST(Spheres, OnASquareStandUnderOneAnother) {
  // By moments about the centre of a lower sphere its two friction forces are equal; the upper one
  // carries a quarter at each: tan of half the angle between the line of centres and the vertical.
  const double critical = std::tan(0.5 * M_PI / 4.0);
  const auto with = [](double friction) {
    return stability_of("spheres", {{"base", "square"}, {"friction", std::to_string(friction)}});
  };
  EXPECT_EQ(with(1.001 * critical), Stability::stable);
  EXPECT_EQ(with(0.999 * critical), Stability::unstable);
}

}  // namespace
}  // namespace collapse::testing
