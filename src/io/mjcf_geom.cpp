#include "io/mjcf_geom.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <numbers>

#include "collapse/core/error.hpp"
#include "collapse/io/mesh_file.hpp"
#include "collapse/io/place.hpp"
#include "io/foreign_solid.hpp"

namespace collapse::foreign {
namespace {

std::string file_name_of(std::string path) {
  path.erase(0, path.find_last_of("/\\") + 1);
  return path.substr(0, path.find_last_of('.'));
}

std::string ending_of(const std::string& path) {
  const std::size_t dot = path.find_last_of('.');
  std::string ending = dot == std::string::npos ? "" : path.substr(dot + 1);
  for (char& c : ending) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return ending;
}

/// What a geom's size has to say: so many positive numbers.
std::vector<Rational> sizes(const MjcfElement& element, std::size_t count) {
  std::vector<Rational> all = element.numbers("size").value_or(std::vector<Rational>());
  if (all.size() < count) {
    element.refuse("a size of " + std::to_string(all.size()) + " numbers",
                   "at least " + std::to_string(count));
  }
  all.resize(count);
  if (std::any_of(all.begin(), all.end(), [](const Rational& size) { return size <= 0; })) {
    element.refuse("a size that is not positive", "positive half sizes");
  }
  return all;
}

/// Capsules, cylinders and boxes may be given by their ends instead of a half length.
struct Span {
  MjcfPose pose;
  Rational half;
};

Span span_of(const MjcfElement& element) {
  const std::vector<Rational> ends = *element.numbers("fromto");
  if (ends.size() != 6) {
    element.refuse("fromto of " + std::to_string(ends.size()) + " numbers", "6 numbers");
  }
  const ExactVec<3> from(ends[0], ends[1], ends[2]);
  const ExactVec<3> to(ends[3], ends[4], ends[5]);
  const ExactVec<3> along = to - from;
  const Rational length = root_of(along[0] * along[0] + along[1] * along[1] + along[2] * along[2]);
  if (length == 0) element.refuse("fromto of two equal points", "two points");
  const ExactVec<3> sum = from + to;
  return {{ExactVec<3>(sum[0] / 2, sum[1] / 2, sum[2] / 2), turn_z_to(along)}, length / 2};
}

std::string pair_text(const Rational& a, const Rational& b) {
  return "[" + number_text(a) + "," + number_text(readable(b)) + "]";
}

void set_round(MjcfGeom& geom, const MjcfElement& element, const std::string& type) {
  const bool ends = element.has("fromto");
  std::vector<Rational> size = sizes(element, ends ? 1 : 2);
  if (ends) {
    Span span = span_of(element);
    geom.pose = span.pose;
    size.push_back(span.half);
  }
  const double radius = to_double(size[0]);
  const double height = 2.0 * to_double(size[1]);
  geom.volume = std::numbers::pi * radius * radius *
                (height + (type == "capsule" ? 4.0 / 3.0 * radius : 0.0));
  geom.shape = type;
  geom.value = pair_text(size[0], 2 * size[1]);
}

void set_box(MjcfGeom& geom, const MjcfElement& element) {
  const bool ends = element.has("fromto");
  std::vector<Rational> size = sizes(element, ends ? 1 : 3);
  if (ends) {
    const Span span = span_of(element);
    geom.pose = span.pose;
    size = {size[0], size[0], span.half};
  }
  geom.volume = 8.0 * to_double(size[0]) * to_double(size[1]) * to_double(size[2]);
  geom.shape = "box";
  geom.value = vector_text(ExactVec<3>(2 * size[0], 2 * size[1], readable(2 * size[2])));
}

void set_mesh(MjcfGeom& geom, const MjcfElement& element, const MjcfMeshes& meshes,
              std::vector<std::string>& remarks) {
  const std::optional<std::string> name = element.text("mesh");
  if (!name) element.refuse("a geom of type mesh without one", "mesh=\"NAME\"");
  const Mesh mesh = meshes.mesh(*name, element);
  ObjectText shape;
  if (mesh.faces.empty()) {
    geom.shape = "hull";
    add_hull(shape, mesh.vertices);
  } else {
    geom.volume = add_solid(shape, mesh, "mesh " + in_quotes(*name), element.place(), remarks);
  }
  const std::string text = shape.text();  // {"key":value}
  const auto colon = std::find(text.begin(), text.end(), ':');
  geom.shape.assign(text.begin() + 2, colon - 1);
  geom.value.assign(colon + 1, text.end() - 1);
  if (geom.shape == "mesh") {
    remarks.push_back(
        "mesh " + in_quotes(*name) +
        " is not convex: it touches with its own surface, not with its hull as in MuJoCo");
  }
}

std::uint32_t mask(const MjcfElement& element, const std::string& attribute) {
  const Rational value = element.number(attribute, 1);
  if (denominator(value) != 1 || value < 0 || value > 0xFFFFFFFFU) {
    element.refuse(attribute + " " + to_string(value), "a mask of 32 bits");
  }
  return numerator(value).convert_to<std::uint32_t>();
}

int whole(const MjcfElement& element, const std::string& attribute, int otherwise) {
  const Rational value = element.number(attribute, otherwise);
  if (denominator(value) != 1 || abs(value) > 1000000) {
    element.refuse(attribute + " " + to_string(value), "a whole number");
  }
  return numerator(value).convert_to<int>();
}

void read_contact(MjcfGeom& geom, const MjcfElement& element) {
  geom.friction = element.number("friction", 1);
  geom.density = element.number("density", 1000);
  if (element.has("mass")) geom.mass = element.number("mass", 0);
  geom.priority = whole(element, "priority", 0);
  geom.frictionless = whole(element, "condim", 3) == 1;
  geom.type = mask(element, "contype");
  geom.affinity = mask(element, "conaffinity");
  if (geom.friction < 0) element.refuse("friction " + to_string(geom.friction), "not less than 0");
  if (geom.density < 0 || (geom.mass && *geom.mass < 0)) {
    element.refuse("a negative mass", "a mass or density not less than 0");
  }
  if (element.number("margin", 0) != 0 || element.number("gap", 0) != 0) {
    element.refuse("a margin or gap", "contacts where surfaces touch: margin and gap 0");
  }
  if (element.flag("shellinertia", false)) {
    element.refuse("shellinertia", "a solid: the mass is spread over the volume");
  }
}

}  // namespace

void MjcfMeshes::add(const tinyxml2::XMLElement& element) {
  const MjcfElement asset(element, *defaults_);
  std::string name = asset.name();
  if (name.empty()) name = file_name_of(asset.text("file").value_or(""));
  if (name.empty()) asset.refuse("a mesh without a name", "name or file");
  if (!assets_.emplace(name, &element).second) {
    asset.refuse("the mesh " + in_quotes(name) + " twice", "every name once");
  }
}

Mesh MjcfMeshes::read(const MjcfElement& asset) const {
  if (const std::optional<std::string> file = asset.text("file")) {
    const std::string ending = ending_of(*file);
    if (ending != "obj" && ending != "stl") {
      asset.refuse("the file " + in_quotes(*file), "an OBJ or STL file");
    }
    const std::string path = folder.empty() || file->front() == '/' ? *file : folder + "/" + *file;
    if (!read_file_) asset.refuse("the file " + in_quotes(*file), "vertices in the model itself");
    try {
      return ending == "obj" ? read_obj(read_file_(path)) : read_stl(read_file_(path));
    } catch (const Error& error) {
      throw Error(asset.place() + ", " + printable(path) +
                      (error.place().empty() ? "" : ", " + error.place()),
                  error.found(), error.expected());
    }
  }
  Mesh mesh;
  const std::vector<Rational> v = asset.numbers("vertex").value_or(std::vector<Rational>());
  if (v.empty() || v.size() % 3 != 0) {
    asset.refuse(std::to_string(v.size()) + " coordinates",
                 "file, or vertex with three numbers each");
  }
  for (std::size_t i = 0; i < v.size(); i += 3)
    mesh.vertices.emplace_back(v[i], v[i + 1], v[i + 2]);
  const std::vector<Rational> f = asset.numbers("face").value_or(std::vector<Rational>());
  if (f.size() % 3 != 0)
    asset.refuse("faces of " + std::to_string(f.size()) + " numbers", "triangles");
  for (std::size_t i = 0; i < f.size(); i += 3) {
    std::vector<int> loop;
    for (std::size_t k = i; k < i + 3; ++k) {
      if (denominator(f[k]) != 1 || f[k] < 0 || f[k] >= mesh.vertices.size()) {
        asset.refuse(
            "a face with the vertex " + to_string(f[k]),
            "numbers of the " + std::to_string(mesh.vertices.size()) + " vertices, from 0");
      }
      loop.push_back(numerator(f[k]).convert_to<int>());
    }
    mesh.faces.push_back(std::move(loop));
  }
  return mesh;
}

Mesh MjcfMeshes::mesh(const std::string& name, const MjcfElement& user) const {
  const auto found = assets_.find(name);
  if (found == assets_.end()) {
    user.refuse("the mesh " + in_quotes(name), "the name of a mesh among the assets");
  }
  const MjcfElement asset(*found->second, *defaults_);
  for (const char* key : {"refpos", "refquat", "builtin"}) {
    if (asset.has(key)) asset.refuse(key, "a mesh in its own coordinates");
  }
  Mesh mesh = read(asset);
  const ExactVec<3> scale = asset.vector("scale", ExactVec<3>(1, 1, 1));
  if (scale[0] * scale[1] * scale[2] == 0) asset.refuse("a scale of 0", "scales other than 0");
  for (ExactVec<3>& vertex : mesh.vertices) {
    for (int i = 0; i < 3; ++i) vertex[i] *= scale[i];
  }
  if (scale[0] * scale[1] * scale[2] < 0) {
    for (auto& loop : mesh.faces) std::reverse(loop.begin(), loop.end());
  }
  return mesh.faces.empty() ? mesh : with_plain_faces(mesh);
}

MjcfGeom read_geom(const MjcfElement& element, const MjcfUnits& units, const MjcfMeshes& meshes,
                   std::vector<std::string>& remarks) {
  MjcfGeom geom;
  geom.name = element.name();
  geom.place = element.place();
  geom.pose = element.pose(units);
  const std::string type = element.text("type").value_or("sphere");
  if (type != "mesh" && element.has("mesh")) {
    element.refuse("a " + printable(type) + " fitted to a mesh", "sizes, or type=\"mesh\"");
  }
  read_contact(geom, element);
  if (type == "plane") return geom;
  if (type == "sphere") {
    const Rational radius = sizes(element, 1)[0];
    geom.shape = "sphere";
    geom.value = number_text(radius);
    geom.volume = 4.0 / 3.0 * std::numbers::pi * std::pow(to_double(radius), 3);
  } else if (type == "capsule" || type == "cylinder") {
    set_round(geom, element, type);
  } else if (type == "box") {
    set_box(geom, element);
  } else if (type == "mesh") {
    set_mesh(geom, element, meshes, remarks);
  } else {
    element.refuse("a geom of type " + in_quotes(type),
                   "box, sphere, capsule, cylinder, plane or mesh");
  }
  return geom;
}

}  // namespace collapse::foreign
