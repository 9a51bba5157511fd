#include <filesystem>

#include "collapse/core/error.hpp"
#include "collapse/io/json.hpp"
#include "collapse/io/mesh_file.hpp"
#include "collapse/io/place.hpp"
#include "collapse/io/scene_reader.hpp"
#include "io/scene_writer.hpp"

namespace collapse {
namespace {

/// Where a shape's mesh is a path, or null.
const json::Value* mesh_path(const json::Value& shape) {
  const json::Value* const mesh = shape.find("mesh");
  return mesh != nullptr && mesh->kind == json::Kind::string ? mesh : nullptr;
}

const std::vector<json::Value>& items_of(const json::Value& object, std::string_view key) {
  static const std::vector<json::Value> none;
  const json::Value* const list = object.find(key);
  return list == nullptr ? none : list->items;
}

bool needs_files(const json::Value& scene) {
  for (const json::Value& body : items_of(scene, "bodies")) {
    if (mesh_path(body) != nullptr) return true;
    for (const json::Value& part : items_of(body, "parts")) {
      if (mesh_path(part) != nullptr) return true;
    }
  }
  return false;
}

std::string mesh_text(const Mesh& mesh) {
  std::string text = "{\"vertices\":[";
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    text += (i == 0 ? "" : ",") + foreign::vector_text(mesh.vertices[i]);
  }
  text += "],\"faces\":[";
  for (std::size_t i = 0; i < mesh.faces.size(); ++i) {
    text += i == 0 ? "[" : ",[";
    for (std::size_t k = 0; k < mesh.faces[i].size(); ++k) {
      text += (k == 0 ? "" : ",") + std::to_string(mesh.faces[i][k]);
    }
    text += "]";
  }
  return text + "]}";
}

/// A document as text, numbers as they were written, meshes as they are in their files.
class InlinedScene {
 public:
  explicit InlinedScene(std::string folder) : folder_(std::move(folder)) {}

  void add(const json::Value& value) {
    if (text_.size() > json::kMaxBytes) {
      throw Error("bodies", "meshes that make the scene longer than a scene may be",
                  "smaller meshes, or a motion that is not written");
    }
    switch (value.kind) {
      case json::Kind::null:
        text_ += "null";
        break;
      case json::Kind::boolean:
        text_ += value.boolean ? "true" : "false";
        break;
      case json::Kind::number:
        text_ += value.text;
        break;
      case json::Kind::string:
        text_ += foreign::json_string(value.text);
        break;
      case json::Kind::array:
        add_items(value);
        break;
      case json::Kind::object:
        add_members(value);
        break;
    }
  }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  void add_items(const json::Value& array) {
    text_ += "[";
    for (std::size_t i = 0; i < array.items.size(); ++i) {
      if (i > 0) text_ += ",";
      add(array.items[i]);
    }
    text_ += "]";
  }

  /// Only shapes have a string as their mesh.
  void add_members(const json::Value& object) {
    text_ += "{";
    for (std::size_t i = 0; i < object.members.size(); ++i) {
      const auto& [name, value] = object.members[i];
      text_ += (i == 0 ? "" : ",") + foreign::json_string(name) + ":";
      if (name == "mesh" && value.kind == json::Kind::string) {
        text_ += mesh_text(read_mesh_file((std::filesystem::path(folder_) / value.text).string()));
      } else {
        add(value);
      }
    }
    text_ += "}";
  }

  std::string folder_;
  std::string text_;
};

}  // namespace

std::string self_contained(const SceneText& read) {
  const json::Value document = json::parse(read.text);
  if (!needs_files(document)) return read.text;
  InlinedScene scene(read.folder);
  scene.add(document);
  return scene.take();
}

}  // namespace collapse
