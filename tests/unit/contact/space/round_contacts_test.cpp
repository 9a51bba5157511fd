/// Closed forms of the contacts of round solids, on both sides of touching, in any attitude and order.

#include <gtest/gtest.h>

#include <cmath>

#include "collapse/contact/contact.hpp"
#include "collapse/core/error.hpp"
#include "tests/unit/contact/space/convex_samples.hpp"

namespace collapse {
namespace {

using contacts::random_rotation;
using contacts::random_vector;

struct Placed {
  Shape<3> shape;
  Pose<3> pose;
};

struct Expected {
  Vec<3> point;
  Vec<3> normal;  ///< from the first to the second
  bool turns = false;
};

Placed moved_to(Shape<3> shape, const Vec<3>& position,
                const Eigen::Matrix3d& rotation = Eigen::Matrix3d::Identity()) {
  Placed placed{std::move(shape), {}};
  placed.pose.position = position;
  placed.pose.rotation = rotation;
  return placed;
}

Eigen::Matrix3d turned(double degrees, const Vec<3>& axis) {
  return Eigen::AngleAxisd(degrees * M_PI / 180.0, axis.normalized()).toRotationMatrix();
}

const Vec<3> kX = Vec<3>::UnitX();
const Vec<3> kY = Vec<3>::UnitY();
const Vec<3> kZ = Vec<3>::UnitZ();

Placed half_space() { return moved_to(make_half_space(ExactVec<3>(0, 0, 1), 0), Vec<3>::Zero()); }
/// Around the origin; faces at ±1.
Placed cube() { return moved_to(make_box(ExactVec<3>(2, 2, 2)), Vec<3>::Zero()); }

ContactSet<3> contacts_of(const Placed& first, const Placed& second) {
  Scene<3> scene;
  scene.materials.emplace_back();
  State<3> state;
  for (const Placed* placed : {&first, &second}) {
    Body<3> body;
    body.name = std::to_string(scene.bodies.size());
    body.shape = placed->shape;
    body.fixed = placed->shape.half_space.has_value();
    body.pose = placed->pose;
    scene.bodies.push_back(std::move(body));
    state.poses.push_back(placed->pose);
  }
  return find_contacts(scene, state, ContactOptions{});
}

/// Every expected contact is there, and no other.
void compare(const ContactSet<3>& found, const std::vector<Expected>& expected,
             const Pose<3>& whole, double gap, const Vec<3>& away, bool exchanged) {
  ASSERT_EQ(found.contacts.size(), expected.size());
  EXPECT_TRUE(found.corners.empty());
  std::vector<bool> used(expected.size(), false);
  for (const Contact<3>& contact : found.contacts) {
    const Vec<3> normal = exchanged ? Vec<3>(-contact.normal) : contact.normal;
    std::size_t best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const double distance = (whole.apply(expected[i].point) - contact.point).norm() +
                              (whole.turn(expected[i].normal) - normal).norm();
      if (distance < least) {
        least = distance;
        best = i;
      }
    }
    EXPECT_FALSE(used[best]) << "two contacts at " << contact.point.transpose();
    used[best] = true;
    // The point is halfway across the gap; a turn by the gap over the size is all that may come in.
    EXPECT_LT((whole.apply(expected[best].point) - contact.point).norm(),
              2.0 * std::abs(gap) + 1e-9);
    EXPECT_LT((whole.turn(expected[best].normal) - normal).norm(), 2.0 * std::abs(gap) + 1e-7);
    EXPECT_NEAR(contact.gap, gap * away.dot(expected[best].normal), 1e-12 + gap * gap);
    EXPECT_EQ(contact.normal_turns, expected[best].turns);
  }
}

/// `second` touches `first`; moved along `away` the gap opens.
void check(const Placed& first, const Placed& second, const Vec<3>& away,
           const std::vector<Expected>& expected) {
  Random random(7);
  const double size = std::min(first.shape.size(), second.shape.size());
  for (int k = 0; k < 4; ++k) {
    Pose<3> whole;
    if (k > 0) {
      whole.rotation = random_rotation(random);
      whole.position = random_vector(random, 3.0);
    }
    const auto at_gap = [&](double gap, bool exchanged) {
      Placed one{first.shape, compose(whole, first.pose)};
      Placed other = second;
      other.pose.position += gap * away;
      other.pose = compose(whole, other.pose);
      return exchanged ? contacts_of(other, one) : contacts_of(one, other);
    };
    for (const bool exchanged : {false, true}) {
      SCOPED_TRACE(testing::Message() << "attitude " << k << (exchanged ? ", exchanged" : ""));
      for (const double gap : {0.0, 4e-7 * size, -4e-7 * size}) {
        SCOPED_TRACE(gap);
        compare(at_gap(gap, exchanged), expected, whole, gap, away, exchanged);
      }
      if (expected.size() > 1 && expected[0].normal != expected.back().normal) continue;
      const double near = 1e-5 * size;
      const ContactSet<3> missed = at_gap(near, exchanged);
      EXPECT_TRUE(missed.contacts.empty());
      ASSERT_EQ(missed.near_misses.size(), 1U);
      EXPECT_NEAR(missed.near_misses[0].gap, near * away.dot(expected[0].normal), 1e-3 * near);
      EXPECT_THROW((void)at_gap(-1e-3 * size, exchanged), Error);
    }
  }
}

TEST(BallContacts, WithBallsAndHalfSpaces) {
  const Placed ball = moved_to(make_sphere(2), Vec<3>::Zero());
  check(ball, moved_to(make_sphere(1), {0, 0, 3}), kZ, {{{0, 0, 2}, kZ, true}});
  check(half_space(), moved_to(make_sphere(1), {0.3, 0.2, 1}), kZ, {{{0.3, 0.2, 0}, kZ}});
}

TEST(BallContacts, WithFacesEdgesAndVertices) {
  const Shape<3> ball = make_sphere(1);
  check(cube(), moved_to(ball, {0.5, 0.9, 2}), kZ, {{{0.5, 0.9, 1}, kZ}});
  const Vec<3> slant = Vec<3>(1, 0, 2).normalized();
  check(cube(), moved_to(ball, Vec<3>(1, 0.3, 1) + slant), slant, {{{1, 0.3, 1}, slant, true}});
  const Vec<3> corner = Vec<3>(3, 1, 2).normalized();
  check(cube(), moved_to(ball, Vec<3>(1, 1, 1) + corner), corner, {{{1, 1, 1}, corner, true}});
}

TEST(BallContacts, InAReflexCornerAndOverASeam) {
  const auto part = [](const Vec<3>& centre, const ExactVec<3>& sides) {
    ExactPose<3> pose;
    pose.position = {Rational(centre.x()), Rational(centre.y()), Rational(centre.z())};
    return moved(make_box(sides), pose);
  };
  // A floor with a wall.
  const Placed corner =
      moved_to(unite({part({0, 0, -0.5}, {8, 8, 1}), part({-2, 0, 2}, {2, 8, 4})}), Vec<3>::Zero());
  const Vec<3> both = Vec<3>(1, 0, 1);
  check(corner, moved_to(make_sphere(1), {0, 0, 1}), both, {{{0, 0, 0}, kZ}, {{-1, 0, 1}, kX}});
  // Two boxes flush with each other: one face.
  const Placed seam = moved_to(
      unite({part({-1, 0, -0.5}, {2, 2, 1}), part({1, 0, -0.5}, {2, 2, 1})}), Vec<3>::Zero());
  check(seam, moved_to(make_sphere(1), {0, 0, 1}), kZ, {{{0, 0, 0}, kZ}});
}

TEST(BallContacts, WithCylindersAndCapsules) {
  const Placed cylinder = moved_to(make_cylinder(2, 2), Vec<3>::Zero());
  check(cylinder, moved_to(make_sphere(1), {0.5, 1, 2}), kZ, {{{0.5, 1, 1}, kZ}});
  check(cylinder, moved_to(make_sphere(1), {0, 3, 0.4}), kY, {{{0, 2, 0.4}, kY, true}});
  const Vec<3> slant = Vec<3>(2, 0, 1).normalized();
  check(cylinder, moved_to(make_sphere(1), Vec<3>(2, 0, 1) + slant), slant,
        {{{2, 0, 1}, slant, true}});
  const Placed capsule = moved_to(make_capsule(1, 2), Vec<3>::Zero());
  check(capsule, moved_to(make_sphere(1), {2, 0, 0.4}), kX, {{{1, 0, 0.4}, kX, true}});
  check(capsule, moved_to(make_sphere(1), Vec<3>(0, 0, 1) + 2.0 * slant), slant,
        {{Vec<3>(0, 0, 1) + slant, slant, true}});
}

TEST(CapsuleContacts, WithHalfSpacesAndFaces) {
  const Shape<3> capsule = make_capsule(1, 2);
  const Eigen::Matrix3d lying = turned(90, kY);
  check(half_space(), moved_to(capsule, {0, 0, 1}, lying), kZ, {{{-1, 0, 0}, kZ}, {{1, 0, 0}, kZ}});
  check(half_space(), moved_to(capsule, {0, 0, 2}), kZ, {{{0, 0, 0}, kZ}});
  check(cube(), moved_to(capsule, {0.5, 0.2, 2}, lying), kZ,
        {{{-0.5, 0.2, 1}, kZ}, {{1, 0.2, 1}, kZ}});
  check(cube(), moved_to(capsule, {0.5, 0.2, 3}), kZ, {{{0.5, 0.2, 1}, kZ}});
}

TEST(CapsuleContacts, WithEdgesAndVertices) {
  const Shape<3> capsule = make_capsule(1, 2);
  const Vec<3> slant = Vec<3>(0, 1, 2).normalized();  // out of the edge along x
  const Vec<3> edge_point(0.3, 1, 1);
  // Across the edge: the core square to the slant, and not along the edge.
  Eigen::Matrix3d across;
  across.col(2) = (slant.cross(kX) + 0.3 * kX).normalized();
  across.col(1) = slant;
  across.col(0) = across.col(1).cross(across.col(2));
  check(cube(), moved_to(capsule, edge_point + slant, across), slant, {{edge_point, slant, false}});
  const Eigen::Matrix3d along = turned(90, kY);
  check(cube(), moved_to(capsule, edge_point + slant, along), slant,
        {{{-0.7, 1, 1}, slant, true}, {{1, 1, 1}, slant, true}});
  const Vec<3> corner = Vec<3>(1, 1, 1).normalized();
  Eigen::Matrix3d tip = Eigen::Matrix3d::Identity();
  tip.col(2) = Vec<3>(1, -1, 0).normalized();
  tip.col(1) = corner;
  tip.col(0) = tip.col(1).cross(tip.col(2));
  check(cube(), moved_to(capsule, Vec<3>(1, 1, 1) + corner, tip), corner,
        {{{1, 1, 1}, corner, true}});
}

TEST(CapsuleContacts, WithCapsulesAndCylinders) {
  const Placed capsule = moved_to(make_capsule(1, 2), Vec<3>::Zero());
  check(capsule, moved_to(make_capsule(1, 2), {2, 0, 0.5}), kX,
        {{{1, 0, -0.5}, kX, true}, {{1, 0, 1}, kX, true}});
  check(capsule, moved_to(make_capsule(1, 2), {2, 0.2, 0.5}, turned(70, kX)), kX,
        {{{1, 0, 0.5 + 0.2 / std::tan(70 * M_PI / 180)}, kX, false}});
  const Placed cylinder = moved_to(make_cylinder(2, 2), Vec<3>::Zero());
  check(cylinder, moved_to(make_capsule(1, 2), {1.5, 0, 2}, turned(90, kY)), kZ,
        {{{0.5, 0, 1}, kZ}, {{2, 0, 1}, kZ}});
  check(cylinder, moved_to(make_capsule(1, 2), {3, 0, 0.5}), kX,
        {{{2, 0, -0.5}, kX, true}, {{2, 0, 1}, kX, true}});
  check(cylinder, moved_to(make_capsule(1, 2), {3, 0, 0.5}, turned(60, kX)), kX,
        {{{2, 0, 0.5}, kX, false}});
}

std::vector<Expected> circle(const Vec<3>& centre, double radius) {
  std::vector<Expected> corners;
  const Vec<3> zero = kZ.unitOrthogonal();
  for (int i = 0; i < 32; ++i) {
    const Eigen::Matrix3d turn = turned(i * 360.0 / 32, kZ);
    corners.push_back({centre + radius * (turn * zero), kZ});
  }
  return corners;
}

TEST(CylinderContacts, WithHalfSpaces) {
  const Shape<3> cylinder = make_cylinder(1, 4);
  check(half_space(), moved_to(cylinder, {0, 0, 2}), kZ, circle({0, 0, 0}, 1));
  check(half_space(), moved_to(cylinder, {0, 0, 1}, turned(90, kY)), kZ,
        {{{-2, 0, 0}, kZ}, {{2, 0, 0}, kZ}});
  const double c = std::cos(M_PI / 6);
  check(half_space(), moved_to(cylinder, {0, 0, 2 * c + 0.5}, turned(30, kY)), kZ,
        {{{-1.0 + c, 0, 0}, kZ}});
}

TEST(CylinderContacts, WithFaces) {
  const Shape<3> cylinder = make_cylinder(1, 4);
  const Placed slab = moved_to(make_box(ExactVec<3>(8, 8, 2)), Vec<3>::Zero());
  check(slab, moved_to(cylinder, {0, 0, 3}), kZ, circle({0, 0, 1}, 1));
  const Placed post = moved_to(make_box(ExactVec<3>(1, 1, 2)), Vec<3>::Zero());
  check(post, moved_to(cylinder, {0, 0, 3}), kZ,
        {{{0.5, 0.5, 1}, kZ}, {{-0.5, 0.5, 1}, kZ}, {{0.5, -0.5, 1}, kZ}, {{-0.5, -0.5, 1}, kZ}});
  check(cube(), moved_to(cylinder, {0.5, 0.2, 2}, turned(90, kY)), kZ,
        {{{-1, 0.2, 1}, kZ}, {{1, 0.2, 1}, kZ}});
  const double c = std::cos(M_PI / 6);
  check(slab, moved_to(cylinder, {0, 0, 1 + 2 * c + 0.5}, turned(30, kY)), kZ,
        {{{-1.0 + c, 0, 1}, kZ}});
}

TEST(CylinderContacts, OverTheEdgeOfAFaceLoseLittleOfTheRegion) {
  // The end reaches 1/2 beyond the edge x = 1 of the cube: the circle crosses it at y = ±√(1 − 1/4).
  const Placed cylinder = moved_to(make_cylinder(1, 4), {0.5, 0, 3});
  const ContactSet<3> found = contacts_of(cube(), cylinder);
  double least = 1.0;
  for (const double turn : {0.0, 1.0, 2.0, 3.0, 4.0, 5.0}) {
    const Vec<3> direction(std::cos(turn), std::sin(turn), 0);
    double farthest = -10.0;
    for (const Contact<3>& contact : found.contacts) {
      EXPECT_LE(contact.point.x(), 1.0 + 1e-9);
      EXPECT_LE((contact.point - Vec<3>(0.5, 0, 1)).norm(), 1.0 + 1e-9);
      farthest = std::max(farthest, direction.dot(contact.point - Vec<3>(0.5, 0, 1)));
    }
    // Support function of {|x| ≤ 1, x₁ ≤ 1/2}.
    const double y = std::sqrt(0.75);
    const double exact =
        direction.x() > 0.5 ? 0.5 * direction.x() + y * std::abs(direction.y()) : 1.0;
    EXPECT_LE(farthest, exact + 1e-9);
    least = std::min(least, farthest / exact);
  }
  EXPECT_GT(least, 0.995);
}

TEST(CylinderContacts, WithEdgesAndVertices) {
  const Shape<3> cylinder = make_cylinder(1, 4);
  const Vec<3> slant = Vec<3>(0, 1, 2).normalized();
  const Vec<3> edge_point(0.3, 1, 1);
  Eigen::Matrix3d across;
  across.col(2) = (slant.cross(kX) + 0.3 * kX).normalized();
  across.col(1) = slant;
  across.col(0) = across.col(1).cross(across.col(2));
  check(cube(), moved_to(cylinder, edge_point + slant, across), slant,
        {{edge_point, slant, false}});
  check(cube(), moved_to(cylinder, edge_point + slant, turned(90, kY)), slant,
        {{{-1, 1, 1}, slant, true}, {{1, 1, 1}, slant, true}});
  // The flat end on the edge, and on a vertex.
  Eigen::Matrix3d standing;
  standing.col(2) = slant;
  standing.col(0) = kX;
  standing.col(1) = slant.cross(kX);
  check(cube(), moved_to(cylinder, Vec<3>(0.3, 1, 1) + 2 * slant, standing), slant,
        {{{-0.7, 1, 1}, slant, false}, {{1, 1, 1}, slant, false}});
  const Vec<3> corner = Vec<3>(1, 1, 1).normalized();
  Eigen::Matrix3d tip;
  tip.col(2) = corner;
  tip.col(0) = corner.unitOrthogonal();
  tip.col(1) = corner.cross(tip.col(0));
  check(cube(), moved_to(cylinder, Vec<3>(1, 1, 1) + 2 * corner + 0.4 * tip.col(0), tip), corner,
        {{{1, 1, 1}, corner, false}});
  Eigen::Matrix3d side;
  side.col(2) = Vec<3>(1, -1, 0).normalized();
  side.col(1) = corner;
  side.col(0) = side.col(1).cross(side.col(2));
  check(cube(), moved_to(cylinder, Vec<3>(1, 1, 1) + corner, side), corner,
        {{{1, 1, 1}, corner, true}});
}

TEST(CylinderContacts, OfARimAcrossAnEdge) {
  // The rim's tangent at the edge along y of the cube is square to it and to the middle of the normals there.
  const Vec<3> normal = Vec<3>(1, 0, 1).normalized();
  const Vec<3> at(1, 0.2, 1);
  Eigen::Matrix3d lean;
  lean.col(0) = (kY - normal).normalized();
  lean.col(2) = (-kY - normal).normalized();
  lean.col(1) = lean.col(2).cross(lean.col(0));
  const Placed cylinder = moved_to(make_cylinder(1, 4), at - lean * Vec<3>(1, 0, 2), lean);
  check(cube(), cylinder, normal, {{at, normal, true}});
}

TEST(CylinderContacts, WithCylinders) {
  const Placed cylinder = moved_to(make_cylinder(1, 4), Vec<3>::Zero());
  check(cylinder, moved_to(make_cylinder(1, 4), {2, 0, 1}), kX,
        {{{1, 0, -1}, kX, true}, {{1, 0, 2}, kX, true}});
  check(cylinder, moved_to(make_cylinder(1, 4), {2, 0, 0.5}, turned(50, kX)), kX,
        {{{1, 0, 0.5}, kX, false}});
  const Placed drum = moved_to(make_cylinder(3, 2), Vec<3>::Zero());
  check(drum, moved_to(make_cylinder(1, 4), {0.5, 0.5, 3}), kZ, circle({0.5, 0.5, 1}, 1));
  check(drum, moved_to(make_cylinder(1, 4), {0.5, 0.5, 2}, turned(90, kY)), kZ,
        {{{-1.5, 0.5, 1}, kZ}, {{2.5, 0.5, 1}, kZ}});
  const double c = std::cos(M_PI / 6);
  check(drum, moved_to(make_cylinder(1, 4), {0, 0, 1 + 2 * c + 0.5}, turned(30, kY)), kZ,
        {{{-1.0 + c, 0, 1}, kZ}});
  // A rim on a side: the lowest point of a leaning cylinder on the highest line of a lying one.
  const Placed lying = moved_to(make_cylinder(1, 6), Vec<3>::Zero(), turned(90, kY));
  check(lying, moved_to(make_cylinder(1, 4), {1.0 - c, 0, 1 + 2 * c + 0.5}, turned(30, kY)), kZ,
        {{{0, 0, 1}, kZ, true}});
}

}  // namespace
}  // namespace collapse
