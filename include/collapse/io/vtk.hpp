#pragma once
/// Moments of a scene as VTK files for ParaView: unstructured grids (.vtu) of what there is and of the
/// contact forces, and a collection of them over time (.pvd). docs/formats.md, "VTK".

#include <memory>
#include <string>
#include <vector>

#include "collapse/formulation/verdict.hpp"

namespace collapse {

template <int Dim>
class VtkExport {
 public:
  /// `shown` are some moments that tell how far half planes have to be shown. `scene` must live as long as this.
  VtkExport(const Scene<Dim>& scene, const std::vector<State<Dim>>& shown);
  ~VtkExport();
  VtkExport(const VtkExport&) = delete;
  VtkExport& operator=(const VtkExport&) = delete;

  /// A .vtu file with a polygon for each body (several where it has holes or parts; in space for all its faces), a
  /// polygon for each face, a line for each bar, a vertex for each point of the framework.
  [[nodiscard]] std::string bodies(const State<Dim>& state) const;

 private:
  struct Geometry;
  std::unique_ptr<Geometry> geometry_;
};

/// A .vtu file with a vertex for each contact and its force as a vector.
template <int Dim>
[[nodiscard]] std::string vtk_contacts(const std::vector<ContactForce<Dim>>& forces);

struct VtkStep {
  double time = 0.0;
  std::string bodies;    ///< names of files
  std::string contacts;  ///< empty: none
};
/// The .pvd file.
[[nodiscard]] std::string vtk_collection(const std::vector<VtkStep>& steps);

}  // namespace collapse
