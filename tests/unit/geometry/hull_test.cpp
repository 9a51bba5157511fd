#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <vector>

#include "collapse/core/random.hpp"
#include "collapse/geometry/polyhedron.hpp"
#include "collapse/geometry/pose.hpp"

namespace collapse::testing {
namespace {

using Points = std::vector<ExactVec<3>>;

ExactVec<3> point(const Rational& x, const Rational& y, const Rational& z) {
  ExactVec<3> p;
  p << x, y, z;
  return p;
}

Rational volume_sign_of(const ExactVec<3>& a, const ExactVec<3>& b, const ExactVec<3>& c,
                        const ExactVec<3>& d) {
  const ExactVec<3> u = b - a;
  const ExactVec<3> v = c - a;
  const ExactVec<3> w = d - a;
  return u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) +
         u[2] * (v[0] * w[1] - v[1] * w[0]);
}

bool less(const ExactVec<3>& a, const ExactVec<3>& b) {
  for (int k = 0; k < 3; ++k) {
    if (a[k] != b[k]) return a[k] < b[k];
  }
  return false;
}

struct Less {
  bool operator()(const ExactVec<3>& a, const ExactVec<3>& b) const { return less(a, b); }
};
using PointSet = std::set<ExactVec<3>, Less>;

/// A second way to the faces: the points in every plane through three points that has all others on one side.
std::set<std::vector<int>> supporting_planes(const Points& points) {
  std::set<std::vector<int>> planes;
  const int count = static_cast<int>(points.size());
  const auto at = [&](int i) { return points[static_cast<std::size_t>(i)]; };
  for (int i = 0; i < count; ++i) {
    for (int j = i + 1; j < count; ++j) {
      for (int k = j + 1; k < count; ++k) {
        std::vector<int> in_plane;
        bool above = false;
        bool below = false;
        for (int l = 0; l < count; ++l) {
          const int sign = volume_sign_of(at(i), at(j), at(k), at(l)).sign();
          above = above || sign > 0;
          below = below || sign < 0;
          if (sign == 0) in_plane.push_back(l);
        }
        if (above != below) planes.insert(in_plane);
      }
    }
  }
  return planes;
}

/// All that the class promises, by itself.
void expect_sound(const Hull& hull) {
  const int corners = static_cast<int>(hull.exact().size());
  ASSERT_EQ(hull.vertices().size(), hull.exact().size());
  EXPECT_EQ(corners - std::ssize(hull.edges()) + std::ssize(hull.faces()), 2) << "Euler";
  for (int i = 0; i < corners; ++i) {
    EXPECT_EQ(hull.vertices()[static_cast<std::size_t>(i)],
              to_double<3>(hull.exact()[static_cast<std::size_t>(i)]));
    EXPECT_GE(hull.neighbours(i).size(), 3U);
  }
  const auto exact = [&](int i) { return hull.exact()[static_cast<std::size_t>(i)]; };
  for (const Hull::Face& face : hull.faces()) {
    ASSERT_GE(face.loop.size(), 3U);
    EXPECT_NEAR(face.normal.norm(), 1.0, 1e-15);
    const int count = static_cast<int>(face.loop.size());
    for (int i = 0; i < count; ++i) {
      const int a = face.loop[static_cast<std::size_t>(i)];
      const int b = face.loop[static_cast<std::size_t>((i + 1) % count)];
      const int c = face.loop[static_cast<std::size_t>((i + 2) % count)];
      for (int v = 0; v < corners; ++v) {
        const bool in_face = std::find(face.loop.begin(), face.loop.end(), v) != face.loop.end();
        EXPECT_EQ(volume_sign_of(exact(a), exact(b), exact(c), exact(v)).sign(), in_face ? 0 : -1);
      }
      const double scale = hull.vertices()[static_cast<std::size_t>(a)].norm() + 1.0;
      EXPECT_NEAR(face.normal.dot(hull.vertices()[static_cast<std::size_t>(a)]), face.offset,
                  1e-13 * scale);
    }
  }
  for (const Hull::Edge& edge : hull.edges()) {
    const auto has = [&](int face, int from, int to) {
      const std::vector<int>& loop = hull.faces()[static_cast<std::size_t>(face)].loop;
      const auto at = std::find(loop.begin(), loop.end(), from);
      if (at == loop.end()) return false;
      return (at + 1 == loop.end() ? loop.front() : *(at + 1)) == to;
    };
    EXPECT_TRUE(has(edge.left, edge.from, edge.to));
    EXPECT_TRUE(has(edge.right, edge.to, edge.from));
    const std::vector<int>& list = hull.neighbours(edge.from);
    EXPECT_TRUE(std::binary_search(list.begin(), list.end(), edge.to));
  }
}

PointSet corners_of(const Hull& hull) { return {hull.exact().begin(), hull.exact().end()}; }

Points cube(const Rational& side) {
  Points points;
  for (int i = 0; i < 8; ++i) {
    points.push_back(
        point(i & 1 ? side : Rational(0), i & 2 ? side : Rational(0), i & 4 ? side : Rational(0)));
  }
  return points;
}

TEST(Hull, OfACubeHasSixSquaresWithExactNormals) {
  const Hull hull(cube(Rational(1) / 3));
  expect_sound(hull);
  EXPECT_EQ(hull.exact(), cube(Rational(1) / 3));
  ASSERT_EQ(hull.faces().size(), 6U);
  EXPECT_EQ(hull.edges().size(), 12U);
  for (const Hull::Face& face : hull.faces()) {
    EXPECT_EQ(face.loop.size(), 4U);
    EXPECT_EQ(face.normal.cwiseAbs().maxCoeff(), 1.0);
    EXPECT_EQ(face.normal.cwiseAbs().sum(), 1.0);
    EXPECT_EQ(face.offset, face.normal.sum() > 0 ? 1.0 / 3 : 0.0);
  }
  EXPECT_NEAR(hull.diameter(), std::sqrt(3.0) / 3, 1e-15);
  EXPECT_EQ(hull.mesh().faces.size(), 6U);
}

TEST(Hull, DropsPointsInsideOnFacesOnEdgesAndRepeated) {
  Points points;
  for (int x = 0; x <= 3; ++x) {
    for (int y = 0; y <= 3; ++y) {
      for (int z = 0; z <= 3; ++z) {
        points.push_back(point(x, y, z));
        if ((x + y + z) % 2 == 0) points.push_back(point(x, y, z));
      }
    }
  }
  Random random(5);
  for (int round = 0; round < 50; ++round) {
    for (std::size_t i = points.size(); i > 1; --i) {
      std::swap(points[i - 1], points[static_cast<std::size_t>(random.below(static_cast<int>(i)))]);
    }
    const Hull hull(points);
    expect_sound(hull);
    const Points expected = cube(3);
    EXPECT_EQ(corners_of(hull), PointSet(expected.begin(), expected.end()));
  }
}

/// Every plane found by trying all triples is a face and the other way round, with the corners of its polygon.
void expect_same_as_all_triples(const Points& points) {
  const PointSet distinct_set(points.begin(), points.end());
  const Points distinct(distinct_set.begin(), distinct_set.end());
  const std::set<std::vector<int>> planes = supporting_planes(distinct);
  ASSERT_EQ(!planes.empty(), spans_solid(points));
  if (planes.empty()) return;
  const Hull hull(points);
  expect_sound(hull);
  ASSERT_EQ(hull.faces().size(), planes.size());
  std::set<std::vector<int>> found;
  for (const Hull::Face& face : hull.faces()) {
    std::vector<int> in_plane;
    const auto exact = [&](std::size_t i) {
      return hull.exact()[static_cast<std::size_t>(face.loop[i])];
    };
    for (std::size_t l = 0; l < distinct.size(); ++l) {
      const int sign = volume_sign_of(exact(0), exact(1), exact(2), distinct[l]).sign();
      ASSERT_LE(sign, 0);
      if (sign == 0) in_plane.push_back(static_cast<int>(l));
    }
    found.insert(in_plane);
  }
  EXPECT_EQ(found, planes);
}

TEST(Hull, OfRandomWholePointsIsThatOfAllTriples) {
  Random random(11);
  for (int round = 0; round < 150; ++round) {
    // A small range makes many points coplanar, in line or equal.
    const int range = 2 + random.below(6);
    const int count = 4 + random.below(14);
    Points points;
    for (int i = 0; i < count; ++i) {
      points.push_back(point(random.below(range), random.below(range), random.below(range)));
    }
    SCOPED_TRACE(round);
    expect_same_as_all_triples(points);
  }
}

/// Coordinates that no machine word holds, with and without a common denominator: the other two ways of ExactPoints.
TEST(Hull, OfLongFractionsIsThatOfAllTriples) {
  Random random(12);
  const Rational seventh = Rational(1) / 7;
  const Rational large = Rational(Integer(1) << 200);
  for (int round = 0; round < 24; ++round) {
    Points points;
    for (int i = 0; i < 12; ++i) {
      const int x = random.below(4);
      const int y = random.below(4);
      // In the plane x + y + z = constant often; scaled so that nothing is a double.
      const int z = random.below(3) == 0 ? random.below(4) : 6 - x - y;
      const Rational unit = round % 2 == 0 ? large + seventh : Rational(1) / (large + 1);
      const Rational own = round % 3 == 0 ? Rational(1) : Rational(1) / (large + (2 * i + 1));
      points.push_back(point(x * unit * own, y * unit * own, z * unit * own));
    }
    SCOPED_TRACE(round);
    expect_same_as_all_triples(points);
  }
}

TEST(Hull, OfTurnedGridsIsTurned) {
  // A rational rotation about an odd axis.
  const Rational d(49);
  Eigen::Matrix<Rational, 3, 3> turn;
  turn << Rational(-41) / d, Rational(12) / d, Rational(24) / d, Rational(-24) / d,
      Rational(-31) / d, Rational(-36) / d + Rational(6) / d * 0, Rational(0), Rational(0),
      Rational(1);
  Points points;
  for (int x = 0; x <= 2; ++x) {
    for (int y = 0; y <= 2; ++y) {
      for (int z = 0; z <= 2; ++z) points.push_back(turn * point(x, y, z));
    }
  }
  const Hull hull(points);
  expect_sound(hull);
  EXPECT_EQ(hull.exact().size(), 8U);
  EXPECT_EQ(hull.faces().size(), 6U);
}

TEST(Hull, OfPointsOnASphereKeepsThemAll) {
  Random random(7);
  Points points;
  while (points.size() < 300) {
    // Rational points on the unit sphere by stereographic projection.
    const Rational u = Rational(random.below(2001) - 1000) / 300;
    const Rational v = Rational(random.below(2001) - 1000) / 300;
    const Rational s = 1 + u * u + v * v;
    const ExactVec<3> p = point(2 * u / s, 2 * v / s, (u * u + v * v - 1) / s);
    if (std::find(points.begin(), points.end(), p) == points.end()) points.push_back(p);
  }
  const Hull hull(points);
  EXPECT_EQ(hull.exact(), points);
  EXPECT_EQ(std::ssize(points) - std::ssize(hull.edges()) + std::ssize(hull.faces()), 2);
}

TEST(Hull, DoesNotDependOnTheOrderOfThePoints) {
  Random random(3);
  Points points;
  for (int i = 0; i < 60; ++i) {
    points.push_back(point(random.below(9), random.below(9), random.below(9)));
  }
  const PointSet expected = corners_of(Hull(points));
  for (int round = 0; round < 20; ++round) {
    for (std::size_t i = points.size(); i > 1; --i) {
      std::swap(points[i - 1], points[static_cast<std::size_t>(random.below(static_cast<int>(i)))]);
    }
    EXPECT_EQ(corners_of(Hull(points)), expected);
  }
}

TEST(Hull, SpansASolidOnlyOutsideAPlane) {
  EXPECT_FALSE(spans_solid({}));
  EXPECT_FALSE(spans_solid({point(0, 0, 0), point(1, 0, 0), point(0, 1, 0)}));
  EXPECT_FALSE(spans_solid(Points(9, point(1, 2, 3))));
  Points line;
  Points plane;
  for (int i = 0; i < 6; ++i) {
    line.push_back(point(i, 2 * i, Rational(i) / 3));
    plane.push_back(point(i, i * i, Rational(1) - i - i * i));
  }
  EXPECT_FALSE(spans_solid(line));
  EXPECT_FALSE(spans_solid(plane));
  plane.push_back(point(0, 0, 1 + Rational(1) / Rational(Integer(1) << 100)));
  EXPECT_TRUE(spans_solid(plane));
}

}  // namespace
}  // namespace collapse::testing
