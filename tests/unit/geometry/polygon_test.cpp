#include "collapse/geometry/polygon.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <ctime>

#include "tests/unit/geometry/random_polygon.hpp"

namespace collapse {
namespace {

int exact_turn(const ExactVec<2>& a, const ExactVec<2>& b, const ExactVec<2>& c) {
  const Rational turn = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
  return turn > 0 ? 1 : turn < 0 ? -1 : 0;
}

TEST(Orientation, AgreesWithRationalArithmeticBesideALine) {
  Random random(7);
  for (int i = 0; i < 20000; ++i) {
    const auto coordinate = [&] {
      return Rational(random.below(2001) - 1000, 1 + random.below(99));
    };
    const ExactVec<2> a = at(coordinate(), coordinate());
    const ExactVec<2> b = at(coordinate(), coordinate());
    // On the line, or off it by less than doubles can tell.
    const Rational off =
        Rational(random.below(3) - 1) * Rational(std::ldexp(1.0, -random.below(80)));
    const ExactVec<2> c = a + (b - a) * coordinate() + at(0, off);
    ASSERT_EQ(orientation(a, b, c), exact_turn(a, b, c));
  }
}

TEST(Orientation, IsRightWhereDoublesOverflowOrVanish) {
  for (const char* size : {"1e300", "1e-300", "1e160", "1e-160"}) {
    const Rational unit = *parse_rational(size);
    EXPECT_EQ(orientation(at(0, 0), at(unit, 0), at(unit, unit)), 1) << size;
    EXPECT_EQ(orientation(at(0, 0), at(unit, unit), at(2 * unit, 2 * unit)), 0) << size;
    EXPECT_EQ(orientation(at(0, 0), at(unit, unit), at(3 * unit, 2 * unit)), -1) << size;
  }
  const Rational tiny = *parse_rational("1e-300") * *parse_rational("1e-300");
  EXPECT_EQ(orientation(at(0, 0), at(1000, 0), at(0, tiny)), 1) << "rounds to zero";
}

TEST(PolygonFault, AcceptsSimplePolygons) {
  EXPECT_EQ(polygon_fault(rectangle(0, 0, 2, 1)), "");
  EXPECT_EQ(polygon_fault({at(0, 0), at(0, 1), at(1, 0)}), "") << "clockwise";
  EXPECT_EQ(polygon_fault({at(0, 0), at(1, 0), at(2, 0), at(2, 2)}), "") << "straight vertex";
}

TEST(PolygonFault, NamesWhatIsWrong) {
  EXPECT_EQ(polygon_fault({}), "only 0 vertices");
  EXPECT_EQ(polygon_fault({at(0, 0)}), "only 1 vertex");
  EXPECT_EQ(polygon_fault({at(0, 0), at(1, 0)}), "only 2 vertices");
  EXPECT_EQ(polygon_fault({at(0, 0), at(1, 0), at(1, 1), at(1, 0)}), "vertices 1 and 3 coincide");
  EXPECT_EQ(polygon_fault({at(0, 0), at(1, 1), at(2, 2)}), "no area");
  EXPECT_EQ(polygon_fault({at(0, 0), at(2, 0), at(0, 2), at(2, 3)}), "edges 1 and 3 cross");
  EXPECT_EQ(polygon_fault({at(0, 0), at(2, 0), at(2, 2), at(1, 0), at(0, 2)}),
            "vertex 3 lies on edge 0");
  EXPECT_EQ(polygon_fault({at(0, 0), at(2, 0), at(1, 0), at(1, 1)}),
            "edges 0 and 1 fold back on each other at vertex 1");
  EXPECT_EQ(polygon_fault({at(0, 0), at(2, 2), at(0, 3), at(1, 1)}),
            "edges 0 and 3 fold back on each other at vertex 0");
  EXPECT_EQ(polygon_fault({at(0, 0), at(3, 0), at(3, 3), at(2, 0), at(1, 0), at(0, 3)}),
            "vertex 4 lies on edge 0");
}

TEST(PolygonFault, SeesWhatDoublesCannot) {
  const Rational tiny = *parse_rational("1e-40");
  EXPECT_EQ(polygon_fault({at(0, 0), at(2, 0), at(2, 2), at(1, tiny), at(0, 2)}), "");
  EXPECT_EQ(polygon_fault({at(0, 0), at(2, 0), at(2, 2), at(1, -tiny), at(0, 2)}),
            "edges 0 and 3 cross");
  EXPECT_EQ(polygon_fault({at(0, 0), at(1, 0), at(2, tiny)}), "");
  EXPECT_EQ(polygon_fault({at(0, 0), at(1, 0), at(1 + tiny, 0), at(1, 1)}), "");
}

/// Whether closed segments have a point in common, from four turns and overlapping extents.
bool meet(const ExactVec<2>& a, const ExactVec<2>& b, const ExactVec<2>& c, const ExactVec<2>& d) {
  for (int k = 0; k < 2; ++k) {
    if (std::max(a[k], b[k]) < std::min(c[k], d[k])) return false;
    if (std::max(c[k], d[k]) < std::min(a[k], b[k])) return false;
  }
  return exact_turn(a, b, c) * exact_turn(a, b, d) <= 0 &&
         exact_turn(c, d, a) * exact_turn(c, d, b) <= 0;
}

bool is_simple(const Vertices& v) {
  const std::size_t n = v.size();
  for (std::size_t i = 0; i < n; ++i) {
    const ExactVec<2>& a = v[i];
    const ExactVec<2>& b = v[(i + 1) % n];
    if (a == b) return false;
    const ExactVec<2>& c = v[(i + 2) % n];
    if (exact_turn(a, b, c) == 0 && (b - a).dot(c - b) <= 0) return false;
    for (std::size_t j = i + 2; j < n; ++j) {
      if ((j + 1) % n != i && meet(a, b, v[j], v[(j + 1) % n])) return false;
    }
  }
  return true;
}

TEST(PolygonFault, AgreesWithComparingAllPairsOfEdges) {
  Random random(8);
  int simple = 0;
  for (int i = 0; i < 20000; ++i) {
    Vertices vertices;
    const int count = 3 + random.below(5);
    for (int k = 0; k < count; ++k) vertices.push_back(at(random.below(5), random.below(5)));
    const bool expected = is_simple(vertices);
    simple += expected ? 1 : 0;
    ASSERT_EQ(polygon_fault(vertices).empty(), expected);
  }
  EXPECT_GT(simple, 1000);
  EXPECT_LT(simple, 19000);
}

TEST(TidyLoop, RunsCounterClockwiseWithoutStraightVertices) {
  const Loop loop = tidy_loop(
      {at(0, 0), at(0, 1), at(0, 2), at(2, 2), at(2, 0), at(1, 0), at(Rational(1, 3), 0)});
  EXPECT_EQ(loop.exact(), rectangle(0, 0, 2, 2));
  EXPECT_EQ(loop.vertices()[2], Vec<2>(2.0, 2.0));
}

TEST(AreaMoments, OfABoxAreTheClosedForm) {
  // Width 3, height 2, lower left corner at (1, −4).
  const AreaMoments moments = area_moments({Loop(rectangle(1, -4, 4, -2))});
  EXPECT_EQ(moments.area, 6);
  EXPECT_EQ(moments.first, at(6 * Rational(5, 2), 6 * -3));
  EXPECT_EQ(moments.second(0, 0), Rational(4 * 4 * 4 - 1, 3) * 2);
  EXPECT_EQ(moments.second(1, 1), Rational(-8 + 64, 3) * 3);
  EXPECT_EQ(moments.second(0, 1), Rational(16 - 1, 2) * Rational(4 - 16, 2));
  EXPECT_EQ(moments.second(1, 0), moments.second(0, 1));
}

TEST(AreaMoments, OfATriangleAreTheClosedForm) {
  const AreaMoments moments = area_moments({Loop({at(0, 0), at(3, 0), at(0, 5)})});
  EXPECT_EQ(moments.area, Rational(15, 2));
  EXPECT_EQ(moments.first, at(Rational(15, 2), Rational(25, 2)));
  EXPECT_EQ(moments.second(0, 0), Rational(27 * 5, 12));
  EXPECT_EQ(moments.second(1, 1), Rational(3 * 125, 12));
  EXPECT_EQ(moments.second(0, 1), Rational(9 * 25, 24));
}

TEST(AreaMoments, CountHolesNegative) {
  Vertices hole = rectangle(1, 1, 2, 2);
  std::reverse(hole.begin(), hole.end());
  EXPECT_EQ(area_of({Loop(rectangle(0, 0, 3, 3)), Loop(hole)}), 8);
}

void expect_convex(const Loop& piece) {
  for (int i = 0; i < piece.size(); ++i) {
    const auto vertex = [&](int k) { return piece.exact()[static_cast<std::size_t>(k)]; };
    EXPECT_GT(exact_turn(vertex(piece.previous(i)), vertex(i), vertex(piece.next(i))), 0);
  }
}

void expect_partition(const Loop& polygon) {
  const std::vector<Loop> pieces = convex_pieces(polygon);
  for (const Loop& piece : pieces) expect_convex(piece);
  const AreaMoments whole = area_moments({polygon});
  const AreaMoments sum = area_moments(pieces);
  EXPECT_EQ(sum.area, whole.area);
  EXPECT_EQ(sum.first, whole.first);
  EXPECT_EQ(sum.second, whole.second);
}

TEST(ConvexPieces, OfAConvexPolygonAreItself) {
  const std::vector<Loop> pieces = convex_pieces(Loop(rectangle(0, 0, 2, 1)));
  ASSERT_EQ(pieces.size(), 1U);
  EXPECT_EQ(pieces[0].exact(), rectangle(0, 0, 2, 1));
}

TEST(ConvexPieces, OfAnLShapeAreTwo) {
  const Loop shape({at(0, 0), at(2, 0), at(2, 1), at(1, 1), at(1, 2), at(0, 2)});
  EXPECT_EQ(convex_pieces(shape).size(), 2U);
  expect_partition(shape);
}

TEST(ConvexPieces, OfAStarNeedOneCutPerReflexCornerAtMost) {
  const Loop star(
      {at(0, 3), at(-1, 1), at(-3, 0), at(-1, -1), at(0, -3), at(1, -1), at(3, 0), at(1, 1)});
  EXPECT_LE(convex_pieces(star).size(), 5U);
  expect_partition(star);
}

TEST(ConvexPieces, PartitionRandomPolygonsExactly) {
  Random random(9);
  for (int i = 0; i < 200; ++i) {
    const int grid = i % 2 == 0 ? 6 : 1000;
    expect_partition(tidy_loop(random_polygon(random, 4 + random.below(30), grid)));
  }
}

/// A spiral of `count` turns of unit width around the origin.
Loop spiral(int count) {
  Vertices out;
  Vertices back;
  for (int k = 0; k < count; ++k) {
    const Rational r = 3 * (k + 1);
    const Rational s = r - 1;
    out.insert(out.end(), {at(r, -r + 3), at(r, r), at(-r, r), at(-r, -r)});
    back.insert(back.end(), {at(s, -s + 3 - 1), at(s, s), at(-s, s), at(-s, -s)});
  }
  // Joins the last corner of a turn with the first of the next along y = −r.
  for (std::size_t k = 4; k < out.size(); k += 4) {
    out[k][1] = out[k - 1][1];
    back[k][1] = back[k - 1][1];
  }
  std::reverse(back.begin(), back.end());
  out.insert(out.end(), back.begin(), back.end());
  return tidy_loop(out);
}

/// Two combs facing each other: `teeth` narrow spikes that slant, so that most boxes overlap.
Loop comb(int teeth) {
  Vertices vertices = {at(0, -1)};
  vertices.push_back(at(2 * teeth, -1));
  for (int k = teeth; k > 0; --k) {
    vertices.push_back(at(2 * k, 0));
    vertices.push_back(at(2 * k - 1 + teeth, 1000));
  }
  vertices.push_back(at(0, 0));
  return tidy_loop(vertices);
}

/// Of processor time: a busy machine makes no difference.
double seconds_of(const auto& work) {
  const std::clock_t start = std::clock();
  work();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

TEST(ConvexPieces, OfFourThousandVerticesTakeSecondsAtMost) {
  // Measured: 0.6 s and 1.0 s in a release build; the bound leaves room for sanitizers.
  for (const Loop& polygon : {spiral(512), comb(2046)}) {
    EXPECT_GT(polygon.size(), 4000);
    const double seconds = seconds_of([&] {
      EXPECT_EQ(polygon_fault(polygon.exact()), "");
      expect_partition(polygon);
    });
    EXPECT_LT(seconds, 20.0);
  }
}

TEST(Diameter, IsTheLargestDistanceWithoutOverflow) {
  EXPECT_EQ(diameter(Loop(rectangle(0, 0, 3, 4))), 5.0);
  const Rational huge = *parse_rational("1e300");
  EXPECT_NEAR(diameter(Loop({at(0, 0), at(3 * huge, 0), at(0, 4 * huge)})) / 5e300, 1.0, 1e-15);
  const Rational tiny = 1 / huge;
  EXPECT_NEAR(diameter(Loop({at(0, 0), at(3 * tiny, 0), at(0, 4 * tiny)})) / 5e-300, 1.0, 1e-15);
}

}  // namespace
}  // namespace collapse
