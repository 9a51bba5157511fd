#include "collapse/io/scene_reader.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "collapse/core/error.hpp"
#include "io/body_reader.hpp"
#include "io/framework_reader.hpp"
#include "io/joint_reader.hpp"
#include "io/node.hpp"

namespace collapse {
namespace {

using reader::NameTable;
using reader::Node;
using reader::Words;

constexpr std::size_t kMaxBodies = 1'000'000;

/// `framework` only in the plane.
constexpr std::array<std::string_view, 13> kSceneKeys{
    "collapse", "name",   "dimension", "gravity",    "materials", "pairs",    "bodies",
    "joints",   "ignore", "loads",     "simulation", "$schema",   "framework"};
constexpr std::array<std::string_view, 1> kPlaneKeys{"framework"};

/// Checks the version of the format and tells the dimension.
int read_dimension(const Node& scene) {
  const std::string expected = "\"collapse\": 1, the version of the format";
  const Node version = scene.require("collapse", expected);
  if (version.value().kind != json::Kind::number || version.number().exact != 1) {
    version.refuse("1, the version of the format");
  }
  const Node dimension = scene.require("dimension", "\"dimension\": 2 or 3");
  if (dimension.value().kind == json::Kind::number) {
    const Rational number = dimension.number().exact;
    if (number == 2) return 2;
    if (number == 3) return 3;
  }
  dimension.refuse("2 (the plane) or 3 (space)");
}

Number read_restitution(const Node& node) {
  Number number = node.number();
  if (number.exact < 0 || number.exact > 1) node.refuse("a number from 0 to 1");
  return number;
}

/// Coefficients beyond any material would only make forces along both sides of the cone cancel.
Number read_friction(const Node& node) {
  Number number = node.nonnegative();
  if (number.exact > 1'000'000) node.refuse("a coefficient of friction of at most 1000000");
  return number;
}

Material read_material(const Node& node, const std::string& name) {
  constexpr std::array<std::string_view, 3> keys{"density", "friction", "restitution"};
  reader::check_name(node, name);
  node.demand_object("a material", keys);
  Material material;
  material.name = name;
  if (const auto density = node.find("density")) material.density = density->positive();
  if (const auto friction = node.find("friction")) material.friction = read_friction(*friction);
  if (const auto restitution = node.find("restitution")) {
    material.restitution = read_restitution(*restitution);
  }
  return material;
}

/// The default material first, the others in the order of the document.
template <int Dim>
NameTable read_materials(const std::optional<Node>& node, Scene<Dim>& scene) {
  NameTable table{{"default", 0}};
  scene.materials.resize(1);
  scene.materials.front().name = "default";
  if (!node) return table;
  if (node->value().kind != json::Kind::object) {
    node->refuse("an object that gives each material's name its properties");
  }
  for (const auto& [name, value] : node->value().members) {
    Material material = read_material(Node(value, member_place(node->place(), name)), name);
    if (name == "default") {
      scene.materials.front() = std::move(material);
    } else {
      table.emplace(name, static_cast<int>(scene.materials.size()));
      scene.materials.push_back(std::move(material));
    }
  }
  return table;
}

template <int Dim>
void read_pairs(const Node& list, const NameTable& materials, Scene<Dim>& scene) {
  constexpr std::array<std::string_view, 3> keys{"materials", "friction", "restitution"};
  list.demand_list("a list of pairs of materials");
  std::set<std::pair<int, int>> seen;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Node node = list.item(i);
    node.demand_object("a pair of materials", keys);
    const Node names = node.require("materials", "\"materials\": two names");
    if (names.value().kind != json::Kind::array || names.size() != 2) {
      names.refuse("the names of two materials");
    }
    MaterialPair pair;
    pair.a = reader::look_up(names.item(0), materials, "material");
    pair.b = reader::look_up(names.item(1), materials, "material");
    if (!seen.insert(std::minmax(pair.a, pair.b)).second) {
      names.refuse("a pair that was given before", "every pair at most once");
    }
    if (const auto friction = node.find("friction")) pair.friction = read_friction(*friction);
    if (const auto restitution = node.find("restitution")) {
      pair.restitution = read_restitution(*restitution);
    }
    if (!pair.friction && !pair.restitution) {
      node.refuse("neither friction nor restitution", "at least one of the two");
    }
    scene.pairs.push_back(std::move(pair));
  }
}

/// There may be none beside a framework.
template <int Dim>
NameTable read_bodies(const Node& list, const NameTable& materials, Scene<Dim>& scene,
                      const std::string& folder) {
  const std::size_t least = scene.framework.points.empty() ? 1 : 0;
  const std::string expected =
      "a list of " + std::to_string(least) + " to " + std::to_string(kMaxBodies) + " bodies";
  list.demand_list(expected);
  if (list.size() < least || list.size() > kMaxBodies) list.refuse(expected);
  NameTable table;
  table.reserve(list.size());
  scene.bodies.reserve(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Node node = list.item(i);
    const Body<Dim>& body = scene.bodies.emplace_back(
        reader::read_body<Dim>(node, i, materials, scene.materials, folder));
    if (const auto [first, added] = table.emplace(body.name, static_cast<int>(i)); !added) {
      const std::string other = item_place(list.place(), static_cast<std::size_t>(first->second));
      (node.has("name") ? *node.find("name") : node)
          .refuse("the name " + in_quotes(body.name) + ", which " + other + " has already",
                  "a name of its own");
    }
  }
  return table;
}

SimulationSettings read_simulation(const Node& node) {
  constexpr std::array<std::string_view, 5> keys{"scheme", "impact", "step", "duration",
                                                 "frame_rate"};
  constexpr std::array<std::string_view, 4> schemes{"position", "acceleration", "oba", "event"};
  constexpr std::array<std::string_view, 2> impacts{"simultaneous", "sequential"};
  node.demand_object("simulation settings", keys);
  SimulationSettings settings;
  if (const auto scheme = node.find("scheme")) settings.scheme = scheme->choice(schemes);
  if (const auto impact = node.find("impact")) settings.impact = impact->choice(impacts);
  if (const auto step = node.find("step")) settings.step = step->positive();
  if (const auto duration = node.find("duration")) settings.duration = duration->nonnegative();
  if (const auto rate = node.find("frame_rate")) settings.frame_rate = rate->positive();
  return settings;
}

void read_framework_of(const Node& node, Scene<2>& scene) {
  if (const auto framework = node.find("framework")) {
    scene.framework = reader::read_framework(*framework);
  }
}
void read_framework_of(const Node& /*node*/, Scene<3>& /*scene*/) {}

template <int Dim>
Scene<Dim> read_document(const Node& node, const std::string& folder) {
  const std::span<const std::string_view> known(kSceneKeys.data(),
                                                kSceneKeys.size() - (Dim == 2 ? 0 : 1));
  node.demand_object("a scene", known, kPlaneKeys, Words<3>::kElsewhere);
  if (const auto schema = node.find("$schema")) static_cast<void>(schema->text("an address"));
  Scene<Dim> scene;
  if (const auto name = node.find("name")) {
    // The scene's own name, unlike others, may be empty: nothing refers to it.
    scene.name = name->text("a name, as a string");
    if (!scene.name.empty()) reader::check_name(*name, scene.name);
  }
  const auto gravity = node.find("gravity");
  ExactVec<Dim> down = ExactVec<Dim>::Zero();
  down[Dim - 1] = Rational(-981, 100);
  scene.gravity = gravity ? gravity->load<Dim>() : NumberVec<Dim>(down);
  const NameTable materials = read_materials(node.find("materials"), scene);
  if (const auto pairs = node.find("pairs")) read_pairs(*pairs, materials, scene);
  read_framework_of(node, scene);
  NameTable bodies;
  if (node.has("bodies") || scene.framework.points.empty()) {
    bodies = read_bodies(node.require("bodies", "\"bodies\": a list of bodies"), materials, scene,
                         folder);
  }
  if (const auto joints = node.find("joints")) reader::read_joints(*joints, bodies, scene);
  if (const auto ignored = node.find("ignore")) reader::read_ignored(*ignored, bodies, scene);
  std::sort(scene.ignored.begin(), scene.ignored.end());
  scene.ignored.erase(std::unique(scene.ignored.begin(), scene.ignored.end()), scene.ignored.end());
  if (const auto loads = node.find("loads")) reader::read_loads(*loads, bodies, scene);
  if (const auto simulation = node.find("simulation")) {
    scene.simulation = read_simulation(*simulation);
  }
  return scene;
}

/// Everything in `stream`, up to one byte more than a scene may have.
std::string read_all(std::istream& stream) {
  std::string text;
  std::array<char, 1 << 16> block{};
  while (text.size() <= json::kMaxBytes) {
    stream.read(block.data(), static_cast<std::streamsize>(block.size()));
    text.append(block.data(), static_cast<std::size_t>(stream.gcount()));
    if (!stream) break;
  }
  return text;
}

std::string read_file(const std::string& path) {
  std::error_code ignored;
  const std::filesystem::file_status status = std::filesystem::status(path, ignored);
  if (status.type() == std::filesystem::file_type::not_found) {
    throw Error("", "no such file", "a scene file");
  }
  if (status.type() == std::filesystem::file_type::directory) {
    throw Error("", "a directory", "a scene file");
  }
  std::ifstream stream(path, std::ios::binary);
  std::string text = stream ? read_all(stream) : std::string();
  if (!stream.is_open() || stream.bad()) {
    throw Error("", "a file that cannot be read", "a readable scene file");
  }
  return text;
}

}  // namespace

template <int Dim>
Scene<Dim> only(AnyScene scene) {
  if (Scene<Dim>* const wanted = std::get_if<Scene<Dim>>(&scene)) return std::move(*wanted);
  throw Error(
      "dimension", std::to_string(5 - Dim),
      std::to_string(Dim) + ": this is for scenes " + std::string(Words<Dim>::kHere) + " only");
}

template Scene<2> only(AnyScene);
template Scene<3> only(AnyScene);

template <int Dim>
Scene<Dim> parse_scene(std::string_view text, const std::string& folder) {
  return only<Dim>(parse_any_scene(text, folder));
}

template Scene<2> parse_scene(std::string_view, const std::string&);
template Scene<3> parse_scene(std::string_view, const std::string&);

AnyScene parse_any_scene(std::string_view text, const std::string& folder) {
  const json::Value document = json::parse(text);
  const Node node(document, "");
  node.demand_object("a scene", kSceneKeys);
  if (read_dimension(node) == 2) return read_document<2>(node, folder);
  return read_document<3>(node, folder);
}

SceneText read_scene_text(const std::string& path) {
  const bool standard_input = path == "-";
  try {
    SceneText result;
    result.text = standard_input ? read_all(std::cin) : read_file(path);
    if (!standard_input) result.folder = std::filesystem::path(path).parent_path().string();
    result.scene = parse_any_scene(result.text, result.folder);
    return result;
  } catch (const Error& error) {
    throw error.in_file(standard_input ? "standard input" : path);
  }
}

template <int Dim>
Scene<Dim> read_scene(const std::string& path) {
  SceneText read = read_scene_text(path);
  try {
    return only<Dim>(std::move(read.scene));
  } catch (const Error& error) {
    throw error.in_file(path == "-" ? "standard input" : path);
  }
}

template Scene<2> read_scene(const std::string&);
template Scene<3> read_scene(const std::string&);

}  // namespace collapse
