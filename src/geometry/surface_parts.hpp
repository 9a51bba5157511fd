#pragma once
/// How the surface of a solid is put together from flat polygons.

#include <utility>
#include <vector>

#include "collapse/geometry/polyhedron.hpp"
#include "geometry/flat_plane.hpp"

namespace collapse {

/// A part of a solid's boundary: a simple polygon in a plane, in its coordinates, counter-clockwise.
struct Patch {
  FlatPlane plane;
  Loop polygon;
};

/// The surface that patches cover. Those in one plane may overlap; every other side is shared with other patches,
/// in whole or in parts.
[[nodiscard]] Surface surface_of_patches(std::vector<Patch> patches);

/// A face with holes cut into convex polygons whose union it is. Loops as of `union_boundary`.
[[nodiscard]] std::vector<Loop> trapezoids(const std::vector<Loop>& loops);

/// Finds edges and vertices where the faces of `surface` have their loops and `planes` are their planes. Vertices must
/// be numbered in lexicographic order.
void connect_faces(Surface& surface, const std::vector<FlatPlane>& planes);

}  // namespace collapse
