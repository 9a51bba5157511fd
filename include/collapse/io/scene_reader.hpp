#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "collapse/model/scene.hpp"

namespace collapse {

/// In the plane or in space, as the file says.
using AnyScene = std::variant<Scene<2>, Scene<3>>;

/// Refuses a scene of the other dimension, for what only one of them can do.
template <int Dim>
[[nodiscard]] Scene<Dim> only(AnyScene scene);

/// The scene described by `text` (docs/formats.md, docs/scene.schema.json). Throws Error, without
/// the file's name, where it cannot be used. Meshes given by a relative path are looked for in
/// `folder`, empty for the working directory.
[[nodiscard]] AnyScene parse_any_scene(std::string_view text, const std::string& folder = {});

/// The same for what only one dimension can do: refuses scenes of the other.
template <int Dim = 2>
[[nodiscard]] Scene<Dim> parse_scene(std::string_view text, const std::string& folder = {});

/// A scene with the text it was read from.
struct SceneText {
  std::string text;
  std::string folder;  ///< where its meshes are looked for
  AnyScene scene;
};
/// Reads a scene file, `-` for standard input. Throws Error with the file's name.
[[nodiscard]] SceneText read_scene_text(const std::string& path);

/// The text of a scene that needs no files beside it: meshes given by a path are written into it. Where there are
/// none it is the text that was read. Throws Error if it becomes too long for a scene.
[[nodiscard]] std::string self_contained(const SceneText& read);

/// The same for what only one dimension can do: refuses scenes of the other.
template <int Dim = 2>
[[nodiscard]] Scene<Dim> read_scene(const std::string& path);

}  // namespace collapse
