#pragma once
/// Structures of blocks that lie where their coordinates say: what COMPAS and OBJ files have in common.

#include "collapse/io/convert.hpp"
#include "io/foreign_solid.hpp"

namespace collapse::foreign {

struct Block {
  std::string name;
  std::string place;  ///< in the file, for messages
  Mesh mesh;          ///< with plain faces
  bool support = false;
  std::optional<Rational> density;  ///< where the file says
};

struct BlockScene {
  std::string name;
  std::vector<Block> blocks;
  Rational gravity;      ///< unless the options say otherwise
  bool numbers = false;  ///< supports may be given by their position in `blocks`
};

/// The text of the scene. Throws Error for supports that are not there, and for options without meaning.
[[nodiscard]] std::string block_scene(BlockScene scene, const ConvertOptions& options,
                                      std::vector<std::string>& remarks);

}  // namespace collapse::foreign
