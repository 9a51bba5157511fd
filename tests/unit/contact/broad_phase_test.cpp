#include "collapse/contact/broad_phase.hpp"
#include "collapse/core/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "contact_scenes.hpp"

namespace collapse {
namespace {

using Pairs = std::vector<std::pair<int, int>>;

template <int Dim>
Pairs brute_force(const std::vector<Bounds<Dim>>& boxes) {
  Pairs pairs;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    for (std::size_t j = i + 1; j < boxes.size(); ++j) {
      if (boxes[i].meets(boxes[j])) pairs.emplace_back(i, j);
    }
  }
  return pairs;
}

template <int Dim>
std::vector<Bounds<Dim>> random_boxes(Random& random, int count) {
  std::vector<Bounds<Dim>> boxes;
  for (int i = 0; i < count; ++i) {
    Bounds<Dim> box;
    const double scale = std::pow(10.0, random.between(-4.0, 0.0));
    for (int k = 0; k < Dim; ++k) {
      // Coordinates on a grid now and then, so that boxes share sides exactly.
      box.low[k] = random.below(2) == 0 ? random.below(16) / 8.0 : random.between(0.0, 2.0);
      box.high[k] = box.low[k] + (random.below(4) == 0 ? 0.125 : random.between(0.0, scale));
    }
    boxes.push_back(box);
  }
  return boxes;
}

TEST(BroadPhase, AgreesWithBruteForceOnBoxesOfMixedSizes) {
  Random random(1);
  for (const int count : {0, 1, 2, 3, 5, 17, 100, 400}) {
    for (int round = 0; round < 10; ++round) {
      const auto plane = random_boxes<2>(random, count);
      EXPECT_EQ(meeting_pairs<2>(plane), brute_force<2>(plane));
      const auto space = random_boxes<3>(random, count);
      EXPECT_EQ(meeting_pairs<3>(space), brute_force<3>(space));
    }
  }
}

TEST(BroadPhase, BoxesThatShareOnlyACornerMeet) {
  const Bounds<2> lower{Vec<2>(0, 0), Vec<2>(1, 1)};
  const Bounds<2> upper{Vec<2>(1, 1), Vec<2>(2, 2)};
  EXPECT_EQ(meeting_pairs<2>({lower, upper}), (Pairs{{0, 1}}));
}

TEST(BroadPhase, EqualBoxesAllMeet) {
  const std::vector<Bounds<2>> boxes(50, {Vec<2>(0, 0), Vec<2>(1, 1)});
  EXPECT_EQ(meeting_pairs<2>(boxes).size(), 50u * 49u / 2u);
}

TEST(BroadPhase, AHugeBoxMeetsAllSmallOnesAndTheyOnlyTheirNeighbours) {
  constexpr int kCount = 20000;
  std::vector<Bounds<2>> boxes{{Vec<2>(-1, -1), Vec<2>(2.0 * kCount, 0)}};
  for (int i = 0; i < kCount; ++i) boxes.push_back({Vec<2>(i, 0), Vec<2>(i + 1, 1)});
  EXPECT_EQ(meeting_pairs<2>(boxes).size(), kCount + (kCount - 1u));
}

TEST(BroadPhase, RunningBondOfAHundredThousandBricks) {
  // Rows of n bricks 2 × 1, every other row shifted by 1: a brick meets its neighbours in the row
  // (n − 1 pairs a row) and two bricks of the row above, but for one at the end (2n − 1 a joint).
  constexpr int kRows = 1000;
  constexpr int kColumns = 100;
  std::vector<Bounds<2>> boxes;
  for (int row = 0; row < kRows; ++row) {
    for (int column = 0; column < kColumns; ++column) {
      const Vec<2> low(2.0 * column + row % 2, row);
      boxes.push_back({low, low + Vec<2>(2, 1)});
    }
  }
  const Pairs pairs = meeting_pairs<2>(boxes);
  EXPECT_EQ(pairs.size(), kRows * (kColumns - 1u) + (kRows - 1u) * (2u * kColumns - 1u));
  EXPECT_TRUE(std::is_sorted(pairs.begin(), pairs.end()));
}

}  // namespace
}  // namespace collapse
