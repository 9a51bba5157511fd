/// Wavefront OBJ: one body for each object (`o`), or for each group (`g`) where there are no objects.

#include "collapse/core/error.hpp"
#include "collapse/io/convert.hpp"
#include "collapse/io/mesh_file.hpp"
#include "collapse/io/place.hpp"
#include "io/foreign_blocks.hpp"

namespace collapse {

Converted convert_obj(std::string_view text, const ConvertOptions& options) {
  Converted result;
  foreign::BlockScene scene;
  scene.gravity = Rational(981) / 100;
  scene.numbers = true;
  for (NamedMesh& object : read_obj_objects(text)) {
    const std::string name = object.name.empty() ? "block" : object.name;
    scene.blocks.push_back(
        {name, "object " + in_quotes(name), foreign::with_plain_faces(object.mesh), false, {}});
  }
  result.scene = foreign::block_scene(std::move(scene), options, result.remarks);
  return result;
}

}  // namespace collapse
