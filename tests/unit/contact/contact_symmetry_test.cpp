/// The same configurations swapped, turned, scaled and far from the origin.

#include <gtest/gtest.h>

#include "contact_scenes.hpp"

namespace collapse {
namespace {

using namespace collapse::contact_test;

struct Configuration {
  std::string name;
  std::vector<Item> items;
  std::size_t contacts;
  std::size_t corners;
};

std::vector<Configuration> configurations() {
  const Item notch = polygon({at(0, 0), at(3, 0), at(3, 1), at(1, 1), at(1, 3), at(0, 3)});
  return {
      {"overhang", {box(0, 0, 2, 1), box(1, 1, 3, 2)}, 2, 0},
      {"flush", {box(0, 0, 2, 1), box(0, 1, 2, 2)}, 2, 0},
      {"tip on edge", {box(-2, -1, 2, 0), polygon({at(0, 0), at(1, 2), at(-1, 1)})}, 1, 0},
      {"corner on corner", {box(-1, -1, 0, 0), box(0, 0, 1, 1)}, 0, 1},
      {"tip on corner", {box(-1, -1, 0, 0), polygon({at(0, 0), at(2, -1), at(3, 3)})}, 0, 1},
      {"tip in notch", {notch, polygon({at(1, 1), at(3, 2), at(2, 3)})}, 2, 0},
      {"leaning in notch", {notch, polygon({at(1, 1), at(2, 1), at(2, 2)})}, 3, 0},
      {"box in notch", {notch, box(1, 1, 2, 2)}, 4, 0},
      {"disks", {disk(0, 0, 2), disk(3, 4, 3)}, 1, 0},
      {"disk on edge", {box(0, -1, 3, 0), disk(1, 1, 1)}, 1, 0},
      {"disk on vertex", {box(-1, -1, 0, 0), disk(3, 4, 5)}, 1, 0},
      {"disk above vertex", {box(-1, -1, 0, 0), disk(0, 1, 1)}, 1, 0},
      {"box on plane", {half_plane(0, 1, 0), box(0, 0, 1, 1)}, 2, 0},
      {"disk on plane", {half_plane(3, 4, 10), disk(3, 4, 3)}, 1, 0},
      {"near miss", {box(0, 0, 1, 1), box(ratio(10001, 10000), 0, 2, 1)}, 0, 0},
  };
}

/// The id as it would be with the bodies in the other order.
ContactId swapped(const ContactId& id) {
  const bool edges =
      id.feature_a.kind == FeatureKind::edge && id.feature_b.kind == FeatureKind::edge;
  return {id.a, id.b, id.feature_b, id.feature_a,
          static_cast<std::uint8_t>(edges ? 1 - id.end : id.end)};
}

TEST(ContactSymmetry, EveryConfigurationHasItsCounts) {
  for (const Configuration& c : configurations()) {
    const auto set = contacts_of(c.items);
    EXPECT_EQ(set.contacts.size(), c.contacts) << c.name;
    EXPECT_EQ(set.corners.size(), c.corners) << c.name;
    EXPECT_EQ(set.near_misses.size(), c.contacts + c.corners == 0 ? 1u : 0u) << c.name;
  }
}

TEST(ContactSymmetry, SwappingTheBodiesMirrorsEveryContact) {
  for (const Configuration& c : configurations()) {
    const auto set = contacts_of(c.items);
    const auto mirrored = contacts_of({c.items[1], c.items[0]});
    ASSERT_EQ(set.contacts.size(), mirrored.contacts.size()) << c.name;
    ASSERT_EQ(set.corners.size(), mirrored.corners.size()) << c.name;
    for (const Contact<2>& x : set.contacts) {
      bool found = false;
      for (const Contact<2>& y : mirrored.contacts) {
        if (y.id != swapped(x.id)) continue;
        found = true;
        EXPECT_LT((x.point - y.point).norm(), 1e-15) << c.name;
        EXPECT_LT((x.normal + y.normal).norm(), 1e-15) << c.name;
        EXPECT_NEAR(x.gap, y.gap, 1e-15) << c.name;
        EXPECT_EQ(x.normal_turns, y.normal_turns) << c.name;
      }
      EXPECT_TRUE(found) << c.name;
    }
    for (std::size_t i = 0; i < set.corners.size(); ++i) {
      for (std::size_t k = 0; k < 2; ++k) {
        EXPECT_LT((set.corners[i].normals[k] + mirrored.corners[i].normals[k]).norm(), 1e-15)
            << c.name;
      }
    }
  }
}

TEST(ContactSymmetry, TurnedScaledAndFarFromTheOriginNothingChanges) {
  std::vector<Similarity> similarities;
  for (const Rational& scale : {ratio(1, 1000), ratio(1, 1), ratio(1000, 1)}) {
    for (const Rational& shift : {ratio(0, 1), Rational(1000000 * scale)}) {
      similarities.push_back({scale, {.position = at(shift, -shift)}});
      similarities.push_back({scale, pythagorean_pose(at(shift, -shift))});
    }
  }
  for (const Configuration& c : configurations()) {
    const auto set = contacts_of(c.items);
    for (const Similarity& similarity : similarities) {
      const auto moved_set = contacts_of(c.items, similarity);
      ASSERT_EQ(set.contacts.size(), moved_set.contacts.size()) << c.name;
      ASSERT_EQ(set.corners.size(), moved_set.corners.size()) << c.name;
      EXPECT_EQ(set.near_misses.size(), moved_set.near_misses.size()) << c.name;
      // Relative to the scene: coordinates of size 1e6 are good to 1e-10.
      const double scale = to_double(similarity.scale);
      const double allowed = 1e-9 * scale;
      for (std::size_t i = 0; i < set.contacts.size(); ++i) {
        const Contact<2>& x = set.contacts[i];
        const Contact<2>& y = moved_set.contacts[i];
        EXPECT_EQ(x.id, y.id) << c.name;
        EXPECT_LT((similarity.point(x.point) - y.point).norm(), allowed) << c.name;
        EXPECT_LT((similarity.direction(x.normal) - y.normal).norm(), 1e-9) << c.name;
        EXPECT_NEAR(scale * x.gap, y.gap, allowed) << c.name;
        EXPECT_EQ(x.normal_turns, y.normal_turns) << c.name;
      }
      for (std::size_t i = 0; i < set.corners.size(); ++i) {
        EXPECT_EQ(set.corners[i].id, moved_set.corners[i].id) << c.name;
        for (std::size_t k = 0; k < 2; ++k) {
          const Vec<2> turned = similarity.direction(set.corners[i].normals[k]);
          EXPECT_LT((turned - moved_set.corners[i].normals[k]).norm(), 1e-9) << c.name;
        }
      }
    }
  }
}

}  // namespace
}  // namespace collapse
