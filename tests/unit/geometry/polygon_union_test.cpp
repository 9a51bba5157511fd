#include <gtest/gtest.h>

#include "collapse/geometry/polygon.hpp"
#include "collapse/geometry/pose.hpp"
#include "tests/unit/geometry/random_polygon.hpp"

namespace collapse {
namespace {

Loop box(int left, int bottom, int right, int top) {
  return Loop(rectangle(left, bottom, right, top));
}

TEST(UnionBoundary, OfOnePolygonIsThatPolygon) {
  const std::vector<Loop> boundary = union_boundary({box(0, 0, 2, 1)});
  ASSERT_EQ(boundary.size(), 1U);
  EXPECT_EQ(boundary[0].exact(), rectangle(0, 0, 2, 1));
  EXPECT_TRUE(union_boundary({}).empty());
}

TEST(UnionBoundary, LeavesNoTraceOfASeam) {
  const std::vector<Loop> boundary = union_boundary({box(0, 0, 1, 1), box(1, 0, 3, 1)});
  ASSERT_EQ(boundary.size(), 1U);
  EXPECT_EQ(boundary[0].exact(), rectangle(0, 0, 3, 1));
}

TEST(UnionBoundary, LeavesNoTraceOfAnOverlap) {
  const std::vector<Loop> boundary = union_boundary({box(0, 0, 2, 1), box(1, 0, 3, 1)});
  ASSERT_EQ(boundary.size(), 1U);
  EXPECT_EQ(boundary[0].exact(), rectangle(0, 0, 3, 1));
}

TEST(UnionBoundary, OfAPlusSignHasTwelveCorners) {
  const std::vector<Loop> boundary = union_boundary({box(-3, -1, 3, 1), box(-1, -3, 1, 3)});
  ASSERT_EQ(boundary.size(), 1U);
  EXPECT_EQ(boundary[0].size(), 12);
  EXPECT_EQ(area_of(boundary), 20);
}

TEST(UnionBoundary, CountsEqualAndContainedPolygonsOnce) {
  for (const Loop& other : {box(0, 0, 3, 3), box(1, 1, 2, 2), box(0, 0, 1, 1), box(0, 1, 1, 2)}) {
    const std::vector<Loop> boundary = union_boundary({box(0, 0, 3, 3), other, other});
    ASSERT_EQ(boundary.size(), 1U);
    EXPECT_EQ(boundary[0].exact(), rectangle(0, 0, 3, 3));
  }
}

TEST(UnionBoundary, OfAFrameHasAClockwiseHole) {
  const std::vector<Loop> boundary =
      union_boundary({box(0, 0, 4, 1), box(0, 3, 4, 4), box(0, 1, 1, 3), box(3, 1, 4, 3)});
  ASSERT_EQ(boundary.size(), 2U);
  EXPECT_EQ(boundary[0].exact(), rectangle(0, 0, 4, 4));
  EXPECT_EQ(area_of({boundary[1]}), -4);
  EXPECT_EQ(boundary[1].size(), 4);
}

TEST(UnionBoundary, KeepsPolygonsThatTouchInAPointApart) {
  const std::vector<Loop> boundary = union_boundary({box(0, 0, 1, 1), box(1, 1, 2, 2)});
  ASSERT_EQ(boundary.size(), 2U);
  EXPECT_EQ(boundary[0].exact(), rectangle(0, 0, 1, 1));
  EXPECT_EQ(boundary[1].exact(), rectangle(1, 1, 2, 2));
}

TEST(UnionBoundary, SplitsAHoleThatTouchesTheOutside) {
  // A 3 × 3 block without its middle and with the corner cell (0, 0) missing: the hole and the
  // notch touch in (1, 1).
  std::vector<Loop> cells;
  for (int x = 0; x < 3; ++x) {
    for (int y = 0; y < 3; ++y) {
      if (x != y || x == 2) cells.push_back(box(x, y, x + 1, y + 1));
    }
  }
  const std::vector<Loop> boundary = union_boundary(cells);
  ASSERT_EQ(boundary.size(), 2U);
  EXPECT_EQ(area_of(boundary), 7);
  for (const Loop& loop : boundary) EXPECT_EQ(polygon_fault(loop.exact()), "");
}

TEST(UnionBoundary, DoesNotDependOnTheOrder) {
  Random random(11);
  for (int i = 0; i < 20; ++i) {
    std::vector<Loop> polygons;
    for (int k = 0; k < 5; ++k) polygons.push_back(tidy_loop(random_polygon(random, 8, 12)));
    const std::vector<Loop> boundary = union_boundary(polygons);
    std::reverse(polygons.begin(), polygons.end());
    const std::vector<Loop> reversed = union_boundary(polygons);
    ASSERT_EQ(boundary.size(), reversed.size());
    for (std::size_t k = 0; k < boundary.size(); ++k) {
      EXPECT_EQ(boundary[k].exact(), reversed[k].exact());
    }
  }
}

TEST(UnionBoundary, OfConvexPiecesIsTheirPolygon) {
  Random random(12);
  for (int i = 0; i < 150; ++i) {
    const int grid = i % 2 == 0 ? 6 : 1000;
    const Loop polygon = tidy_loop(random_polygon(random, 4 + random.below(24), grid));
    const std::vector<Loop> boundary = union_boundary(convex_pieces(polygon));
    ASSERT_EQ(boundary.size(), 1U);
    EXPECT_EQ(from_smallest(boundary[0]), from_smallest(polygon));
  }
}

/// Whether the cell [x, x + 1] × [y, y + 1] is covered: the winding number of the loops around its
/// middle.
bool covers(const std::vector<Loop>& loops, int x, int y) {
  int winding = 0;
  for (const Loop& loop : loops) {
    for (int i = 0; i < loop.size(); ++i) {
      const Vec<2>& a = loop.vertices()[static_cast<std::size_t>(i)];
      const Vec<2>& b = loop.vertices()[static_cast<std::size_t>(loop.next(i))];
      if (a[0] != b[0] || a[0] < x + 0.5) continue;  // axis-aligned edges: only upright ones count
      if (std::min(a[1], b[1]) < y + 0.5 && std::max(a[1], b[1]) > y + 0.5) {
        winding += b[1] > a[1] ? 1 : -1;
      }
    }
  }
  return winding == 1;
}

TEST(UnionBoundary, OfRandomRectanglesCoversTheSameCells) {
  Random random(13);
  for (int i = 0; i < 200; ++i) {
    std::vector<Loop> boxes;
    bool filled[8][8] = {};
    const int count = 2 + random.below(8);
    for (int k = 0; k < count; ++k) {
      const int left = random.below(7);
      const int bottom = random.below(7);
      const int right = left + 1 + random.below(std::min(3, 8 - left));
      const int top = bottom + 1 + random.below(std::min(3, 8 - bottom));
      boxes.push_back(box(left, bottom, right, top));
      for (int x = left; x < right; ++x) {
        for (int y = bottom; y < top; ++y) filled[x][y] = true;
      }
    }
    const std::vector<Loop> boundary = union_boundary(boxes);
    int cells = 0;
    for (int x = 0; x < 8; ++x) {
      for (int y = 0; y < 8; ++y) {
        cells += filled[x][y] ? 1 : 0;
        ASSERT_EQ(covers(boundary, x, y), filled[x][y]) << i << ": " << x << ", " << y;
      }
    }
    EXPECT_EQ(area_of(boundary), cells);
    for (const Loop& loop : boundary) EXPECT_EQ(polygon_fault(loop.exact()), "");
  }
}

TEST(UnionBoundary, AreaOfTwoPolygonsObeysInclusionAndExclusion) {
  // |A ∪ B| + |A ∩ B| = |A| + |B|, with the intersection of two triangles found by clipping.
  Random random(14);
  for (int i = 0; i < 100; ++i) {
    const Loop a = tidy_loop(random_polygon(random, 3, 10));
    const Loop b = tidy_loop(random_polygon(random, 3, 10));
    Vertices common = a.exact();
    for (int k = 0; k < b.size() && !common.empty(); ++k) {
      const ExactVec<2>& from = b.exact()[static_cast<std::size_t>(k)];
      const ExactVec<2> along = b.exact()[static_cast<std::size_t>(b.next(k))] - from;
      const auto height = [&](const ExactVec<2>& p) -> Rational {
        return along[0] * (p[1] - from[1]) - along[1] * (p[0] - from[0]);
      };
      Vertices kept;
      for (std::size_t j = 0; j < common.size(); ++j) {
        const ExactVec<2>& p = common[j];
        const ExactVec<2>& q = common[(j + 1) % common.size()];
        const Rational hp = height(p);
        const Rational hq = height(q);
        if (hp >= 0) kept.push_back(p);
        if (hp * hq < 0) kept.push_back(p + (q - p) * Rational(hp / (hp - hq)));
      }
      common = kept;
    }
    const Rational shared = common.empty() ? Rational(0) : area_of({Loop(common)});
    EXPECT_EQ(area_of(union_boundary({a, b})) + shared, area_of({a}) + area_of({b}));
  }
}

TEST(UnionBoundary, TurnsWithItsPolygons) {
  const ExactPose<2> pose{exact_rotation(Rational(37)), {Rational(1, 3), Rational(-2, 7)}};
  const auto turned = [&](const Loop& loop) {
    Vertices vertices = loop.exact();
    for (ExactVec<2>& vertex : vertices) vertex = pose.apply(vertex);
    return Loop(std::move(vertices));
  };
  const std::vector<Loop> frame = {box(0, 0, 4, 1), box(0, 3, 4, 4), box(0, 1, 1, 3),
                                   box(3, 1, 4, 3)};
  std::vector<Loop> moved_frame;
  for (const Loop& bar : frame) moved_frame.push_back(turned(bar));
  const std::vector<Loop> boundary = union_boundary(moved_frame);
  ASSERT_EQ(boundary.size(), 2U);
  EXPECT_EQ(from_smallest(boundary[0]), from_smallest(turned(box(0, 0, 4, 4))));
  EXPECT_EQ(area_of(boundary), 12);
}

}  // namespace
}  // namespace collapse
