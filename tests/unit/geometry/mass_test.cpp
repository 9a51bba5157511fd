#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "collapse/core/error.hpp"
#include "tests/unit/geometry/random_polygon.hpp"

namespace collapse {
namespace {

TEST(MassProperties, OfABoxAreTheClosedForm) {
  const MassProperties<2> box =
      mass_properties(shifted_by(make_box(Rational(3), Rational(4)), 7, Rational(1, 3)));
  ASSERT_TRUE(box.exact.has_value());
  EXPECT_EQ(box.exact->mass, 12);
  EXPECT_EQ(box.exact->centre, at(7, Rational(1, 3)));
  EXPECT_EQ(box.exact->inertia(0, 0), 12 * Rational(9 + 16, 12));
  EXPECT_EQ(box.mass, 12.0);
  EXPECT_EQ(box.centre, Vec<2>(7.0, 1.0 / 3.0));
  EXPECT_EQ(box.inertia(0, 0), 25.0);
}

TEST(MassProperties, OfATriangleAreTheClosedForm) {
  // Right triangle with legs b, h: m (b² + h²)/18 about its centre.
  const MassProperties<2> triangle = mass_properties(make_polygon({at(1, 1), at(4, 1), at(1, 7)}));
  EXPECT_EQ(triangle.exact->mass, 9);
  EXPECT_EQ(triangle.exact->centre, at(2, 3));
  EXPECT_EQ(triangle.exact->inertia(0, 0), 9 * Rational(9 + 36, 18));
}

TEST(MassProperties, OfAnLShapeAreThoseOfItsBoxes) {
  // A 2 × 1 box and the unit box on its left end: centres (1, 1/2) and (1/2, 3/2).
  const MassProperties<2> shape =
      mass_properties(make_polygon({at(0, 0), at(2, 0), at(2, 1), at(1, 1), at(1, 2), at(0, 2)}));
  EXPECT_EQ(shape.exact->mass, 3);
  EXPECT_EQ(shape.exact->centre, at(Rational(5, 6), Rational(5, 6)));
  EXPECT_EQ(shape.exact->inertia(0, 0), 2 * Rational(4 + 1, 12) +
                                            2 * (Rational(1, 36) + Rational(1, 9)) +
                                            Rational(2, 12) + (Rational(1, 9) + Rational(4, 9)));
}

TEST(MassProperties, OfAFrameAreThoseOfTheSquareLessItsHole) {
  const Shape<2> bar = make_box(Rational(4), Rational(1));
  const Shape<2> post = make_box(Rational(1), Rational(4));
  const Shape<2> frame =
      unite({shifted_by(bar, 0, Rational(3, 2)), shifted_by(bar, 0, Rational(-3, 2)),
             shifted_by(post, Rational(3, 2), 0), shifted_by(post, Rational(-3, 2), 0)});
  const MassProperties<2> properties = mass_properties(frame);
  EXPECT_EQ(properties.exact->mass, 12) << "overlapping corners count once";
  EXPECT_EQ(properties.exact->centre, at(0, 0));
  EXPECT_EQ(properties.exact->inertia(0, 0), Rational(16 * 32, 12) - Rational(4 * 8, 12));
}

TEST(MassProperties, OfDisksAreTheClosedForm) {
  const double pi = std::numbers::pi;
  const MassProperties<2> disk = mass_properties(shifted_by(make_disk(Rational(2)), 5, -1));
  EXPECT_FALSE(disk.exact.has_value());
  EXPECT_NEAR(disk.mass, 4 * pi, 1e-14);
  EXPECT_EQ(disk.centre, Vec<2>(5.0, -1.0));
  EXPECT_NEAR(disk.inertia(0, 0), 8 * pi, 1e-14);

  // Two unit disks in touch, far from the origin: 2 (π/2 + π·1²) about the point where they touch.
  const Rational far = *parse_rational("1e6");
  const MassProperties<2> pair =
      mass_properties(unite({shifted_by(make_disk(Rational(1)), far - 1, far),
                             shifted_by(make_disk(Rational(1)), far + 1, far)}));
  EXPECT_EQ(pair.centre, Vec<2>(1e6, 1e6));
  EXPECT_NEAR(pair.inertia(0, 0), 3 * pi, 1e-14);
}

TEST(MassProperties, OfABoxAndADiskAddUp) {
  const double pi = std::numbers::pi;
  const MassProperties<2> both = mass_properties(
      unite({make_box(Rational(2), Rational(2)), shifted_by(make_disk(Rational(1)), 2, 0)}));
  const double x = 2 * pi / (4 + pi);
  EXPECT_FALSE(both.exact.has_value());
  EXPECT_NEAR(both.mass, 4 + pi, 1e-14);
  EXPECT_NEAR(both.centre[0], x, 1e-15);
  EXPECT_NEAR(both.centre[1], 0.0, 1e-15);
  EXPECT_NEAR(both.inertia(0, 0), 4 * 8.0 / 12 + 4 * x * x + pi / 2 + pi * (2 - x) * (2 - x),
              1e-13);
}

TEST(MassProperties, ArePreservedByMotion) {
  Random random(15);
  for (int i = 0; i < 20; ++i) {
    const Shape<2> shape = make_polygon(random_polygon(random, 12, 50));
    const ExactPose<2> pose{exact_rotation(Rational(random.below(360))),
                            at(random.below(9), Rational(1, 7))};
    const MassProperties<2> before = mass_properties(shape);
    const MassProperties<2> after = mass_properties(moved(shape, pose));
    EXPECT_EQ(after.exact->mass, before.exact->mass);
    EXPECT_EQ(after.exact->centre, pose.apply(before.exact->centre));
    EXPECT_EQ(after.exact->inertia, before.exact->inertia);
  }
}

TEST(MassProperties, OfAHalfPlaneAreZero) {
  const MassProperties<2> plane = mass_properties(make_half_plane(at(0, 1), Rational(0)));
  EXPECT_EQ(plane.mass, 0.0);
  EXPECT_EQ(plane.inertia(0, 0), 0.0);
}

TEST(MassProperties, ScaleMassAndInertiaButNotTheCentre) {
  const MassProperties<2> box =
      mass_properties(shifted_by(make_box(Rational(3), Rational(4)), 1, 2));
  const MassProperties<2> heavy = box.scaled(Number(Rational(1, 10)));
  EXPECT_EQ(heavy.exact->mass, Rational(6, 5));
  EXPECT_EQ(heavy.mass, 1.2);
  EXPECT_EQ(heavy.inertia(0, 0), 2.5);
  EXPECT_EQ(heavy.centre, Vec<2>(1.0, 2.0));
  const MassProperties<2> disk =
      mass_properties(make_disk(Rational(1))).scaled(Number(Rational(2)));
  EXPECT_EQ(disk.mass, 2 * std::numbers::pi);
  EXPECT_EQ(disk.inertia(0, 0), std::numbers::pi);
}

TEST(MassProperties, BeyondTheRangeOfDoublesAreRefused) {
  const Rational huge = *parse_rational("1e200");
  EXPECT_THROW((void)mass_properties(make_box(huge, huge)), Error);
  EXPECT_THROW((void)mass_properties(make_box(1 / huge, 1 / huge)), Error);
  EXPECT_THROW((void)mass_properties(make_disk(huge)), Error);
  EXPECT_THROW((void)mass_properties(make_disk(1 / huge)), Error);
  EXPECT_THROW((void)mass_properties(make_box(1, 1)).scaled(Number(huge * huge)), Error);
}

}  // namespace
}  // namespace collapse
