#include "benchmarks/box_overlap.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/contact/space/convex_samples.hpp"

namespace collapse::benchmarks {
namespace {

struct BoxSample {
  contacts::PlacedSample hull;
  PlacedBox box;
};

BoxSample box_sample(Random& random, double spread) {
  BoxSample sample;
  const Vec<3> sides(random.between(0.1, 1.0), random.between(0.1, 1.0), random.between(0.1, 1.0));
  sample.hull.hull = contacts::box_hull(sides);
  Pose<3> pose;
  pose.position = contacts::random_vector(random, spread);
  if (random.below(4) != 0) pose.rotation = contacts::random_rotation(random);
  sample.hull.place(pose);
  sample.box = {pose.position, pose.rotation, 0.5 * sides};
  return sample;
}

double distance_between(const BoxSample& a, const BoxSample& b) {
  return contacts::distance_of(a.hull.solid(), b.hull.solid()).distance;
}

TEST(BoxOverlap, IsTheDepthThatTheDistanceOfConvexSolidsHas) {
  Random random(7);
  int deep = 0;
  for (int k = 0; k < 1000; ++k) {
    const BoxSample a = box_sample(random, 0.4);
    const BoxSample b = box_sample(random, 0.4);
    const double distance = distance_between(a, b);
    const double found = separation(a.box, b.box);
    if (distance < 0.0) {
      ++deep;
      EXPECT_NEAR(found, distance, 1e-12);
    } else {
      EXPECT_LE(found, distance + 1e-12);
      EXPECT_GE(found, -1e-12);
    }
  }
  EXPECT_GT(deep, 200);
}

TEST(BoxOverlap, SeesWhatIsNearlyParallel) {
  for (const double angle : {0.0, 1e-12, 1e-8, 1e-5, 1e-3}) {
    PlacedBox a;
    a.half = Vec<3>(0.5, 0.5, 0.5);
    PlacedBox b = a;
    b.axes = Eigen::AngleAxisd(angle, Vec<3>(1.0, 2.0, 3.0).normalized()).toRotationMatrix();
    b.centre = Vec<3>(0.1, 0.0, 1.0 - 1e-4);
    // A turn by this angle lets the corners reach farther by less than it.
    EXPECT_NEAR(separation(a, b), -1e-4, angle + 1e-15);
  }
}

TEST(BoxOverlap, FindsEveryPairAndEveryHalf) {
  Random random(3);
  std::vector<BoxSample> samples;
  std::vector<PlacedBox> boxes;
  for (int i = 0; i < 60; ++i) {
    samples.push_back(box_sample(random, 1.5));
    boxes.push_back(samples.back().box);
  }
  const SolidHalf solid{Vec<3>(0.6, 0.0, 0.8), -0.7};
  std::vector<double> expected;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    for (std::size_t j = i + 1; j < samples.size(); ++j) {
      const double distance = distance_between(samples[i], samples[j]);
      if (distance < 0.0) expected.push_back(-distance);
    }
    double lowest = 0.0;
    for (const Vec<3>& corner : samples[i].hull.vertices) {
      lowest = std::min(lowest, solid.normal.dot(corner) - solid.offset);
    }
    if (lowest < 0.0) expected.push_back(-lowest);
  }
  std::vector<double> found = depths(boxes, std::vector<SolidHalf>{solid});
  std::sort(expected.begin(), expected.end());
  std::sort(found.begin(), found.end());
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-12);
  EXPECT_GT(found.size(), 50U);
}

}  // namespace
}  // namespace collapse::benchmarks
