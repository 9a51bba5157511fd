#pragma once
/// A scene and its motion as a binary glTF 2.0 file (.glb), for Blender and any glTF viewer
/// (docs/formats.md, "glTF").

#include <memory>
#include <string>
#include <vector>

#include "collapse/formulation/verdict.hpp"

namespace collapse {

/// The plane becomes space by giving everything a thickness: x and y stay, z comes out of the picture. What is in space has
/// z upwards here and y upwards there, as glTF wants it.
template <int Dim>
class GltfExport {
 public:
  /// `scene` must live as long as this.
  explicit GltfExport(const Scene<Dim>& scene);
  ~GltfExport();
  GltfExport(const GltfExport&) = delete;
  GltfExport& operator=(const GltfExport&) = delete;

  /// Where everything is at `time`; times must grow. With one state only, nothing is animated. Throws Error
  /// where a coordinate is too large for the file's single precision.
  void add(double time, const State<Dim>& state);

  /// Contact forces as arrows that do not move.
  void add_forces(const std::vector<ContactForce<Dim>>& forces);

  /// The whole file. There must be a state.
  [[nodiscard]] std::string finish();

 private:
  struct Content;
  std::unique_ptr<Content> content_;
};

}  // namespace collapse
