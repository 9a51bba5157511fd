/// Assemblies of COMPAS: a graph whose nodes are blocks.

#include <map>

#include "collapse/core/error.hpp"
#include "collapse/io/convert.hpp"
#include "io/compas_layout.hpp"
#include "io/foreign_blocks.hpp"

namespace collapse {
namespace {

using foreign::Block;
using foreign::unwrapped;
using reader::Node;

/// The text of a key, which may be written as a number or as a string.
const std::string& key_text(const Node& node) {
  const json::Kind kind = node.value().kind;
  if (kind != json::Kind::number && kind != json::Kind::string) node.refuse("a key");
  return node.value().text;
}

Rational coordinate(const Node& vertex, std::string_view axis) {
  const std::optional<Node> value = vertex.find(axis);
  return value ? value->number().exact : Rational(0);  // the default of COMPAS
}

Node demand_members(const Node& node, const std::string& what) {
  if (node.value().kind != json::Kind::object) node.refuse(what);
  return node;
}

/// `vertex` {key: {x, y, z}} and `face` {key: [vertex keys]}.
Mesh read_halfedge_mesh(const Node& data) {
  Mesh mesh;
  std::map<std::string, int> numbers;
  const Node vertices =
      demand_members(data.require("vertex", "the vertices of a mesh"), "vertices by key");
  for (const json::Member& member : vertices.value().members) {
    const Node vertex = demand_members(*vertices.find(member.name), "{ x, y, z }");
    numbers.emplace(member.name, static_cast<int>(mesh.vertices.size()));
    mesh.vertices.emplace_back(coordinate(vertex, "x"), coordinate(vertex, "y"),
                               coordinate(vertex, "z"));
  }
  const Node faces = demand_members(data.require("face", "the faces of a mesh"), "faces by key");
  for (const json::Member& member : faces.value().members) {
    const Node face = *faces.find(member.name);
    face.demand_list("a list of vertex keys");
    std::vector<int> loop;
    for (std::size_t i = 0; i < face.size(); ++i) {
      const auto found = numbers.find(key_text(face.item(i)));
      if (found == numbers.end()) face.item(i).refuse("the key of a vertex of this mesh");
      loop.push_back(found->second);
    }
    mesh.faces.push_back(std::move(loop));
  }
  return mesh;
}

/// `vertices` [[x, y, z]] and `faces` [[vertex numbers]].
Mesh read_polyhedron(const Node& data) {
  Mesh mesh;
  const Node vertices = data.require("vertices", "the vertices of a polyhedron");
  vertices.demand_list("a list of points");
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const Node point = unwrapped(vertices.item(i));
    if (point.value().kind != json::Kind::array || point.size() != 3) point.refuse("[x, y, z]");
    mesh.vertices.emplace_back(point.item(0).number().exact, point.item(1).number().exact,
                               point.item(2).number().exact);
  }
  const Node faces = data.require("faces", "the faces of a polyhedron");
  faces.demand_list("a list of faces");
  for (std::size_t f = 0; f < faces.size(); ++f) {
    faces.item(f).demand_list("a list of vertex numbers");
    std::vector<int> loop;
    for (std::size_t i = 0; i < faces.item(f).size(); ++i) {
      const Node index = faces.item(f).item(i);
      const Rational number = index.number().exact;
      if (denominator(number) != 1 || number < 0 || number >= mesh.vertices.size()) {
        index.refuse("the number of a vertex of this polyhedron");
      }
      loop.push_back(numerator(number).convert_to<int>());
    }
    mesh.faces.push_back(std::move(loop));
  }
  return mesh;
}

Mesh read_compas_mesh(const Node& node) {
  const Node data = unwrapped(node);
  if (data.value().kind == json::Kind::object) {
    if (data.has("vertex")) return foreign::with_plain_faces(read_halfedge_mesh(data));
    if (data.has("vertices")) return foreign::with_plain_faces(read_polyhedron(data));
  }
  const std::string type = foreign::dtype_of(node);
  node.refuse(type.empty() ? json::describe(data.value()) : "a " + in_quotes(type),
              "a mesh (vertex, face) or a polyhedron (vertices, faces)");
}

/// The member of `all` (by key, or a list of typed objects with `guid`) that `reference` names.
Node by_guid(const Node& all, const Node& reference) {
  const std::string& guid = reference.text("the guid of an element");
  if (all.value().kind == json::Kind::object) {
    if (std::optional<Node> found = all.find(guid)) return *found;
  } else if (all.value().kind == json::Kind::array) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      const json::Value* own = all.value().items[i].find("guid");
      if (own != nullptr && own->text == guid) return all.item(i);
    }
  }
  reference.refuse("the guid of one of " + all.place());
}

std::optional<Rational> density_of(const Node& element, const std::optional<Node>& materials) {
  const std::optional<Node> reference = element.find("material");
  if (!materials || !reference || reference->value().kind != json::Kind::string) return {};
  const Node material = unwrapped(by_guid(*materials, *reference));
  const std::optional<Node> density = material.find("density");
  if (!density || density->value().kind == json::Kind::null) return {};
  return density->positive().exact;
}

bool support_flag(const Node& holder, bool otherwise) {
  const std::optional<Node> flag = holder.find("is_support");
  if (!flag || flag->value().kind == json::Kind::null) return otherwise;
  // Some writers store 0 and 1.
  if (flag->value().kind == json::Kind::number) return flag->number().exact != 0;
  return flag->boolean();
}

bool default_support(const Node& graph) {
  for (const std::string_view key : {"default_node_attributes", "dna", "dva"}) {
    const std::optional<Node> defaults = graph.find(key);
    if (defaults && defaults->value().kind == json::Kind::object) {
      return support_flag(*defaults, false);
    }
  }
  return false;
}

/// An element of compas_model: its geometry is in place if nothing moves it.
Block read_element(const Node& element, const std::optional<Node>& materials) {
  const Node data = unwrapped(element);
  for (const std::string_view key : {"transformation", "frame"}) {
    const std::optional<Node> moved = data.find(key);
    if (moved && moved->value().kind != json::Kind::null) {
      moved->refuse("an element with a " + std::string(key) + " of its own",
                    "geometry in place (null here)");
    }
  }
  const Node geometry = data.require("geometry", "the geometry of an element");
  return {"", geometry.place(), read_compas_mesh(geometry), support_flag(data, false),
          density_of(data, materials)};
}

Block read_block(const Node& node, const std::string& key, const Node& holder) {
  if (node.has("element") && holder.has("elements")) {
    const Node element =
        by_guid(*holder.find("elements"), node.require("element", "the guid of an element"));
    return read_element(element, holder.find("materials"));
  }
  std::optional<Node> block = node.find("block");
  if (!block && holder.has("blocks")) block = holder.find("blocks")->find(key);
  if (!block || block->value().kind == json::Kind::null) {
    node.refuse("a node without a block", "a block (a mesh) for every node");
  }
  return {"", block->place(), read_compas_mesh(*block), false, {}};
}

std::string assembly_name(const Node& holder) {
  const json::Value* attributes = holder.value().find("attributes");
  const json::Value* name = attributes == nullptr ? nullptr : attributes->find("name");
  return name == nullptr || name->kind != json::Kind::string ? std::string() : name->text;
}

}  // namespace

Converted convert_compas(std::string_view text, const ConvertOptions& options) {
  const json::Value document = json::parse(text);
  const Node file(document, "");
  std::vector<std::string> path = foreign::graph_path(file);
  const Node graph = foreign::node_at(file, path);
  // What holds the graph: the content that `graph` (or `assembly`) is a member of.
  while (!path.empty() && path.back() != "graph" && path.back() != "assembly") path.pop_back();
  if (!path.empty()) path.pop_back();
  const Node holder = path.empty() ? unwrapped(file) : foreign::node_at(file, path);

  Converted result;
  foreign::BlockScene scene;
  scene.name = assembly_name(holder);
  scene.gravity = 1;
  const bool support = default_support(graph);
  const Node nodes = *graph.find(graph.has("node") ? "node" : "vertex");
  demand_members(nodes, "nodes by key");
  for (const json::Member& member : nodes.value().members) {
    const Node node = demand_members(*nodes.find(member.name), "the attributes of a node");
    Block block = read_block(node, member.name, holder);
    block.name = member.name;
    block.support = support_flag(node, block.support || support);
    scene.blocks.push_back(std::move(block));
  }
  if (scene.blocks.empty()) nodes.refuse("an assembly with blocks");
  result.scene = foreign::block_scene(std::move(scene), options, result.remarks);
  return result;
}

}  // namespace collapse
