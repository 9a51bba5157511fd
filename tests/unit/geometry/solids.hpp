#pragma once
/// Solids to test with, and what every surface must fulfil.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "collapse/core/random.hpp"
#include "collapse/geometry/shape.hpp"
#include "geometry/flat_plane.hpp"

namespace collapse {

using Points = std::vector<ExactVec<3>>;

inline ExactVec<3> at(const Rational& x, const Rational& y, const Rational& z) { return {x, y, z}; }

inline Points box_corners(const ExactVec<3>& low, const ExactVec<3>& high) {
  Points corners;
  for (int i = 0; i < 8; ++i) {
    corners.push_back(at((i & 1) != 0 ? high[0] : low[0], (i & 2) != 0 ? high[1] : low[1],
                         (i & 4) != 0 ? high[2] : low[2]));
  }
  return corners;
}

inline Hull box_between(const ExactVec<3>& low, const ExactVec<3>& high) {
  return Hull(box_corners(low, high));
}

/// Corners given in whole numbers.
inline Hull block(int x0, int y0, int z0, int x1, int y1, int z1) {
  return box_between(at(x0, y0, z0), at(x1, y1, z1));
}

inline ExactPose<3> shift_by(const Rational& x, const Rational& y, const Rational& z) {
  ExactPose<3> pose;
  pose.position = at(x, y, z);
  return pose;
}

inline Shape<3> shifted_by(const Shape<3>& shape, const Rational& x, const Rational& y,
                           const Rational& z) {
  return moved(shape, shift_by(x, y, z));
}

/// The whole plane's worth of a loop: twice its area times its normal.
inline ExactVec<3> area_vector(const Surface& surface, const std::vector<int>& loop) {
  ExactVec<3> sum = ExactVec<3>::Zero();
  const auto point = [&](std::size_t i) -> const ExactVec<3>& {
    return surface.exact[static_cast<std::size_t>(loop[i])];
  };
  for (std::size_t i = 2; i < loop.size(); ++i) {
    sum += cross3(ExactVec<3>(point(i - 1) - point(0)), ExactVec<3>(point(i) - point(0)));
  }
  return sum;
}

inline ExactVec<3> area_vector(const Surface& surface, const Surface::Face& face) {
  ExactVec<3> sum = ExactVec<3>::Zero();
  for (const std::vector<int>& loop : face.loops) sum += area_vector(surface, loop);
  return sum;
}

inline double area_of(const Surface& surface) {
  double area = 0.0;
  for (const Surface::Face& face : surface.faces) {
    area += to_double<3>(area_vector(surface, face)).norm() / 2.0;
  }
  return area;
}

/// Closed, flat, with faces and edges that know each other; pieces that fill the faces.
inline void expect_consistent(const Surface& surface) {
  ASSERT_EQ(surface.exact.size(), surface.points.size());
  ASSERT_LE(surface.vertices.size(), surface.exact.size());
  std::vector<double> outline(surface.faces.size(), 0.0);
  ExactVec<3> sum = ExactVec<3>::Zero();
  for (std::size_t f = 0; f < surface.faces.size(); ++f) {
    const Surface::Face& face = surface.faces[f];
    const ExactVec<3> area = area_vector(surface, face);
    sum += area;
    const Vec<3> normal = to_double<3>(area);
    EXPECT_LT((face.normal - normal.normalized()).norm(), 1e-14);
    for (std::size_t l = 0; l < face.loops.size(); ++l) {
      const std::vector<int>& loop = face.loops[l];
      EXPECT_EQ(dot3(area_vector(surface, loop), area).sign(), l == 0 ? 1 : -1);
      for (std::size_t i = 0; i < loop.size(); ++i) {
        const auto vertex = static_cast<std::size_t>(loop[i]);
        ASSERT_LT(vertex, surface.vertices.size());
        const Surface::Vertex& corner = surface.vertices[vertex];
        EXPECT_TRUE(std::count(corner.faces.begin(), corner.faces.end(), static_cast<int>(f)));
        const Vec<3>& p = surface.points[vertex];
        EXPECT_NEAR(face.normal.dot(p), face.offset, 1e-13 * (1.0 + p.norm()));
        outline[f] +=
            (surface.points[static_cast<std::size_t>(loop[(i + 1) % loop.size()])] - p).norm();
      }
    }
    ExactVec<3> of_pieces = ExactVec<3>::Zero();
    for (const std::vector<int>& piece : face.pieces) {
      of_pieces += area_vector(surface, piece);
      for (std::size_t i = 0; i < piece.size(); ++i) {
        const std::size_t n = piece.size();
        EXPECT_GT(
            dot3(area_vector(surface, {piece[i], piece[(i + 1) % n], piece[(i + 2) % n]}), area),
            0);
      }
    }
    EXPECT_EQ(of_pieces, area);
  }
  EXPECT_EQ(sum, at(0, 0, 0)) << "the surface is not closed";
  for (std::size_t e = 0; e < surface.edges.size(); ++e) {
    const Surface::Edge& edge = surface.edges[e];
    ASSERT_NE(edge.left, edge.right);
    const Vec<3> along =
        to_double<3>(ExactVec<3>(surface.exact[static_cast<std::size_t>(edge.to)] -
                                 surface.exact[static_cast<std::size_t>(edge.from)]));
    const Vec<3>& left = surface.faces[static_cast<std::size_t>(edge.left)].normal;
    const Vec<3>& right = surface.faces[static_cast<std::size_t>(edge.right)].normal;
    EXPECT_NEAR(left.dot(along), 0.0, 1e-13 * along.norm());
    EXPECT_NEAR(right.dot(along), 0.0, 1e-13 * along.norm());
    EXPECT_EQ(left.cross(right).dot(along) > 0.0, edge.convex);
    for (const int face : {edge.left, edge.right}) {
      outline[static_cast<std::size_t>(face)] -= along.norm();
    }
    for (const int end : {edge.from, edge.to}) {
      const Surface::Vertex& vertex = surface.vertices[static_cast<std::size_t>(end)];
      EXPECT_TRUE(std::count(vertex.edges.begin(), vertex.edges.end(), static_cast<int>(e)));
    }
  }
  for (const double rest : outline) EXPECT_NEAR(rest, 0.0, 1e-12) << "a side without an edge";
}

/// V − E + F, less one for every hole in a face: 2 for a ball, 0 for a torus.
inline int euler_characteristic(const Surface& surface) {
  int sum = static_cast<int>(surface.vertices.size()) - static_cast<int>(surface.edges.size());
  for (const Surface::Face& face : surface.faces) sum += 2 - static_cast<int>(face.loops.size());
  return sum;
}

/// Faces by the coordinates of their loops, without order of faces or starts of loops.
inline std::multiset<std::multiset<std::vector<double>>> outlines(const Surface& surface) {
  std::multiset<std::multiset<std::vector<double>>> faces;
  for (const Surface::Face& face : surface.faces) {
    std::multiset<std::vector<double>> loops;
    for (const std::vector<int>& loop : face.loops) {
      std::vector<std::vector<double>> points;
      for (const int vertex : loop) {
        const Vec<3>& p = surface.points[static_cast<std::size_t>(vertex)];
        points.push_back({p[0], p[1], p[2]});
      }
      std::rotate(points.begin(), std::min_element(points.begin(), points.end()), points.end());
      std::vector<double> flat;
      for (const std::vector<double>& point : points) {
        flat.insert(flat.end(), point.begin(), point.end());
      }
      loops.insert(std::move(flat));
    }
    faces.insert(std::move(loops));
  }
  return faces;
}

}  // namespace collapse
