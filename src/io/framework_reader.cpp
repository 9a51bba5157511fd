#include "io/framework_reader.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "io/body_reader.hpp"
#include "io/shape_reader.hpp"

namespace collapse::reader {
namespace {

FrameworkPoint<2> read_point(const Node& node, std::size_t index) {
  constexpr std::array<std::string_view, 5> keys{"name", "position", "mass", "fixed", "velocity"};
  node.demand_object("a point", keys);
  FrameworkPoint<2> point;
  point.name = "point " + std::to_string(index);
  if (const std::optional<Node> name = node.find("name")) point.name = read_name(*name);
  point.position = node.require("position", "\"position\": [x, y]").vector<2>();
  if (const std::optional<Node> mass = node.find("mass")) {
    point.mass = mass->positive();
    if (point.mass.value < kSmallest || point.mass.value > kLargest) {
      mass->refuse("a mass between 1e-50 and 1e50");
    }
  }
  if (const std::optional<Node> fixed = node.find("fixed")) point.fixed = fixed->boolean();
  if (const std::optional<Node> velocity = node.find("velocity")) {
    point.velocity = velocity->vector<2>();
    if (point.fixed && !point.velocity.exact.isZero()) {
      velocity->refuse("a velocity", "zero: the point is fixed");
    }
  }
  return point;
}

NameTable read_points(const Node& list, Framework<2>& framework) {
  const std::string expected = "a list of 1 to " + std::to_string(kMaxPoints) + " points";
  list.demand_list(expected);
  if (list.size() < 1 || list.size() > kMaxPoints) list.refuse(expected);
  NameTable names;
  names.reserve(list.size());
  framework.points.reserve(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Node node = list.item(i);
    const FrameworkPoint<2>& point = framework.points.emplace_back(read_point(node, i));
    if (const auto [first, added] = names.emplace(point.name, static_cast<int>(i)); !added) {
      const std::string other = item_place(list.place(), static_cast<std::size_t>(first->second));
      (node.has("name") ? *node.find("name") : node)
          .refuse("the name " + in_quotes(point.name) + ", which " + other + " has already",
                  "a name of its own");
    }
  }
  return names;
}

void read_bars(const Node& list, const NameTable& names, Framework<2>& framework) {
  list.demand_list("a list of bars, each the names of two points");
  std::set<std::pair<int, int>> seen;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Node node = list.item(i);
    const std::string expected = "the names of two points";
    if (node.value().kind != json::Kind::array || node.size() != 2) node.refuse(expected);
    const int p = look_up(node.item(0), names, "point");
    const int q = look_up(node.item(1), names, "point");
    if (p == q) node.refuse("the same point twice", "the names of two different points");
    if (!seen.insert(std::minmax(p, q)).second) {
      node.refuse("a bar that was given before", "every bar at most once");
    }
    const Vec<2> along =
        to_double<2>(ExactVec<2>(framework.points[static_cast<std::size_t>(q)].position.exact -
                                 framework.points[static_cast<std::size_t>(p)].position.exact));
    const double length = std::hypot(along.x(), along.y());
    if (!(length >= kSmallest)) {
      node.refuse("a bar between two points in one place", "a bar of some length");
    }
    framework.bars.emplace_back(p, q);
  }
}

/// Corners in order, either way round; counter-clockwise afterwards.
std::vector<int> read_face(const Node& node, const NameTable& names,
                           const Framework<2>& framework) {
  const std::string expected =
      "the names of 3 to " + std::to_string(kMaxVertices) + " points around a convex polygon";
  if (node.value().kind != json::Kind::array || node.size() < 3 || node.size() > kMaxVertices) {
    node.refuse(expected);
  }
  std::vector<int> corners;
  std::vector<ExactVec<2>> vertices;
  for (std::size_t i = 0; i < node.size(); ++i) {
    corners.push_back(look_up(node.item(i), names, "point"));
    vertices.push_back(framework.points[static_cast<std::size_t>(corners.back())].position.exact);
  }
  if (const std::string fault = polygon_fault(vertices); !fault.empty()) {
    node.refuse(fault, expected);
  }
  const std::size_t n = vertices.size();
  const auto turn_at = [&](std::size_t i) {
    return orientation(vertices[(i + n - 1) % n], vertices[i], vertices[(i + 1) % n]);
  };
  // The leftmost corner (the lowest of these) is convex whichever way the polygon runs.
  const auto leftmost = std::min_element(vertices.begin(), vertices.end(),
                                         [](const ExactVec<2>& a, const ExactVec<2>& b) {
                                           return a.x() != b.x() ? a.x() < b.x() : a.y() < b.y();
                                         });
  if (turn_at(static_cast<std::size_t>(leftmost - vertices.begin())) < 0) {
    std::reverse(corners.begin(), corners.end());
    std::reverse(vertices.begin(), vertices.end());
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (turn_at(i) < 0) {
      node.refuse("a polygon that is not convex at " +
                      in_quotes(framework.points[static_cast<std::size_t>(corners[i])].name),
                  expected + "; cut it into convex faces");
    }
  }
  return corners;
}

}  // namespace

Framework<2> read_framework(const Node& node) {
  constexpr std::array<std::string_view, 3> keys{"points", "bars", "faces"};
  node.demand_object("a framework", keys);
  Framework<2> framework;
  const NameTable names =
      read_points(node.require("points", "\"points\": a list of points"), framework);
  if (const std::optional<Node> bars = node.find("bars")) read_bars(*bars, names, framework);
  if (const std::optional<Node> faces = node.find("faces")) {
    faces->demand_list("a list of faces, each the names of the points around it");
    framework.faces.reserve(faces->size());
    for (std::size_t i = 0; i < faces->size(); ++i) {
      framework.faces.push_back(read_face(faces->item(i), names, framework));
    }
  }
  return framework;
}

}  // namespace collapse::reader
