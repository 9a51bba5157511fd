#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "collapse/core/error.hpp"
#include "tests/unit/geometry/solids.hpp"

namespace collapse {
namespace {

using Tensor = Eigen::Matrix<Rational, 3, 3>;

Tensor diagonal(const Rational& x, const Rational& y, const Rational& z) {
  Tensor tensor = Tensor::Zero();
  tensor(0, 0) = x;
  tensor(1, 1) = y;
  tensor(2, 2) = z;
  return tensor;
}

TEST(Solids, BoxHasItsFacesEdgesAndSizes) {
  const Shape<3> box = make_box(at(1, 2, 2));
  expect_consistent(box.boundary);
  EXPECT_EQ(box.boundary.vertices.size(), 8u);
  EXPECT_EQ(box.boundary.edges.size(), 12u);
  EXPECT_EQ(box.boundary.faces.size(), 6u);
  EXPECT_EQ(box.pieces.size(), 1u);
  EXPECT_EQ(box.size(), 3.0);
  EXPECT_EQ(box.reach(Vec<3>::Zero()), 1.5);
  EXPECT_EQ(box.reach(Vec<3>(-0.5, -1.0, 0.0)), std::sqrt(1.0 + 4.0 + 1.0));
}

TEST(Solids, RoundOnesReachAsFarAsTheirRims) {
  EXPECT_EQ(make_sphere(Rational(2)).size(), 4.0);
  EXPECT_EQ(make_sphere(Rational(2)).reach(Vec<3>(0, 3, 4)), 7.0);
  const Shape<3> cylinder = make_cylinder(Rational(3), Rational(8));
  EXPECT_EQ(cylinder.size(), 10.0);
  EXPECT_EQ(cylinder.reach(Vec<3>::Zero()), 5.0);
  EXPECT_EQ(cylinder.reach(Vec<3>(0, 2, -8)), 13.0);
  const Shape<3> capsule = make_capsule(Rational(3), Rational(8));
  EXPECT_EQ(capsule.size(), 14.0);
  EXPECT_EQ(capsule.reach(Vec<3>::Zero()), 7.0);
  const Shape<3> half_space = make_half_space(at(0, 0, 2), Rational(6));
  EXPECT_EQ(half_space.half_space->normal, Vec<3>(0, 0, 1));
  EXPECT_EQ(half_space.half_space->offset, 3.0);
  EXPECT_EQ(half_space.size(), std::numeric_limits<double>::infinity());
  EXPECT_EQ(half_space.reach(Vec<3>::Zero()), std::numeric_limits<double>::infinity());
}

TEST(Solids, MoveExactly) {
  ExactPose<3> pose = shift_by(10, 20, 30);
  pose.rotation = rotation_from_quaternion(1, 1, 1, 1);  // x to y to z
  const Shape<3> box = moved(make_box(at(2, 4, 6)), pose);
  expect_consistent(box.boundary);
  for (const ExactVec<3>& point : box.boundary.exact) {
    EXPECT_EQ(abs(point[0] - 10), 3);
    EXPECT_EQ(abs(point[1] - 20), 1);
    EXPECT_EQ(abs(point[2] - 30), 2);
  }
  EXPECT_EQ(box.boundary.exact, box.pieces.front().exact());
  const Shape<3> cylinder = moved(make_cylinder(Rational(1), Rational(4)), pose);
  EXPECT_EQ(cylinder.cylinders[0].axis, Vec<3>(1, 0, 0));
  EXPECT_EQ(cylinder.cylinders[0].centre, Vec<3>(10, 20, 30));
  const Shape<3> capsule = moved(make_capsule(Rational(1), Rational(4)), pose);
  EXPECT_EQ(capsule.capsules[0].from, Vec<3>(8, 20, 30));
  EXPECT_EQ(capsule.capsules[0].to, Vec<3>(12, 20, 30));
  const Shape<3> half_space = moved(make_half_space(at(0, 0, 1), Rational(5)), pose);
  EXPECT_EQ(half_space.half_space->normal, Vec<3>(1, 0, 0));
  EXPECT_EQ(half_space.half_space->offset, 15.0);
}

TEST(Solids, MeshesKeepTheirBoundaryAndArePieces) {
  const Surface tee = union_surface({block(0, 0, 2, 3, 1, 3), block(1, 0, 0, 2, 1, 2)});
  Mesh mesh{tee.exact, {}};
  for (const Surface::Face& face : tee.faces) {
    mesh.faces.insert(mesh.faces.end(), face.loops.begin(), face.loops.end());
  }
  ASSERT_EQ(mesh_fault(mesh), "");
  const Shape<3> shape = make_mesh(mesh);
  EXPECT_EQ(outlines(shape.boundary), outlines(tee));
  EXPECT_EQ(shape.piece_excess, 0.0);
  EXPECT_EQ(outlines(union_surface(shape.pieces)), outlines(tee));
  EXPECT_EQ(mass_properties(shape).exact->mass, 5);
}

TEST(MassInSpace, OfABoxIsTheClosedForm) {
  const MassProperties<3> box =
      mass_properties(shifted_by(make_box(at(1, 2, 3)), 7, Rational(1, 3), -5));
  ASSERT_TRUE(box.exact.has_value());
  EXPECT_EQ(box.exact->mass, 6);
  EXPECT_EQ(box.exact->centre, at(7, Rational(1, 3), -5));
  EXPECT_EQ(box.exact->inertia, diagonal(Rational(13, 2), 5, Rational(5, 2)));
  EXPECT_EQ(box.centre, Vec<3>(7.0, 1.0 / 3.0, -5.0));
  EXPECT_EQ(box.inertia(0, 0), 6.5);
}

TEST(MassInSpace, OfATetrahedronIsTheClosedForm) {
  // With right angles at the origin: m = abc/6, centre (a, b, c)/4, ∫x² = m a²/10, ∫xy = m ab/20.
  const int a = 2;
  const int b = 3;
  const int c = 5;
  const VolumeMoments moments =
      volume_moments(Hull(Points{at(0, 0, 0), at(a, 0, 0), at(0, b, 0), at(0, 0, c)}).mesh());
  EXPECT_EQ(moments.volume, 5);
  EXPECT_EQ(moments.first, at(Rational(5 * a, 4), Rational(5 * b, 4), Rational(5 * c, 4)));
  EXPECT_EQ(moments.second(0, 0), Rational(5 * a * a, 10));
  EXPECT_EQ(moments.second(0, 1), Rational(5 * a * b, 20));
  EXPECT_EQ(moments.second(2, 1), Rational(5 * b * c, 20));
}

TEST(MassInSpace, OfAFrustumIsTheClosedForm) {
  // Squares of sides 4 and 2, height 3: h (A + √(AB) + B)/3 and the height of its centre
  // h (A + 2√(AB) + 3B)/(4 (A + √(AB) + B)).
  const Shape<3> frustum = make_hull({at(-2, -2, 0), at(2, -2, 0), at(-2, 2, 0), at(2, 2, 0),
                                      at(-1, -1, 3), at(1, -1, 3), at(-1, 1, 3), at(1, 1, 3)});
  const MassProperties<3> mass = mass_properties(frustum);
  EXPECT_EQ(mass.exact->mass, 28);
  EXPECT_EQ(mass.exact->centre, at(0, 0, Rational(3 * (16 + 16 + 12), 4 * 28)));
  // ∫x² = ∫ s⁴/12 dz with s = 4 − 2z/3: (4⁵ − 2⁵)/(12·5·(2/3)) = 24.8; I_z is twice that.
  EXPECT_EQ(mass.exact->inertia(2, 2), Rational(496, 10));
}

TEST(MassInSpace, OfARingIsTheSquareLessItsHole) {
  std::vector<Shape<3>> parts;
  for (const int side : {-1, 1}) {
    parts.push_back(shifted_by(make_box(at(4, 1, 1)), 0, Rational(3 * side, 2), 0));
    parts.push_back(shifted_by(make_box(at(1, 4, 1)), Rational(3 * side, 2), 0, 0));
  }
  const Shape<3> ring = unite(parts);
  expect_consistent(ring.boundary);
  EXPECT_EQ(euler_characteristic(ring.boundary), 0);
  const MassProperties<3> mass = mass_properties(ring);
  EXPECT_EQ(mass.exact->mass, 12) << "overlapping corners count once";
  EXPECT_EQ(mass.exact->centre, at(0, 0, 0));
  const Rational across = Rational(16 * 17, 12) - Rational(4 * 5, 12);
  EXPECT_EQ(mass.exact->inertia, diagonal(across, across, Rational(16 * 32 - 4 * 8, 12)));
}

TEST(MassInSpace, TurnsWithTheBody) {
  Random random(65);
  for (int i = 0; i < 10; ++i) {
    const auto entry = [&] { return Rational(random.below(19) - 9, 2); };
    Points points;
    while (!spans_solid(points)) {
      for (int k = 0; k < 4; ++k) points.push_back(at(entry(), entry(), entry()));
    }
    const Shape<3> shape = make_hull(points);
    ExactPose<3> pose = shift_by(entry(), Rational(1, 7), entry());
    pose.rotation = rotation_from_quaternion(2, entry(), entry(), entry());
    const MassProperties<3> before = mass_properties(shape);
    const MassProperties<3> after = mass_properties(moved(shape, pose));
    EXPECT_EQ(after.exact->mass, before.exact->mass);
    EXPECT_EQ(after.exact->centre, pose.apply(before.exact->centre));
    EXPECT_EQ(after.exact->inertia,
              Tensor(pose.rotation * before.exact->inertia * pose.rotation.transpose()));
  }
}

void expect_inertia(const Inertia<3>& inertia, double x, double y, double z) {
  EXPECT_LT((inertia - Inertia<3>(Vec<3>(x, y, z).asDiagonal())).norm(),
            1e-14 * (std::abs(x) + std::abs(y) + std::abs(z)));
}

TEST(MassInSpace, OfRoundSolidsIsTheClosedForm) {
  const double pi = std::numbers::pi;
  const MassProperties<3> sphere = mass_properties(make_sphere(Rational(3)));
  EXPECT_FALSE(sphere.exact.has_value());
  EXPECT_NEAR(sphere.mass, 36 * pi, 1e-12);
  expect_inertia(sphere.inertia, 0.4 * 9 * 36 * pi, 0.4 * 9 * 36 * pi, 0.4 * 9 * 36 * pi);
  const MassProperties<3> cylinder = mass_properties(make_cylinder(Rational(2), Rational(6)));
  EXPECT_NEAR(cylinder.mass, 24 * pi, 1e-12);
  expect_inertia(cylinder.inertia, 24 * pi * 4, 24 * pi * 4, 24 * pi * 2);
}

/// ∫ over a solid of revolution about z, disk by disk (Simpson).
TEST(MassInSpace, OfACapsuleIsTheIntegralOverItsDisks) {
  const double r = 1.5;
  const double length = 4.0;
  double mass = 0.0;
  double along = 0.0;
  double across = 0.0;
  constexpr int kSteps = 20000;
  const double top = length / 2.0 + r;
  for (int i = 0; i <= kSteps; ++i) {
    const double z = -top + 2.0 * top * i / kSteps;
    const double beyond = std::max(0.0, std::abs(z) - length / 2.0);
    const double squared = std::max(0.0, r * r - beyond * beyond);
    const double weight = (i == 0 || i == kSteps ? 1.0
                           : i % 2 == 1          ? 4.0
                                                 : 2.0) *
                          2.0 * top / kSteps / 3.0;
    const double disk = weight * std::numbers::pi * squared;
    mass += disk;
    along += disk * squared / 2.0;
    across += disk * (squared / 4.0 + z * z);
  }
  const MassProperties<3> capsule = mass_properties(make_capsule(Rational(3, 2), Rational(4)));
  EXPECT_NEAR(capsule.mass, mass, 1e-6 * mass);
  EXPECT_NEAR(capsule.inertia(2, 2), along, 1e-6 * along);
  EXPECT_NEAR(capsule.inertia(0, 0), across, 1e-6 * across);
  EXPECT_NEAR(capsule.inertia(1, 1), across, 1e-6 * across);
}

TEST(MassInSpace, OfMixturesAddsUpFarFromTheOrigin) {
  const Rational far = *parse_rational("1e6");
  const Shape<3> both = unite({shifted_by(make_box(at(2, 2, 2)), far, far, far),
                               shifted_by(make_sphere(Rational(1)), far + 2, far, far)});
  const MassProperties<3> mass = mass_properties(both);
  const double ball = 4.0 / 3.0 * std::numbers::pi;
  const double x = 2.0 * ball / (8.0 + ball);
  EXPECT_NEAR(mass.mass, 8.0 + ball, 1e-14);
  EXPECT_NEAR(mass.centre[0], 1e6 + x, 1e-9);
  EXPECT_EQ(mass.centre[1], 1e6);
  const double own = 8.0 * 8.0 / 12.0 + 0.4 * ball;
  const double lever = 8.0 * x * x + ball * (2.0 - x) * (2.0 - x);
  // The common centre is rounded at 1e6: levers are off by 1e-10, their squares' sum by less.
  EXPECT_LT((mass.inertia - Inertia<3>(Vec<3>(own, own + lever, own + lever).asDiagonal())).norm(),
            1e-9);
}

TEST(MassInSpace, BeyondTheRangeOfDoublesIsRefused) {
  const Rational huge = *parse_rational("1e150");
  EXPECT_THROW((void)mass_properties(make_box(at(huge, huge, huge))), Error);
  EXPECT_THROW((void)mass_properties(make_sphere(huge)), Error);
  EXPECT_THROW((void)mass_properties(make_cylinder(1 / huge, 1 / huge)), Error);
  EXPECT_EQ(mass_properties(make_half_space(at(0, 0, 1), Rational(0))).mass, 0.0);
}

}  // namespace
}  // namespace collapse
