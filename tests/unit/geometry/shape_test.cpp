#include "collapse/geometry/shape.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "collapse/core/error.hpp"
#include "tests/unit/geometry/random_polygon.hpp"

namespace collapse {
namespace {

std::string refusal_of(const std::vector<Shape<2>>& parts) {
  try {
    (void)unite(parts);
  } catch (const Error& error) {
    EXPECT_EQ(error.place(), "");
    return error.found();
  }
  return "";
}

TEST(MakeBox, IsCentredAndCounterClockwise) {
  const Shape<2> box = make_box(Rational(3), Rational(1, 2));
  ASSERT_EQ(box.boundary.size(), 1U);
  EXPECT_EQ(box.boundary[0].exact()[0], at(Rational(-3, 2), Rational(-1, 4)));
  EXPECT_EQ(box.boundary[0].exact()[2], at(Rational(3, 2), Rational(1, 4)));
  EXPECT_EQ(area_of(box.boundary), Rational(3, 2));
  EXPECT_EQ(box.pieces.size(), 1U);
}

TEST(MakePolygon, TakesEitherDirection) {
  Vertices vertices = {at(0, 0), at(2, 0), at(2, 1), at(1, 1), at(1, 2), at(0, 2)};
  const Shape<2> forwards = make_polygon(vertices);
  std::reverse(vertices.begin(), vertices.end());
  const Shape<2> backwards = make_polygon(vertices);
  EXPECT_EQ(from_smallest(forwards.boundary[0]), from_smallest(backwards.boundary[0]));
  EXPECT_EQ(area_of(forwards.pieces), 3);
  EXPECT_EQ(forwards.pieces.size(), 2U);
}

TEST(Shape, SizeIsTheDiameterOfTheSmallestPiece) {
  EXPECT_EQ(make_box(Rational(3), Rational(4)).size(), 5.0);
  EXPECT_EQ(make_disk(Rational(1, 4)).size(), 0.5);
  EXPECT_EQ(make_half_plane(at(0, 1), Rational(0)).size(), std::numeric_limits<double>::infinity());
  const Shape<2> both =
      unite({make_box(Rational(3), Rational(4)), shifted_by(make_disk(Rational(1)), 5, 0)});
  EXPECT_EQ(both.size(), 2.0);
}

TEST(Shape, ReachHoldsEverything) {
  EXPECT_EQ(make_box(Rational(6), Rational(8)).reach(Vec<2>(0.0, 0.0)), 5.0);
  EXPECT_EQ(make_disk(Rational(2)).reach(Vec<2>(3.0, 4.0)), 7.0);
  EXPECT_EQ(make_half_plane(at(0, 1), Rational(0)).reach(Vec<2>(0.0, 0.0)),
            std::numeric_limits<double>::infinity());
}

TEST(HalfSpace, NormalisesWithoutOverflow) {
  const Rational huge = *parse_rational("1e300");
  for (const Rational& scale : {Rational(1), huge, Rational(1 / huge)}) {
    const HalfSpace<2> exact(at(3 * scale, -4 * scale), 10 * scale);
    EXPECT_EQ(exact.normal, Vec<2>(0.6, -0.8));
    EXPECT_EQ(exact.offset, 2.0);
    const HalfSpace<2> rounded(at(scale, scale), 2 * scale);
    EXPECT_NEAR(rounded.normal[0], std::sqrt(0.5), 2e-16);
    EXPECT_NEAR(rounded.normal.norm(), 1.0, 2e-16);
    EXPECT_NEAR(rounded.offset, std::sqrt(2.0), 3e-16);
  }
  const HalfSpace<3> space(ExactVec<3>(Rational(2), Rational(3), Rational(6)), Rational(14));
  EXPECT_EQ(space.normal, Vec<3>(2.0 / 7.0, 3.0 / 7.0, 6.0 / 7.0));
  EXPECT_EQ(space.offset, 2.0);
}

TEST(Moved, TakesEveryPartAlong) {
  const ExactPose<2> pose{exact_rotation(Rational(90)), at(10, 20)};
  const Shape<2> box = moved(make_box(Rational(4), Rational(2)), pose);
  EXPECT_EQ(box.boundary[0].exact()[0], at(11, 18));
  EXPECT_EQ(box.pieces[0].exact()[0], at(11, 18));
  const Shape<2> disk = moved(shifted_by(make_disk(Rational(1)), 3, 0), pose);
  EXPECT_EQ(disk.balls[0].exact_centre, at(10, 23));
  EXPECT_EQ(disk.balls[0].centre, Vec<2>(10.0, 23.0));
  // y ≤ 0 turned by a quarter is x ≥ 0, then shifted: −x ≤ −10.
  const Shape<2> plane = moved(make_half_plane(at(0, 1), Rational(0)), pose);
  EXPECT_EQ(plane.half_space->normal, Vec<2>(-1.0, 0.0));
  EXPECT_EQ(plane.half_space->offset, -10.0);
}

TEST(Unite, JoinsPolygonsWithoutSeam) {
  const Shape<2> box = make_box(Rational(2), Rational(2));
  const Shape<2> joined = unite({box, shifted_by(box, 2, 0), shifted_by(box, 1, 0)});
  ASSERT_EQ(joined.boundary.size(), 1U);
  EXPECT_EQ(joined.boundary[0].exact(), rectangle(-1, -1, 3, 1));
  EXPECT_EQ(joined.pieces.size(), 3U);
}

TEST(Unite, TakesUnionsAsParts) {
  const Shape<2> bar = make_box(Rational(4), Rational(1));
  const Shape<2> post = make_box(Rational(1), Rational(4));
  const Shape<2> frame =
      unite({shifted_by(bar, 0, Rational(3, 2)), shifted_by(bar, 0, Rational(-3, 2)),
             shifted_by(post, Rational(3, 2), 0), shifted_by(post, Rational(-3, 2), 0)});
  ASSERT_EQ(frame.boundary.size(), 2U);
  EXPECT_EQ(area_of(frame.boundary), 12);
  EXPECT_EQ(area_of(unite({frame, make_box(Rational(2), Rational(1))}).boundary), 14);
  EXPECT_EQ(area_of(unite({frame, make_box(Rational(2), Rational(2))}).boundary), 16);
}

TEST(Unite, LetsDisksTouchButNotOverlap) {
  const Shape<2> box = make_box(Rational(2), Rational(2));
  const Shape<2> disk = make_disk(Rational(1));
  const Rational tiny = *parse_rational("1e-50");
  EXPECT_EQ(refusal_of({box, shifted_by(disk, 2, 0)}), "");
  EXPECT_EQ(refusal_of({box, shifted_by(disk, 2 - tiny, 0)}), "parts 0 and 1 overlap");
  EXPECT_EQ(refusal_of({shifted_by(disk, 2, 0), box, shifted_by(disk, -2 + tiny, 0)}),
            "parts 1 and 2 overlap");
  // At the corner (1, 1): the centre at (8/5, 9/5) is at distance 1.
  EXPECT_EQ(refusal_of({box, shifted_by(disk, Rational(8, 5), Rational(9, 5))}), "");
  EXPECT_EQ(refusal_of({box, shifted_by(disk, Rational(8, 5) - tiny, Rational(9, 5))}),
            "parts 0 and 1 overlap");
  EXPECT_EQ(refusal_of({disk, shifted_by(disk, Rational(6, 5), Rational(8, 5))}), "");
  EXPECT_EQ(refusal_of({disk, shifted_by(disk, Rational(6, 5), Rational(8, 5) - tiny)}),
            "parts 0 and 1 overlap");
  EXPECT_EQ(refusal_of({box, make_disk(Rational(1, 10))}), "parts 0 and 1 overlap") << "inside";
  EXPECT_EQ(refusal_of({box, make_disk(Rational(10))}), "parts 0 and 1 overlap") << "around";
}

TEST(Unite, RefusesPlanesAndNothing) {
  EXPECT_EQ(refusal_of({make_disk(Rational(1)), make_half_plane(at(0, 1), Rational(0))}),
            "a plane as part 1");
  EXPECT_EQ(refusal_of({}), "no parts");
}

}  // namespace
}  // namespace collapse
