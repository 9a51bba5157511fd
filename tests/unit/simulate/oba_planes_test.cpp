/// Separating planes and the rows of points against them.

#include "simulate/oba_planes.hpp"

#include <gtest/gtest.h>

#include "collapse/core/random.hpp"
#include "simulate/world.hpp"
#include "tests/support/space_structure.hpp"

namespace collapse::testing {
namespace {

Vec<3> random_point(Random& random, double size) {
  return size * Vec<3>(random.between(-1, 1), random.between(-1, 1), random.between(-1, 1));
}

TEST(SeparatingPlane, HasTheSolidsOnItsTwoSidesWithTheGapBetweenThem) {
  Random random(7);
  int apart = 0;
  for (int k = 0; k < 200; ++k) {
    SpaceStructure structure;
    structure.add(SpaceStructure::box(1, 2, 1), Vec<3>::Zero(), false,
                  rotation_by(random_point(random, 3.0)));
    structure.add(make_cylinder(Rational(1), Rational(1)), random_point(random, 2.5), false,
                  rotation_by(random_point(random, 3.0)));
    simulate::PlacedParts parts(structure.scene);
    parts.place(initial_state(structure.scene).poses);
    const simulate::SeparatingPlane plane = simulate::separating_plane(parts, 0, 1);
    const double top = parts.reach(0, plane.normal) - plane.normal.dot(plane.at);
    const double bottom = -parts.reach(1, Vec<3>(-plane.normal)) - plane.normal.dot(plane.at);
    EXPECT_NEAR(bottom - top, plane.gap, 1e-7);
    EXPECT_NEAR(bottom, 0.5 * plane.gap, 1e-7);
    if (plane.gap > 0.0) ++apart;
  }
  EXPECT_GT(apart, 20);
  EXPECT_LT(apart, 180);
}

/// Of the exact height of a moved point over a moved plane, by differences.
TEST(PlaneRow, IsTheDerivativeOfTheHeightOverAPlaneThatTurns) {
  Random random(3);
  SpaceStructure structure;
  const int body = structure.add(SpaceStructure::box(1, 1, 1), Vec<3>(1, 2, 3));
  const SimulationOptions options;
  const simulate::World<3> world(structure.scene, options);
  const Pose<3> pose = structure.scene.bodies[0].pose;
  for (int k = 0; k < 50; ++k) {
    simulate::SeparatingPlane plane;
    plane.normal = random_point(random, 1.0).normalized();
    plane.at = random_point(random, 2.0);
    const Vec<3> local = random_point(random, 0.5);
    const double length = 0.7;
    const Vec<3> point = pose.apply(local);
    const simulate::PlaneRow row = simulate::plane_row(plane, point, Vec<3>(1, 2, 3), length);
    const Eigen::Matrix<double, 3, 2> across = tangents_of<3>(plane.normal);
    Twist<3> motion;
    motion << random_point(random, 1.0), random_point(random, 1.0);
    const Vec<3> turn = random_point(random, 1.0);
    const auto height = [&](double epsilon) {
      const Vec<3> moved = world.moved(body, pose, Twist<3>(epsilon * motion)).apply(local);
      const Vec<3> normal = plane.normal + epsilon / length * (across * turn.head<2>());
      return normal.dot(moved - plane.at) - epsilon * turn[2];
    };
    EXPECT_NEAR(height(0.0), row.height, 1e-14);
    const double epsilon = 1e-5;
    const double slope = (height(epsilon) - height(-epsilon)) / (2.0 * epsilon);
    EXPECT_NEAR(slope, row.on_body.dot(motion) + row.on_plane.dot(turn), 1e-8);
  }
}

TEST(ExtremePoints, AreTheCornersOfTheFaceThatLooksThatWay) {
  SpaceStructure structure;
  structure.add(SpaceStructure::box(2, 2, 2), Vec<3>::Zero());
  structure.add(make_cylinder(Rational(1), Rational(2)), Vec<3>::Zero());
  simulate::PlacedParts parts(structure.scene);
  parts.place(initial_state(structure.scene).poses);
  std::vector<int> numbers;
  parts.extreme_points(0, Vec<3>::UnitX(), 0.1, numbers);
  EXPECT_EQ(numbers.size(), 4U);
  parts.extreme_points(0, Vec<3>(1, 1, 0).normalized(), 0.1, numbers);
  EXPECT_EQ(numbers.size(), 2U);
  // A standing cylinder touches with its rim, a lying one along a line.
  parts.extreme_points(1, Vec<3>::UnitZ(), 0.1, numbers);
  EXPECT_EQ(numbers.size(), 8U);
  parts.extreme_points(1, Vec<3>::UnitX(), 0.1, numbers);
  EXPECT_EQ(numbers.size(), 2U);
}

TEST(Diameter, IsTheLargestDistanceOfTwoPoints) {
  EXPECT_NEAR(simulate::diameter_of(SpaceStructure::box(1, 2, 2)), 3.0, 1e-12);
  EXPECT_NEAR(simulate::diameter_of(make_sphere(Rational(2))), 4.0, 1e-12);
  EXPECT_NEAR(simulate::diameter_of(make_cylinder(Rational(3, 2), Rational(4))), 5.0, 1e-12);
  EXPECT_NEAR(simulate::diameter_of(make_capsule(Rational(1), Rational(2))), 4.0, 1e-12);
}

}  // namespace
}  // namespace collapse::testing
