#pragma once
/// The surface of a solid in space as flat polygons, for files and pictures that know nothing rounder.

#include <utility>
#include <vector>

#include "collapse/geometry/shape.hpp"
#include "io/mesh.hpp"

namespace collapse {

/// In body coordinates. Polygons are convex and counter-clockwise seen from outside; every corner has its normal. Edges
/// are those to be drawn, as pairs of points.
struct Facets {
  std::vector<Vec<3>> points;
  std::vector<Vec<3>> normals;
  std::vector<std::vector<int>> polygons;
  std::vector<std::pair<Vec<3>, Vec<3>>> edges;
};

/// Of a shape but a half space. Round solids have `sides` corners around (a multiple of 4).
[[nodiscard]] Facets facets_of(const Shape<3>& shape, int sides = 48);

/// The edges of a surface that are drawn, by their ends: not those of a finely divided round one.
[[nodiscard]] std::vector<std::pair<int, int>> drawn_edges(const Surface& surface);

/// A box about the origin.
[[nodiscard]] Facets box_facets(const Vec<3>& half);

/// In single precision, about `origin` (body coordinates). Rounded like those of the plane.
[[nodiscard]] Triangles triangles_of(const Facets& facets, const Vec<3>& origin);

}  // namespace collapse
