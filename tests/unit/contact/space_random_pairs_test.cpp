/// Random pairs of convex polyhedra pushed together until they touch, against what their difference says.
///
/// With C = {y − x : x in a, y in b}, a and b touch where the origin is on the boundary of C, and the faces of C
/// through the origin have the extremes of all separating directions as their normals. C is the hull of the
/// differences of vertices: exact, and found without any of the code that finds contacts.

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "space_scenes.hpp"

namespace collapse::space_test {
namespace {

struct TouchingPair {
  Points a;
  Points b;
  std::vector<Vec<3>> normals;  ///< extremes of the separating directions, from a to b
};

ExactVec<3> exact_cross(const ExactVec<3>& u, const ExactVec<3>& v) {
  return {u.y() * v.z() - u.z() * v.y(), u.z() * v.x() - u.x() * v.z(),
          u.x() * v.y() - u.y() * v.x()};
}

Points random_points(Random& random, int count, int range) {
  Points points;
  for (int i = 0; i < count; ++i) {
    const auto number = [&] { return Rational(random.below(2 * range + 1) - range); };
    points.push_back(at(number(), number(), number()));
  }
  return points;
}

/// Moves b along `direction` to where it first touches a when it comes from afar; nothing if it passes by.
std::optional<TouchingPair> pushed_together(const Points& a, const Points& b,
                                            const ExactVec<3>& direction) {
  if (!spans_solid(a) || !spans_solid(b)) return std::nullopt;
  Points differences;
  for (const ExactVec<3>& x : a) {
    for (const ExactVec<3>& y : b) differences.push_back(y - x);
  }
  const Hull difference(differences);
  struct Plane {
    ExactVec<3> normal;
    Rational offset;
  };
  std::vector<Plane> planes;
  for (const Hull::Face& face : difference.faces()) {
    const auto vertex = [&](std::size_t i) {
      return difference.exact()[static_cast<std::size_t>(face.loop[i])];
    };
    const ExactVec<3> normal = exact_cross(vertex(1) - vertex(0), vertex(2) - vertex(0));
    planes.push_back({normal, normal.dot(vertex(0))});
  }
  // The origin is in C + s·direction as long as −s·(normal·direction) ≤ offset for all planes.
  std::optional<Rational> last;
  std::optional<Rational> first;
  for (const Plane& plane : planes) {
    const Rational rate = plane.normal.dot(direction);
    if (rate == 0 && plane.offset < 0) return std::nullopt;
    if (rate == 0) continue;
    const Rational s = -plane.offset / rate;
    if (rate < 0 && (!last || s < *last)) last = s;
    if (rate > 0 && (!first || s > *first)) first = s;
  }
  if (!last || (first && *first > *last)) return std::nullopt;
  TouchingPair pair{a, b, {}};
  for (ExactVec<3>& y : pair.b) y += *last * direction;
  for (const Plane& plane : planes) {
    if (plane.offset + *last * plane.normal.dot(direction) == 0) {
      pair.normals.push_back(-to_double<3>(plane.normal).normalized());
    }
  }
  return pair;
}

/// Corners of the set that both have in common: vertices of one in the other, and edges crossing faces.
std::vector<Vec<3>> common_points(const Hull& a, const Hull& b) {
  const auto inside = [](const Hull& hull, const Vec<3>& x) {
    for (const Hull::Face& face : hull.faces()) {
      if (face.normal.dot(x) > face.offset + 1e-9) return false;
    }
    return true;
  };
  std::vector<Vec<3>> points;
  for (const auto& [one, other] : {std::pair(&a, &b), std::pair(&b, &a)}) {
    for (const Vec<3>& x : one->vertices()) {
      if (inside(*other, x)) points.push_back(x);
    }
    for (const Hull::Edge& edge : one->edges()) {
      const Vec<3>& from = one->vertices()[static_cast<std::size_t>(edge.from)];
      const Vec<3> along = one->vertices()[static_cast<std::size_t>(edge.to)] - from;
      double low = 0.0;
      double high = 1.0;
      for (const Hull::Face& face : other->faces()) {
        const double excess = face.normal.dot(from) - face.offset;
        const double rate = face.normal.dot(along);
        if (std::abs(rate) < 1e-9) {
          if (excess > 1e-9) high = -1.0;
        } else if (rate > 0) {
          high = std::min(high, (1e-10 - excess) / rate);
        } else {
          low = std::max(low, (1e-10 - excess) / rate);
        }
      }
      if (low > high + 1e-9) continue;
      points.push_back(from + low * along);
      points.push_back(from + high * along);
    }
  }
  return points;
}

void expect_same_hull(const std::vector<Vec<3>>& found, const std::vector<Vec<3>>& expected,
                      Random& random) {
  for (int k = 0; k < 50; ++k) {
    const Vec<3> direction(random.between(-1, 1), random.between(-1, 1), random.between(-1, 1));
    const auto farthest = [&](const std::vector<Vec<3>>& points) {
      double far = -1e300;
      for (const Vec<3>& x : points) far = std::max(far, direction.dot(x));
      return far;
    };
    ASSERT_NEAR(farthest(found), farthest(expected), 2e-5);
  }
}

void expect_right_contacts(const TouchingPair& pair, const ContactSet<3>& set, Random& random) {
  std::vector<Vec<3>> points;
  std::vector<Vec<3>> normals;
  for (const Contact<3>& contact : set.contacts) {
    points.push_back(contact.point);
    normals.push_back(contact.normal);
    EXPECT_NEAR(contact.gap, 0.0, 1e-9);
  }
  for (const CornerContact<3>& corner : set.corners) {
    points.push_back(corner.point);
    normals.insert(normals.end(), corner.normals.begin(), corner.normals.end());
    EXPECT_NEAR(corner.gap, 0.0, 1e-9);
    EXPECT_GE(corner.normals.size(), 2u);
  }
  ASSERT_FALSE(points.empty());
  EXPECT_EQ(set.corners.empty(), pair.normals.size() == 1);
  EXPECT_EQ(set.contacts.empty(), pair.normals.size() > 1);
  const auto has = [](const std::vector<Vec<3>>& list, const Vec<3>& normal) {
    return std::any_of(list.begin(), list.end(),
                       [&](const Vec<3>& other) { return (other - normal).norm() < 1e-7; });
  };
  for (const Vec<3>& normal : normals) EXPECT_TRUE(has(pair.normals, normal)) << normal.transpose();
  for (const Vec<3>& normal : pair.normals) EXPECT_TRUE(has(normals, normal)) << normal.transpose();
  expect_same_hull(points, common_points(Hull(pair.a), Hull(pair.b)), random);
}

/// Small ranges of coordinates make faces, edges and vertices meet in all ways.
void run_random_pairs(int seed, int tries, int range, int points) {
  Random random(static_cast<std::uint64_t>(seed));
  std::set<std::pair<FeatureKind, FeatureKind>> kinds;
  int touching = 0;
  for (int k = 0; k < tries && !testing::Test::HasFailure(); ++k) {
    SCOPED_TRACE(testing::Message() << "try " << k);
    const Points a = random_points(random, points, range);
    const Points b = random_points(random, points, range);
    const auto pair = pushed_together(a, b, random_points(random, 1, range)[0]);
    if (!pair) continue;
    ++touching;
    const std::vector<Item> items{hull(pair->a), hull(pair->b)};
    const ContactSet<3> set = contacts_of(items);
    expect_right_contacts(*pair, set, random);
    for (const auto& contact : set.contacts) {
      kinds.emplace(contact.id.feature_a.kind, contact.id.feature_b.kind);
    }
    for (const auto& corner : set.corners) {
      kinds.emplace(corner.id.feature_a.kind, corner.id.feature_b.kind);
    }
  }
  EXPECT_GT(touching, tries / 3);
  if (range <= 2) {
    EXPECT_EQ(kinds.size(), 9u);  // vertex, edge and face on each other
  }
}

TEST(SpaceRandomPairs, SmallGridsTouchInAllWaysAsTheDifferenceSays) {
  run_random_pairs(1, 400, 1, 6);
  run_random_pairs(2, 300, 2, 7);
}

TEST(SpaceRandomPairs, LargeGridsTouchAsTheDifferenceSays) { run_random_pairs(3, 150, 1000, 8); }

/// Contacts by id; the numbers of the ends alone may differ.
using Known = std::vector<std::pair<ContactId, Vec<3>>>;

Known known_places(const ContactSet<3>& set) {
  Known places;
  for (const auto& contact : set.contacts) places.emplace_back(contact.id, contact.point);
  for (const auto& corner : set.corners) places.emplace_back(corner.id, corner.point);
  return places;
}

void expect_same_places(const Known& found, const Known& expected, const Pose<3>& pose,
                        bool exchanged) {
  ASSERT_EQ(found.size(), expected.size());
  for (const auto& [id, point] : expected) {
    const Vec<3> there = pose.apply(point);
    const int same = static_cast<int>(std::count_if(found.begin(), found.end(), [&](auto& other) {
      return (other.second - there).norm() < 1e-5 &&
             other.first.feature_a == (exchanged ? id.feature_b : id.feature_a) &&
             other.first.feature_b == (exchanged ? id.feature_a : id.feature_b) &&
             (exchanged || other.first.end == id.end);
    }));
    EXPECT_EQ(same, 1);
  }
}

TEST(SpaceRandomPairs, TurningTheWholeAndExchangingTheBodiesChangeNothing) {
  Random random(4);
  for (int k = 0; k < 300 && !HasFailure(); ++k) {
    SCOPED_TRACE(testing::Message() << "try " << k);
    const Points a = random_points(random, 6, 1 + k % 2);
    const Points b = random_points(random, 6, 1 + k % 2);
    const auto pair = pushed_together(a, b, random_points(random, 1, 2)[0]);
    if (!pair) continue;
    const Item item_a = hull(pair->a);
    const Item item_b = hull(pair->b);
    const Known places = known_places(contacts_of({item_a, item_b}));
    expect_same_places(known_places(contacts_of({item_b, item_a})), places, {}, true);
    const ExactPose<3> pose = random_pose(random, 10);
    expect_same_places(known_places(contacts_of({item_a, item_b}, pose)), places,
                       to_double<3>(pose), false);
  }
}

TEST(SpaceRandomPairs, OnBothSidesOfTheToleranceTheyTouchOrDoNot) {
  Random random(5);
  for (int k = 0; k < 200 && !HasFailure(); ++k) {
    SCOPED_TRACE(testing::Message() << "try " << k);
    const auto pair = pushed_together(random_points(random, 6, 1), random_points(random, 6, 1),
                                      random_points(random, 1, 2)[0]);
    if (!pair) continue;
    const Item a = hull(pair->a);
    Item b = hull(pair->b);
    const double tolerance = 1e-6 * std::min(a.shape.size(), b.shape.size());
    // Along a separating direction that is in the middle of all, the distance grows by the shift.
    Vec<3> middle = Vec<3>::Zero();
    for (const Vec<3>& normal : pair->normals) middle += normal;
    middle.normalize();
    const auto shifted = [&](double factor) {
      for (int i = 0; i < 3; ++i) b.pose.position[i] = Rational(factor * tolerance * middle[i]);
      return contacts_of({a, b});
    };
    const auto near = shifted(0.9);
    EXPECT_GT(near.contacts.size() + near.corners.size(), 0u);
    const auto apart = shifted(1.1);
    EXPECT_EQ(apart.contacts.size() + apart.corners.size(), 0u);
    ASSERT_EQ(apart.near_misses.size(), 1u);
    EXPECT_NEAR(apart.near_misses[0].gap, 1.1 * tolerance, 1e-9);
  }
}

}  // namespace
}  // namespace collapse::space_test
