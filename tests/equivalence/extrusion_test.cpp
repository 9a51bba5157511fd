/// A plane scene made solid and turned anyhow is the same structure: verdict, limit, onset, and the
/// forces between its bodies.

#include <gtest/gtest.h>

#include <map>
#include <utility>

#include "collapse/formulation/limit.hpp"
#include "collapse/formulation/onset.hpp"
#include "scenes/extrusion.hpp"
#include "tests/support/checked_scene.hpp"
#include "tests/support/random_plane_scene.hpp"

namespace collapse::testing {
namespace {

/// A plane scene and its likeness in space, of depth d and turned by R.
struct Likeness {
  CheckedScene plane;
  CheckedSceneOf<3> space;
  double depth = 1.0;
  Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();

  /// A vector of the plane in the turned space.
  [[nodiscard]] Vec<3> put(const Vec<2>& v) const { return rotation * Vec<3>(v[0], 0.0, v[1]); }
  /// A spin of the plane: from x to y is from x to z, against the sense of the y axis.
  [[nodiscard]] Vec<3> axial(double amount) const { return rotation * Vec<3>(0.0, -amount, 0.0); }
};

Likeness random_likeness(const std::string& text, Random& random) {
  const Rational depth(1 + random.below(16), 4);
  const auto component = [&random] { return Rational(random.below(7) - 3); };
  const bool turned = random.below(3) > 0;
  const scenes::Quaternion rotation =
      turned ? scenes::Quaternion{4, component(), component(), component()} : scenes::Quaternion{};
  Likeness likeness;
  likeness.depth = to_double(depth);
  likeness.rotation = rotation_from_quaternion(rotation.w, rotation.x, rotation.y, rotation.z)
                          .unaryExpr([](const Rational& x) { return to_double(x); });
  CheckOptions quick;
  quick.margin_bodies = 0;
  likeness.plane = check_text(text, quick);
  likeness.space = check_text<3>(scenes::extruded(text, depth, rotation), quick);
  return likeness;
}

template <int Dim>
std::map<std::pair<int, int>, Vec<Dim>> resultants(const CheckedSceneOf<Dim>& checked) {
  std::map<std::pair<int, int>, Vec<Dim>> sums;
  for (const ContactForce<Dim>& contact : checked.verdict.forces) {
    const auto [at, fresh] = sums.try_emplace({contact.id.a, contact.id.b}, Vec<Dim>::Zero());
    at->second += contact.force;
  }
  return sums;
}

void expect_same_resultants(const Likeness& likeness) {
  const auto in_plane = resultants(likeness.plane);
  const auto in_space = resultants(likeness.space);
  double largest = 0.0;
  for (const auto& [pair, force] : in_plane) largest = std::max(largest, force.norm());
  for (const auto& [pair, force] : in_plane) {
    const auto found = in_space.find(pair);
    const Vec<3> there = found == in_space.end() ? Vec<3>::Zero().eval() : found->second;
    EXPECT_LT((there - likeness.depth * likeness.put(force)).norm(),
              1e-6 * likeness.depth * largest)
        << likeness.plane.scene.body_name(pair.first) << " on "
        << likeness.plane.scene.body_name(pair.second);
  }
}

void expect_same_limit(const Likeness& likeness) {
  const auto& [plane, space, depth, rotation] = likeness;
  const int push = *plane.scene.find_load("push");
  const Limit<2> here = find_limit(plane.scene, plane.state, plane.contacts, push);
  const Limit<3> there = find_limit(space.scene, space.state, space.contacts, push);
  const double tolerance = 1e-6 * std::max(1.0, here.factor);
  if (there.status == LimitStatus::undecided && here.status == LimitStatus::found) {
    // Bounds that do not agree to 1e-7: each is proved, so that the plane's factor is between them.
    EXPECT_LE(there.lower, here.factor + tolerance) << there.reason;
    EXPECT_GE(there.upper, here.factor - tolerance) << there.reason;
    // Cones leave a wider interval than the plane's linear programs do; the widest seen is 1.2e-4.
    EXPECT_LT(there.upper - there.lower, 1e-3 * std::max(1.0, here.factor)) << there.reason;
    return;
  }
  ASSERT_EQ(to_string(there.status), to_string(here.status)) << there.reason << here.reason;
  if (here.status == LimitStatus::found) {
    EXPECT_NEAR(there.factor, here.factor, tolerance);
  }
}

/// Under the associated law, by which every structure has one onset.
void expect_same_onset(const Likeness& likeness) {
  const auto& [plane, space, depth, rotation] = likeness;
  OnsetOptions options;
  options.friction_law = FrictionLaw::associated;
  const Onset<2> here = find_onset(plane.scene, plane.state, plane.contacts, options);
  const Onset<3> there = find_onset(space.scene, space.state, space.contacts, options);
  ASSERT_EQ(there.decided, here.decided) << there.reason << here.reason;
  if (!here.decided) return;
  ASSERT_EQ(there.bodies.size(), here.bodies.size());
  for (std::size_t i = 0; i < here.bodies.size(); ++i) {
    EXPECT_LT((there.bodies[i].linear - likeness.put(here.bodies[i].linear)).norm(), 1e-5);
    const double size =
        plane.scene.bodies[static_cast<std::size_t>(here.bodies[i].body)].shape.size();
    EXPECT_LT((there.bodies[i].angular - likeness.axial(here.bodies[i].angular[0])).norm() * size,
              1e-5);
  }
}

TEST(Extrusion, KeepsVerdictLimitOnsetAndForcesOfRandomScenes) {
  constexpr int kScenes = 400;
  int decided = 0;
  int standing = 0;
  for (int number = 0; number < kScenes && !::testing::Test::HasFailure(); ++number) {
    Random random(static_cast<std::uint64_t>(number));
    const std::string text = random_plane_scene(random);
    const Likeness likeness = random_likeness(text, random);
    SCOPED_TRACE(std::to_string(number) + ": " + likeness.plane.scene.name);
    const Stability stability = likeness.plane.verdict.stability;
    ASSERT_EQ(to_string(likeness.space.verdict.stability), to_string(stability))
        << likeness.space.verdict.reason << likeness.plane.verdict.reason;
    decided += stability != Stability::undecided ? 1 : 0;
    standing += stability == Stability::stable ? 1 : 0;
    if (stability == Stability::stable) expect_same_resultants(likeness);
    expect_same_limit(likeness);
    expect_same_onset(likeness);
  }
  // Scenes that fall, that stand, and few that are exactly balanced.
  EXPECT_GT(decided, kScenes * 3 / 4);
  EXPECT_GT(standing, kScenes / 4);
  EXPECT_LT(standing, kScenes * 3 / 4);
}

TEST(Extrusion, KeepsTheGalleryOfThePlane) {
  for (const scenes::Entry& entry : scenes::gallery()) {
    if (entry.dimension != 2 || entry.framework) continue;
    SCOPED_TRACE(entry.name);
    Random random(7);
    const Likeness likeness = random_likeness(scenes::make_scene(entry.name), random);
    ASSERT_EQ(to_string(likeness.space.verdict.stability),
              to_string(likeness.plane.verdict.stability))
        << likeness.space.verdict.reason;
    if (likeness.plane.verdict.stability == Stability::stable) expect_same_resultants(likeness);
    expect_same_limit(likeness);
  }
}

}  // namespace
}  // namespace collapse::testing
