#include <algorithm>
#include <vector>

#include "collapse/core/error.hpp"
#include "collapse/io/mesh_file.hpp"
#include "io/shape_reader.hpp"

namespace collapse::reader {
namespace {

Shape<3> read_space_box(const Node& node) {
  if (node.value().kind != json::Kind::array || node.size() != 3) {
    node.refuse("[x, y, z], the lengths of its sides");
  }
  ExactVec<3> sides;
  for (std::size_t i = 0; i < 3; ++i) sides[static_cast<int>(i)] = node.item(i).positive().exact;
  return make_box(sides);
}

/// `[radius, length]`.
std::pair<Rational, Rational> read_radius_and_length(const Node& node,
                                                     const std::string& expected) {
  if (node.value().kind != json::Kind::array || node.size() != 2) node.refuse(expected);
  return {node.item(0).positive().exact, node.item(1).positive().exact};
}

std::vector<ExactVec<3>> read_points(const Node& node, std::size_t least, std::size_t most) {
  const std::string expected =
      "a list of " + std::to_string(least) + " to " + std::to_string(most) + " points [x, y, z]";
  node.demand_list(expected);
  if (node.size() < least || node.size() > most) node.refuse(expected);
  std::vector<ExactVec<3>> points;
  points.reserve(node.size());
  DenominatorBudget budget(node);
  for (std::size_t i = 0; i < node.size(); ++i) {
    points.push_back(node.item(i).vector<3>().exact);
    budget.include<3>(points.back());
  }
  return points;
}

std::vector<int> read_face(const Node& node, std::size_t vertices) {
  const std::string expected = "at least three numbers of vertices, from 0 to " +
                               std::to_string(vertices - 1) +
                               ", counter-clockwise seen from outside";
  node.demand_list(expected);
  if (node.size() < 3) node.refuse(expected);
  std::vector<int> face;
  face.reserve(node.size());
  for (std::size_t i = 0; i < node.size(); ++i) {
    const Rational number = node.item(i).number().exact;
    if (denominator(number) != 1 || number < 0 || number >= vertices) {
      node.item(i).refuse("the number of a vertex, from 0 to " + std::to_string(vertices - 1));
    }
    face.push_back(number.convert_to<int>());
  }
  return face;
}

Mesh read_inline_mesh(const Node& node) {
  constexpr std::array<std::string_view, 2> keys{"vertices", "faces"};
  node.demand_object("a mesh, the path of a file, or", keys);
  Mesh mesh;
  mesh.vertices = read_points(node.require("vertices", "\"vertices\": a list of points"), 4,
                              kMaxSceneMeshVertices);
  const Node faces = node.require("faces", "\"faces\": a list of lists of vertex numbers");
  const std::string expected =
      "a list of 4 to " + std::to_string(2 * kMaxSceneMeshVertices) + " lists of vertex numbers";
  faces.demand_list(expected);
  if (faces.size() < 4 || faces.size() > 2 * kMaxSceneMeshVertices) faces.refuse(expected);
  for (std::size_t i = 0; i < faces.size(); ++i) {
    mesh.faces.push_back(read_face(faces.item(i), mesh.vertices.size()));
  }
  return mesh;
}

Mesh read_mesh_of_file(const Node& node, const std::string& folder) {
  const std::string& name = node.text("the path of an OBJ, STL or PLY file");
  const bool absolute = name.starts_with('/');
  Mesh mesh;
  try {
    mesh = read_mesh_file(absolute || folder.empty() ? name : folder + "/" + name);
  } catch (const Error& error) {
    node.refuse(in_quotes(name) + ": " + (error.place().empty() ? "" : error.place() + ": ") +
                    error.found(),
                error.expected());
  }
  if (mesh.vertices.size() > kMaxSceneMeshVertices) {
    node.refuse("a mesh of " + std::to_string(mesh.vertices.size()) + " vertices",
                "at most " + std::to_string(kMaxSceneMeshVertices) + " vertices");
  }
  DenominatorBudget budget(node);
  for (const ExactVec<3>& vertex : mesh.vertices) budget.include<3>(vertex);
  return mesh;
}

Shape<3> read_mesh(const Node& node, const std::string& folder) {
  const bool inside = node.value().kind == json::Kind::object;
  const Mesh mesh = inside ? tidied(read_inline_mesh(node)) : read_mesh_of_file(node, folder);
  if (const std::string fault = mesh_fault(mesh); !fault.empty()) {
    node.refuse(fault,
                "a closed surface whose faces meet only at their edges, seen from outside "
                "counter-clockwise");
  }
  return make_mesh(mesh);
}

Shape<3> read_hull(const Node& node) {
  const std::vector<ExactVec<3>> points = read_points(node, 4, kMaxVertices);
  if (!spans_solid(points)) node.refuse("points in one plane", "points that span a solid");
  return make_hull(points);
}

}  // namespace

void DenominatorBudget::include(const Shape<3>& shape) {
  for (const ExactVec<3>& point : shape.boundary.exact) include<3>(point);
  for (const Ball<3>& ball : shape.balls) {
    include<3>(ball.exact_centre);
    include(ball.exact_radius);
  }
  for (const Cylinder& cylinder : shape.cylinders) {
    include<3>(cylinder.exact_centre);
    include<3>(cylinder.exact_axis);
  }
  for (const Capsule& capsule : shape.capsules) {
    include<3>(capsule.exact_from);
    include<3>(capsule.exact_to);
  }
}

Shape<3> read_simple_shape(const Node& node, std::string_view key, const std::string& folder) {
  if (key == "box") return read_space_box(node);
  if (key == "sphere") return make_sphere(node.positive().exact);
  if (key == "hull") return read_hull(node);
  if (key == "mesh") return read_mesh(node, folder);
  const bool cylinder = key == "cylinder";
  const auto [radius, length] = read_radius_and_length(
      node, cylinder ? "[radius, height]" : "[radius, length of the straight part]");
  return cylinder ? make_cylinder(radius, length) : make_capsule(radius, length);
}

template <>
ReadPose<3> read_pose(const Node& owner) {
  ReadPose<3> result;
  if (const std::optional<Node> position = owner.find("position")) {
    result.pose.position = position->vector<3>().exact;
  }
  const std::optional<Node> orientation = owner.find("orientation");
  const std::optional<Node> turn = owner.find("rotation_vector");
  if (orientation && turn) turn->refuse("both orientation and rotation_vector", "one of the two");
  if (orientation) {
    const std::string expected = "a quaternion [w, x, y, z], not zero";
    if (orientation->value().kind != json::Kind::array || orientation->size() != 4) {
      orientation->refuse(expected);
    }
    std::array<Rational, 4> q;
    for (std::size_t i = 0; i < 4; ++i) q[i] = orientation->item(i).number().exact;
    if (std::all_of(q.begin(), q.end(), [](const Rational& x) { return x == 0; })) {
      orientation->refuse("the zero quaternion", expected);
    }
    result.pose.rotation = rotation_from_quaternion(q[0], q[1], q[2], q[3]);
  }
  if (turn) {
    const RotationFromVector turned = rotation_from_vector(turn->vector<3>().exact);
    result.pose.rotation = turned.rotation;
    result.exact = turned.exact;
  }
  return result;
}

}  // namespace collapse::reader
