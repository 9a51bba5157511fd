#pragma once
/// Solids with flat faces, in exact coordinates with the doubles beside.

#include <string>
#include <vector>

#include "collapse/geometry/dim.hpp"

namespace collapse {

/// A surface as a file or a user gives it: polygons by the numbers of their vertices, counter-clockwise
/// seen from outside.
struct Mesh {
  std::vector<ExactVec<3>> vertices;
  std::vector<std::vector<int>> faces;
};

/// What makes this surface unusable as the boundary of a solid (a face with fewer than three vertices or not
/// flat, an edge with one face or more than two, faces that disagree about the outside, no volume, inside out,
/// faces that cross), in words and with the numbers of faces or edges; empty if nothing does.
[[nodiscard]] std::string mesh_fault(const Mesh& mesh);

/// The same surface without what files have for reasons of writing: vertices at the same place are one, unused ones
/// gone, and so are faces that have fewer than three different vertices; polygons that are flat but for rounding (within
/// 1e-6 of their size) are cut into triangles. The first triangle keeps the number of its polygon, the others follow
/// at the end. What is not flat within that stays as it is: a fault.
[[nodiscard]] Mesh tidied(const Mesh& mesh);

/// A convex polyhedron. No two faces lie in one plane and no vertex in the middle of an edge.
class Hull {
 public:
  struct Face {
    std::vector<int> loop;  ///< counter-clockwise seen from outside
    Vec<3> normal;          ///< unit, outwards
    double offset = 0.0;    ///< normal·x on the face
  };
  /// Between vertices `from` and `to`; `left` has them in this order in its loop, `right` in the other.
  struct Edge {
    int from = 0;
    int to = 0;
    int left = 0;
    int right = 0;
  };

  Hull() = default;
  /// Of points that do not all lie in one plane.
  explicit Hull(const std::vector<ExactVec<3>>& points);

  [[nodiscard]] const std::vector<ExactVec<3>>& exact() const { return exact_; }
  [[nodiscard]] const std::vector<Vec<3>>& vertices() const { return vertices_; }
  [[nodiscard]] const std::vector<Face>& faces() const { return faces_; }
  [[nodiscard]] const std::vector<Edge>& edges() const { return edges_; }
  /// Numbers of the vertices that share an edge with vertex i.
  [[nodiscard]] const std::vector<int>& neighbours(int i) const {
    return neighbours_[static_cast<std::size_t>(i)];
  }
  /// Largest distance of two vertices.
  [[nodiscard]] double diameter() const;
  /// The same faces as a mesh.
  [[nodiscard]] Mesh mesh() const;

 private:
  std::vector<ExactVec<3>> exact_;
  std::vector<Vec<3>> vertices_;
  std::vector<Face> faces_;
  std::vector<Edge> edges_;
  std::vector<std::vector<int>> neighbours_;
};

/// Whether points span a solid: not all in one plane.
[[nodiscard]] bool spans_solid(const std::vector<ExactVec<3>>& points);

/// Convex polyhedra whose union is the inside of a mesh without fault.
struct Decomposition {
  std::vector<Hull> pieces;
  /// Volume of the union of the pieces over that of the mesh, minus one: 0 where the decomposition is exact.
  double excess = 0.0;
};
[[nodiscard]] Decomposition decompose(const Mesh& mesh);

/// The boundary of a solid, not necessarily convex, as contacts and pictures want it: coplanar neighbours are one
/// face, so that neither triangles of a mesh nor seams between parts leave a trace.
struct Surface {
  struct Face {
    Vec<3> normal;        ///< unit, outwards
    double offset = 0.0;  ///< normal·x on the face
    /// Vertex numbers: the outer boundary, counter-clockwise seen from outside, then holes, clockwise. No vertex in the
    /// middle of a straight side, even where an edge ends there because the face beside it changes.
    std::vector<std::vector<int>> loops;
    /// Convex polygons, counter-clockwise, whose union is the face; numbers of `points`.
    std::vector<std::vector<int>> pieces;
  };
  /// `left` has the vertices in this order, `right` in the other.
  struct Edge {
    int from = 0;
    int to = 0;
    int left = 0;
    int right = 0;
    bool convex = true;  ///< the solid's angle is below 180°
  };
  struct Vertex {
    std::vector<int> edges;  ///< that meet here
    std::vector<int> faces;  ///< that meet here
    /// The solid near the vertex lies on one side of some plane through it and touches it there alone.
    bool convex = true;
  };

  std::vector<ExactVec<3>>
      exact;                   ///< points: the vertices first, then those that only `pieces` use
  std::vector<Vec<3>> points;  ///< the same, rounded
  std::vector<Vertex> vertices;
  std::vector<Edge> edges;
  std::vector<Face> faces;

  [[nodiscard]] bool empty() const { return faces.empty(); }
};

/// Of a mesh without fault.
[[nodiscard]] Surface surface_of(const Mesh& mesh);
/// The hull's own vertices, edges and faces, in its order.
[[nodiscard]] Surface surface_of(const Hull& hull);
/// Of the union of convex polyhedra, which may overlap or share parts of faces.
[[nodiscard]] Surface union_surface(const std::vector<Hull>& pieces);

/// ∫1, ∫x, ∫xxᵀ over the inside of a mesh.
struct VolumeMoments {
  Rational volume{0};
  ExactVec<3> first = ExactVec<3>::Zero();
  Eigen::Matrix<Rational, 3, 3> second = Eigen::Matrix<Rational, 3, 3>::Zero();
};
[[nodiscard]] VolumeMoments volume_moments(const Mesh& mesh);
/// Of the solid that a surface bounds.
[[nodiscard]] VolumeMoments volume_moments(const Surface& surface);

}  // namespace collapse
