/// Pairs of hulls turned a little out of degenerate positions: with an independent distance (Gilbert, Johnson,
/// Keerthi), they have contacts if and only if they are within the tolerance, and the contacts are on both.

#include <gtest/gtest.h>

#include <cmath>

#include "collapse/core/error.hpp"
#include "contact/space/convex_distance.hpp"
#include "space_scenes.hpp"

namespace collapse::space_test {
namespace {

constexpr double kTouch = 1e-6;

Points grid_points(Random& random, int count, int range) {
  Points points;
  for (int i = 0; i < count; ++i) {
    const auto number = [&] { return Rational(random.below(2 * range + 1) - range); };
    points.push_back(at(number(), number(), number()));
  }
  return points;
}

double distance_between(const Body<3>& a, const Body<3>& b) {
  const auto points_a = contacts::placed_vertices(a.shape.pieces[0], a.pose);
  const auto points_b = contacts::placed_vertices(b.shape.pieces[0], b.pose);
  using contacts::ConvexSolid;
  return contacts::distance_of(
             ConvexSolid::polyhedron(a.shape.pieces[0], points_a, a.pose.rotation),
             ConvexSolid::polyhedron(b.shape.pieces[0], points_b, b.pose.rotation))
      .distance;
}

/// The largest height of a point over a face of a hull at a pose: at most 0 inside.
double height_over(const Body<3>& body, const Vec<3>& at) {
  const Vec<3> inside = body.pose.rotation.transpose() * (at - body.pose.position);
  double highest = -1e300;
  for (const Hull::Face& face : body.shape.pieces[0].faces()) {
    highest = std::max(highest, face.normal.dot(inside) - face.offset);
  }
  return highest;
}

struct Counts {
  int touching = 0;
  int apart = 0;
  int refused = 0;
};

void examine_perturbed(Scene<3>& scene, Random& random, Counts& counts) {
  Body<3>& b = scene.bodies[1];
  const double tolerance =
      kTouch * std::min(scene.bodies[0].shape.size(), scene.bodies[1].shape.size());
  // Turn about a vertex by anything between far below and far above the tolerance, shift, and close the gap.
  const auto direction = [&] {
    return Vec<3>(random.between(-1, 1), random.between(-1, 1), random.between(-1, 1));
  };
  const Pose<3> start = b.pose;
  const Vec<3> centre = start.apply(b.shape.pieces[0].vertices()[0]);
  b.pose.rotation =
      rotation_by(std::pow(10.0, random.between(-9.0, -3.0)) * direction()) * start.rotation;
  b.pose.position =
      centre + b.pose.rotation * start.rotation.transpose() * (start.position - centre);
  const Vec<3> away = direction().normalized();
  for (int i = 0; i < 60; ++i) {  // out of the overlap
    const double distance = distance_between(scene.bodies[0], b);
    if (distance >= -0.9 * tolerance) break;
    b.pose.position += 1.01 * std::max(tolerance, -distance) * away;
  }
  b.pose.position += random.between(-0.5, 1.2) * tolerance * away;
  const double distance = distance_between(scene.bodies[0], b);
  State<3> state;
  for (const Body<3>& body : scene.bodies) state.poses.push_back(body.pose);
  ContactSet<3> set;
  try {
    set = find_contacts(scene, state, {.touch = kTouch});
  } catch (const Error&) {
    EXPECT_LT(distance, -0.99 * tolerance);
    ++counts.refused;
    return;
  }
  const std::size_t found = set.contacts.size() + set.corners.size();
  if (distance > 1.01 * tolerance) {
    EXPECT_EQ(found, 0u) << distance / tolerance;
    ++counts.apart;
  } else if (distance < 0.99 * tolerance) {
    EXPECT_GT(found, 0u) << distance / tolerance;
    ++counts.touching;
  }
  for (const Contact<3>& contact : set.contacts) {
    EXPECT_LE(std::abs(contact.gap), 2.0 * tolerance);
    for (const Body<3>& body : scene.bodies) {
      EXPECT_LE(height_over(body, contact.point), 1.5 * tolerance);
    }
  }
}

TEST(SpaceNearlyDegenerate, ContactsIfAndOnlyIfWithinTheTolerance) {
  Random random(11);
  Counts counts;
  for (int k = 0; k < 600 && !HasFailure(); ++k) {
    SCOPED_TRACE(testing::Message() << "try " << k);
    const Points a = grid_points(random, 7, 1 + k % 2);
    const Points b = grid_points(random, 7, 1 + k % 2);
    if (!spans_solid(a) || !spans_solid(b)) continue;
    Scene<3> scene = scene_of({hull(a), hull(b)});
    // Beside each other along an axis: faces, edges and vertices on each other as the grid has it.
    const int axis = random.below(3);
    double high = -1e300;
    double low = 1e300;
    for (const auto& p : a) high = std::max(high, to_double(p[axis]));
    for (const auto& p : b) low = std::min(low, to_double(p[axis]));
    scene.bodies[1].pose.position[axis] += high - low;
    examine_perturbed(scene, random, counts);
  }
  EXPECT_GT(counts.touching, 100);
  EXPECT_GT(counts.apart, 100);
}

}  // namespace
}  // namespace collapse::space_test
