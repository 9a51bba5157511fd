#pragma once

#include <string>
#include <unordered_map>

#include "collapse/model/scene.hpp"
#include "io/node.hpp"

namespace collapse::reader {

/// Index of a body, material or load by its name.
using NameTable = std::unordered_map<std::string, int>;

/// `bodies[index]` of a scene document, named `body INDEX` where it names itself nothing.
/// Meshes given by a path are looked for in `folder`.
template <int Dim>
[[nodiscard]] Body<Dim> read_body(const Node& node, std::size_t index, const NameTable& materials,
                                  const std::vector<Material>& material_list,
                                  const std::string& folder);

/// The index that `node` names. `what` is one of the words `material` and `body`; near names are
/// suggested.
[[nodiscard]] int look_up(const Node& node, const NameTable& table, const std::string& what);

}  // namespace collapse::reader
