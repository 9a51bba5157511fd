#include <limits>

#include "contact/space/convex_distance.hpp"
#include "motion_scenes.hpp"

namespace collapse {
namespace {

using motion_test::Poses;
using motion_test::Rows;

Shape<3> random_hull(Random& random, int count) {
  space_test::Points points;
  do {
    points.clear();
    for (int i = 0; i < count; ++i) {
      const auto number = [&] { return Rational(random.below(2001) - 1000, 1000); };
      points.push_back(space_test::at(number(), number(), number()));
    }
  } while (!spans_solid(points));
  return make_hull(points);
}

enum class Kind { box, hull, ball, capsule, cylinder };

Shape<3> random_shape(Random& random, Kind kind) {
  const auto size = [&] { return Rational(1 + random.below(8), 8); };
  switch (kind) {
    case Kind::box:
      return make_box(space_test::at(size(), size(), size()));
    case Kind::hull:
      return random_hull(random, 4 + random.below(12));
    case Kind::ball:
      return make_sphere(size());
    case Kind::capsule:
      return make_capsule(size() / 2, size());
    case Kind::cylinder:
      break;
  }
  return make_cylinder(size(), size());
}

/// Distance of two bodies of one convex part each, by the closest points.
double pair_distance(const Scene<3>& scene, const Poses& poses) {
  std::vector<Vec<3>> points[2];
  const auto solid = [&](std::size_t i) {
    const Shape<3>& shape = scene.bodies[i].shape;
    const Pose<3>& pose = poses[i];
    using contacts::ConvexSolid;
    if (!shape.balls.empty())
      return ConvexSolid::ball(pose.apply(shape.balls[0].centre), shape.balls[0].radius);
    if (!shape.capsules.empty()) {
      const Capsule& capsule = shape.capsules[0];
      return ConvexSolid::capsule(pose.apply(capsule.from), pose.apply(capsule.to), capsule.radius);
    }
    if (!shape.cylinders.empty()) {
      const Cylinder& cylinder = shape.cylinders[0];
      return ConvexSolid::cylinder(pose.apply(cylinder.centre), pose.turn(cylinder.axis),
                                   cylinder.half_height, cylinder.radius);
    }
    points[i] = contacts::placed_vertices(shape.pieces[0], pose);
    return ConvexSolid::polyhedron(shape.pieces[0], points[i], pose.rotation);
  };
  return contacts::distance_of(solid(0), solid(1)).distance;
}

/// Two solids apart, and where they go.
struct Trip {
  Scene<3> scene;
  Poses start;
  Poses end;
  double way = 0.0;    ///< of a point at most
  double least = 0.0;  ///< distance, all along
  double last = 0.0;   ///< at the end
};

Trip random_trip(Random& random, Kind first, Kind second, double shift, double turn) {
  Trip trip;
  trip.scene = space_test::scene_of(
      {{.shape = random_shape(random, first)}, {.shape = random_shape(random, second)}});
  const auto turned = [&] { return rotation_by(motion_test::random_vector(random, 3.0)); };
  trip.start = {{turned(), Vec<3>::Zero()}, {turned(), motion_test::random_vector(random, 1.0)}};
  // Along the line between them, until they are a little apart.
  for (int step = 0; step < 60; ++step) {
    const double distance = pair_distance(trip.scene, trip.start);
    if (distance > 0.0 && distance < 0.2 * shift) break;
    trip.start[1].position += (0.1 * shift - distance) * trip.start[1].position.normalized();
  }
  trip.end = trip.start;
  for (Pose<3>& pose : trip.end) {
    pose = motion_test::moved_by(pose, motion_test::random_vector(random, shift),
                                 motion_test::random_vector(random, turn));
  }
  constexpr int kSamples = 40;
  trip.least = std::numeric_limits<double>::infinity();
  for (int k = 0; k <= kSamples; ++k) {
    const double share = static_cast<double>(k) / kSamples;
    Poses between = trip.start;
    for (std::size_t i = 0; i < 2; ++i) {
      const Eigen::AngleAxisd whole(
          Eigen::Matrix3d(trip.end[i].rotation * trip.start[i].rotation.transpose()));
      between[i] = motion_test::moved_by(trip.start[i],
                                         share * (trip.end[i].position - trip.start[i].position),
                                         share * whole.angle() * whole.axis());
    }
    trip.last = pair_distance(trip.scene, between);
    trip.least = std::min(trip.least, trip.last);
  }
  return trip;
}

struct Tally {
  int overlapping = 0;
  int missed = 0;
  int free = 0;
  int walled = 0;
  std::size_t rows = 0;
};

Tally tally(Kind first, Kind second, double shift, double turn, int count) {
  Tally out;
  Random random(17);
  for (int k = 0; k < count; ++k) {
    const Trip trip = random_trip(random, first, second, shift, turn);
    const Rows rows = motion_test::rows_of(trip.scene, trip.start, trip.end);
    const double gap = motion_test::least_gap(rows, trip.end);
    if (trip.last < -1e-7) {
      ++out.overlapping;
      out.rows += rows.size();
      if (gap >= 0.0) ++out.missed;
    }
    // Paths are curved a little: what only just passes may be stopped.
    if (trip.least > 0.02 * shift) {
      ++out.free;
      if (gap < -1e-5) ++out.walled;
    }
  }
  return out;
}

/// What overlaps at the end violates a row; what stays clear all the way violates none.
TEST(MotionPairs, RowsForbidOverlapAndNothingElse) {
  constexpr Kind kKinds[] = {Kind::box, Kind::hull, Kind::ball, Kind::capsule, Kind::cylinder};
  for (const Kind first : kKinds) {
    for (const Kind second : kKinds) {
      for (const auto& [shift, turn] : {std::pair(0.01, 0.02), std::pair(0.05, 0.05)}) {
        const Tally out = tally(first, second, shift, turn, 100);
        EXPECT_GT(out.overlapping, 10);
        EXPECT_GT(out.free, 10);
        EXPECT_EQ(out.missed, 0) << " of " << out.overlapping;
        EXPECT_EQ(out.walled, 0) << " of " << out.free;
      }
    }
  }
}

/// Named the other way round the same rows come out: the same gaps at the end, and the same places.
TEST(MotionPairs, OrderOfTheBodiesDoesNotMatter) {
  constexpr Kind kKinds[] = {Kind::box, Kind::hull, Kind::ball, Kind::capsule, Kind::cylinder};
  Random random(5);
  for (const Kind first : kKinds) {
    for (const Kind second : kKinds) {
      for (int k = 0; k < 40; ++k) {
        const Trip trip = random_trip(random, first, second, 0.02, 0.02);
        Scene<3> swapped = trip.scene;
        std::swap(swapped.bodies[0], swapped.bodies[1]);
        const Poses start = {trip.start[1], trip.start[0]};
        const Poses end = {trip.end[1], trip.end[0]};
        const Rows rows = motion_test::rows_of(trip.scene, trip.start, trip.end);
        const Rows others = motion_test::rows_of(swapped, start, end);
        ASSERT_EQ(rows.size(), others.size());
        if (rows.empty()) continue;
        EXPECT_NEAR(motion_test::least_gap(rows, trip.end), motion_test::least_gap(others, end),
                    1e-4);
      }
    }
  }
}

/// Farther apart than the reach all the way: no rows. In reach: rows that tell the distance.
TEST(MotionPairs, RowsBeginAtTheReach) {
  Random random(7);
  for (const Kind kind : {Kind::box, Kind::hull, Kind::ball, Kind::capsule, Kind::cylinder}) {
    int near = 0;
    for (int k = 0; k < 100; ++k) {
      Trip trip = random_trip(random, kind, Kind::box, 0.01, 0.01);
      const double reach = 0.02;
      const bool beyond = trip.least > 1.5 * (reach + 0.01);
      const Rows rows = motion_test::rows_of(trip.scene, trip.start, trip.end, reach);
      if (beyond) {
        EXPECT_TRUE(rows.empty());
      }
      if (trip.least > 0.0 && trip.last < 0.5 * reach) {
        ++near;
        EXPECT_FALSE(rows.empty());
        EXPECT_LE(motion_test::least_gap(rows, trip.end), trip.last + 1e-6);
      }
    }
    EXPECT_GT(near, 10);
  }
}

}  // namespace
}  // namespace collapse
