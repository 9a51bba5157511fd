#pragma once
/// A scene and its motion as a binary glTF 2.0 file (.glb), for Blender and any glTF viewer
/// (docs/formats.md, "glTF").

#include <memory>
#include <string>
#include <vector>

#include "collapse/formulation/verdict.hpp"

namespace collapse {

/// The plane becomes space by giving everything a thickness: x and y stay, z comes out of the picture.
class GltfExport {
 public:
  /// `scene` must live as long as this.
  explicit GltfExport(const Scene<2>& scene);
  ~GltfExport();
  GltfExport(const GltfExport&) = delete;
  GltfExport& operator=(const GltfExport&) = delete;

  /// Where everything is at `time`; times must grow. With one state only, nothing is animated. Throws Error
  /// where a coordinate is too large for the file's single precision.
  void add(double time, const State<2>& state);

  /// Contact forces as arrows that do not move.
  void add_forces(const std::vector<ContactForce<2>>& forces);

  /// The whole file. There must be a state.
  [[nodiscard]] std::string finish();

 private:
  struct Content;
  std::unique_ptr<Content> content_;
};

/// A scene in space as the whole file, with its contact forces as arrows. What has z upwards here has y upwards there, as
/// glTF wants it. Throws Error as above.
[[nodiscard]] std::string gltf_of(const Scene<3>& scene, const State<3>& state,
                                  const std::vector<ContactForce<3>>& forces);

}  // namespace collapse
