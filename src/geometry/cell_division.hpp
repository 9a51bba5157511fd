#pragma once
/// A mesh cut into convex cells: how `decompose` works.

#include <map>
#include <optional>
#include <vector>

#include "geometry/convex_cell.hpp"
#include "geometry/mesh_location.hpp"

namespace collapse {

/// A mesh without fault as a cell with all its faces in it.
class DividedMesh {
 public:
  explicit DividedMesh(const Mesh& mesh);

  [[nodiscard]] const ConvexCell& whole() const { return whole_; }
  [[nodiscard]] const std::vector<CuttingPlane>& planes() const { return planes_; }
  [[nodiscard]] const Rational& volume() const { return volume_; }
  [[nodiscard]] bool is_inside(const ExactVec<3>& point) const;
  /// Whether a cell through whose inside no face passes is solid.
  [[nodiscard]] bool is_solid(const Hull& cell) const;

 private:
  /// Fragment plane numbers: the same for faces in one plane, whichever way they look.
  int number_of(const CuttingPlane& plane);

  ExactPoints points_;
  MeshLocator locator_;
  ConvexCell whole_;
  std::vector<CuttingPlane> planes_;
  std::map<std::vector<Rational>, int> numbers_;
  Rational volume_;
};

/// Convex polyhedra that do not overlap, whose union is the mesh; nothing if that would be too many or take too long.
[[nodiscard]] std::optional<std::vector<Hull>> exact_pieces(const DividedMesh& mesh);

/// Convex polyhedra that do not overlap and cover the mesh, not many, and what they cover besides not deep.
[[nodiscard]] std::vector<Hull> rough_pieces(const DividedMesh& mesh);

/// Neighbours whose union is convex made one.
[[nodiscard]] std::vector<Hull> merged_pieces(std::vector<Hull> pieces);

}  // namespace collapse
