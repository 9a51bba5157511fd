/// Contacts of bodies with notches and of unions of parts, and extreme sizes.

#include <gtest/gtest.h>

#include <cmath>

#include "space_scenes.hpp"

namespace collapse::space_test {
namespace {

/// An angle: a slab with an upright, seen along y an L; its notch has the reflex edge x = 1, z = 1.
Item angle() { return boxes({{at(0, 0, 0), at(3, 1, 1)}, {at(0, 0, 1), at(1, 1, 3)}}); }

std::vector<Vec<3>> points_along(const ContactSet<3>& set, const Vec<3>& normal) {
  std::vector<Vec<3>> points;
  for (const Contact<3>& contact : set.contacts) {
    if ((contact.normal - normal).norm() < 1e-9) points.push_back(contact.point);
  }
  return points;
}

TEST(SpaceNonConvex, ABrickInANotchHasTwoRegions) {
  const auto set = contacts_of({angle(), box(at(1, 0, 1), at(2, 1, 2))});
  EXPECT_EQ(set.contacts.size(), 8u);
  EXPECT_EQ(points_along(set, {0, 0, 1}).size(), 4u);
  EXPECT_EQ(points_along(set, {1, 0, 0}).size(), 4u);
  EXPECT_TRUE(set.corners.empty());
}

TEST(SpaceNonConvex, AnEdgeInANotchPressesOnBothSides) {
  // A prism whose edge lies in the reflex edge, between the two faces.
  const Item wedge =
      hull({at(1, 0, 1), at(1, 1, 1), at(3, 0, 2), at(3, 1, 2), at(2, 0, 3), at(2, 1, 3)});
  for (const auto& items : {std::vector{angle(), wedge}, std::vector{wedge, angle()}}) {
    const auto set = contacts_of(items);
    const double sign = items[0].shape.pieces.size() > 1 ? 1.0 : -1.0;
    EXPECT_EQ(set.contacts.size(), 4u);
    EXPECT_EQ(points_along(set, {0, 0, sign}).size(), 2u);
    EXPECT_EQ(points_along(set, {sign, 0, 0}).size(), 2u);
    EXPECT_TRUE(set.corners.empty());
  }
}

TEST(SpaceNonConvex, AnEdgeFlushWithOneSideOfANotchStillPressesOnTheOther) {
  const Item leaning =
      hull({at(1, 0, 1), at(1, 1, 1), at(2, 0, 1), at(2, 1, 1), at(2, 0, 2), at(2, 1, 2)});
  const auto set = contacts_of({angle(), leaning});
  EXPECT_EQ(set.contacts.size(), 6u);
  EXPECT_EQ(points_along(set, {0, 0, 1}).size(), 4u);
  EXPECT_EQ(points_along(set, {1, 0, 0}).size(), 2u);
}

TEST(SpaceNonConvex, ATipInANotchPressesOnBothSides) {
  const Rational y = ratio(1, 2);
  const Item tip = hull({at(1, y, 1), at(3, y, 2), at(2, 0, 3), at(2, 1, 3)});
  const auto set = contacts_of({angle(), tip});
  EXPECT_EQ(set.contacts.size(), 2u);
  EXPECT_EQ(points_along(set, {0, 0, 1}).size(), 1u);
  EXPECT_EQ(points_along(set, {1, 0, 0}).size(), 1u);
  for (const Contact<3>& contact : set.contacts) expect_near(contact.point, {1, 0.5, 1});
}

TEST(SpaceNonConvex, ATipInTheCornerOfARoomPressesOnThreeWalls) {
  const Item room = boxes(
      {{at(-1, -1, -1), at(3, 3, 0)}, {at(-1, -1, 0), at(0, 3, 3)}, {at(0, -1, 0), at(3, 0, 3)}});
  const auto set = contacts_of({room, hull({at(0, 0, 0), at(2, 1, 1), at(1, 2, 1), at(1, 1, 2)})});
  EXPECT_EQ(set.contacts.size(), 3u);
  EXPECT_EQ(points_along(set, {1, 0, 0}).size(), 1u);
  EXPECT_EQ(points_along(set, {0, 1, 0}).size(), 1u);
  EXPECT_EQ(points_along(set, {0, 0, 1}).size(), 1u);
  EXPECT_TRUE(set.corners.empty());
}

TEST(SpaceNonConvex, ATableOnABlockHasARegionPerLeg) {
  const Item table =
      boxes({{at(0, 0, 1), at(4, 1, 2)}, {at(0, 0, 0), at(1, 1, 1)}, {at(3, 0, 0), at(4, 1, 1)}});
  const auto set = contacts_of({box(at(-1, -1, -1), at(5, 2, 0)), table});
  expect_points(
      set,
      {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {3, 0, 0}, {4, 0, 0}, {4, 1, 0}, {3, 1, 0}});
}

TEST(SpaceNonConvex, ABridgeBetweenTwoProngsHasTwoRegionsOnOneFacePair) {
  // A fork whose prongs end in one plane; its face there is not connected to a region by the bar across both.
  const Item fork =
      boxes({{at(0, 0, 0), at(5, 1, 1)}, {at(0, 1, 0), at(1, 4, 1)}, {at(4, 1, 0), at(5, 4, 1)}});
  const Item bar = box(at(-1, 2, 1), at(6, 3, 2));
  const auto set = contacts_of({fork, bar});
  expect_points(
      set,
      {{0, 2, 1}, {1, 2, 1}, {1, 3, 1}, {0, 3, 1}, {4, 2, 1}, {5, 2, 1}, {5, 3, 1}, {4, 3, 1}});
  std::vector<ContactId> ids;
  for (const Contact<3>& contact : set.contacts) ids.push_back(contact.id);
  EXPECT_EQ(std::unique(ids.begin(), ids.end()), ids.end());
}

TEST(SpaceNonConvex, SeamsBetweenPartsLeaveNoTrace) {
  const Item whole = box(at(0, 0, 0), at(4, 2, 1));
  const Item parts = boxes({{at(0, 0, 0), at(1, 2, 1)},
                            {at(1, 0, 0), at(4, 1, 1)},
                            {at(1, 1, 0), at(4, 2, 1)},
                            {at(ratio(1, 2), ratio(1, 2), 0), at(3, 1, 1)}});
  const Rational h = ratio(1, 2);
  const std::vector<Item> others{
      box(at(h, h, 1), at(3, ratio(3, 2), 2)),                     // across all seams
      hull({at(1, 1, 1), at(0, 0, 2), at(2, 0, 2), at(0, 2, 2)}),  // a tip on a seam
      hull({at(0, 1, 1), at(3, 1, 1), at(0, 0, 2), at(3, 0, 2), at(0, 2, 2), at(3, 2, 2)}),
      box(at(4, 0, 0), at(5, 3, 1)),
      hull({at(1, 0, 1), at(1, -1, 1), at(1, -1, 2), at(3, -1, 2)}),  // a tip at the end of a seam
  };
  for (std::size_t i = 0; i < others.size(); ++i) {
    SCOPED_TRACE(i);
    const auto one = contacts_of({whole, others[i]});
    const auto united = contacts_of({parts, others[i]});
    EXPECT_EQ(one.contacts.size(), united.contacts.size());
    ASSERT_EQ(one.corners.size(), united.corners.size());
    EXPECT_GT(one.contacts.size() + one.corners.size(), 0u);
    for (const Contact<3>& x : one.contacts) {
      const auto same = [&](const Contact<3>& y) {
        return (x.point - y.point).norm() < 1e-12 && (x.normal - y.normal).norm() < 1e-12 &&
               x.id.feature_a.kind == y.id.feature_a.kind && x.id.feature_b == y.id.feature_b;
      };
      EXPECT_EQ(std::count_if(united.contacts.begin(), united.contacts.end(), same), 1);
    }
  }
}

TEST(SpaceNonConvex, ScaleAndDistanceFromTheOriginDoNotMatter) {
  Random random(7);
  const Item lower = box(at(0, 0, 0), at(1000, 10, 1));
  Item upper = box(at(0, 0, 1), at(1, 1000, 2));
  upper.pose.position.x() += 500;
  const auto reference = contacts_of({lower, upper});
  ASSERT_EQ(reference.contacts.size(), 4u);
  for (int exponent = -6; exponent <= 6; exponent += 3) {
    const Rational scale = exponent < 0 ? Rational(1) / Rational(std::pow(10, -exponent))
                                        : Rational(std::pow(10, exponent));
    const auto scaled = [&](const Item& item) {
      Points points;
      for (const auto& p : item.shape.pieces[0].exact())
        points.push_back(item.pose.apply(p) * scale);
      return hull(points);
    };
    ExactPose<3> pose = random_pose(random, 1000);
    pose.position *= scale;
    const auto set = contacts_of({scaled(lower), scaled(upper)}, pose);
    ASSERT_EQ(set.contacts.size(), 4u) << exponent;
    std::vector<Vec<3>> expected;
    for (const Contact<3>& contact : reference.contacts) {
      expected.push_back(to_double<3>(pose).apply(to_double(scale) * contact.point));
    }
    expect_points(set, expected, 1e-9 * to_double(scale));
  }
}

TEST(SpaceNonConvex, ThinPlatesTouchOnTheSideThatFacesTheOther) {
  // Thinner than the tolerance of its size: top and bottom are both near what is below.
  const Rational thin = ratio(1, 10000000);
  const Item plate = box(at(0, 0, 0), at(1, 1, thin));
  for (const Item& ground : {box(at(-1, -1, -1), at(2, 2, 0)), half_space(at(0, 0, 1), 0)}) {
    const auto set = contacts_of({ground, plate});
    EXPECT_EQ(set.contacts.size(), 4u);
    EXPECT_TRUE(set.corners.empty());
    for (const Contact<3>& contact : set.contacts) {
      EXPECT_NEAR(contact.gap, 0.0, 1e-12);
      expect_near(contact.normal, {0, 0, 1});
    }
  }
}

}  // namespace
}  // namespace collapse::space_test
