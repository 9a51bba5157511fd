#include "geometry/solid_overlap.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "collapse/core/error.hpp"
#include "tests/unit/geometry/solids.hpp"

namespace collapse {
namespace {

const Rational kBit(1, 1000000000);

/// Parts that touch may be united; moved together by a billionth they are refused.
void expect_touch(const Shape<3>& a, const Shape<3>& b, const ExactVec<3>& towards_b,
                  const Rational& bit = kBit) {
  EXPECT_NO_THROW((void)unite({a, b}));
  EXPECT_NO_THROW((void)unite({b, a}));
  const ExactVec<3> step = towards_b * bit;
  const Shape<3> deeper = shifted_by(a, step[0], step[1], step[2]);
  EXPECT_THROW((void)unite({deeper, b}), Error);
  EXPECT_THROW((void)unite({b, deeper}), Error);
}

TEST(Unite, LetsRoundPartsTouchButNotOverlap) {
  const Shape<3> sphere = make_sphere(Rational(1));
  const Shape<3> capsule = make_capsule(Rational(1), Rational(2));
  const Shape<3> cylinder = make_cylinder(Rational(1), Rational(2));
  const Shape<3> box = make_box(at(2, 2, 2));
  const ExactVec<3> x = at(1, 0, 0);
  const ExactVec<3> z = at(0, 0, 1);
  expect_touch(sphere, shifted_by(sphere, 2, 0, 0), x);
  expect_touch(sphere, shifted_by(box, 2, 0, 0), x);
  expect_touch(sphere, shifted_by(capsule, 2, 0, 0), x);
  expect_touch(sphere, shifted_by(capsule, 0, 0, 3), z);
  expect_touch(sphere, shifted_by(cylinder, 2, 0, 0), x);
  expect_touch(sphere, shifted_by(cylinder, 0, 0, 2), z);
  expect_touch(capsule, shifted_by(capsule, 2, 0, Rational(1, 2)), x);
  expect_touch(capsule, shifted_by(box, 0, 0, 3), z);
  expect_touch(capsule, shifted_by(box, 2, 0, 0), x);
  expect_touch(cylinder, shifted_by(box, 2, 0, 0), x);
  expect_touch(cylinder, shifted_by(box, Rational(1, 2), 0, 2), z);
}

TEST(Unite, MeasuresToEdgesAndCornersWithoutRoots) {
  // 3-4-5 and 2-3-6-7: a sphere at an edge, at a rim and at a corner.
  const Shape<3> box = make_box(at(2, 2, 2));
  expect_touch(make_sphere(Rational(5)), shifted_by(box, 4, 5, 0), at(3, 4, 0));
  expect_touch(make_sphere(Rational(7)), shifted_by(box, 3, 4, 7), at(2, 3, 6));
  const Shape<3> cylinder = make_cylinder(Rational(1), Rational(2));
  expect_touch(make_sphere(Rational(5)), shifted_by(cylinder, 4, 0, 5), at(3, 0, 4));
  // The edge of the box across the wall of the cylinder.
  ExactPose<3> tilt = shift_by(2, 0, 0);
  tilt.rotation = rotation_from_quaternion(1, 1, 0, 0);
  expect_touch(cylinder, moved(box, tilt), at(1, 0, 0));
  // Two capsules across each other.
  ExactPose<3> across = shift_by(0, 2, 0);
  across.rotation = rotation_from_quaternion(1, 0, 1, 0);
  const Shape<3> capsule = make_capsule(Rational(1), Rational(4));
  expect_touch(capsule, moved(capsule, across), at(0, 1, 0));
}

TEST(Unite, SeesCylindersOverlapByMoreThanAMillionth) {
  const Rational bit(1, 10000);
  const Shape<3> cylinder = make_cylinder(Rational(1), Rational(2));
  expect_touch(cylinder, shifted_by(cylinder, 2, 0, 0), at(1, 0, 0), bit);
  expect_touch(cylinder, shifted_by(cylinder, Rational(1, 2), 0, 2), at(0, 0, 1), bit);
  ExactPose<3> across = shift_by(0, 2, 0);
  across.rotation = rotation_from_quaternion(1, 0, 1, 0);
  expect_touch(cylinder, moved(cylinder, across), at(0, 1, 0), bit);
  expect_touch(cylinder, moved(make_capsule(Rational(1), Rational(4)), across), at(0, 1, 0), bit);
  expect_touch(cylinder, shifted_by(make_capsule(Rational(1), Rational(4)), 0, 0, 4), at(0, 0, 1),
               bit);
  EXPECT_THROW((void)unite({cylinder, cylinder}), Error);
  EXPECT_THROW((void)unite({cylinder, make_capsule(Rational(1, 4), Rational(1, 4))}), Error);
}

TEST(Unite, SeesWhatIsInside) {
  const Shape<3> small = make_sphere(Rational(1, 10));
  for (const Shape<3>& shape :
       {make_box(at(2, 2, 2)), make_sphere(Rational(1)), make_cylinder(Rational(1), Rational(2)),
        make_capsule(Rational(1), Rational(2))}) {
    EXPECT_THROW((void)unite({shape, small}), Error);
  }
  EXPECT_THROW((void)unite({make_box(at(9, 9, 9)), make_cylinder(Rational(1), Rational(2))}),
               Error);
  EXPECT_THROW((void)unite({make_box(at(9, 9, 9)), make_capsule(Rational(1), Rational(2))}), Error);
  EXPECT_THROW((void)unite({make_box(at(1, 1, 1)), make_cylinder(Rational(9), Rational(9))}),
               Error);
}

TEST(Unite, NamesThePartsItRefuses) {
  const Shape<3> box = make_box(at(2, 2, 2));
  const Shape<3> sphere = make_sphere(Rational(1));
  try {
    (void)unite({shifted_by(box, 9, 9, 9), box, shifted_by(sphere, 1, 0, 0)});
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("parts 1 and 2 overlap"), std::string::npos);
  }
  EXPECT_THROW((void)unite(std::vector<Shape<3>>{}), Error);
  EXPECT_THROW((void)unite({box, make_half_space(at(0, 0, 1), Rational(0))}), Error);
}

TEST(Unite, KeepsWhatEveryPartBrings) {
  const Shape<3> shape =
      unite({make_box(at(2, 2, 2)), shifted_by(make_sphere(Rational(1)), 2, 0, 0),
             shifted_by(make_cylinder(Rational(1), Rational(2)), 0, 0, 2),
             shifted_by(make_capsule(Rational(1), Rational(2)), 0, 2, 0)});
  EXPECT_EQ(shape.pieces.size(), 1u);
  EXPECT_EQ(shape.balls.size(), 1u);
  EXPECT_EQ(shape.cylinders.size(), 1u);
  EXPECT_EQ(shape.capsules.size(), 1u);
  EXPECT_EQ(outlines(shape.boundary), outlines(make_box(at(2, 2, 2)).boundary));
}

/// Distance of a cylinder and a box by the nearest of many points of the cylinder.
double sampled_distance(const Cylinder& cylinder, const Vec<3>& half_sides) {
  const Eigen::Matrix<double, 3, 2> across = tangents_of<3>(cylinder.axis);
  double least = 1e9;
  for (int a = 0; a < 60; ++a) {
    for (int b = 0; b <= 15; ++b) {
      for (int c = -20; c <= 20; ++c) {
        const double phi = 2.0 * 3.14159265358979 * a / 60;
        const Vec<3> p = cylinder.centre + cylinder.half_height * c / 20.0 * cylinder.axis +
                         cylinder.radius * b / 15.0 *
                             (std::cos(phi) * across.col(0) + std::sin(phi) * across.col(1));
        least = std::min(least, (p.cwiseAbs() - half_sides).cwiseMax(0.0).norm());
      }
    }
  }
  return least;
}

TEST(Overlaps, OfCylindersWithBoxesAgreeWithSamples) {
  Random random(66);
  const Hull box = make_box(at(2, 1, 3)).pieces.front();
  int apart = 0;
  int together = 0;
  for (int i = 0; i < 150; ++i) {
    const auto entry = [&] { return Rational(random.below(41) - 20, 10); };
    ExactPose<3> pose = shift_by(entry(), entry(), 2 * entry());
    pose.rotation = rotation_from_quaternion(Rational(1, 3), entry(), entry(), entry());
    const Cylinder cylinder =
        moved(make_cylinder(Rational(1 + random.below(9), 10), Rational(1 + random.below(20), 10)),
              pose)
            .cylinders.front();
    const double distance = sampled_distance(cylinder, Vec<3>(1.0, 0.5, 1.5));
    if (distance > 0.15) {
      ++apart;
      EXPECT_FALSE(overlaps(cylinder, box)) << i;
    } else if (distance == 0.0) {
      ++together;
      EXPECT_TRUE(overlaps(cylinder, box)) << i;
    }
  }
  EXPECT_GT(apart, 20);
  EXPECT_GT(together, 20);
}

}  // namespace
}  // namespace collapse
