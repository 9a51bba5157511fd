#include "io/gltf_model.hpp"

#include <cmath>
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

std::array<float, 4> quaternion(double angle) {
  return {0.0F, 0.0F, static_cast<float>(std::sin(0.5 * angle)),
          static_cast<float>(std::cos(0.5 * angle))};
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

Point3 Model::moved(const Vec<2>& place, double z) const {
  const Vec<2> local = place - origin_;
  return Eigen::Vector3d(local.x(), local.y(), z).cast<float>();
}

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
  Json node = {{"name", name}, {"mesh", mesh}};
  const Point3 translation = moved(place, z);
  if (!translation.isZero(0.0F)) node["translation"] = numbers(translation);
  if (angle != 0.0) node["rotation"] = quaternion(angle);
  if (scale != Vec<2>(1.0, 1.0)) {
    const Point3 factors = Eigen::Vector3d(scale.x(), scale.y(), scale.y()).cast<float>();
    node["scale"] = numbers(factors);
  }
  nodes_.push_back(std::move(node));
  z_of_.push_back(z);
  return static_cast<int>(nodes_.size()) - 1;
}

void Model::animate(int node, const char* path, int input, int output) {
  channels_.push_back(
      {{"sampler", samplers_.size()}, {"target", {{"node", node}, {"path", path}}}});
  samplers_.push_back({{"input", input}, {"interpolation", "LINEAR"}, {"output", output}});
}

void Model::animate_place(int node, const std::vector<PlaceKey>& keys) {
  const double z = z_of_[static_cast<std::size_t>(node)];
  const auto [times, values] = in_single_precision<PlaceKey, Point3>(
      keys, [&](const PlaceKey& key) { return moved(key.place, z); });
  animate(node, "translation", buffer_.times(times), buffer_.translations(values));
}

void Model::animate_angle(int node, const std::vector<AngleKey>& keys) {
  const auto [times, values] = in_single_precision<AngleKey, std::array<float, 4>>(
      keys, [](const AngleKey& key) { return quaternion(key.angle); });
  animate(node, "rotation", buffer_.times(times), buffer_.rotations(values));
}

std::string Model::finish(const std::string& name) {
  std::vector<int> children(nodes_.size());
  std::iota(children.begin(), children.end(), 0);
  Json root = {{"name", name.empty() ? "scene" : name}, {"children", std::move(children)}};
  if (!origin_.isZero(0.0)) {
    root["translation"] = numbers(Eigen::Vector3d(origin_.x(), origin_.y(), 0.0).cast<float>());
  }
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
