#include "collapse/model/scene.hpp"

#include <algorithm>

#include "collapse/core/check.hpp"

namespace collapse {
namespace {

/// The smaller of the two materials' numbers, unless a pair of materials has its own.
const Number& of_pair(const std::vector<Material>& materials,
                      const std::vector<MaterialPair>& pairs, int a, int b,
                      Number Material::*of_material, std::optional<Number> MaterialPair::*own) {
  for (const MaterialPair& pair : pairs) {
    const bool same = (pair.a == a && pair.b == b) || (pair.a == b && pair.b == a);
    if (same && pair.*own) return *(pair.*own);
  }
  const Number& number_a = materials[static_cast<std::size_t>(a)].*of_material;
  const Number& number_b = materials[static_cast<std::size_t>(b)].*of_material;
  return number_b.exact < number_a.exact ? number_b : number_a;
}

template <class Named>
std::optional<int> find_named(const std::vector<Named>& list, const std::string& name) {
  const auto found = std::find_if(list.begin(), list.end(),
                                  [&name](const Named& item) { return item.name == name; });
  if (found == list.end()) return std::nullopt;
  return static_cast<int>(found - list.begin());
}

}  // namespace

std::string_view to_string(JointType type) {
  switch (type) {
    case JointType::pin:
      return "pin";
    case JointType::rod:
      return "rod";
    case JointType::weld:
      return "weld";
    case JointType::hinge:
      return "hinge";
  }
  return "";
}

template <int Dim>
const Number& Scene<Dim>::friction(int material_a, int material_b) const {
  return of_pair(materials, pairs, material_a, material_b, &Material::friction,
                 &MaterialPair::friction);
}

template <int Dim>
const Number& Scene<Dim>::restitution(int material_a, int material_b) const {
  return of_pair(materials, pairs, material_a, material_b, &Material::restitution,
                 &MaterialPair::restitution);
}

template <int Dim>
std::optional<int> Scene<Dim>::find_body(const std::string& body_name) const {
  return find_named(bodies, body_name);
}

template <int Dim>
std::optional<int> Scene<Dim>::find_load(const std::string& load_name) const {
  return find_named(loads, load_name);
}

template <int Dim>
const std::string& Scene<Dim>::body_name(int body) const {
  static const std::string world = "world";
  if (body == kWorld) return world;
  COLLAPSE_ASSERT(body >= 0 && static_cast<std::size_t>(body) < bodies.size());
  return bodies[static_cast<std::size_t>(body)].name;
}

template <int Dim>
int Scene<Dim>::things() const {
  return static_cast<int>(bodies.size() + framework.faces.size() + framework.points.size());
}

template <int Dim>
std::string Scene<Dim>::thing_name(int thing) const {
  if (thing < std::ssize(bodies)) return body_name(thing);
  const std::size_t face = static_cast<std::size_t>(thing) - bodies.size();
  if (face < framework.faces.size()) return "face " + std::to_string(face);
  COLLAPSE_ASSERT(thing < things());
  return framework.points[face - framework.faces.size()].name;
}

template struct Scene<2>;
template struct Scene<3>;

}  // namespace collapse
