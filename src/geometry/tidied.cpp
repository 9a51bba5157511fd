#include <algorithm>
#include <cmath>
#include <vector>

#include "collapse/geometry/polyhedron.hpp"
#include "geometry/box_tree.hpp"
#include "geometry/flatness.hpp"
#include "geometry/point_table.hpp"
#include "geometry/triangulate.hpp"

namespace collapse {

namespace {

/// What a file with seven digits rounds away, with some to spare: the corners of a polygon of a larger model are rounded
/// relative to their distance from the origin.
constexpr double kFlatWithin = 1e-6;

/// Without vertices that are the same as the one before.
std::vector<int> without_repetition(const std::vector<int>& loop) {
  std::vector<int> result;
  for (const int vertex : loop) {
    if (result.empty() || result.back() != vertex) result.push_back(vertex);
  }
  while (result.size() > 1 && result.front() == result.back()) result.pop_back();
  return result;
}

/// The vertices that faces use, in their order.
Mesh without_unused(const std::vector<ExactVec<3>>& vertices, std::vector<std::vector<int>> faces) {
  std::vector<int> number(vertices.size(), -1);
  for (const std::vector<int>& face : faces) {
    for (const int vertex : face) number[static_cast<std::size_t>(vertex)] = 0;
  }
  Mesh mesh;
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    if (number[i] < 0) continue;
    number[i] = static_cast<int>(mesh.vertices.size());
    mesh.vertices.push_back(vertices[i]);
  }
  mesh.faces = std::move(faces);
  for (std::vector<int>& face : mesh.faces) {
    for (int& vertex : face) vertex = number[static_cast<std::size_t>(vertex)];
  }
  return mesh;
}

}  // namespace

Flatness flatness_of(const ExactPoints& points, const std::vector<int>& loop) {
  Flatness result;
  std::size_t third = 2;
  while (third < loop.size() && points.in_line(loop[0], loop[1], loop[third])) ++third;
  result.in_line = third >= loop.size();
  result.flat = std::all_of(loop.begin(), loop.end(), [&](int vertex) {
    return result.in_line || points.side(loop[0], loop[1], loop[third], vertex) == 0;
  });
  if (result.flat) return result;
  Vec<3> middle = Vec<3>::Zero();
  SpaceBox box(points.value(loop.front()));
  for (const int vertex : loop) {
    middle += points.value(vertex) / static_cast<double>(loop.size());
    box.include(points.value(vertex));
  }
  result.size = (box.high - box.low).stableNorm();
  const Vec<3> normal = points.plane_of(loop).normal;
  for (const int vertex : loop) {
    const double distance = std::abs(normal.dot(points.value(vertex) - middle));
    if (distance < result.deviation) continue;
    result.deviation = distance;
    result.farthest = vertex;
  }
  return result;
}

Mesh tidied(const Mesh& mesh) {
  PointTable table;
  std::vector<int> number;
  number.reserve(mesh.vertices.size());
  for (const ExactVec<3>& vertex : mesh.vertices) number.push_back(table.number_of(vertex));
  const ExactPoints points(table.points());
  std::vector<std::vector<int>> faces;
  std::vector<std::vector<int>> added;
  for (std::vector<int> loop : mesh.faces) {
    for (int& vertex : loop) vertex = number.at(static_cast<std::size_t>(vertex));
    loop = without_repetition(loop);
    if (loop.size() < 3) continue;
    if (loop.size() > 3) {
      const Flatness flatness = flatness_of(points, loop);
      if (!flatness.flat && flatness.deviation <= kFlatWithin * flatness.size) {
        const std::vector<Triangle> triangles = triangulated(points, loop);
        if (!triangles.empty()) {
          loop.assign(triangles[0].begin(), triangles[0].end());
          for (std::size_t i = 1; i < triangles.size(); ++i) {
            added.emplace_back(triangles[i].begin(), triangles[i].end());
          }
        }
      }
    }
    faces.push_back(std::move(loop));
  }
  faces.insert(faces.end(), added.begin(), added.end());
  return without_unused(table.points(), std::move(faces));
}

}  // namespace collapse
