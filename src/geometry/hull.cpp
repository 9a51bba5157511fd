#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "collapse/core/check.hpp"
#include "collapse/geometry/polyhedron.hpp"
#include "geometry/exact_points.hpp"
#include "geometry/quick_hull.hpp"

namespace collapse {

namespace {

/// Faces of a convex polyhedron made of the triangles of its surface.
class MergedTriangles {
 public:
  MergedTriangles(const ExactPoints& points, const std::vector<HullTriangle>& triangles)
      : points_(points), triangles_(triangles), plane_(triangles.size(), -1) {
    for (std::size_t i = 0; i < triangles_.size(); ++i) {
      if (plane_[i] < 0) spread(static_cast<int>(i));
    }
  }

  /// Corner points of every face, counter-clockwise, by their numbers.
  [[nodiscard]] std::vector<std::vector<int>> loops() const {
    const std::vector<bool> corner = corners();
    // Edges of each face's outline by the vertex they start at.
    std::vector<std::vector<std::pair<int, int>>> outline(static_cast<std::size_t>(planes_));
    for (std::size_t i = 0; i < triangles_.size(); ++i) {
      const HullTriangle& triangle = triangles_[i];
      for (std::size_t k = 0; k < 3; ++k) {
        if (plane_of(triangle.beyond[k]) == plane_[i]) continue;
        outline[static_cast<std::size_t>(plane_[i])].emplace_back(triangle.corners[k],
                                                                  triangle.corners[(k + 1) % 3]);
      }
    }
    std::vector<std::vector<int>> result;
    result.reserve(outline.size());
    for (std::vector<std::pair<int, int>>& edges : outline) {
      std::sort(edges.begin(), edges.end());
      std::vector<int> loop;
      const int start = edges.front().first;
      int at = start;
      do {
        if (corner[static_cast<std::size_t>(at)]) loop.push_back(at);
        at = std::lower_bound(edges.begin(), edges.end(), std::pair(at, -1))->second;
      } while (at != start);
      std::rotate(loop.begin(), std::min_element(loop.begin(), loop.end()), loop.end());
      result.push_back(std::move(loop));
    }
    std::sort(result.begin(), result.end());
    return result;
  }

 private:
  [[nodiscard]] int plane_of(int triangle) const {
    return plane_[static_cast<std::size_t>(triangle)];
  }

  void spread(int first) {
    const int plane = planes_++;
    std::vector<int> open{first};
    plane_[static_cast<std::size_t>(first)] = plane;
    while (!open.empty()) {
      const HullTriangle& triangle = triangles_[static_cast<std::size_t>(open.back())];
      open.pop_back();
      for (const int beyond : triangle.beyond) {
        if (plane_of(beyond) >= 0 ||
            !in_plane(triangle, triangles_[static_cast<std::size_t>(beyond)]))
          continue;
        plane_[static_cast<std::size_t>(beyond)] = plane;
        open.push_back(beyond);
      }
    }
  }

  [[nodiscard]] bool in_plane(const HullTriangle& a, const HullTriangle& b) const {
    return std::all_of(b.corners.begin(), b.corners.end(), [&](int corner) {
      return std::find(a.corners.begin(), a.corners.end(), corner) != a.corners.end() ||
             points_.side(a.corners[0], a.corners[1], a.corners[2], corner) == 0;
    });
  }

  /// Points where three planes or more meet; two meet in the middle of an edge.
  [[nodiscard]] std::vector<bool> corners() const {
    std::vector<std::array<int, 2>> planes(static_cast<std::size_t>(points_.size()), {-1, -1});
    std::vector<bool> corner(planes.size(), false);
    for (std::size_t i = 0; i < triangles_.size(); ++i) {
      for (const int point : triangles_[i].corners) {
        std::array<int, 2>& known = planes[static_cast<std::size_t>(point)];
        if (known[0] < 0) {
          known[0] = plane_[i];
        } else if (known[0] != plane_[i] && known[1] < 0) {
          known[1] = plane_[i];
        } else if (known[0] != plane_[i] && known[1] != plane_[i]) {
          corner[static_cast<std::size_t>(point)] = true;
        }
      }
    }
    return corner;
  }

  const ExactPoints& points_;
  const std::vector<HullTriangle>& triangles_;
  std::vector<int> plane_;  ///< of each triangle
  int planes_ = 0;
};

std::vector<Hull::Edge> edges_of(const std::vector<Hull::Face>& faces) {
  struct Side {
    int from;
    int to;
    int face;
  };
  std::vector<Side> sides;
  for (std::size_t f = 0; f < faces.size(); ++f) {
    const std::vector<int>& loop = faces[f].loop;
    for (std::size_t i = 0; i < loop.size(); ++i) {
      sides.push_back({loop[i], loop[(i + 1) % loop.size()], static_cast<int>(f)});
    }
  }
  const auto low = [](const Side& side) {
    return std::array{std::min(side.from, side.to), std::max(side.from, side.to),
                      side.from < side.to ? 0 : 1};
  };
  std::sort(sides.begin(), sides.end(),
            [&](const Side& a, const Side& b) { return low(a) < low(b); });
  std::vector<Hull::Edge> edges;
  edges.reserve(sides.size() / 2);
  for (std::size_t i = 0; i + 1 < sides.size(); i += 2) {
    COLLAPSE_DEMAND(sides[i].from == sides[i + 1].to && sides[i].to == sides[i + 1].from);
    edges.push_back({sides[i].from, sides[i].to, sides[i].face, sides[i + 1].face});
  }
  return edges;
}

}  // namespace

/// Vertices keep the order of the points; loops begin with their least number and are sorted, and so are edges.
Hull::Hull(const std::vector<ExactVec<3>>& points) {
  const ExactPoints all(points);
  const std::vector<HullTriangle> triangles = quick_hull(all);
  COLLAPSE_DEMAND(!triangles.empty());
  std::vector<std::vector<int>> loops = MergedTriangles(all, triangles).loops();

  std::vector<int> number(points.size(), -1);
  for (const std::vector<int>& loop : loops) {
    for (const int point : loop) number[static_cast<std::size_t>(point)] = 0;
  }
  const auto count = static_cast<std::size_t>(std::count(number.begin(), number.end(), 0));
  exact_.reserve(count);
  vertices_.reserve(count);
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (number[i] < 0) continue;
    number[i] = static_cast<int>(exact_.size());
    exact_.push_back(points[i]);
    vertices_.push_back(all.values()[i]);
  }
  faces_.reserve(loops.size());
  for (std::vector<int>& loop : loops) {
    const std::size_t third = loop.size() / 3;
    const ExactPoints::Plane plane = all.plane_of({loop[0], loop[third], loop[2 * third]});
    for (int& point : loop) point = number[static_cast<std::size_t>(point)];
    faces_.push_back({std::move(loop), plane.normal, plane.offset});
  }
  edges_ = edges_of(faces_);
  neighbours_.resize(exact_.size());
  for (const Edge& edge : edges_) {
    neighbours_[static_cast<std::size_t>(edge.from)].push_back(edge.to);
    neighbours_[static_cast<std::size_t>(edge.to)].push_back(edge.from);
  }
  for (std::vector<int>& list : neighbours_) std::sort(list.begin(), list.end());
}

double Hull::diameter() const {
  if (vertices_.empty()) return 0.0;
  Vec<3> low = vertices_.front();
  Vec<3> high = low;
  for (const Vec<3>& vertex : vertices_) {
    low = low.cwiseMin(vertex);
    high = high.cwiseMax(vertex);
  }
  const double extent = (high - low).maxCoeff();
  if (!(extent > 0.0) || !std::isfinite(extent)) return extent;
  // A power of two, so that squares neither overflow nor round differently.
  const double unit = std::ldexp(1.0, -std::clamp(std::ilogb(extent), -1022, 1022));
  double largest = 0.0;
  for (std::size_t i = 0; i < vertices_.size(); ++i) {
    for (std::size_t j = i + 1; j < vertices_.size(); ++j) {
      largest = std::max(largest, ((vertices_[j] - vertices_[i]) * unit).squaredNorm());
    }
  }
  return std::sqrt(largest) / unit;
}

Mesh Hull::mesh() const {
  Mesh mesh;
  mesh.vertices = exact_;
  mesh.faces.reserve(faces_.size());
  for (const Face& face : faces_) mesh.faces.push_back(face.loop);
  return mesh;
}

bool spans_solid(const std::vector<ExactVec<3>>& points) {
  return first_tetrahedron(ExactPoints(points)).has_value();
}

}  // namespace collapse
