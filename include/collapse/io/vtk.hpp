#pragma once
/// Moments of a scene as VTK files for ParaView: unstructured grids (.vtu) of what there is and of the
/// contact forces, and a collection of them over time (.pvd). docs/formats.md, "VTK".

#include <memory>
#include <string>
#include <vector>

#include "collapse/formulation/verdict.hpp"

namespace collapse {

class VtkExport {
 public:
  /// `shown` are some moments that tell how far half planes have to be shown. `scene` must live as long as this.
  VtkExport(const Scene<2>& scene, const std::vector<State<2>>& shown);
  ~VtkExport();
  VtkExport(const VtkExport&) = delete;
  VtkExport& operator=(const VtkExport&) = delete;

  /// A .vtu file with a polygon for each body (several where it has holes or parts), a polygon for each face, a line
  /// for each bar, a vertex for each point of the framework.
  [[nodiscard]] std::string bodies(const State<2>& state) const;

 private:
  struct Geometry;
  std::unique_ptr<Geometry> geometry_;
};

/// A .vtu file with a vertex for each contact and its force as a vector.
[[nodiscard]] std::string vtk_contacts(const std::vector<ContactForce<2>>& forces);

struct VtkStep {
  double time = 0.0;
  std::string bodies;    ///< names of files
  std::string contacts;  ///< empty: none
};
/// The .pvd file.
[[nodiscard]] std::string vtk_collection(const std::vector<VtkStep>& steps);

}  // namespace collapse
