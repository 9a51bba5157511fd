#include "io/shape_reader.hpp"

#include <cmath>
#include <span>
#include <vector>

#include "collapse/core/error.hpp"

namespace collapse::reader {
namespace {

Shape<2> read_box(const Node& node) {
  if (node.value().kind != json::Kind::array || node.size() != 2) node.refuse("[width, height]");
  const Number width = node.item(0).positive();
  const Number height = node.item(1).positive();
  return make_box(width.exact, height.exact);
}

Shape<2> read_polygon(const Node& node) {
  const std::string expected =
      "a list of 3 to " + std::to_string(kMaxVertices) + " vertices [x, y]";
  node.demand_list(expected);
  if (node.size() < 3 || node.size() > kMaxVertices) node.refuse(expected);
  std::vector<ExactVec<2>> vertices;
  vertices.reserve(node.size());
  DenominatorBudget budget(node);
  for (std::size_t i = 0; i < node.size(); ++i) {
    vertices.push_back(node.item(i).vector<2>().exact);
    budget.include<2>(vertices.back());
  }
  if (const std::string fault = polygon_fault(vertices); !fault.empty()) {
    node.refuse(fault, "a polygon whose sides meet only at its vertices");
  }
  return make_polygon(std::move(vertices));
}

template <int Dim>
Shape<Dim> half_space_of(const ExactVec<Dim>& normal, const Rational& offset) {
  if constexpr (Dim == 2) {
    return make_half_plane(normal, offset);
  } else {
    return make_half_space(normal, offset);
  }
}

template <int Dim>
Shape<Dim> read_plane(const Node& node) {
  constexpr std::array<std::string_view, 2> keys{"normal", "offset"};
  node.demand_object("a plane", keys);
  const Node normal_node =
      node.require("normal", "\"normal\": " + std::string(Words<Dim>::kVector));
  const NumberVec<Dim> normal = normal_node.vector<Dim>();
  if (normal.exact.isZero()) normal_node.refuse("the zero vector", "a direction");
  const std::optional<Node> offset = node.find("offset");
  Shape<Dim> shape =
      half_space_of<Dim>(normal.exact, offset ? offset->number().exact : Rational(0));
  const HalfSpace<Dim>& half_space = *shape.half_space;
  if (!(std::abs(half_space.normal.norm() - 1.0) < 1e-9) || !std::isfinite(half_space.offset)) {
    node.refuse("a plane that floating point cannot hold", "a shorter or longer normal");
  }
  return shape;
}

/// The one key of `owner` among `keys`.
std::string_view only_shape_key(const Node& owner, std::span<const std::string_view> keys) {
  const std::string expected = "exactly one of " + joined(keys);
  std::string_view only;
  for (const std::string_view key : keys) {
    if (!owner.has(key)) continue;
    if (!only.empty()) {
      owner.refuse("two shapes, " + std::string(only) + " and " + std::string(key), expected);
    }
    only = key;
  }
  if (only.empty()) owner.refuse("no shape", expected);
  return only;
}

std::size_t corners_of(const Shape<2>& shape) {
  std::size_t count = 0;
  for (const Loop& loop : shape.boundary) count += loop.exact().size();
  return count;
}
std::size_t corners_of(const Shape<3>& shape) { return shape.boundary.exact.size(); }

template <int Dim>
Shape<Dim> simple_shape(const Node& node, std::string_view key, const std::string& folder) {
  if constexpr (Dim == 2) {
    return read_simple_shape(node, key);
  } else {
    return read_simple_shape(node, key, folder);
  }
}

template <int Dim>
Shape<Dim> read_part(const Node& part, const std::string& folder) {
  for (const std::string_view key : {"plane", "parts"}) {
    if (const std::optional<Node> node = part.find(key)) {
      node->refuse("the shape " + in_quotes(key) + " within parts",
                   "one of " + joined(kPartShapes<Dim>));
    }
  }
  std::vector<std::string_view> keys(kPartShapes<Dim>.begin(), kPartShapes<Dim>.end());
  keys.insert(keys.end(), Keys<Dim>::kPose.begin(), Keys<Dim>::kPose.end());
  part.demand_object("a part", keys, ForeignKeys<Dim>::kAll, Words<Dim>::kElsewhere);
  const std::string_view key = only_shape_key(part, kPartShapes<Dim>);
  return moved(simple_shape<Dim>(*part.find(key), key, folder), read_pose<Dim>(part).pose);
}

template <int Dim>
Shape<Dim> read_parts(const Node& node, const std::string& folder) {
  const std::string expected = "a list of 1 to " + std::to_string(kMaxParts) + " shapes";
  node.demand_list(expected);
  if (node.size() < 1 || node.size() > kMaxParts) node.refuse(expected);
  std::vector<Shape<Dim>> parts;
  parts.reserve(node.size());
  DenominatorBudget budget(node);
  std::size_t vertices = 0;
  for (std::size_t i = 0; i < node.size(); ++i) {
    parts.push_back(read_part<Dim>(node.item(i), folder));
    budget.include(parts.back());
    vertices += corners_of(parts.back());
    if (vertices > kMaxVertices) {
      node.refuse("parts with more than " + std::to_string(kMaxVertices) + " vertices together",
                  "fewer or simpler parts");
    }
  }
  try {
    return unite(parts);
  } catch (const Error& error) {
    node.refuse(error.found(), error.expected());
  }
}

}  // namespace

void DenominatorBudget::include(const Rational& number) {
  const Integer denominator = boost::multiprecision::denominator(number);
  if (common_ % denominator != 0) {
    common_ = boost::multiprecision::lcm(common_, denominator);
    common_bits_ = boost::multiprecision::msb(common_) + 1;
  }
  total_bits_ += boost::multiprecision::msb(denominator) + 1;
  if (common_bits_ > kMaxDenominatorBits) {
    shape_->refuse("coordinates whose least common denominator has more than " +
                       std::to_string(kMaxDenominatorBits) + " bits",
                   "fractions with simpler denominators");
  }
  if (static_cast<double>(common_bits_) * static_cast<double>(total_bits_) > kMaxDenominatorWork) {
    shape_->refuse("too many coordinates with long denominators",
                   "fractions with simpler denominators");
  }
}

void DenominatorBudget::include(const Shape<2>& shape) {
  for (const Loop& loop : shape.boundary) {
    for (const ExactVec<2>& vertex : loop.exact()) include<2>(vertex);
  }
  for (const Ball<2>& ball : shape.balls) {
    include<2>(ball.exact_centre);
    include(ball.exact_radius);
  }
}

Shape<2> read_simple_shape(const Node& node, std::string_view key) {
  if (key == "box") return read_box(node);
  if (key == "polygon") return read_polygon(node);
  return make_disk(node.positive().exact);
}

template <int Dim>
ReadShape<Dim> read_shape(const Node& body, const std::string& folder) {
  const std::string_view key = only_shape_key(body, Keys<Dim>::kShapes);
  const Node node = *body.find(key);
  if (key == "plane") return {key, read_plane<Dim>(node)};
  if (key == "parts") return {key, read_parts<Dim>(node, folder)};
  return {key, simple_shape<Dim>(node, key, folder)};
}

template ReadShape<2> read_shape(const Node&, const std::string&);
template ReadShape<3> read_shape(const Node&, const std::string&);

template <>
ReadPose<2> read_pose(const Node& owner) {
  ReadPose<2> result;
  if (const std::optional<Node> position = owner.find("position")) {
    result.pose.position = position->vector<2>().exact;
  }
  const std::optional<Node> angle = owner.find("angle");
  const std::optional<Node> rotation = owner.find("rotation");
  if (angle && rotation) rotation->refuse("both angle and rotation", "one of the two");
  if (angle) result.pose.rotation = exact_rotation(angle->number().exact);
  if (rotation) {
    const std::string expected = "[c, s], not both zero";
    const NumberVec<2> direction = rotation->vector<2>(expected);
    if (direction.exact.isZero()) rotation->refuse("the zero vector", expected);
    const RotationFromDirection turned =
        rotation_from_direction(direction.exact[0], direction.exact[1]);
    result.pose.rotation = turned.rotation;
    result.exact = turned.exact;
  }
  return result;
}

}  // namespace collapse::reader
