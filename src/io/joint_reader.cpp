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

constexpr std::array<std::string_view, 3> kJointTypes{"pin", "rod", "weld"};
constexpr std::array<std::string_view, 2> kSpaceJointTypes{"ball", "hinge"};

/// A rod's length as written may differ from the distance of its ends by this share of it: written
/// lengths are often rounded.
constexpr double kLengthAgreement = 1e-6;

JointType read_type(const Node& node) {
  if (node.value().kind == json::Kind::string) {
    for (const std::string_view type : kSpaceJointTypes) {
      if (node.value().text == type) {
        node.refuse(
            "the type " + in_quotes(type) + ", which is for scenes in space (not supported yet)",
            "one of " + joined(kJointTypes));
      }
    }
  }
  const std::string_view type = node.choice(kJointTypes);
  if (type == "pin") return JointType::pin;
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

void read_rod(const Node& node, Joint<2>& joint) {
  const std::string expected = "two points [[x, y], [x, y]]";
  const Node at = node.require("at", "\"at\": " + expected);
  if (at.value().kind != json::Kind::array || at.size() != 2) at.refuse(expected);
  joint.at_a = at.item(0).vector();
  joint.at_b = at.item(1).vector();
  const Vec<2> difference = to_double<2>(ExactVec<2>(joint.at_b.exact - joint.at_a.exact));
  joint.length = std::hypot(difference[0], difference[1]);
  if (!std::isnormal(joint.length)) at.refuse("two points in one place", "a rod of some length");
  if (const std::optional<Node> length = node.find("length")) {
    const double written = length->positive().value;
    if (!(std::abs(written - joint.length) <= kLengthAgreement * joint.length)) {
      length->refuse("the distance of the two points, " + std::to_string(joint.length));
    }
    joint.length = written;
  }
}

Joint<2> read_joint(const Node& node, const NameTable& bodies) {
  constexpr std::array<std::string_view, 5> keys{"type", "bodies", "at", "length", "collide"};
  constexpr std::array<std::string_view, 1> space{"axis"};
  node.demand_object("a joint", keys, space);
  Joint<2> joint;
  joint.type = read_type(node.require("type", "\"type\": one of " + joined(kJointTypes)));
  std::tie(joint.a, joint.b) =
      read_pair(node.require("bodies", "\"bodies\": two names"), bodies, true);
  if (joint.type == JointType::rod) {
    read_rod(node, joint);
  } else {
    if (const std::optional<Node> length = node.find("length")) {
      length->refuse("a length of a joint that is not a rod", "length with type rod only");
    }
    joint.at_a = node.require("at", "\"at\": [x, y]").vector();
    joint.at_b = joint.at_a;
  }
  if (const std::optional<Node> collide = node.find("collide")) joint.collide = collide->boolean();
  return joint;
}

/// World position of the centre of mass, exact where it is rational.
NumberVec<2> centre_of_mass(const Body<2>& body) {
  const ExactVec<2> centre =
      body.mass.exact ? body.mass.exact->centre
                      : ExactVec<2>(Rational(body.mass.centre[0]), Rational(body.mass.centre[1]));
  return NumberVec<2>(body.exact_pose.apply(centre));
}

void read_force(const Node& node, const NameTable& bodies, const Scene<2>& scene, Load<2>& load) {
  const Node body_node = node.require("body", "\"acceleration\", or \"body\" with a force");
  load.body = look_up(body_node, bodies, "body");
  const Body<2>& body = scene.bodies[static_cast<std::size_t>(load.body)];
  if (!body.free()) {
    body_node.refuse("a body that is fixed or follows a given path", "a free body");
  }
  const std::optional<Node> force = node.find("force");
  const std::optional<Node> torque = node.find("torque");
  if (!force && !torque) {
    node.refuse("neither force nor torque", "\"force\": [x, y] or \"torque\": a number, or both");
  }
  if (force) load.force = force->load();
  if (torque) load.torque[0] = torque->number().value;
  const std::optional<Node> at = node.find("at");
  load.at = at ? at->vector() : centre_of_mass(body);
}

Load<2> read_load(const Node& node, const NameTable& bodies, const Scene<2>& scene) {
  constexpr std::array<std::string_view, 6> keys{"name", "acceleration", "body",
                                                 "at",   "force",        "torque"};
  node.demand_object("a load", keys);
  Load<2> load;
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
  load.acceleration = acceleration->load();
  return load;
}

}  // namespace

void read_joints(const Node& list, const NameTable& bodies, Scene<2>& scene) {
  list.demand_list("a list of joints");
  scene.joints.reserve(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    scene.joints.push_back(read_joint(list.item(i), bodies));
  }
}

void read_ignored(const Node& list, const NameTable& bodies, Scene<2>& scene) {
  list.demand_list("a list of pairs of names");
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto [a, b] = read_pair(list.item(i), bodies, false);
    scene.ignored.emplace_back(std::minmax(a, b));
  }
}

void read_loads(const Node& list, const NameTable& bodies, Scene<2>& scene) {
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

}  // namespace collapse::reader
