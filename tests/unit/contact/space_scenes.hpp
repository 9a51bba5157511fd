#pragma once
/// Small scenes in space for the contact tests.

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "collapse/contact/contact.hpp"
#include "collapse/core/random.hpp"

namespace collapse::space_test {

using Points = std::vector<ExactVec<3>>;

inline ExactVec<3> at(const Rational& x, const Rational& y, const Rational& z) { return {x, y, z}; }
inline Rational ratio(long p, long q) { return Rational(p, q); }

/// A shape in the coordinates of the scene.
struct Item {
  Shape<3> shape;
  ExactPose<3> pose{};
  bool fixed = false;
};

inline Points box_corners(const ExactVec<3>& low, const ExactVec<3>& high) {
  Points points;
  for (int i = 0; i < 8; ++i) {
    points.push_back(at((i & 1) != 0 ? high.x() : low.x(), (i & 2) != 0 ? high.y() : low.y(),
                        (i & 4) != 0 ? high.z() : low.z()));
  }
  return points;
}

inline Item hull(const Points& points) { return {.shape = make_hull(points)}; }
inline Item box(const ExactVec<3>& low, const ExactVec<3>& high) {
  Item item{.shape = make_box(high - low)};
  item.pose.position = (low + high) / Rational(2);
  return item;
}
inline Item half_space(const ExactVec<3>& normal, const Rational& offset) {
  return {.shape = make_half_space(normal, offset), .fixed = true};
}
/// The rigid union of boxes (low, high).
inline Item boxes(const std::vector<std::pair<ExactVec<3>, ExactVec<3>>>& parts) {
  std::vector<Shape<3>> shapes;
  for (const auto& [low, high] : parts) shapes.push_back(make_hull(box_corners(low, high)));
  return {.shape = unite(shapes)};
}
/// About z, by the angle with tangent of the half t.
inline Eigen::Matrix<Rational, 3, 3> about_z(const Rational& t) {
  return rotation_from_quaternion(1, 0, 0, t);
}

inline Scene<3> scene_of(const std::vector<Item>& items, const ExactPose<3>& whole = {}) {
  Scene<3> scene;
  Material material;
  material.friction = Number(ratio(1, 2));
  scene.materials.push_back(material);
  for (const Item& item : items) {
    Body<3> body;
    body.name = std::to_string(scene.bodies.size());
    body.shape = item.shape;
    body.fixed = item.fixed;
    body.exact_pose = compose(whole, item.pose);
    body.pose = to_double<3>(body.exact_pose);
    scene.bodies.push_back(std::move(body));
  }
  return scene;
}

inline ContactSet<3> contacts_of(const std::vector<Item>& items, const ExactPose<3>& whole = {},
                                 const ContactOptions& options = {}) {
  const Scene<3> scene = scene_of(items, whole);
  State<3> state;
  for (const Body<3>& body : scene.bodies) state.poses.push_back(body.pose);
  return find_contacts(scene, state, options);
}

inline void expect_near(const Vec<3>& found, const Vec<3>& expected, double tolerance = 1e-12) {
  EXPECT_LE((found - expected).lpNorm<Eigen::Infinity>(), tolerance)
      << found.transpose() << " instead of " << expected.transpose();
}

/// Each of the expected points is found once, and no other.
inline void expect_points(const ContactSet<3>& set, const std::vector<Vec<3>>& expected,
                          double tolerance = 1e-12) {
  EXPECT_EQ(set.contacts.size(), expected.size());
  for (const Vec<3>& point : expected) {
    const auto same = [&](const Contact<3>& contact) {
      return (contact.point - point).norm() <= tolerance;
    };
    EXPECT_EQ(std::count_if(set.contacts.begin(), set.contacts.end(), same), 1)
        << point.transpose();
  }
}

inline ExactPose<3> random_pose(Random& random, int scale = 1) {
  const auto number = [&] { return Rational(random.below(2001) - 1000, 1000); };
  ExactPose<3> pose;
  pose.rotation = rotation_from_quaternion(number(), number(), number(), number() + 2);
  pose.position = at(number(), number(), number()) * Rational(scale);
  return pose;
}

}  // namespace collapse::space_test
