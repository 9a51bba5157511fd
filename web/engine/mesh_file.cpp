/// A page has no files beside the scene: meshes are inline there.

#include "collapse/io/mesh_file.hpp"

#include "collapse/core/error.hpp"

namespace collapse {

Mesh read_mesh_file(const std::string& path) {
  throw Error("", "the path of a file, " + printable(path),
              "a mesh in the scene itself, { \"vertices\": …, \"faces\": … }");
}

}  // namespace collapse
