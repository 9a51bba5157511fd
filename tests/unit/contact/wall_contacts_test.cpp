/// Walls: counts that follow from the pattern.

#include <gtest/gtest.h>

#include "contact_scenes.hpp"

namespace collapse {
namespace {

using namespace collapse::contact_test;

/// Bricks 2 × 1 in rows; every other row shifted by `shift`.
std::vector<Item> wall(int rows, int columns, const Rational& shift) {
  std::vector<Item> items;
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      const Rational x = 2 * column + (row % 2 == 0 ? Rational(0) : shift);
      items.push_back(box(x, row, x + 2, row + 1));
    }
  }
  return items;
}

TEST(Wall, RunningBondHasTwoContactsToEachJoint) {
  constexpr int kRows = 6;
  constexpr int kColumns = 5;
  const auto items = wall(kRows, kColumns, Rational(1));
  for (const Similarity& similarity : {Similarity{}, Similarity{ratio(1, 3), pythagorean_pose()}}) {
    const auto set = contacts_of(items, similarity);
    // n − 1 upright joints a row, 2n − 1 level ones between rows.
    const std::size_t joints = kRows * (kColumns - 1) + (kRows - 1) * (2 * kColumns - 1);
    EXPECT_EQ(set.contacts.size(), 2 * joints);
    EXPECT_TRUE(set.corners.empty());
    EXPECT_TRUE(set.near_misses.empty());
    EXPECT_TRUE(set.isolated.empty());
    EXPECT_EQ(set.exact_pairs, 0);
  }
}

TEST(Wall, StackBondHasTwoCornersOnCornersAtEachCrossing) {
  constexpr int kRows = 4;
  constexpr int kColumns = 5;
  const auto set = contacts_of(wall(kRows, kColumns, Rational(0)));
  const std::size_t joints = kRows * (kColumns - 1) + (kRows - 1) * kColumns;
  EXPECT_EQ(set.contacts.size(), 2 * joints);
  EXPECT_EQ(set.corners.size(), 2u * (kRows - 1) * (kColumns - 1));
}

TEST(Wall, ResultsAreSortedAndRepeatable) {
  const auto items = wall(5, 7, ratio(2, 3));
  const auto first = contacts_of(items, {ratio(1, 7), pythagorean_pose()});
  const auto second = contacts_of(items, {ratio(1, 7), pythagorean_pose()});
  ASSERT_EQ(first.contacts.size(), second.contacts.size());
  for (std::size_t i = 0; i < first.contacts.size(); ++i) {
    EXPECT_EQ(first.contacts[i].id, second.contacts[i].id);
    EXPECT_EQ(first.contacts[i].point, second.contacts[i].point);
    if (i > 0) {
      EXPECT_LT(first.contacts[i - 1].id, first.contacts[i].id);
    }
  }
}

TEST(Wall, OnAPlaneAndOnAFloorTheSamePointsCarry) {
  auto on_plane = wall(2, 3, Rational(1));
  auto on_floor = on_plane;
  on_plane.push_back(half_plane(0, 1, 0));
  on_floor.push_back(box(-10, -1, 20, 0));
  on_floor.back().fixed = true;
  const auto plane = contacts_of(on_plane);
  const auto floor = contacts_of(on_floor);
  EXPECT_EQ(plane.contacts.size(), floor.contacts.size());
  for (const Contact<2>& x : plane.contacts) {
    int same = 0;
    for (const Contact<2>& y : floor.contacts) {
      same += x.id.a == y.id.a && x.id.b == y.id.b && x.point == y.point && x.normal == y.normal;
    }
    EXPECT_EQ(same, 1);
  }
}

}  // namespace
}  // namespace collapse
