#pragma once
/// Small scenes for the contact tests, described in world coordinates and built through poses.

#include <gtest/gtest.h>

#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "collapse/contact/contact.hpp"

namespace collapse::contact_test {

using Points = std::vector<ExactVec<2>>;

inline ExactVec<2> at(const Rational& x, const Rational& y) { return {x, y}; }
inline Rational ratio(long p, long q) { return Rational(p, q); }

/// A polygon, a disk or a half plane in world coordinates.
struct Item {
  Points polygon{};
  std::optional<std::pair<ExactVec<2>, Rational>> disk{};        ///< centre, radius
  std::optional<std::pair<ExactVec<2>, Rational>> half_plane{};  ///< normal, offset
  std::vector<Points> parts{};                                   ///< polygons to unite
  bool fixed = false;
};

inline Item polygon(Points points) { return {.polygon = std::move(points)}; }
inline Item box(const Rational& x0, const Rational& y0, const Rational& x1, const Rational& y1) {
  return polygon({at(x0, y0), at(x1, y0), at(x1, y1), at(x0, y1)});
}
inline Item disk(const Rational& x, const Rational& y, const Rational& radius) {
  return {.disk = std::pair(at(x, y), radius)};
}
inline Item half_plane(const Rational& nx, const Rational& ny, const Rational& offset) {
  return {.half_plane = std::pair(at(nx, ny), offset), .fixed = true};
}

/// x ↦ R·(scale·x) + shift; the shapes carry the scale, the poses R and the shift.
struct Similarity {
  Rational scale{1};
  ExactPose<2> pose;

  [[nodiscard]] Vec<2> point(const Vec<2>& x) const {
    return to_double<2>(pose).apply(to_double(scale) * x);
  }
  [[nodiscard]] Vec<2> direction(const Vec<2>& n) const { return to_double<2>(pose).turn(n); }
};

/// By the angle whose cosine is 3/5 and sine 4/5.
inline ExactPose<2> pythagorean_pose(const ExactVec<2>& shift = at(0, 0)) {
  ExactPose<2> pose;
  pose.rotation << ratio(3, 5), ratio(-4, 5), ratio(4, 5), ratio(3, 5);
  pose.position = shift;
  return pose;
}

inline Points scaled(const Points& points, const Rational& scale) {
  Points result;
  for (const ExactVec<2>& p : points) result.push_back(p * scale);
  return result;
}

inline Shape<2> shape_of(const Item& item, const Rational& scale) {
  if (item.half_plane) {
    return make_half_plane(item.half_plane->first, item.half_plane->second * scale);
  }
  if (item.disk) {
    ExactPose<2> centre;
    centre.position = item.disk->first * scale;
    return moved(make_disk(item.disk->second * scale), centre);
  }
  if (!item.parts.empty()) {
    std::vector<Shape<2>> parts;
    for (const Points& part : item.parts) parts.push_back(make_polygon(scaled(part, scale)));
    return unite(parts);
  }
  return make_polygon(scaled(item.polygon, scale));
}

/// Bodies named body0, body1, … of the default material.
inline Scene<2> scene_of(const std::vector<Item>& items, const Similarity& similarity = {}) {
  Scene<2> scene;
  scene.materials.push_back({.name = "default", .friction = Number(ratio(1, 2))});
  for (const Item& item : items) {
    Body<2> body;
    body.name = "body" + std::to_string(scene.bodies.size());
    body.fixed = item.fixed;
    body.shape = shape_of(item, similarity.scale);
    body.exact_pose = similarity.pose;
    body.pose = to_double<2>(similarity.pose);
    scene.bodies.push_back(std::move(body));
  }
  return scene;
}

inline ContactSet<2> contacts_of(const std::vector<Item>& items, const Similarity& similarity = {},
                                 const ContactOptions& options = {}) {
  const Scene<2> scene = scene_of(items, similarity);
  return find_contacts<2>(scene, initial_state(scene), options);
}

/// What coordinates computed by hand may differ by.
inline constexpr double kRounding = 1e-15;

inline void expect_near(const Vec<2>& found, const Vec<2>& expected) {
  EXPECT_NEAR(found.x(), expected.x(), kRounding);
  EXPECT_NEAR(found.y(), expected.y(), kRounding);
}

}  // namespace collapse::contact_test
