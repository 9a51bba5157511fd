/// Thousands of random pairs against a method that shares nothing with the code under test.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "collapse/core/error.hpp"
#include "collapse/core/random.hpp"
#include "contact_scenes.hpp"

namespace collapse {
namespace {

using namespace collapse::contact_test;

/// A convex polygon: points in random order of angle on an ellipse, on a grid of 1/1000.
Points random_convex(Random& random) {
  const int corners = 3 + random.below(6);
  std::vector<double> angles;
  for (int i = 0; i < corners; ++i) {
    angles.push_back((i + random.between(0.1, 0.9)) * 2.0 * M_PI / corners);
  }
  const double width = random.between(0.3, 2.0);
  const double height = random.between(0.3, 2.0);
  Points points;
  for (const double angle : angles) {
    points.push_back(at(ratio(std::lround(1000 * width * std::cos(angle)), 1000),
                        ratio(std::lround(1000 * height * std::sin(angle)), 1000)));
  }
  return points;
}

/// Separation of convex polygons by their Minkowski difference: its hull's signed distance from the
/// origin, positive outside. All differences of vertices, hull by brute force over pairs.
double separation(const Points& a, const Points& b) {
  std::vector<Vec<2>> differences;
  for (const auto& p : b) {
    for (const auto& q : a) differences.push_back(to_double<2>(ExactVec<2>(p - q)));
  }
  double inside = std::numeric_limits<double>::infinity();
  double outside = inside;
  bool is_outside = false;
  for (std::size_t i = 0; i < differences.size(); ++i) {
    for (std::size_t j = 0; j < differences.size(); ++j) {
      const Vec<2> along = differences[j] - differences[i];
      const double length = along.norm();
      if (length < 1e-9) continue;
      const Vec<2> out(along.y() / length, -along.x() / length);
      bool on_hull = true;
      for (const Vec<2>& d : differences) on_hull = on_hull && out.dot(d - differences[i]) < 1e-9;
      if (!on_hull) continue;
      const double over = -out.dot(differences[i]);
      if (over > 0.0) is_outside = true;
      inside = std::min(inside, -over);
      const double t = std::clamp(-differences[i].dot(along) / (length * length), 0.0, 1.0);
      outside = std::min(outside, (differences[i] + t * along).norm());
    }
  }
  return is_outside ? outside : -inside;
}

TEST(RandomPairs, SeparationOfConvexPolygonsAgreesWithTheMinkowskiDifference) {
  Random random(2);
  ContactOptions options;
  options.touch = 1e-6;
  options.near_miss_factor = 1e7;
  int overlapping = 0;
  int apart = 0;
  for (int round = 0; round < 3000; ++round) {
    const Points a = random_convex(random);
    Points b = random_convex(random);
    const ExactVec<2> shift =
        at(ratio(random.below(4000) - 2000, 1000), ratio(random.below(4000) - 2000, 1000));
    for (auto& p : b) p += shift;
    const double expected = separation(a, b);
    try {
      const auto set = contacts_of({polygon(a), polygon(b)}, {}, options);
      if (set.near_misses.empty()) {
        EXPECT_LT(std::abs(expected), 4e-6);
        continue;
      }
      ++apart;
      EXPECT_NEAR(set.near_misses[0].gap, expected, 1e-12);
    } catch (const Error& error) {
      ++overlapping;
      const std::string& found = error.found();
      const double depth = std::stod(found.substr(found.rfind(' ') + 1));
      EXPECT_NEAR(depth, -expected, 1e-5 * depth) << found;
    }
  }
  EXPECT_GT(overlapping, 500);
  EXPECT_GT(apart, 500);
}

ExactVec<2> furthest(const Points& points, const ExactVec<2>& direction) {
  return *std::max_element(points.begin(), points.end(),
                           [&](const ExactVec<2>& p, const ExactVec<2>& q) {
                             return Rational(p.dot(direction)) < Rational(q.dot(direction));
                           });
}

TEST(RandomPairs, PolygonsPushedTogetherUntilTheyTouchHaveAContactThere) {
  Random random(3);
  std::size_t corners = 0;
  std::size_t contacts = 0;
  for (int round = 0; round < 3000; ++round) {
    const Points a = random_convex(random);
    Points b = random_convex(random);
    const auto first = static_cast<std::size_t>(random.below(static_cast<int>(a.size())));
    const ExactVec<2> edge = a[(first + 1) % a.size()] - a[first];
    const ExactVec<2> on_edge = a[first] + edge * ratio(1 + random.below(9), 10);
    ExactVec<2> shift;
    if (round % 3 == 0) {  // furthest vertices in opposite directions put on each other
      const ExactVec<2> direction = at(random.below(200) - 100, 2 * random.below(100) + 1);
      shift = furthest(a, direction) - furthest(b, -direction);
    } else if (round % 3 == 1) {  // a vertex put on an edge
      shift = on_edge - furthest(b, at(-edge.y(), edge.x()));
    } else {  // the polygon turned by 180° about a point of its edge: edge on edge
      b = scaled(a, Rational(-1));
      shift = 2 * on_edge;
    }
    for (auto& p : b) p += shift;
    const auto set = contacts_of({polygon(a), polygon(b)});
    contacts += set.contacts.size();
    corners += set.corners.size();
    ASSERT_GT(set.contacts.size() + set.corners.size(), 0u);
    // Every contact's normal separates the polygons, up to the tolerance.
    const auto separates = [&](const Vec<2>& n, const Vec<2>& point) {
      for (const auto& p : a) {
        if (n.dot(to_double<2>(p) - point) > 1e-5) return false;
      }
      for (const auto& p : b) {
        if (n.dot(to_double<2>(p) - point) < -1e-5) return false;
      }
      return true;
    };
    for (const auto& contact : set.contacts) {
      EXPECT_TRUE(separates(contact.normal, contact.point));
      EXPECT_NEAR(contact.gap, 0.0, 4e-6);
    }
    for (const auto& contact : set.corners) {
      EXPECT_TRUE(separates(contact.normals[0], contact.point));
      EXPECT_TRUE(separates(contact.normals[1], contact.point));
    }
  }
  EXPECT_GE(corners, 900u);
  EXPECT_GE(contacts, 2900u);
}

TEST(RandomPairs, WithinACoarseToleranceTheyTouchIfAndOnlyIfTheirSeparationSaysSo) {
  Random random(5);
  ContactOptions options;
  options.touch = 0.03;
  std::size_t touching = 0;
  std::size_t apart = 0;
  std::size_t refused = 0;
  for (int round = 0; round < 4000; ++round) {
    const Points a = random_convex(random);
    Points b = random_convex(random);
    const ExactVec<2> direction = at(random.below(200) - 100, 2 * random.below(100) + 1);
    const ExactVec<2> stray =
        at(ratio(random.below(200) - 100, 1000), ratio(random.below(200) - 100, 1000));
    const ExactVec<2> shift = furthest(a, direction) - furthest(b, -direction) + stray;
    for (auto& p : b) p += shift;
    const double tolerance =
        options.touch * std::min(make_polygon(a).size(), make_polygon(b).size());
    const double expected = separation(a, b);
    try {
      const auto set = contacts_of({polygon(a), polygon(b)}, {}, options);
      const bool touches = !set.contacts.empty() || !set.corners.empty();
      EXPECT_EQ(touches, expected <= tolerance) << round << ": " << expected << " " << tolerance;
      EXPECT_GE(expected, -tolerance - 1e-12);
      ++(touches ? touching : apart);
    } catch (const Error&) {
      EXPECT_LT(expected, -tolerance + 1e-12);
      ++refused;
    }
  }
  EXPECT_GT(touching, 1000u);
  EXPECT_GT(apart, 300u);
  EXPECT_GT(refused, 300u);
}

TEST(RandomPairs, DisksAndPolygonsAgreeWithTheDistanceOfTheCentre) {
  Random random(4);
  ContactOptions options;
  options.near_miss_factor = 1e7;
  int touching = 0;
  for (int round = 0; round < 2000; ++round) {
    const Points a = random_convex(random);
    const ExactVec<2> centre =
        at(ratio(random.below(6000) - 3000, 1000), ratio(random.below(6000) - 3000, 1000));
    const double distance = separation(a, {centre});
    if (distance < 0.01) continue;
    // The radius that just touches, as a double, and one that leaves a gap of 1/100.
    const auto set = contacts_of({polygon(a), {.disk = std::pair(centre, Rational(distance))}});
    ASSERT_EQ(set.contacts.size(), 1u);
    ++touching;
    EXPECT_NEAR(set.contacts[0].gap, 0.0, 1e-12);
    const Vec<2> foot = to_double<2>(centre) - distance * set.contacts[0].normal;
    EXPECT_LT((foot - set.contacts[0].point).norm(), 1e-9);
    const Rational smaller = Rational(distance) - ratio(1, 100);
    if (smaller <= 0) continue;
    const auto apart = contacts_of({polygon(a), {.disk = std::pair(centre, smaller)}}, {}, options);
    ASSERT_EQ(apart.near_misses.size(), 1u);
    EXPECT_NEAR(apart.near_misses[0].gap, 0.01, 1e-12);
  }
  EXPECT_GT(touching, 500);
}

}  // namespace
}  // namespace collapse
