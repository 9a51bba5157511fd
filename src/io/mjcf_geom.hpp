#pragma once
/// Geoms of MJCF and the mesh assets they use.

#include <functional>
#include <map>

#include "collapse/geometry/polyhedron.hpp"
#include "io/mjcf_model.hpp"

namespace collapse::foreign {

/// Meshes by name, read when a geom needs them.
class MjcfMeshes {
 public:
  using ReadFile = std::function<std::string(const std::string&)>;
  MjcfMeshes(const MjcfDefaults& defaults, ReadFile read_file)
      : defaults_(&defaults), read_file_(std::move(read_file)) {}

  std::string folder;  ///< meshdir of the compiler

  void add(const tinyxml2::XMLElement& element);
  /// Scaled; without faces where the asset is a list of points alone.
  [[nodiscard]] Mesh mesh(const std::string& name, const MjcfElement& user) const;

 private:
  [[nodiscard]] Mesh read(const MjcfElement& asset) const;

  const MjcfDefaults* defaults_;
  ReadFile read_file_;
  std::map<std::string, const tinyxml2::XMLElement*> assets_;
};

/// Without its place in the body, but with what `fromto` says.
[[nodiscard]] MjcfGeom read_geom(const MjcfElement& element, const MjcfUnits& units,
                                 const MjcfMeshes& meshes, std::vector<std::string>& remarks);

}  // namespace collapse::foreign
