#pragma once
/// Meshes for tests.

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "collapse/geometry/polyhedron.hpp"
#include "collapse/geometry/pose.hpp"

namespace collapse::testing {

inline ExactVec<3> point3(const Rational& x, const Rational& y, const Rational& z) {
  ExactVec<3> p;
  p << x, y, z;
  return p;
}

/// Unit cubes at whole places.
using Cubes = std::set<std::tuple<int, int, int>>;

/// The surface of a union of unit cubes in unit squares.
inline Mesh mesh_of_cubes(const Cubes& cubes) {
  Mesh mesh;
  std::map<std::tuple<int, int, int>, int> numbers;
  const auto vertex = [&](const std::array<int, 3>& at) {
    const auto [found, is_new] = numbers.try_emplace(std::tuple(at[0], at[1], at[2]),
                                                     static_cast<int>(mesh.vertices.size()));
    if (is_new) mesh.vertices.push_back(point3(at[0], at[1], at[2]));
    return found->second;
  };
  for (const auto& [x, y, z] : cubes) {
    for (int axis = 0; axis < 3; ++axis) {
      for (const int end : {0, 1}) {
        std::array<int, 3> beside{x, y, z};
        beside[static_cast<std::size_t>(axis)] += end == 1 ? 1 : -1;
        if (cubes.contains(std::tuple(beside[0], beside[1], beside[2]))) continue;
        const auto i = static_cast<std::size_t>((axis + 1) % 3);
        const auto j = static_cast<std::size_t>((axis + 2) % 3);
        std::array<int, 3> corner{x, y, z};
        corner[static_cast<std::size_t>(axis)] += end;
        std::vector<int> face;
        face.push_back(vertex(corner));
        ++corner[i];
        face.push_back(vertex(corner));
        ++corner[j];
        face.push_back(vertex(corner));
        --corner[i];
        face.push_back(vertex(corner));
        if (end == 0) std::reverse(face.begin(), face.end());
        mesh.faces.push_back(std::move(face));
      }
    }
  }
  return mesh;
}

/// A polygon, counter-clockwise, from z = 0 up to `height`.
inline Mesh prism(const std::vector<std::pair<Rational, Rational>>& polygon,
                  const Rational& height) {
  Mesh mesh;
  const int n = static_cast<int>(polygon.size());
  for (const Rational& z : {Rational(0), height}) {
    for (const auto& [x, y] : polygon) mesh.vertices.push_back(point3(x, y, z));
  }
  std::vector<int> bottom;
  std::vector<int> top;
  for (int i = 0; i < n; ++i) {
    bottom.push_back(n - 1 - i);
    top.push_back(n + i);
    mesh.faces.push_back({i, (i + 1) % n, n + (i + 1) % n, n + i});
  }
  mesh.faces.push_back(bottom);
  mesh.faces.push_back(top);
  return mesh;
}

inline Mesh unit_cube() { return mesh_of_cubes({{0, 0, 0}}); }

/// A ball of triangles: an octahedron with every face in `n`² triangles, blown up; the radius of a point is
/// radius(unit vector). Coordinates are doubles.
template <class Radius>
Mesh ball_mesh(int n, const Radius& radius) {
  Mesh mesh;
  std::map<std::tuple<int, int, int>, int> numbers;
  const auto vertex = [&](int x, int y, int z) {
    const auto [found, is_new] =
        numbers.try_emplace(std::tuple(x, y, z), static_cast<int>(mesh.vertices.size()));
    if (is_new) {
      const Vec<3> unit = Vec<3>(x, y, z).normalized();
      const Vec<3> at = unit * radius(unit);
      mesh.vertices.push_back(point3(Rational(at[0]), Rational(at[1]), Rational(at[2])));
    }
    return found->second;
  };
  for (int octant = 0; octant < 8; ++octant) {
    const int sx = octant & 1 ? -1 : 1;
    const int sy = octant & 2 ? -1 : 1;
    const int sz = octant & 4 ? -1 : 1;
    const auto at = [&](int i, int j) { return vertex(sx * i, sy * j, sz * (n - i - j)); };
    const auto add = [&](int a, int b, int c) {
      if (sx * sy * sz > 0) {
        mesh.faces.push_back({a, b, c});
      } else {
        mesh.faces.push_back({a, c, b});
      }
    };
    for (int i = 0; i < n; ++i) {
      for (int j = 0; i + j < n; ++j) {
        add(at(i, j), at(i + 1, j), at(i, j + 1));
        if (i + j + 2 <= n) add(at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
      }
    }
  }
  return mesh;
}

}  // namespace collapse::testing
