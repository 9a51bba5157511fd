#include "io/joint_reader.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

namespace collapse::reader {
namespace {

template <int Dim>
struct JointWords;
template <>
struct JointWords<2> {
  static constexpr std::array<std::string_view, 3> kTypes{"pin", "rod", "weld"};
  static constexpr std::array<std::string_view, 2> kForeignTypes{"ball", "hinge"};
  static constexpr std::array<std::string_view, 5> kKeys{"type", "bodies", "at", "length",
                                                         "collide"};
  static constexpr std::array<std::string_view, 1> kForeignKeys{"axis"};
  static constexpr std::string_view kTorque = "a number";
};
template <>
struct JointWords<3> {
  static constexpr std::array<std::string_view, 4> kTypes{"ball", "hinge", "rod", "weld"};
  static constexpr std::array<std::string_view, 1> kForeignTypes{"pin"};
  static constexpr std::array<std::string_view, 6> kKeys{"type", "bodies", "at",
                                                         "axis", "length", "collide"};
  static constexpr std::array<std::string_view, 0> kForeignKeys{};
  static constexpr std::string_view kTorque = "[x, y, z]";
};

/// A rod's length as written may differ from the distance of its ends by this share of it: written
/// lengths are often rounded.
constexpr double kLengthAgreement = 1e-6;

template <int Dim>
JointType read_type(const Node& node) {
  if (node.value().kind == json::Kind::string) {
    for (const std::string_view type : JointWords<Dim>::kForeignTypes) {
      if (node.value().text == type) {
        node.refuse("the type " + in_quotes(type) + ", which is for scenes " +
                        std::string(Words<Dim>::kElsewhere),
                    "one of " + joined(JointWords<Dim>::kTypes));
      }
    }
  }
  const std::string_view type = node.choice(JointWords<Dim>::kTypes);
  if (type == "pin" || type == "ball") return JointType::pin;
  if (type == "hinge") return JointType::hinge;
  return type == "rod" ? JointType::rod : JointType::weld;
}

/// Two different bodies; one may be the world if `world_allowed`.
std::pair<int, int> read_pair(const Node& node, const NameTable& bodies, bool world_allowed) {
  const std::string expected = world_allowed ? "the names of two bodies, or of one and \"world\""
                                             : "the names of two bodies";
  if (node.value().kind != json::Kind::array || node.size() != 2) node.refuse(expected);
  const auto read = [&](std::size_t i) {
    const Node item = node.item(i);
    const bool world = item.value().kind == json::Kind::string && item.value().text == "world";
    if (!world) return look_up(item, bodies, "body");
    if (!world_allowed) item.refuse(expected);
    return kWorld;
  };
  const int a = read(0);
  const int b = read(1);
  if (a == b) node.refuse("the same body twice", expected);
  return {a, b};
}

template <int Dim>
void read_rod(const Node& node, Joint<Dim>& joint) {
  const std::string point(Words<Dim>::kVector);
  const std::string expected = "two points [" + point + ", " + point + "]";
  const Node at = node.require("at", "\"at\": " + expected);
  if (at.value().kind != json::Kind::array || at.size() != 2) at.refuse(expected);
  joint.at_a = at.item(0).vector<Dim>();
  joint.at_b = at.item(1).vector<Dim>();
  joint.length = to_double<Dim>(ExactVec<Dim>(joint.at_b.exact - joint.at_a.exact)).stableNorm();
  if (!std::isnormal(joint.length)) at.refuse("two points in one place", "a rod of some length");
  if (const std::optional<Node> length = node.find("length")) {
    const double written = length->positive().value;
    if (!(std::abs(written - joint.length) <= kLengthAgreement * joint.length)) {
      length->refuse("the distance of the two points, " + std::to_string(joint.length));
    }
    joint.length = written;
  }
}

/// Only hinges have one.
template <int Dim>
void read_axis(const Node& node, Joint<Dim>& joint) {
  const std::optional<Node> axis = node.find("axis");
  if (joint.type != JointType::hinge) {
    if (axis) axis->refuse("an axis of a joint that is not a hinge", "axis with type hinge only");
    return;
  }
  const Node direction = node.require("axis", "\"axis\": " + std::string(Words<Dim>::kVector));
  const NumberVec<Dim> along = direction.vector<Dim>();
  if (along.exact.isZero()) direction.refuse("the zero vector", "a direction");
  joint.axis = along.value.stableNormalized();
}

template <int Dim>
Joint<Dim> read_joint(const Node& node, const NameTable& bodies) {
  node.demand_object("a joint", JointWords<Dim>::kKeys, JointWords<Dim>::kForeignKeys,
                     Words<Dim>::kElsewhere);
  Joint<Dim> joint;
  joint.type =
      read_type<Dim>(node.require("type", "\"type\": one of " + joined(JointWords<Dim>::kTypes)));
  std::tie(joint.a, joint.b) =
      read_pair(node.require("bodies", "\"bodies\": two names"), bodies, true);
  if (joint.type == JointType::rod) {
    read_rod(node, joint);
  } else {
    if (const std::optional<Node> length = node.find("length")) {
      length->refuse("a length of a joint that is not a rod", "length with type rod only");
    }
    joint.at_a =
        node.require("at", "\"at\": " + std::string(Words<Dim>::kVector)).template vector<Dim>();
    joint.at_b = joint.at_a;
  }
  read_axis(node, joint);
  if (const std::optional<Node> collide = node.find("collide")) joint.collide = collide->boolean();
  return joint;
}

/// World position of the centre of mass, exact where it is rational.
template <int Dim>
NumberVec<Dim> centre_of_mass(const Body<Dim>& body) {
  const ExactVec<Dim> centre = body.mass.exact
                                   ? body.mass.exact->centre
                                   : ExactVec<Dim>(body.mass.centre.template cast<Rational>());
  return NumberVec<Dim>(body.exact_pose.apply(centre));
}

Spin<2> read_torque(const Node& node, const Load<2>& /*load*/) {
  return Spin<2>(node.number().value);
}
Spin<3> read_torque(const Node& node, const Load<3>& /*load*/) { return node.vector<3>().value; }

template <int Dim>
void read_force(const Node& node, const NameTable& bodies, const Scene<Dim>& scene,
                Load<Dim>& load) {
  const Node body_node = node.require("body", "\"acceleration\", or \"body\" with a force");
  load.body = look_up(body_node, bodies, "body");
  const Body<Dim>& body = scene.bodies[static_cast<std::size_t>(load.body)];
  if (!body.free()) {
    body_node.refuse("a body that is fixed or follows a given path", "a free body");
  }
  const std::optional<Node> force = node.find("force");
  const std::optional<Node> torque = node.find("torque");
  if (!force && !torque) {
    node.refuse("neither force nor torque",
                "\"force\": " + std::string(Words<Dim>::kVector) +
                    " or \"torque\": " + std::string(JointWords<Dim>::kTorque) + ", or both");
  }
  if (force) load.force = force->load<Dim>();
  if (torque) load.torque = read_torque(*torque, load);
  const std::optional<Node> at = node.find("at");
  load.at = at ? at->vector<Dim>() : centre_of_mass(body);
}

template <int Dim>
Load<Dim> read_load(const Node& node, const NameTable& bodies, const Scene<Dim>& scene) {
  constexpr std::array<std::string_view, 6> keys{"name", "acceleration", "body",
                                                 "at",   "force",        "torque"};
  node.demand_object("a load", keys);
  Load<Dim> load;
  load.name = read_name(node.require("name", "\"name\": a string"));
  const std::optional<Node> acceleration = node.find("acceleration");
  if (!acceleration) {
    read_force(node, bodies, scene, load);
    return load;
  }
  for (const std::string_view key : {"body", "at", "force", "torque"}) {
    if (node.has(key)) {
      node.refuse("both acceleration and " + std::string(key),
                  "either an acceleration, or a body with a force or torque");
    }
  }
  load.acceleration = acceleration->load<Dim>();
  return load;
}

}  // namespace

template <int Dim>
void read_joints(const Node& list, const NameTable& bodies, Scene<Dim>& scene) {
  list.demand_list("a list of joints");
  scene.joints.reserve(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    scene.joints.push_back(read_joint<Dim>(list.item(i), bodies));
  }
}

template <int Dim>
void read_ignored(const Node& list, const NameTable& bodies, Scene<Dim>& scene) {
  list.demand_list("a list of pairs of names");
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto [a, b] = read_pair(list.item(i), bodies, false);
    scene.ignored.emplace_back(std::minmax(a, b));
  }
}

template <int Dim>
void read_loads(const Node& list, const NameTable& bodies, Scene<Dim>& scene) {
  list.demand_list("a list of loads");
  NameTable names;
  scene.loads.reserve(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Node node = list.item(i);
    scene.loads.push_back(read_load(node, bodies, scene));
    const std::string& name = scene.loads.back().name;
    if (const auto [first, added] = names.emplace(name, static_cast<int>(i)); !added) {
      node.find("name")->refuse(
          "the name " + in_quotes(name) + ", which " +
              item_place(list.place(), static_cast<std::size_t>(first->second)) + " has already",
          "a name of its own");
    }
  }
}

template void read_joints(const Node&, const NameTable&, Scene<2>&);
template void read_joints(const Node&, const NameTable&, Scene<3>&);
template void read_ignored(const Node&, const NameTable&, Scene<2>&);
template void read_ignored(const Node&, const NameTable&, Scene<3>&);
template void read_loads(const Node&, const NameTable&, Scene<2>&);
template void read_loads(const Node&, const NameTable&, Scene<3>&);

}  // namespace collapse::reader
