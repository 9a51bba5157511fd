#include "io/gltf_model.hpp"

#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

namespace collapse::gltf {
namespace {

/// glTF wants colours linear in light.
double linear(double srgb) {
  const double share = srgb / 255.0;
  const double light = share <= 0.04045 ? share / 12.92 : std::pow((share + 0.055) / 1.055, 2.4);
  return std::round(light * 1e4) / 1e4;
}

std::array<float, 4> components(const Eigen::Quaterniond& turn) {
  const Eigen::Vector4f own = turn.coeffs().cast<float>();
  return {own.x(), own.y(), own.z(), own.w()};
}

Json numbers(const Point3& point) { return {point.x(), point.y(), point.z()}; }

/// Where single precision gives two keys the same time, the earlier one goes.
template <class Key, class Value, class Convert>
std::pair<std::vector<float>, std::vector<Value>> in_single_precision(const std::vector<Key>& keys,
                                                                      const Convert& convert) {
  std::vector<float> times;
  std::vector<Value> values;
  for (const Key& key : keys) {
    const auto time = static_cast<float>(key.time);
    if (!times.empty() && !(time > times.back())) {
      times.pop_back();
      values.pop_back();
    }
    times.push_back(time);
    values.push_back(convert(key));
  }
  return {std::move(times), std::move(values)};
}

}  // namespace

Eigen::Quaterniond turn_in_plane(double angle) {
  return {std::cos(0.5 * angle), 0.0, 0.0, std::sin(0.5 * angle)};
}

Point3 Model::moved(const Vec<3>& place) const { return (place - origin_).cast<float>(); }

int Model::material(const Colour& colour, double roughness) {
  Json material = {
      {"pbrMetallicRoughness",
       {{"baseColorFactor", {linear(colour.red), linear(colour.green), linear(colour.blue), 1.0}},
        {"metallicFactor", 0.0},
        {"roughnessFactor", roughness}}}};
  const auto [found, added] =
      known_materials_.try_emplace(material.dump(), static_cast<int>(materials_.size()));
  if (added) materials_.push_back(std::move(material));
  return found->second;
}

Json Model::triangles(const Triangles& mesh, int material) {
  return {{"attributes",
           {{"POSITION", buffer_.points(mesh.points)}, {"NORMAL", buffer_.points(mesh.normals)}}},
          {"indices", buffer_.indices(mesh.triangles)},
          {"material", material}};
}

int Model::mesh(const Triangles& mesh, const Colour& colour, const std::optional<Triangles>& mark) {
  constexpr double kMatt = 0.85;
  constexpr int kLines = 1;
  const int ink = material(mix(kInk, kWhite, 0.2), 1.0);
  Json primitives = {triangles(mesh, material(colour, kMatt))};
  if (mark) primitives.push_back(triangles(*mark, ink));
  if (!mesh.outline.empty()) {
    primitives.push_back({{"attributes", {{"POSITION", buffer_.points(mesh.outline)}}},
                          {"mode", kLines},
                          {"material", ink}});
  }
  const auto [found, added] =
      known_meshes_.try_emplace(primitives.dump(), static_cast<int>(meshes_.size()));
  if (added) meshes_.push_back({{"primitives", std::move(primitives)}});
  return found->second;
}

int Model::node(const std::string& name, int mesh, const Vec<2>& place, double z, double angle,
                const Vec<2>& scale) {
  return node(name, mesh, Vec<3>(place.x(), place.y(), z), turn_in_plane(angle),
              Vec<3>(scale.x(), scale.y(), scale.y()));
}

int Model::node(const std::string& name, int mesh, const Vec<3>& place,
                const Eigen::Quaterniond& turn, const Vec<3>& scale) {
  Json node = {{"name", name}, {"mesh", mesh}};
  const Point3 translation = moved(place);
  if (!translation.isZero(0.0F)) node["translation"] = numbers(translation);
  if (!turn.vec().isZero(0.0)) node["rotation"] = components(turn.normalized());
  if (scale != Vec<3>::Ones()) node["scale"] = numbers(Point3(scale.cast<float>()));
  nodes_.push_back(std::move(node));
  return static_cast<int>(nodes_.size()) - 1;
}

void Model::animate(int node, const char* path, int input, int output) {
  channels_.push_back(
      {{"sampler", samplers_.size()}, {"target", {{"node", node}, {"path", path}}}});
  samplers_.push_back({{"input", input}, {"interpolation", "LINEAR"}, {"output", output}});
}

void Model::animate_place(int node, const std::vector<PlaceKey>& keys) {
  const auto [times, values] = in_single_precision<PlaceKey, Point3>(
      keys, [&](const PlaceKey& key) { return moved(key.place); });
  animate(node, "translation", buffer_.times(times), buffer_.translations(values));
}

void Model::animate_turn(int node, const std::vector<TurnKey>& keys) {
  const auto [times, values] = in_single_precision<TurnKey, std::array<float, 4>>(
      keys, [](const TurnKey& key) { return components(key.turn); });
  animate(node, "rotation", buffer_.times(times), buffer_.rotations(values));
}

std::string Model::finish(const std::string& name) {
  std::vector<int> children(nodes_.size());
  std::iota(children.begin(), children.end(), 0);
  Json root = {{"name", name.empty() ? "scene" : name}, {"children", std::move(children)}};
  const Eigen::Quaterniond raise =
      z_is_up_ ? Eigen::Quaterniond(std::numbers::sqrt2 / 2.0, -std::numbers::sqrt2 / 2.0, 0.0, 0.0)
               : Eigen::Quaterniond::Identity();
  if (z_is_up_) root["rotation"] = components(raise);
  if (!origin_.isZero(0.0)) root["translation"] = numbers(Point3((raise * origin_).cast<float>()));
  const std::size_t top = nodes_.size();
  nodes_.push_back(std::move(root));
  Json document = {{"asset", {{"version", "2.0"}, {"generator", "Collapse"}}},
                   {"scene", 0},
                   {"scenes", {{{"nodes", {top}}}}},
                   {"nodes", std::move(nodes_)},
                   {"meshes", std::move(meshes_)},
                   {"materials", std::move(materials_)}};
  if (!channels_.empty()) {
    document["animations"] = {{{"name", "motion"},
                               {"channels", std::move(channels_)},
                               {"samplers", std::move(samplers_)}}};
  }
  std::string bytes;
  buffer_.finish(document, bytes);
  return binary_file(document, bytes);
}

}  // namespace collapse::gltf
