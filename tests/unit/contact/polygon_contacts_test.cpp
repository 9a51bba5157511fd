/// Contacts of polygons, worked out by hand.

#include <gtest/gtest.h>

#include <cmath>

#include "contact_scenes.hpp"

namespace collapse {
namespace {

using namespace collapse::contact_test;

TEST(PolygonContacts, OverhangingBrickTouchesAtTheTwoEndsOfTheOverlap) {
  const auto set = contacts_of({box(0, 0, 2, 1), box(1, 1, 3, 2)});
  ASSERT_EQ(set.contacts.size(), 2u);
  EXPECT_TRUE(set.corners.empty());
  // Edge 2 of the lower brick runs along its top to the left: end 0 is at the right.
  for (const Contact<2>& contact : set.contacts) {
    EXPECT_EQ(contact.id.feature_a, (Feature{FeatureKind::edge, 2}));
    EXPECT_EQ(contact.id.feature_b, (Feature{FeatureKind::edge, 0}));
    expect_near(contact.normal, {0, 1});
    EXPECT_EQ(contact.gap, 0.0);
    EXPECT_EQ(contact.friction, 0.5);
    EXPECT_FALSE(contact.normal_turns);
  }
  EXPECT_EQ(set.contacts[0].id.end, 0);
  EXPECT_EQ(set.contacts[1].id.end, 1);
  expect_near(set.contacts[0].point, {2, 1});
  expect_near(set.contacts[1].point, {1, 1});
  EXPECT_TRUE(set.isolated.empty());
}

TEST(PolygonContacts, ASmallGapIsMeasuredAndThePointLiesHalfway) {
  const Rational gap = ratio(1, 1L << 21);  // below the tolerance of √2·1e-6
  const auto set = contacts_of({box(0, 0, 1, 1), box(0, 1 + gap, 1, 2)});
  ASSERT_EQ(set.contacts.size(), 2u);
  for (const Contact<2>& contact : set.contacts) {
    EXPECT_DOUBLE_EQ(contact.gap, to_double(gap));
    EXPECT_DOUBLE_EQ(contact.point.y(), 1.0 + 0.5 * to_double(gap));
  }
}

TEST(PolygonContacts, TheNormalIsThatOfTheLongerEdge) {
  // The long lower edge is level; the short upper one tilts by less than the tolerance.
  const Rational tilt = ratio(1, 10000000);
  const auto lower = box(-5, -1, 5, 0);
  const auto upper = polygon({at(0, 0), at(1, tilt), at(1, 1), at(0, 1)});
  for (const auto& items : {std::vector{lower, upper}, std::vector{upper, lower}}) {
    const auto set = contacts_of(items);
    ASSERT_EQ(set.contacts.size(), 2u);
    for (const Contact<2>& contact : set.contacts) EXPECT_EQ(contact.normal.x(), 0.0);
  }
}

TEST(PolygonContacts, TipOnAnEdgeIsOneContactWithTheEdgesNormal) {
  const auto set = contacts_of({box(-2, -1, 2, 0), polygon({at(0, 0), at(1, 2), at(-1, 1)})});
  ASSERT_EQ(set.contacts.size(), 1u);
  EXPECT_EQ(set.contacts[0].id.feature_a.kind, FeatureKind::edge);
  EXPECT_EQ(set.contacts[0].id.feature_b, (Feature{FeatureKind::vertex, 0}));
  expect_near(set.contacts[0].point, {0, 0});
  expect_near(set.contacts[0].normal, {0, 1});
}

TEST(PolygonContacts, CornerOnCornerKeepsTheExtremesOfTheSeparatingDirections) {
  const auto set = contacts_of({box(-1, -1, 0, 0), box(0, 0, 1, 1)});
  EXPECT_TRUE(set.contacts.empty());
  ASSERT_EQ(set.corners.size(), 1u);
  const CornerContact<2>& corner = set.corners[0];
  EXPECT_EQ(corner.id.feature_a, (Feature{FeatureKind::vertex, 2}));
  EXPECT_EQ(corner.id.feature_b, (Feature{FeatureKind::vertex, 0}));
  expect_near(corner.normals[0], {1, 0});
  expect_near(corner.normals[1], {0, 1});
  expect_near(corner.point, {0, 0});
  EXPECT_EQ(corner.gap, 0.0);
  EXPECT_EQ(corner.friction, 0.5);
}

TEST(PolygonContacts, CornerDirectionsAreLimitedByTheGapsBetweenTheWedges) {
  // Below: the wedge between the directions (−1, −1) and (1, −1). Above: between (1, 1) and (−1,
  // 2). A separating line has to pass through the gaps on both sides: its direction is between (1,
  // −1) and (1, 1) on the right, between (−1, 2) and (−1, −1) on the left, so between (1, −1) and
  // (1, 1); the normals from below to above are these turned left by 90°.
  const auto set = contacts_of(
      {polygon({at(0, 0), at(-1, -1), at(1, -1)}), polygon({at(0, 0), at(1, 1), at(-1, 2)})});
  ASSERT_EQ(set.corners.size(), 1u);
  const double h = std::sqrt(0.5);
  expect_near(set.corners[0].normals[0], {h, h});
  expect_near(set.corners[0].normals[1], {-h, h});
}

TEST(PolygonContacts, FlushStackHasNoCornerContactAtTheEndsOfTheJoint) {
  const auto set = contacts_of({box(0, 0, 2, 1), box(0, 1, 2, 2)});
  EXPECT_EQ(set.contacts.size(), 2u);
  EXPECT_TRUE(set.corners.empty());
}

TEST(PolygonContacts, ConvexCornerInANotchPressesOnBothSides) {
  // Both sides flush: two joints of two contacts.
  const auto notch = polygon({at(0, 0), at(3, 0), at(3, 1), at(1, 1), at(1, 3), at(0, 3)});
  const auto flush = contacts_of({notch, box(1, 1, 2, 2)});
  EXPECT_EQ(flush.contacts.size(), 4u);
  EXPECT_TRUE(flush.corners.empty());

  // A narrow wedge touches neither side along an edge: one vertex against each.
  const auto wedge = polygon({at(1, 1), at(3, 2), at(2, 3)});
  const auto tip = contacts_of({notch, wedge});
  ASSERT_EQ(tip.contacts.size(), 2u);
  EXPECT_TRUE(tip.corners.empty());
  for (const Contact<2>& contact : tip.contacts) {
    EXPECT_EQ(contact.id.feature_a.kind, FeatureKind::edge);
    EXPECT_EQ(contact.id.feature_b, (Feature{FeatureKind::vertex, 0}));
    expect_near(contact.point, {1, 1});
  }
  expect_near(tip.contacts[0].normal, {0, 1});
  expect_near(tip.contacts[1].normal, {1, 0});
}

TEST(PolygonContacts, ACornerFlushWithOneSideOfANotchStillPressesOnTheOther) {
  const auto notch = polygon({at(0, 0), at(3, 0), at(3, 1), at(1, 1), at(1, 3), at(0, 3)});
  const auto leaning = polygon({at(1, 1), at(2, 1), at(2, 2)});
  const auto set = contacts_of({notch, leaning});
  ASSERT_EQ(set.contacts.size(), 3u);
  int sideways = 0;
  for (const Contact<2>& contact : set.contacts) sideways += contact.normal.x() > 0.5;
  EXPECT_EQ(sideways, 1);
}

TEST(PolygonContacts, SeamsBetweenPartsLeaveNoTrace) {
  // A bar across the seam of two boxes, and a tip exactly on it, against the same outline in one.
  const Points left{at(0, 0), at(2, 0), at(2, 1), at(0, 1)};
  const Points right{at(2, 0), at(3, 0), at(3, 1), at(2, 1)};
  const Points upright{at(0, 1), at(1, 1), at(1, 3), at(0, 3)};
  const Item whole = polygon({at(0, 0), at(3, 0), at(3, 1), at(1, 1), at(1, 3), at(0, 3)});
  Item united;
  united.parts = {left, right, upright};
  for (const Item& other :
       {box(1, 1, 3, 2), polygon({at(2, 1), at(ratio(5, 2), 3), at(ratio(3, 2), 3)}),
        polygon({at(1, 1), at(3, 2), at(2, 3)}), box(3, 0, 4, 1)}) {
    const auto one = contacts_of({whole, other});
    const auto parts = contacts_of({united, other});
    ASSERT_EQ(one.contacts.size(), parts.contacts.size());
    EXPECT_GT(one.contacts.size(), 0u);
    EXPECT_EQ(one.corners.size(), parts.corners.size());
    // The numbering of the outline may start elsewhere; points and normals may not differ.
    for (const Contact<2>& x : one.contacts) {
      int same = 0;
      for (const Contact<2>& y : parts.contacts) {
        same += x.point == y.point && x.normal == y.normal && x.gap == y.gap &&
                x.id.feature_a.kind == y.id.feature_a.kind && x.id.feature_b == y.id.feature_b;
      }
      EXPECT_EQ(same, 1);
    }
  }
}

TEST(PolygonContacts, APlateThinnerThanTheToleranceIsTouchedOnOneSideOnly) {
  ContactOptions options;
  options.touch = 0.01;
  const auto set = contacts_of(
      {box(-1, ratio(-1, 1000), 1, 0), polygon({at(0, 0), at(1, 2), at(-1, 2)})}, {}, options);
  ASSERT_EQ(set.contacts.size(), 1u);
  expect_near(set.contacts[0].normal, {0, 1});
}

TEST(PolygonContacts, ABodyInAHoleTouchesItsWalls) {
  // A square frame of four bars around a box that fills its hole.
  Item frame;
  frame.parts = {{at(0, 0), at(4, 0), at(4, 1), at(0, 1)},
                 {at(0, 3), at(4, 3), at(4, 4), at(0, 4)},
                 {at(0, 1), at(1, 1), at(1, 3), at(0, 3)},
                 {at(3, 1), at(4, 1), at(4, 3), at(3, 3)}};
  const auto set = contacts_of({frame, box(1, 1, 3, 3)});
  EXPECT_EQ(set.contacts.size(), 8u);
  EXPECT_TRUE(set.corners.empty());
  Vec<2> sum = Vec<2>::Zero();
  for (const Contact<2>& contact : set.contacts) {
    sum += contact.normal;
    EXPECT_LT(contact.normal.dot(contact.point - Vec<2>(2, 2)), 0.0);  // from the frame inwards
  }
  expect_near(sum, {0, 0});
}

TEST(PolygonContacts, FixedIgnoredAndJoinedPairsDoNotTouch) {
  std::vector<Item> items{box(0, 0, 2, 1), box(0, 1, 2, 2)};
  Scene<2> scene = scene_of(items);
  const auto count = [&] { return find_contacts<2>(scene, initial_state(scene)).contacts.size(); };
  EXPECT_EQ(count(), 2u);
  scene.ignored = {{0, 1}};
  EXPECT_EQ(count(), 0u);
  EXPECT_EQ(find_contacts<2>(scene, initial_state(scene)).isolated, (std::vector{0, 1}));
  scene.ignored.clear();
  scene.joints.emplace_back();
  scene.joints[0].a = 1;
  scene.joints[0].b = 0;
  EXPECT_EQ(count(), 0u);
  EXPECT_TRUE(find_contacts<2>(scene, initial_state(scene)).isolated.empty());
  scene.joints[0].collide = true;
  EXPECT_EQ(count(), 2u);
  scene.joints.clear();
  scene.bodies[0].fixed = scene.bodies[1].fixed = true;
  EXPECT_EQ(count(), 0u);
}

}  // namespace
}  // namespace collapse
