#include <cstddef>

#include "collapse/geometry/polyhedron.hpp"

namespace collapse {

Surface surface_of(const Hull& hull) {
  Surface surface;
  surface.exact = hull.exact();
  surface.points = hull.vertices();
  surface.vertices.resize(surface.exact.size());
  surface.edges.reserve(hull.edges().size());
  for (const Hull::Edge& edge : hull.edges()) {
    const int number = static_cast<int>(surface.edges.size());
    surface.edges.push_back({edge.from, edge.to, edge.left, edge.right, true});
    for (const int end : {edge.from, edge.to}) {
      surface.vertices[static_cast<std::size_t>(end)].edges.push_back(number);
    }
  }
  surface.faces.reserve(hull.faces().size());
  for (const Hull::Face& face : hull.faces()) {
    const int number = static_cast<int>(surface.faces.size());
    surface.faces.push_back({face.normal, face.offset, {face.loop}, {face.loop}});
    for (const int vertex : face.loop) {
      surface.vertices[static_cast<std::size_t>(vertex)].faces.push_back(number);
    }
  }
  return surface;
}

}  // namespace collapse
