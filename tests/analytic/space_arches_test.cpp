/// Arches, vaults, domes and wedges in space, on both sides of their limits.

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/checked_scene.hpp"

namespace collapse::testing {
namespace {

Stability vault_of_thickness(const std::string& name, SceneOptions options, double thickness) {
  options["thickness"] = std::to_string(thickness);
  options.emplace("friction", "0.7");
  return stability_of(name, options);
}

/// Where four voussoirs share an edge, opposite ones touch along it. What such edges might carry
/// leaves a vault that falls without them undecided; here they carry nothing.
Stability vault_without_corners(const std::string& name, SceneOptions options, double thickness) {
  options["thickness"] = std::to_string(thickness);
  options.emplace("friction", "0.7");
  const Scene<3> scene = parse_scene<3>(scenes::make_scene(name, options));
  const State<3> state = initial_state(scene);
  ContactSet<3> contacts = find_contacts(scene, state);
  contacts.corners.clear();
  CheckOptions quick;
  quick.margin_bodies = 0;
  return check(scene, state, contacts, quick).stability;
}

TEST(ArchInSpace, StandsFromThePublishedThicknessOn) {
  const std::vector<std::pair<std::string, double>> least = {
      {"10", 0.107011}, {"20", 0.107348}, {"31", 0.107130}, {"40", 0.107432}};
  for (const auto& [voussoirs, thickness] : least) {
    const SceneOptions options = {{"voussoirs", voussoirs}};
    EXPECT_EQ(vault_of_thickness("arch-3d", options, 1.001 * thickness), Stability::stable)
        << voussoirs;
    EXPECT_EQ(vault_of_thickness("arch-3d", options, 0.999 * thickness), Stability::unstable)
        << voussoirs;
  }
}

TEST(ArchInSpace, SlidesAtAnyThicknessWithTooLittleFriction) {
  EXPECT_EQ(
      stability_of("arch-3d", {{"voussoirs", "40"}, {"thickness", "0.25"}, {"friction", "0.3"}}),
      Stability::unstable);
  EXPECT_EQ(
      stability_of("arch-3d", {{"voussoirs", "40"}, {"thickness", "0.25"}, {"friction", "0.33"}}),
      Stability::stable);
}

TEST(BarrelVault, OfEqualArchesStandsWhereOneOfThemDoes) {
  const SceneOptions options = {{"voussoirs", "10"}, {"rows", "3"}, {"bond", "stack"}};
  EXPECT_EQ(vault_of_thickness("barrel-vault", options, 1.001 * 0.107011), Stability::stable);
  EXPECT_NE(vault_of_thickness("barrel-vault", options, 0.999 * 0.107011), Stability::stable);
  EXPECT_EQ(vault_without_corners("barrel-vault", options, 0.999 * 0.107011), Stability::unstable);
}

// In half bond the rows share what they carry; neither kind of row stands alone when it is thinner
// than both, and every row does when it is thicker than both.
TEST(BarrelVault, InHalfBondStandsBetweenItsTwoKindsOfRows) {
  const SceneOptions options = {{"voussoirs", "10"}, {"rows", "3"}};
  EXPECT_EQ(vault_of_thickness("barrel-vault", options, 0.1085), Stability::stable);
  EXPECT_EQ(vault_of_thickness("barrel-vault", options, 0.08), Stability::unstable);
}

// Rings under pressure hold the crown of a dome: it stands with less than half the thickness of an
// arch. Heyman's lunes, which may part, give t/R = 0.042.
TEST(Dome, StandsMuchThinnerThanAnArch) {
  const SceneOptions options = {{"rings", "10"}, {"segments", "12"}, {"friction", "1"}};
  EXPECT_EQ(vault_of_thickness("dome", options, 0.06), Stability::stable);
  EXPECT_EQ(vault_of_thickness("dome", options, 0.048), Stability::stable);
  EXPECT_NE(vault_of_thickness("dome", options, 0.036), Stability::stable);
  EXPECT_EQ(vault_without_corners("dome", options, 0.036), Stability::unstable);
}

TEST(Dome, StandsOpenToTheSkyToo) {
  const SceneOptions options = {{"rings", "6"}, {"segments", "9"}, {"crown", "open"}};
  EXPECT_EQ(vault_of_thickness("dome", options, 0.08), Stability::stable);
}

/// The least friction with which a keystone stays: the root of kμ² + (k + 1)Tμ = 1.
double keystone_friction(int abutments, double taper) {
  const Scene<3> scene = parse_scene<3>(scenes::make_scene(
      "keystone", {{"abutments", std::to_string(abutments)}, {"taper", std::to_string(taper)}}));
  const auto mass = [&](const std::string& name) {
    return scene.bodies[static_cast<std::size_t>(*scene.find_body(name))].mass.mass;
  };
  const double k = 1.0 + abutments * mass("abutment 1") / mass("keystone");
  const double b = (k + 1.0) * taper;
  return (std::sqrt(b * b + 4.0 * k) - b) / (2.0 * k);
}

TEST(Keystone, PushesItsAbutmentsAsideWithTooLittleFriction) {
  for (const int abutments : {2, 3, 4, 5}) {
    for (const double taper : {0.25, 0.5}) {
      const double critical = keystone_friction(abutments, taper);
      const auto with = [&, n = abutments](double friction) {
        return stability_of("keystone", {{"abutments", std::to_string(n)},
                                         {"taper", std::to_string(taper)},
                                         {"friction", std::to_string(friction)}});
      };
      EXPECT_EQ(with(1.002 * critical), Stability::stable) << abutments << ' ' << taper;
      EXPECT_EQ(with(0.998 * critical), Stability::unstable) << abutments << ' ' << taper;
    }
  }
}

TEST(Bridge, OfStonesStandsWithFrictionAndNotWithout) {
  EXPECT_EQ(stability_of("bridge"), Stability::stable);
  EXPECT_EQ(stability_of("bridge", {{"friction", "0"}}), Stability::unstable);
}

}  // namespace
}  // namespace collapse::testing
