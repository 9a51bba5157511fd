/// Contacts of polyhedra, worked out by hand.

#include <gtest/gtest.h>

#include <cmath>

#include "collapse/core/error.hpp"
#include "space_scenes.hpp"

namespace collapse::space_test {
namespace {

Item unit_box() { return box(at(0, 0, 0), at(1, 1, 1)); }

TEST(SpacePolyhedra, CubeOnCubeTouchesAtTheFourCornersOfTheSharedFace) {
  const auto set = contacts_of({unit_box(), box(at(0, 0, 1), at(1, 1, 2))});
  expect_points(set, {{0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}});
  EXPECT_TRUE(set.corners.empty());
  for (std::size_t i = 0; i < set.contacts.size(); ++i) {
    const Contact<3>& contact = set.contacts[i];
    EXPECT_EQ(contact.id.feature_a.kind, FeatureKind::face);
    EXPECT_EQ(contact.id.feature_b.kind, FeatureKind::face);
    EXPECT_EQ(contact.id.end, i);
    expect_near(contact.normal, {0, 0, 1});
    EXPECT_NEAR(contact.gap, 0.0, 1e-15);
    EXPECT_EQ(contact.friction, 0.5);
  }
}

TEST(SpacePolyhedra, CubeTurnedByHalfARightAngleTouchesAtEightCorners) {
  // tan(22.5°) = √2 − 1, so nearly 45°: the corners of the octagon are within 1e-8 of the regular one's.
  Item upper{.shape = make_box(at(1, 1, 1))};
  upper.pose.rotation = about_z(ratio(41421356, 100000000));
  upper.pose.position = at(0, 0, 1);
  const auto set = contacts_of({Item{.shape = make_box(at(1, 1, 1))}, upper});
  const double s = (std::sqrt(2.0) - 1.0) / 2.0;
  expect_points(set,
                {{0.5, s, 0.5},
                 {0.5, -s, 0.5},
                 {-0.5, s, 0.5},
                 {-0.5, -s, 0.5},
                 {s, 0.5, 0.5},
                 {s, -0.5, 0.5},
                 {-s, 0.5, 0.5},
                 {-s, -0.5, 0.5}},
                1e-7);
}

TEST(SpacePolyhedra, CubeTurnedByAnyAngleSharesTheOctagonOfBothSquares) {
  for (int k = 1; k < 20; ++k) {
    const Rational t = ratio(k, 20);  // tangent of half the angle θ
    Item upper{.shape = make_box(at(1, 1, 1))};
    upper.pose.rotation = about_z(t);
    upper.pose.position = at(0, 0, 1);
    const auto set = contacts_of({Item{.shape = make_box(at(1, 1, 1))}, upper});
    ASSERT_EQ(set.contacts.size(), 8u) << k;
    // In the order of their ends the corners go once around. All sides touch the circle of radius 1/2: the area is
    // r² times the sum of the tangents of half the turns, which are θ and 90° − θ in turn.
    double area = 0.0;
    for (std::size_t i = 0; i < 8; ++i) {
      const Vec<3>& p = set.contacts[i].point;
      const Vec<3>& q = set.contacts[(i + 1) % 8].point;
      EXPECT_EQ(set.contacts[i].id.end, i);
      area += 0.5 * (p.x() * q.y() - p.y() * q.x());
    }
    const double half = to_double(t);
    EXPECT_NEAR(area, half + (1.0 - half) / (1.0 + half), 1e-12);
  }
}

TEST(SpacePolyhedra, RunningBondHasFourCornersPerPairAndFlushNeighboursTouch) {
  std::vector<Item> wall;
  for (int row = 0; row < 3; ++row) {
    for (int i = 0; i < 3; ++i) {
      const Rational x = Rational(2 * i) + (row % 2);
      wall.push_back(box(at(x, 0, row), at(x + 2, 1, row + 1)));
    }
  }
  const auto set = contacts_of(wall);
  // Two neighbours side by side in each row, five pairs between two rows.
  EXPECT_EQ(set.contacts.size(), 4u * (3 * 2 + 2 * 5));
  EXPECT_TRUE(set.corners.empty());
  EXPECT_TRUE(set.near_misses.empty());
}

TEST(SpacePolyhedra, EdgeOnAFaceTouchesAtTheTwoEndsOfTheOverlap) {
  // A prism standing on an edge that overhangs the box on one side.
  const auto set = contacts_of(
      {unit_box(), hull({at(ratio(1, 4), ratio(1, 2), 1), at(2, ratio(1, 2), 1),
                         at(ratio(1, 4), 0, 2), at(2, 0, 2), at(ratio(1, 4), 1, 2), at(2, 1, 2)})});
  expect_points(set, {{0.25, 0.5, 1}, {1, 0.5, 1}});
  for (const Contact<3>& contact : set.contacts) {
    EXPECT_EQ(contact.id.feature_a.kind, FeatureKind::face);
    EXPECT_EQ(contact.id.feature_b.kind, FeatureKind::edge);
    expect_near(contact.normal, {0, 0, 1});
  }
  EXPECT_TRUE(set.corners.empty());
}

TEST(SpacePolyhedra, TipOnAFaceIsOneContact) {
  const Points tip{at(ratio(1, 2), ratio(1, 3), 1), at(1, 0, 2), at(0, 0, 2), at(0, 1, 2)};
  const auto set = contacts_of({hull(tip), unit_box()});
  expect_points(set, {{0.5, 1.0 / 3.0, 1}});
  EXPECT_EQ(set.contacts[0].id.feature_a.kind, FeatureKind::vertex);
  EXPECT_EQ(set.contacts[0].id.feature_b.kind, FeatureKind::face);
  expect_near(set.contacts[0].normal, {0, 0, -1});
}

/// A prism below with its ridge along x at height 0, and one above with its keel along (c, s, 0).
std::pair<Item, Item> crossing_prisms(const Rational& c, const Rational& s) {
  const Item lower =
      hull({at(-1, 0, 0), at(1, 0, 0), at(-1, 1, -1), at(1, 1, -1), at(-1, -1, -1), at(1, -1, -1)});
  const Item upper = hull({at(-c, -s, 0), at(c, s, 0), at(-c - s, -s + c, 1), at(c - s, s + c, 1),
                           at(-c + s, -s - c, 1), at(c + s, s - c, 1)});
  return {lower, upper};
}

TEST(SpacePolyhedra, CrossedEdgesTouchAtOnePointWithTheirCommonNormal) {
  const auto [lower, upper] = crossing_prisms(ratio(3, 5), ratio(4, 5));
  const auto set = contacts_of({lower, upper});
  expect_points(set, {{0, 0, 0}});
  EXPECT_EQ(set.contacts[0].id.feature_a.kind, FeatureKind::edge);
  EXPECT_EQ(set.contacts[0].id.feature_b.kind, FeatureKind::edge);
  expect_near(set.contacts[0].normal, {0, 0, 1});
}

TEST(SpacePolyhedra, EdgeAlongEdgeHasTwoCornersWithTheExtremesOfTheSeparatingDirections) {
  const auto [lower, upper] = crossing_prisms(1, 0);
  const auto set = contacts_of({lower, upper});
  EXPECT_TRUE(set.contacts.empty());
  ASSERT_EQ(set.corners.size(), 2u);
  const double h = std::sqrt(0.5);
  for (int end = 0; end < 2; ++end) {
    const CornerContact<3>& corner = set.corners[static_cast<std::size_t>(end)];
    EXPECT_EQ(corner.id.end, end);
    EXPECT_EQ(corner.id.feature_a.kind, FeatureKind::edge);
    EXPECT_NEAR(std::abs(corner.point.x()), 1.0, 1e-15);
    ASSERT_EQ(corner.normals.size(), 2u);
    for (const Vec<3>& normal : corner.normals) EXPECT_NEAR(normal.z(), h, 1e-12);
    EXPECT_NEAR(corner.normals[0].y() + corner.normals[1].y(), 0.0, 1e-12);
    EXPECT_NEAR(std::abs(corner.normals[0].y()), h, 1e-12);
  }
}

TEST(SpacePolyhedra, FlushDiagonalBricksTouchAlongTheSharedEdge) {
  const auto set = contacts_of({unit_box(), box(at(1, 0, 1), at(2, 1, 2))});
  EXPECT_TRUE(set.contacts.empty());
  ASSERT_EQ(set.corners.size(), 2u);
  for (const CornerContact<3>& corner : set.corners) {
    ASSERT_EQ(corner.normals.size(), 2u);
    const bool x_first = corner.normals[0].x() > 0.5;
    expect_near(corner.normals[x_first ? 0 : 1], {1, 0, 0});
    expect_near(corner.normals[x_first ? 1 : 0], {0, 0, 1});
  }
}

TEST(SpacePolyhedra, CornerOnCornerHasThreeExtremes) {
  const auto set = contacts_of({unit_box(), box(at(1, 1, 1), at(2, 2, 2))});
  EXPECT_TRUE(set.contacts.empty());
  ASSERT_EQ(set.corners.size(), 1u);
  ASSERT_EQ(set.corners[0].normals.size(), 3u);
  Vec<3> sum = Vec<3>::Zero();
  for (const Vec<3>& normal : set.corners[0].normals) {
    EXPECT_NEAR(normal.maxCoeff(), 1.0, 1e-12);
    sum += normal;
  }
  expect_near(sum, {1, 1, 1});
}

TEST(SpacePolyhedra, VertexOnAnEdgeHasTheExtremesAcrossTheEdge) {
  // A tip above the ridge of a prism with slopes of 45°; the tip's faces rise by 45° from it, too.
  const auto [lower, upper] = crossing_prisms(1, 0);
  const Item tip = hull({at(0, 0, 0), at(1, 1, 1), at(-1, 1, 1), at(-1, -1, 1), at(1, -1, 1)});
  const auto set = contacts_of({lower, tip});
  EXPECT_TRUE(set.contacts.empty());
  ASSERT_EQ(set.corners.size(), 1u);
  const double h = std::sqrt(0.5);
  ASSERT_EQ(set.corners[0].normals.size(), 2u);
  for (const Vec<3>& normal : set.corners[0].normals) {
    expect_near(normal, {0, normal.y() > 0 ? h : -h, h});
  }
  EXPECT_LT(set.corners[0].normals[0].y() * set.corners[0].normals[1].y(), 0.0);
}

TEST(SpacePolyhedra, BlocksOnAHalfSpaceTouchAtTheCornersOfTheirHull) {
  // A table with two legs: the inner corners of the legs are between the outer ones.
  const Item table =
      boxes({{at(0, 0, 1), at(4, 1, 2)}, {at(0, 0, 0), at(1, 1, 1)}, {at(3, 0, 0), at(4, 1, 1)}});
  const auto set = contacts_of({half_space(at(0, 0, 2), 0), table});
  expect_points(set, {{0, 0, 0}, {4, 0, 0}, {4, 1, 0}, {0, 1, 0}});
  for (const Contact<3>& contact : set.contacts) {
    EXPECT_EQ(contact.id.feature_a.kind, FeatureKind::half_space);
    EXPECT_EQ(contact.id.feature_b.kind, FeatureKind::vertex);
    expect_near(contact.normal, {0, 0, 1});
  }
}

TEST(SpacePolyhedra, OverlapIsRefusedWithPairAndDepth) {
  const Item deep = box(at(0, 0, ratio(3, 4)), at(1, 1, 2));
  try {
    static_cast<void>(contacts_of({unit_box(), deep}));
    FAIL() << "overlap accepted";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("\"0\" and \"1\" overlap by 0.25"), std::string::npos)
        << error.what();
  }
}

TEST(SpacePolyhedra, NearMissesAreReportedWithTheirDistance) {
  const Rational gap = ratio(1, 10000);
  // Apart by `gap` in two directions: edge from edge.
  const auto set = contacts_of({unit_box(), box(at(1 + gap, 0, 1 + gap), at(2, 1, 2))});
  EXPECT_TRUE(set.contacts.empty() && set.corners.empty());
  ASSERT_EQ(set.near_misses.size(), 1u);
  EXPECT_NEAR(set.near_misses[0].gap, std::sqrt(2.0) * 1e-4, 1e-12);
  EXPECT_EQ(set.isolated.size(), 2u);
}

}  // namespace
}  // namespace collapse::space_test
