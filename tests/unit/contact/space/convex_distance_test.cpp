#include "contact/space/convex_distance.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/contact/space/convex_samples.hpp"

namespace collapse::contacts {
namespace {

struct SamplePair {
  PlacedSample a;
  PlacedSample b;
  double size = 1.0;  ///< of the larger
};

/// Pairs of all kinds: any attitude, nearly or exactly aligned; apart, grazing, overlapping, nested; any scale.
SamplePair random_pair(Random& random) {
  SamplePair pair;
  const double scale = std::pow(10.0, random.between(-6.0, 6.0));
  const auto scaled = [&](const std::shared_ptr<const Hull>& hull) {
    std::vector<Vec<3>> points = hull->vertices();
    for (Vec<3>& at : points) at *= scale;
    return hull_of(points);
  };
  const double thinnest = random.below(2) == 0 ? 1e-3 : 0.3;
  pair.a.hull = scaled(random_hull(random, thinnest));
  pair.b.hull = random.below(4) == 0 ? pair.a.hull : scaled(random_hull(random, thinnest));
  pair.size = std::max(pair.a.hull->diameter(), pair.b.hull->diameter());
  Pose<3> pose_a;
  Pose<3> pose_b;
  pose_a.rotation = random_rotation(random);
  pose_b.rotation = random_rotation(random);
  switch (random.below(4)) {
    case 0:  // aligned without rounding
      pose_a.rotation.setIdentity();
      pose_b.rotation.setIdentity();
      break;
    case 1: {  // aligned but for a small turn
      const Vec<3> axis = random_vector(random, 1.0).normalized();
      const double angle = std::pow(10.0, random.between(-14.0, -1.0));
      pose_b.rotation = pose_a.rotation * Eigen::AngleAxisd(angle, axis).toRotationMatrix();
      break;
    }
    default:
      break;
  }
  pose_a.position = random_vector(random, pair.size);
  const Vec<3> away = random.below(3) == 0 ? Vec<3>(pose_a.rotation.col(random.below(3)))
                                           : Vec<3>(random_vector(random, 1.0).normalized());
  pose_b.position = pose_a.position + random.between(0.0, 1.5) * pair.size * away;
  pair.a.place(pose_a);
  pair.b.place(pose_b);
  if (random.below(2) == 0) {  // brought to touch, or nearly
    const ConvexDistance found = distance_of(pair.a.solid(), pair.b.solid());
    static constexpr double kGaps[] = {0.0, 1e-15, -1e-12, 1e-12, 1e-9, -1e-9, 1e-6, -1e-4};
    const double gap = kGaps[random.below(8)] * pair.size;
    pose_b.position += (gap - found.distance) * found.normal;
    pair.b.place(pose_b);
  }
  return pair;
}

/// On or in the hull, but for rounding.
double height_over(const PlacedSample& sample, const Vec<3>& at) {
  double highest = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < sample.hull->faces().size(); ++i) {
    const LongVec n = slow_normal(sample, i);
    const int corner = sample.hull->faces()[i].loop[0];
    const LongVec offset =
        (at - sample.vertices[static_cast<std::size_t>(corner)]).cast<long double>();
    highest = std::max(highest, static_cast<double>(n.dot(offset)));
  }
  return highest;
}

/// A bound of the distance from below: what the normal proves.
double proved_gap(const PlacedSample& a, const PlacedSample& b, const Vec<3>& normal) {
  return static_cast<double>(slow_gap(a, b, normal.cast<long double>()));
}

TEST(ConvexDistance, AgreesWithAllPairsOfFeatures) {
  Random random(1);
  int rough = 0;
  for (int k = 0; k < 4000; ++k) {
    SCOPED_TRACE(k);
    const SamplePair pair = random_pair(random);
    const ConvexDistance found = distance_of(pair.a.solid(), pair.b.solid());
    const double expected = slow_distance(pair.a, pair.b);
    // Between faces parallel but for 1e-10 or so the search may stop early. Measured over 40,000 pairs of this seed:
    // 18 above 1e-13, one of them above 1e-9 (1.4e-9).
    const double error = std::abs(found.distance - expected) / pair.size;
    if (error > 1e-13) ++rough;
    ASSERT_LT(error, 1e-9) << found.distance / pair.size << " not " << expected / pair.size;
    ASSERT_NEAR(found.normal.norm(), 1.0, 1e-14);
    ASSERT_NEAR(proved_gap(pair.a, pair.b, found.normal) / pair.size, found.distance / pair.size,
                1e-12);
    const Vec<3> between = found.point_b - found.point_a - found.distance * found.normal;
    ASSERT_LT(between.norm() / pair.size, 1e-13);
    // Where they nearly touch the points are along the normal, not each at its best.
    ASSERT_LT(height_over(pair.a, found.point_a) / pair.size, 1e-7);
    ASSERT_LT(height_over(pair.b, found.point_b) / pair.size, 1e-7);
  }
  EXPECT_LE(rough, 8);
}

TEST(ConvexDistance, IsTheSameWithTheSolidsExchanged) {
  Random random(2);
  for (int k = 0; k < 2000; ++k) {
    SCOPED_TRACE(k);
    const SamplePair pair = random_pair(random);
    const ConvexDistance one = distance_of(pair.a.solid(), pair.b.solid());
    const ConvexDistance other = distance_of(pair.b.solid(), pair.a.solid());
    ASSERT_NEAR(one.distance / pair.size, other.distance / pair.size, 1e-13);
  }
}

TEST(ConvexDistance, WarmIsAsGoodAsColdAlongAMotion) {
  Random random(3);
  for (int k = 0; k < 100; ++k) {
    SamplePair pair = random_pair(random);
    WitnessCache cache;
    const Vec<3> velocity = random_vector(random, 0.02 * pair.size);
    const Vec<3> axis = random_vector(random, 1.0).normalized();
    const Eigen::Matrix3d turn = Eigen::AngleAxisd(0.01, axis).toRotationMatrix();
    for (int step = 0; step < 50; ++step) {
      SCOPED_TRACE(100 * k + step);
      const ConvexDistance warm = distance_of(pair.a.solid(), pair.b.solid(), &cache);
      const ConvexDistance cold = distance_of(pair.a.solid(), pair.b.solid());
      ASSERT_NEAR(warm.distance / pair.size, cold.distance / pair.size, 1e-13);
      ASSERT_NEAR(proved_gap(pair.a, pair.b, warm.normal) / pair.size, warm.distance / pair.size,
                  1e-13);
      Pose<3> pose = pair.b.pose;
      pose.rotation = turn * pose.rotation;
      pose.position += velocity;
      pair.b.place(pose);
    }
  }
}

/// Two parallel rods of a pile: three differences of their vertices lie on a line, up to rounding. A search that begins
/// with them gets stuck.
TEST(ConvexDistance, DoesNotDependOnVerticesOnALine) {
  const std::vector<Vec<3>> rod_a = {{3.5504834058254939, 3.9999955235085243, 0.51700239012084204},
                                     {3.2786963268981237, 3.0517421207743629, 0.35284615986681944},
                                     {3.6928272651995098, 3.9833470684101986, 0.37749950613147965},
                                     {3.4210401862721391, 3.0350936656760372, 0.21334327587745705},
                                     {3.6800345426311414, 3.9387138108124646, 0.65650527411039272},
                                     {3.4082474637037707, 2.9904604080783033, 0.49234904385637013},
                                     {3.8223784020051568, 3.9220653557141389, 0.51700239012103033},
                                     {3.5505913230777866, 2.9738119529799776, 0.35284615986700774}};
  const std::vector<Vec<3>> rod_b = {{3.6254750087828707, 3.7483579490695451, 0.62355195110621309},
                                     {3.7550261455895511, 3.6870762363752649, 0.76305483509558636},
                                     {3.4831311494089885, 3.7650064041665114, 0.76305483509587368},
                                     {3.6126822862156684, 3.7037246914722317, 0.90255771908524696},
                                     {3.353687929866064, 2.8001045463319114, 0.45939572085475633},
                                     {3.483239066672744, 2.7388228336376317, 0.5988986048441296},
                                     {3.2113440704921814, 2.8167530014288782, 0.59889860484441693},
                                     {3.3408952072988618, 2.755471288734598, 0.7384014888337902}};
  PlacedSample a;
  PlacedSample b;
  a.hull = hull_of(rod_a);
  b.hull = hull_of(rod_b);
  a.place({});
  b.place({});
  const auto number = [](const PlacedSample& rod, const Vec<3>& at) {
    return static_cast<int>(std::ranges::find(rod.vertices, at) - rod.vertices.begin());
  };
  WitnessCache cache;
  for (const auto& [on_a, on_b] : {std::pair(5, 0), {4, 4}, {4, 0}}) {
    const auto i = static_cast<std::size_t>(cache.count++);
    cache.a[i] = number(a, rod_a[static_cast<std::size_t>(on_a)]);
    cache.b[i] = number(b, rod_b[static_cast<std::size_t>(on_b)]);
  }
  EXPECT_NEAR(distance_of(a.solid(), b.solid(), &cache).distance, 0.0, 1e-9);
}

/// The upright edge of a box is at the side of a cylinder that lies, a hair before its end. No vertex of the box is near
/// the edge's end, and the way out past the cylinder's end is not much longer.
TEST(ConvexDistance, OfAnEdgeAtTheEndOfACylindersSide) {
  const ConvexSolid cylinder =
      ConvexSolid::cylinder(Vec<3>(0.0, 0.0, 0.07), Vec<3>::UnitX(), 0.38, 0.07);
  PlacedSample box;
  box.hull = box_hull({0.09, 0.14, 0.15});
  for (const double turn : {0.3, 0.8, 1.4}) {
    Pose<3> pose;
    pose.rotation = Eigen::AngleAxisd(turn, Vec<3>::UnitZ()).toRotationMatrix();
    Vec<3> edge = Vec<3>::Ones();
    for (const Vec<3>& at : box.hull->vertices()) {
      const Vec<3> turned = pose.rotation * at;
      if (turned.y() < edge.y()) edge = turned;
    }
    for (const double gap : {1e-3, 1e-6, 0.0, -1e-6, -1e-5}) {
      pose.position = Vec<3>(0.3799 - edge.x(), 0.07 + gap - edge.y(), 0.075);
      box.place(pose);
      EXPECT_NEAR(distance_of(cylinder, box.solid()).distance, gap, 1e-15) << turn;
      EXPECT_NEAR(distance_of(box.solid(), cylinder).distance, gap, 1e-15) << turn;
    }
  }
}

TEST(ConvexDistance, NamesTheFeaturesOfBoxes) {
  PlacedSample a;
  PlacedSample b;
  a.hull = box_hull({1.0, 1.0, 1.0});
  b.hull = a.hull;
  a.place({});
  Pose<3> pose;
  pose.position = {0.2, 0.1, 1.5};
  b.place(pose);
  const ConvexDistance flat = distance_of(a.solid(), b.solid());
  EXPECT_DOUBLE_EQ(flat.distance, 0.5);
  EXPECT_EQ(flat.normal, Vec<3>(0.0, 0.0, 1.0));
  EXPECT_EQ(flat.feature_a.kind, FeatureKind::face);
  EXPECT_EQ(flat.feature_b.kind, FeatureKind::face);
  pose.position = {2.0, 3.0, 2.0};
  b.place(pose);
  const ConvexDistance corner = distance_of(a.solid(), b.solid());
  EXPECT_DOUBLE_EQ(corner.distance, std::sqrt(1.0 + 4.0 + 1.0));
  EXPECT_EQ(corner.feature_a.kind, FeatureKind::vertex);
  EXPECT_EQ(corner.feature_b.kind, FeatureKind::vertex);
  EXPECT_EQ(corner.point_a, Vec<3>(0.5, 0.5, 0.5));
  // Two cubes on their edges, crosswise: one above the other.
  Pose<3> lower;
  lower.rotation = Eigen::AngleAxisd(0.25 * M_PI, Vec<3>::UnitX()).toRotationMatrix();
  a.place(lower);
  pose.rotation = Eigen::AngleAxisd(0.25 * M_PI, Vec<3>::UnitY()).toRotationMatrix();
  for (const double gap : {1.0, 1e-3, 0.0, -1e-3, -0.1}) {
    pose.position = {0.1, 0.2, std::sqrt(2.0) + gap};
    b.place(pose);
    const ConvexDistance crossing = distance_of(a.solid(), b.solid());
    EXPECT_NEAR(crossing.distance, gap, 1e-15);
    EXPECT_NEAR(crossing.normal.z(), 1.0, 1e-15);
    EXPECT_EQ(crossing.feature_a.kind, FeatureKind::edge);
    EXPECT_EQ(crossing.feature_b.kind, FeatureKind::edge);
    EXPECT_NEAR(crossing.point_a.x(), 0.1, 1e-15);
    EXPECT_NEAR(crossing.point_a.y(), 0.0, 1e-15);
  }
}

}  // namespace
}  // namespace collapse::contacts
