/// Contacts of disks and half planes, worked out by hand.

#include <gtest/gtest.h>

#include "contact_scenes.hpp"

namespace collapse {
namespace {

using namespace collapse::contact_test;

TEST(BallContacts, DisksTouchOnTheLineOfCentres) {
  const auto set = contacts_of({disk(0, 0, 2), disk(3, 4, 3)});
  ASSERT_EQ(set.contacts.size(), 1u);
  const Contact<2>& contact = set.contacts[0];
  EXPECT_EQ(contact.id.feature_a.kind, FeatureKind::ball);
  EXPECT_EQ(contact.id.feature_b.kind, FeatureKind::ball);
  expect_near(contact.point, {1.2, 1.6});
  expect_near(contact.normal, {0.6, 0.8});
  EXPECT_NEAR(contact.gap, 0.0, kRounding);
  EXPECT_TRUE(contact.normal_turns);
}

TEST(BallContacts, DiskOnAnEdgeHasTheEdgesNormal) {
  const auto set = contacts_of({disk(1, 1, 1), box(0, -1, 3, 0)});
  ASSERT_EQ(set.contacts.size(), 1u);
  expect_near(set.contacts[0].point, {1, 0});
  expect_near(set.contacts[0].normal, {0, -1});
  EXPECT_EQ(set.contacts[0].id.feature_b, (Feature{FeatureKind::edge, 2}));
  EXPECT_FALSE(set.contacts[0].normal_turns);
}

TEST(BallContacts, DiskBesideACornerTouchesTheVertex) {
  const auto set = contacts_of({box(-1, -1, 0, 0), disk(3, 4, 5)});
  ASSERT_EQ(set.contacts.size(), 1u);
  expect_near(set.contacts[0].point, {0, 0});
  expect_near(set.contacts[0].normal, {0.6, 0.8});
  EXPECT_EQ(set.contacts[0].id.feature_a, (Feature{FeatureKind::vertex, 2}));
  EXPECT_TRUE(set.contacts[0].normal_turns);
}

TEST(BallContacts, DiskStraightAboveACornerIsOneContact) {
  const auto set = contacts_of({box(-1, -1, 0, 0), disk(0, 1, 1)});
  ASSERT_EQ(set.contacts.size(), 1u);
  EXPECT_EQ(set.contacts[0].id.feature_a.kind, FeatureKind::vertex);
  expect_near(set.contacts[0].normal, {0, 1});
}

TEST(BallContacts, DiskInANotchTouchesBothSidesAndNotTheReflexVertex) {
  const auto notch = polygon({at(0, 0), at(4, 0), at(4, 1), at(1, 1), at(1, 4), at(0, 4)});
  const auto set = contacts_of({notch, disk(2, 2, 1)});
  ASSERT_EQ(set.contacts.size(), 2u);
  expect_near(set.contacts[0].point, {2, 1});
  expect_near(set.contacts[1].point, {1, 2});
}

TEST(BallContacts, DiskAcrossASeamTouchesOnce) {
  Item floor;
  floor.parts = {{at(0, 0), at(2, 0), at(2, 1), at(0, 1)},
                 {at(2, 0), at(4, 0), at(4, 1), at(2, 1)}};
  const auto set = contacts_of({floor, disk(2, 2, 1)});
  ASSERT_EQ(set.contacts.size(), 1u);
  EXPECT_EQ(set.contacts[0].id.feature_a.kind, FeatureKind::edge);
  EXPECT_FALSE(set.contacts[0].normal_turns);
}

TEST(HalfPlaneContacts, EveryVertexOnTheLineIsAContact) {
  // The plane's normal is not normalised: 3x + 4y ≤ 10 is 2 from the origin.
  const auto set = contacts_of({half_plane(0, 2, 2), box(0, 1, 2, 2)});
  ASSERT_EQ(set.contacts.size(), 2u);
  for (const Contact<2>& contact : set.contacts) {
    EXPECT_EQ(contact.id.feature_a, (Feature{FeatureKind::half_space, 0}));
    EXPECT_EQ(contact.id.feature_b.kind, FeatureKind::vertex);
    expect_near(contact.normal, {0, 1});
  }
  expect_near(set.contacts[0].point, {0, 1});
  expect_near(set.contacts[1].point, {2, 1});
}

TEST(HalfPlaneContacts, DisksRestOnSlopes) {
  // 3x + 4y ≤ 10 is 2 from the origin; the centre (3, 4) is 5 from it.
  const auto set = contacts_of({disk(3, 4, 3), half_plane(3, 4, 10)});
  ASSERT_EQ(set.contacts.size(), 1u);
  expect_near(set.contacts[0].point, {1.2, 1.6});
  expect_near(set.contacts[0].normal, {-0.6, -0.8});
  EXPECT_FALSE(set.contacts[0].normal_turns);
  EXPECT_NEAR(set.contacts[0].gap, 0.0, 2 * kRounding);
}

TEST(HalfPlaneContacts, ReflexVerticesDoNotTouch) {
  // A bridge: its two feet stand, the arch above the line does not.
  const auto bridge =
      polygon({at(0, 0), at(1, 0), at(1, 1), at(2, 1), at(2, 0), at(3, 0), at(3, 2), at(0, 2)});
  EXPECT_EQ(contacts_of({half_plane(0, 1, 0), bridge}).contacts.size(), 4u);
}

TEST(HalfPlaneContacts, HalfPlanesMoveWithTheirPose) {
  Scene<2> scene = scene_of({half_plane(0, 1, 0), box(5, 3, 6, 4)});
  scene.bodies[0].exact_pose.position = at(100, 3);
  scene.bodies[0].pose = to_double<2>(scene.bodies[0].exact_pose);
  EXPECT_EQ(find_contacts<2>(scene, initial_state(scene)).contacts.size(), 2u);
}

}  // namespace
}  // namespace collapse
