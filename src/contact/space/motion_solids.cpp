#include "contact/space/motion_solids.hpp"

#include <algorithm>
#include <cmath>

#include "contact/space/planar.hpp"

namespace collapse::contacts {
namespace {

/// Of the piece's size: what is closer lies at the same place.
constexpr double kOnePlace = 1e-9;
/// Directions that differ by no more are one, but for rounding.
constexpr double kOneDirection = 1e-14;

/// The number of the surface's convex vertex at a place; −1 if there is none.
int convex_vertex_at(const Surface& surface, const Vec<3>& at, double tolerance) {
  for (std::size_t i = 0; i < surface.vertices.size(); ++i) {
    if ((surface.points[i] - at).norm() > tolerance) continue;
    return surface.vertices[i].convex ? static_cast<int>(i) : -1;
  }
  return -1;
}

/// The number of a convex edge of the surface that shares more than a point with the segment.
int convex_edge_along(const Surface& surface, const Vec<3>& from, const Vec<3>& to,
                      double tolerance) {
  const Vec<3> along = (to - from).normalized();
  const double length = (to - from).norm();
  for (std::size_t i = 0; i < surface.edges.size(); ++i) {
    const Surface::Edge& edge = surface.edges[i];
    if (!edge.convex) continue;
    const Vec<3> p = surface.points[static_cast<std::size_t>(edge.from)] - from;
    const Vec<3> q = surface.points[static_cast<std::size_t>(edge.to)] - from;
    if (along.cross(p).norm() > tolerance || along.cross(q).norm() > tolerance) continue;
    const double low = std::max(0.0, std::min(along.dot(p), along.dot(q)));
    const double high = std::min(length, std::max(along.dot(p), along.dot(q)));
    if (high - low > tolerance) return static_cast<int>(i);
  }
  return -1;
}

/// The number of a face of the surface that shares some area with a face of a piece.
int face_over(const Surface& surface, const Hull& hull, const Hull::Face& face, double tolerance) {
  const auto& vertices = hull.vertices();
  const PlaneFrame frame(vertices[static_cast<std::size_t>(face.loop[0])], face.normal,
                         Vec<3>::UnitX());
  FlatPolygon own;
  for (const int i : face.loop) own.push_back(frame.flat(vertices[static_cast<std::size_t>(i)]));
  FlatPolygon part;
  FlatPolygon spare;
  for (std::size_t i = 0; i < surface.faces.size(); ++i) {
    const Surface::Face& other = surface.faces[i];
    if (other.normal.dot(face.normal) < 1.0 - kOnePlace ||
        std::abs(other.offset - face.offset) > tolerance) {
      continue;
    }
    for (const std::vector<int>& piece : other.pieces) {
      part.clear();
      for (const int p : piece)
        part.push_back(frame.flat(surface.points[static_cast<std::size_t>(p)]));
      clip(own, part, spare);
      if (part.size() >= 3 && width_of(part) > tolerance) return static_cast<int>(i);
    }
  }
  return -1;
}

}  // namespace

MotionPiece::MotionPiece(const Hull& source, const Surface& surface, bool whole)
    : hull(&source), size(source.diameter()) {
  const double tolerance = kOnePlace * size;
  const auto& vertices = source.vertices();
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    vertex_numbers.push_back(whole ? static_cast<int>(i)
                                   : convex_vertex_at(surface, vertices[i], tolerance));
  }
  for (std::size_t i = 0; i < source.edges().size(); ++i) {
    const Hull::Edge& edge = source.edges()[i];
    const Vec<3>& from = vertex(edge.from);
    const Vec<3>& to = vertex(edge.to);
    const Vec<3> direction = (to - from).normalized();
    edges.push_back(
        {direction, line_along(direction), (to - from).norm(), edge.from, edge.to, edge.left,
         edge.right,
         whole ? static_cast<int>(i) : convex_edge_along(surface, from, to, tolerance)});
  }
  for (std::size_t i = 0; i < source.faces().size(); ++i) {
    const Hull::Face& face = source.faces()[i];
    Face own{face.normal,
             face.offset,
             whole ? static_cast<int>(i) : face_over(surface, source, face, tolerance),
             {}};
    for (std::size_t k = 0; k < face.loop.size(); ++k) {
      const int from = face.loop[k];
      const int to = face.loop[k + 1 < face.loop.size() ? k + 1 : 0];
      const auto edge = std::find_if(edges.begin(), edges.end(), [&](const Edge& candidate) {
        return (candidate.from == from && candidate.to == to) ||
               (candidate.from == to && candidate.to == from);
      });
      const Vec<3> along = (vertex(to) - vertex(from)).normalized();
      own.sides.push_back({vertex(from), along, face.normal.cross(along),
                           (vertex(to) - vertex(from)).norm(), from,
                           static_cast<int>(edge - edges.begin()), edge->number < 0});
    }
    faces.push_back(std::move(own));
  }
  find_slabs();
}

int MotionPiece::line_along(const Vec<3>& direction) {
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].cross(direction).norm() <= kOneDirection) return static_cast<int>(i);
  }
  lines.push_back(direction);
  return static_cast<int>(lines.size()) - 1;
}

void MotionPiece::find_slabs() {
  std::vector<char> taken(faces.size(), 0);
  for (std::size_t i = 0; i < faces.size(); ++i) {
    if (taken[i] != 0) continue;
    int opposite = -1;
    for (std::size_t j = i + 1; j < faces.size() && opposite < 0; ++j) {
      if (taken[j] == 0 && (faces[i].normal + faces[j].normal).norm() <= kOneDirection) {
        opposite = static_cast<int>(j);
        taken[j] = 1;
      }
    }
    slabs.emplace_back(static_cast<int>(i), opposite);
  }
}

}  // namespace collapse::contacts
