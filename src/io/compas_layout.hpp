#pragma once
/// Where things are in the JSON of COMPAS: typed objects `{"dtype": …, "data": …}` (COMPAS 2) or
/// `{"dtype": …, "value": …}` (COMPAS 1, where `value` may hold a further `data`).

#include <string>
#include <vector>

#include "io/node.hpp"

namespace collapse::foreign {

/// The key under which an object keeps its content; empty if it is content itself.
[[nodiscard]] std::string_view wrapper_key(const json::Value& value);
/// The content of a typed object, or the node itself.
[[nodiscard]] reader::Node unwrapped(reader::Node node);
/// What a typed object says it is: `compas.datastructures/Mesh`; empty if it does not.
[[nodiscard]] std::string dtype_of(const reader::Node& node);

/// The keys that lead from the whole file to the graph of blocks, which has `node` (or `vertex`) and `edge`.
/// Refuses anything but an assembly.
[[nodiscard]] std::vector<std::string> graph_path(const reader::Node& file);
/// The node at the end of such a path.
[[nodiscard]] reader::Node node_at(reader::Node node, const std::vector<std::string>& path);

/// The lists of interfaces of an edge have one of these names.
inline constexpr std::string_view kInterfaceKeys[] = {"interfaces", "contacts", "interface"};

}  // namespace collapse::foreign
