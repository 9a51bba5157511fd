#pragma once

#include <string>
#include <string_view>

#include "collapse/model/scene.hpp"

namespace collapse {

/// The scene described by `text` (docs/formats.md, docs/scene.schema.json). Throws Error, without
/// the file's name, where it cannot be used.
[[nodiscard]] Scene<2> parse_scene(std::string_view text);

/// Reads a scene file, `-` for standard input. Throws Error with the file's name.
[[nodiscard]] Scene<2> read_scene(const std::string& path);

/// The same with the text it was read from.
struct SceneText {
  std::string text;
  Scene<2> scene;
};
[[nodiscard]] SceneText read_scene_text(const std::string& path);

}  // namespace collapse
