#include "io/compas_layout.hpp"

#include <algorithm>
#include <array>

namespace collapse::foreign {
namespace {

using reader::Node;

constexpr std::array<std::string_view, 7> kContent = {"graph",  "node",  "vertex",  "elements",
                                                      "points", "xaxis", "vertices"};

}  // namespace

std::string_view wrapper_key(const json::Value& value) {
  if (value.kind != json::Kind::object) return {};
  const bool typed = value.find("dtype") != nullptr;
  if (typed && value.find("data") != nullptr) return "data";
  if (typed && value.find("value") != nullptr) return "value";
  const bool content = std::any_of(kContent.begin(), kContent.end(), [&](std::string_view key) {
    return value.find(key) != nullptr;
  });
  const json::Value* data = value.find("data");
  return !content && data != nullptr && data->kind == json::Kind::object ? "data"
                                                                         : std::string_view();
}

Node unwrapped(Node node) {
  for (std::string_view key = wrapper_key(node.value()); !key.empty();
       key = wrapper_key(node.value())) {
    node = *node.find(key);
  }
  return node;
}

std::string dtype_of(const Node& node) {
  if (node.value().kind != json::Kind::object) return {};
  const json::Value* type = node.value().find("dtype");
  return type != nullptr && type->kind == json::Kind::string ? type->text : std::string();
}

Node node_at(Node node, const std::vector<std::string>& path) {
  for (const std::string& key : path) node = *node.find(key);
  return node;
}

std::vector<std::string> graph_path(const Node& file) {
  const std::string expected =
      "an assembly of COMPAS: an object with `graph`, whose nodes have a `block`";
  if (file.value().kind != json::Kind::object) file.refuse(expected);
  if (file.has("collapse")) file.refuse("a scene of Collapse, which needs no conversion", expected);
  std::vector<std::string> path;
  Node node = file;
  const auto descend = [&] {
    for (std::string_view key = wrapper_key(node.value()); !key.empty();
         key = wrapper_key(node.value())) {
      path.emplace_back(key);
      node = *node.find(key);
    }
  };
  const auto enter = [&](std::string_view key) {
    path.emplace_back(key);
    node = *node.find(key);
    descend();
  };
  descend();
  if (node.value().kind == json::Kind::object) {
    if (node.has("graph")) {
      enter("graph");
    } else if (node.has("assembly") && node.has("blocks")) {
      enter("assembly");
    }
    if (node.value().kind == json::Kind::object && (node.has("node") || node.has("vertex")) &&
        !node.has("face")) {
      return path;
    }
  }
  const std::string type = dtype_of(file);
  file.refuse(type.empty() ? "an object without them" : "a " + in_quotes(type), expected);
}

}  // namespace collapse::foreign
