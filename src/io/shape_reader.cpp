#include "io/shape_reader.hpp"

#include <cmath>
#include <span>
#include <vector>

#include "collapse/core/error.hpp"

namespace collapse::reader {
namespace {

constexpr std::span<const std::string_view> kPartShapes(kShapeKeys.data(), 3);
constexpr std::array<std::string_view, 6> kPartKeys{"box",      "polygon", "disk",
                                                    "position", "angle",   "rotation"};

/// Keeps the least common denominator of a shape's coordinates within kMaxDenominatorBits.
class DenominatorBudget {
 public:
  explicit DenominatorBudget(const Node& shape) : shape_(&shape) {}

  void include(const Rational& number) {
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
    if (static_cast<double>(common_bits_) * static_cast<double>(total_bits_) >
        kMaxDenominatorWork) {
      shape_->refuse("too many coordinates with long denominators",
                     "fractions with simpler denominators");
    }
  }

  void include(const Shape<2>& shape) {
    for (const Loop& loop : shape.boundary) {
      for (const ExactVec<2>& vertex : loop.exact()) include(vertex);
    }
    for (const Ball<2>& ball : shape.balls) {
      include(ball.exact_centre);
      include(ball.exact_radius);
    }
  }

  void include(const ExactVec<2>& point) {
    include(point[0]);
    include(point[1]);
  }

 private:
  const Node* shape_;
  Integer common_{1};
  std::size_t common_bits_ = 1;
  std::size_t total_bits_ = 0;
};

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
    vertices.push_back(node.item(i).vector().exact);
    budget.include(vertices.back());
  }
  if (const std::string fault = polygon_fault(vertices); !fault.empty()) {
    node.refuse(fault, "a polygon whose sides meet only at its vertices");
  }
  return make_polygon(std::move(vertices));
}

Shape<2> read_plane(const Node& node) {
  constexpr std::array<std::string_view, 2> keys{"normal", "offset"};
  node.demand_object("a plane", keys);
  const Node normal_node = node.require("normal", "\"normal\": [x, y]");
  const NumberVec<2> normal = normal_node.vector();
  if (normal.exact.isZero()) normal_node.refuse("the zero vector", "a direction");
  const std::optional<Node> offset = node.find("offset");
  Shape<2> shape = make_half_plane(normal.exact, offset ? offset->number().exact : Rational(0));
  const HalfSpace<2>& half_space = *shape.half_space;
  if (!(std::abs(half_space.normal.norm() - 1.0) < 1e-9) || !std::isfinite(half_space.offset)) {
    node.refuse("a plane that floating point cannot hold", "a shorter or longer normal");
  }
  return shape;
}

Shape<2> read_simple_shape(const Node& node, std::string_view key) {
  if (key == "box") return read_box(node);
  if (key == "polygon") return read_polygon(node);
  return make_disk(node.positive().exact);
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

Shape<2> read_part(const Node& part) {
  for (const std::string_view key : {"plane", "parts"}) {
    if (const std::optional<Node> node = part.find(key)) {
      node->refuse("the shape " + in_quotes(key) + " within parts",
                   "one of " + joined(kPartShapes));
    }
  }
  part.demand_object("a part", kPartKeys, kSpaceKeys);
  const std::string_view key = only_shape_key(part, kPartShapes);
  return moved(read_simple_shape(*part.find(key), key), read_pose(part).pose);
}

Shape<2> read_parts(const Node& node) {
  const std::string expected = "a list of 1 to " + std::to_string(kMaxParts) + " shapes";
  node.demand_list(expected);
  if (node.size() < 1 || node.size() > kMaxParts) node.refuse(expected);
  std::vector<Shape<2>> parts;
  parts.reserve(node.size());
  DenominatorBudget budget(node);
  std::size_t vertices = 0;
  for (std::size_t i = 0; i < node.size(); ++i) {
    parts.push_back(read_part(node.item(i)));
    budget.include(parts.back());
    for (const Loop& loop : parts.back().boundary) vertices += loop.exact().size();
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

ReadShape read_shape(const Node& body) {
  const std::string_view key = only_shape_key(body, kShapeKeys);
  const Node node = *body.find(key);
  if (key == "plane") return {key, read_plane(node)};
  if (key == "parts") return {key, read_parts(node)};
  return {key, read_simple_shape(node, key)};
}

ReadPose read_pose(const Node& owner) {
  ReadPose result;
  if (const std::optional<Node> position = owner.find("position")) {
    result.pose.position = position->vector().exact;
  }
  const std::optional<Node> angle = owner.find("angle");
  const std::optional<Node> rotation = owner.find("rotation");
  if (angle && rotation) rotation->refuse("both angle and rotation", "one of the two");
  if (angle) result.pose.rotation = exact_rotation(angle->number().exact);
  if (rotation) {
    const std::string expected = "[c, s], not both zero";
    const NumberVec<2> direction = rotation->vector(expected);
    if (direction.exact.isZero()) rotation->refuse("the zero vector", expected);
    const RotationFromDirection turned =
        rotation_from_direction(direction.exact[0], direction.exact[1]);
    result.pose.rotation = turned.rotation;
    result.exact = turned.exact;
  }
  return result;
}

}  // namespace collapse::reader
