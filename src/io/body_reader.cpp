#include "io/body_reader.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <string_view>
#include <vector>

#include "collapse/core/error.hpp"
#include "io/shape_reader.hpp"

namespace collapse::reader {
namespace {

constexpr std::array<std::string_view, 16> kBodyKeys{
    "name", "material", "fixed",    "box",   "polygon",  "disk",     "plane", "parts",
    "mass", "inertia",  "position", "angle", "rotation", "velocity", "spin",  "motion"};

/// What a plane, which never moves and has no extent, cannot have.
constexpr std::array<std::string_view, 8> kNotForPlanes{
    "mass", "inertia", "position", "angle", "rotation", "velocity", "spin", "motion"};

bool usable(double value, double smallest, double largest) {
  return value >= smallest && value <= largest;
}

/// Gives `properties` the mass that the user wrote; the inertia scales with it.
void override_mass(MassProperties<2>& properties, const Shape<2>& shape, const Number& mass) {
  if (properties.exact) {
    properties = properties.scaled(Number(mass.exact / properties.exact->mass));
  } else {
    properties.inertia *= mass.value / properties.mass;
    if (shape.boundary.empty() && shape.balls.size() == 1) {
      // A disk of given mass has a rational inertia about its centre, m r²/2.
      const Ball<2>& disk = shape.balls.front();
      MassProperties<2>::Exact exact{mass.exact, disk.exact_centre, {}};
      exact.inertia(0, 0) = mass.exact * disk.exact_radius * disk.exact_radius / 2;
      properties.inertia(0, 0) = to_double(exact.inertia(0, 0));
      properties.exact = std::move(exact);
    }
  }
  properties.mass = mass.value;
}

MassProperties<2> compute_mass(const Node& node, const Shape<2>& shape, const Number& density) {
  MassProperties<2> properties = mass_properties(shape);
  const std::optional<Node> mass = node.find("mass");
  if (mass) {
    override_mass(properties, shape, mass->positive());
  } else {
    properties = properties.scaled(density);
  }
  if (const std::optional<Node> inertia = node.find("inertia")) {
    const Number value = inertia->positive();
    properties.inertia(0, 0) = value.value;
    if (properties.exact) properties.exact->inertia(0, 0) = value.exact;
  }
  // Inertia is a mass times the square of a length.
  constexpr double kLeastInertia = kSmallest * kSmallest * kSmallest;
  constexpr double kMostInertia = kLargest * kLargest * kLargest;
  if (!usable(properties.mass, kSmallest, kLargest) ||
      !usable(properties.inertia(0, 0), kLeastInertia, kMostInertia)) {
    node.refuse("a mass or moment of inertia beyond the range of floating point",
                "sizes and masses that are not that extreme");
  }
  return properties;
}

MassProperties<2> read_mass(const Node& node, const Shape<2>& shape, const Number& density) {
  try {
    return compute_mass(node, shape, density);
  } catch (const Error& error) {
    // The geometry does not know which body it is working on.
    if (!error.place().empty()) throw;
    node.refuse(error.found(), error.expected());
  }
}

/// A pose on a path; where a keyframe does not turn the body, `rotation` holds.
Keyframe<2> read_keyframe(const Node& node, const ReadPose& body, bool& exact) {
  constexpr std::array<std::string_view, 4> keys{"time", "position", "angle", "rotation"};
  constexpr std::array<std::string_view, 2> space{"orientation", "rotation_vector"};
  node.demand_object("a keyframe", keys, space);
  Keyframe<2> keyframe;
  keyframe.time = node.require("time", "\"time\": a number").number();
  static_cast<void>(node.require("position", "\"position\": [x, y]"));
  ReadPose pose = read_pose(node);
  if (!node.has("angle") && !node.has("rotation")) {
    pose.pose.rotation = body.pose.rotation;
    pose.exact = body.exact;
  }
  keyframe.pose = std::move(pose.pose);
  exact = exact && pose.exact;
  return keyframe;
}

std::vector<Keyframe<2>> read_motion(const Node& node, const ReadPose& body, bool& exact) {
  constexpr std::array<std::string_view, 1> keys{"keyframes"};
  node.demand_object("a motion", keys);
  const std::string expected = "a list of at least one { \"time\", \"position\" }";
  const Node list = node.require("keyframes", "\"keyframes\": " + expected);
  list.demand_list(expected);
  if (list.size() == 0) list.refuse(expected);
  std::vector<Keyframe<2>> keyframes;
  keyframes.reserve(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Node item = list.item(i);
    keyframes.push_back(read_keyframe(item, body, exact));
    if (i > 0 && keyframes[i].time.exact <= keyframes[i - 1].time.exact) {
      item.find("time")->refuse("a time later than that of the keyframe before");
    }
  }
  return keyframes;
}

/// The pose at time zero on a path, and whether it is without rounding.
ReadPose start_of_path(const std::vector<Keyframe<2>>& path) {
  const auto after = std::find_if(path.begin(), path.end(),
                                  [](const Keyframe<2>& key) { return key.time.exact >= 0; });
  if (after == path.end()) return {path.back().pose, true};
  if (after == path.begin() || after->time.exact == 0) return {after->pose, true};
  const Keyframe<2>& from = *(after - 1);
  const Keyframe<2>& to = *after;
  const Rational share = from.time.exact / (from.time.exact - to.time.exact);
  ReadPose start{from.pose, true};
  for (int i = 0; i < 2; ++i) {
    start.pose.position[i] += share * (to.pose.position[i] - from.pose.position[i]);
  }
  if (from.pose.rotation != to.pose.rotation) {
    const ExactPose<2>::Point x_axis(Rational(1), Rational(0));
    const Eigen::Matrix<Rational, 2, 2> turn = from.pose.rotation.transpose() * to.pose.rotation;
    const Vec<2> direction = to_double<2>(ExactVec<2>(turn * x_axis));
    const double degrees =
        std::atan2(direction[1], direction[0]) * 180.0 / std::numbers::pi * to_double(share);
    start.pose.rotation = from.pose.rotation * exact_rotation(Rational(degrees));
    start.exact = false;
  }
  return start;
}

void read_path(const Node& node, const Node& motion, Body<2>& body) {
  if (body.fixed) motion.refuse("a motion of a fixed body", "either fixed or motion");
  const ReadPose written{body.exact_pose, body.exact};
  bool exact = true;
  body.motion = read_motion(motion, written, exact);
  const ReadPose start = start_of_path(body.motion);
  body.exact_pose = start.pose;
  body.exact = exact && start.exact;
  if (const std::optional<Node> position = node.find("position");
      position && written.pose.position != start.pose.position) {
    position->refuse("a position other than the path's at time 0",
                     "no position, or that of the path at time 0");
  }
}

void read_velocity(const Node& node, Body<2>& body) {
  const std::string still = "zero: the body is fixed or follows a given path";
  if (const std::optional<Node> velocity = node.find("velocity")) {
    body.velocity = velocity->vector();
    if (!body.free() && !body.velocity.exact.isZero()) velocity->refuse("a velocity", still);
  }
  if (const std::optional<Node> spin = node.find("spin")) {
    const Number number = spin->number();
    body.spin[0] = number.value;
    if (!body.free() && number.exact != 0) spin->refuse("a spin", still);
  }
}

void refuse_what_planes_cannot_have(const Node& node) {
  for (const std::string_view key : kNotForPlanes) {
    if (const std::optional<Node> member = node.find(key)) {
      member->refuse("the key " + in_quotes(key) + " of a plane",
                     "only name, material and fixed beside plane; normal and offset place it");
    }
  }
  if (const std::optional<Node> fixed = node.find("fixed"); fixed && !fixed->boolean()) {
    fixed->refuse("true or nothing: a plane is always fixed");
  }
}

}  // namespace

int look_up(const Node& node, const NameTable& table, const std::string& what) {
  const std::string& name = node.text("the name of a " + what);
  if (const auto found = table.find(name); found != table.end()) return found->second;
  std::vector<std::string_view> names;
  names.reserve(table.size());
  for (const auto& entry : table) names.push_back(entry.first);
  std::sort(names.begin(), names.end());
  node.refuse("the unknown name " + in_quotes(name),
              "the name of a " + what + did_you_mean(name, names));
}

Body<2> read_body(const Node& node, std::size_t index, const NameTable& materials,
                  const std::vector<Material>& material_list) {
  node.demand_object("a body", kBodyKeys, kSpaceKeys);
  Body<2> body;
  body.name = "body " + std::to_string(index);
  if (const std::optional<Node> name = node.find("name")) {
    body.name = read_name(*name);
    if (body.name == "world") {
      name->refuse("another name: world stands for the fixed frame");
    }
  }
  if (const std::optional<Node> material = node.find("material")) {
    body.material = look_up(*material, materials, "material");
  }
  ReadShape read = read_shape(node);
  body.shape = std::move(read.shape);
  if (read.key == "plane") {
    refuse_what_planes_cannot_have(node);
    body.fixed = true;
    return body;
  }
  if (const std::optional<Node> fixed = node.find("fixed")) body.fixed = fixed->boolean();
  body.mass =
      read_mass(node, body.shape, material_list[static_cast<std::size_t>(body.material)].density);
  ReadPose pose = read_pose(node);
  body.exact_pose = std::move(pose.pose);
  body.exact = pose.exact;
  if (const std::optional<Node> motion = node.find("motion")) read_path(node, *motion, body);
  body.pose = to_double<2>(body.exact_pose);
  read_velocity(node, body);
  return body;
}

}  // namespace collapse::reader
