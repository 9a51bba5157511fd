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

/// What a plane, which never moves and has no extent, cannot have, beside a pose.
constexpr std::array<std::string_view, 5> kNotForPlanes{"mass", "inertia", "velocity", "spin",
                                                        "motion"};

bool usable(double value, double smallest, double largest) {
  return value >= smallest && value <= largest;
}

/// The moment of inertia of a ball of mass and radius 1, about its centre.
template <int Dim>
Rational ball_inertia() {
  return Dim == 2 ? Rational(1, 2) : Rational(2, 5);
}

/// Gives `properties` the mass that the user wrote; the inertia scales with it.
template <int Dim>
void override_mass(MassProperties<Dim>& properties, const Shape<Dim>& shape, const Number& mass) {
  if (properties.exact) {
    properties = properties.scaled(Number(mass.exact / properties.exact->mass));
  } else {
    properties.inertia *= mass.value / properties.mass;
    if (shape.is_ball()) {
      // A ball of given mass has a rational inertia about its centre.
      const Ball<Dim>& ball = shape.balls.front();
      using Exact = typename MassProperties<Dim>::Exact;
      Exact exact{mass.exact, ball.exact_centre, decltype(Exact::inertia)::Zero()};
      const Rational moment =
          mass.exact * ball_inertia<Dim>() * ball.exact_radius * ball.exact_radius;
      properties.inertia.setZero();
      for (int k = 0; k < kSpins<Dim>; ++k) {
        exact.inertia(k, k) = moment;
        properties.inertia(k, k) = to_double(moment);
      }
      properties.exact = std::move(exact);
    }
  }
  properties.mass = mass.value;
}

void override_inertia(const Node& node, MassProperties<2>& properties) {
  const Number value = node.positive();
  properties.inertia(0, 0) = value.value;
  if (properties.exact) properties.exact->inertia(0, 0) = value.exact;
}

/// Three moments along the body's axes, or a symmetric matrix.
void override_inertia(const Node& node, MassProperties<3>& properties) {
  const std::string expected =
      "three positive numbers [x, y, z], or a symmetric positive matrix of three such rows";
  if (node.value().kind != json::Kind::array || node.size() != 3) node.refuse(expected);
  Eigen::Matrix<Rational, 3, 3> exact = Eigen::Matrix<Rational, 3, 3>::Zero();
  for (std::size_t i = 0; i < 3; ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    const Node item = node.item(i);
    if (item.value().kind == json::Kind::array) {
      exact.row(k) = item.vector<3>(expected).exact.transpose();
    } else {
      exact(k, k) = item.positive().exact;
    }
  }
  // By its leading minors, without rounding.
  const Rational minor = exact(0, 0) * exact(1, 1) - exact(0, 1) * exact(1, 0);
  const Rational determinant =
      exact(0, 0) * (exact(1, 1) * exact(2, 2) - exact(1, 2) * exact(2, 1)) -
      exact(0, 1) * (exact(1, 0) * exact(2, 2) - exact(1, 2) * exact(2, 0)) +
      exact(0, 2) * (exact(1, 0) * exact(2, 1) - exact(1, 1) * exact(2, 0));
  const bool symmetric =
      exact(0, 1) == exact(1, 0) && exact(0, 2) == exact(2, 0) && exact(1, 2) == exact(2, 1);
  if (!symmetric || exact(0, 0) <= 0 || minor <= 0 || determinant <= 0) node.refuse(expected);
  properties.inertia = exact.unaryExpr([](const Rational& x) { return to_double(x); });
  if (properties.exact) properties.exact->inertia = exact;
}

template <int Dim>
MassProperties<Dim> compute_mass(const Node& node, const Shape<Dim>& shape, const Number& density) {
  MassProperties<Dim> properties = mass_properties(shape);
  const std::optional<Node> mass = node.find("mass");
  if (mass) {
    override_mass(properties, shape, mass->positive());
  } else {
    properties = properties.scaled(density);
  }
  if (const std::optional<Node> inertia = node.find("inertia")) {
    override_inertia(*inertia, properties);
  }
  // Inertia is a mass times the square of a length.
  constexpr double kLeastInertia = kSmallest * kSmallest * kSmallest;
  constexpr double kMostInertia = kLargest * kLargest * kLargest;
  const auto moments = properties.inertia.diagonal();
  if (!usable(properties.mass, kSmallest, kLargest) ||
      !usable(moments.minCoeff(), kLeastInertia, kMostInertia) ||
      !usable(moments.maxCoeff(), kLeastInertia, kMostInertia)) {
    node.refuse("a mass or moment of inertia beyond the range of floating point",
                "sizes and masses that are not that extreme");
  }
  return properties;
}

template <int Dim>
MassProperties<Dim> read_mass(const Node& node, const Shape<Dim>& shape, const Number& density) {
  try {
    return compute_mass(node, shape, density);
  } catch (const Error& error) {
    // The geometry does not know which body it is working on.
    if (!error.place().empty()) throw;
    node.refuse(error.found(), error.expected());
  }
}

/// A pose on a path; where a keyframe does not turn the body, the body's rotation holds.
template <int Dim>
Keyframe<Dim> read_keyframe(const Node& node, const ReadPose<Dim>& body, bool& exact) {
  std::vector<std::string_view> keys{"time"};
  keys.insert(keys.end(), Keys<Dim>::kPose.begin(), Keys<Dim>::kPose.end());
  node.demand_object("a keyframe", keys, ForeignKeys<Dim>::kAll, Words<Dim>::kElsewhere);
  Keyframe<Dim> keyframe;
  keyframe.time = node.require("time", "\"time\": a number").number();
  static_cast<void>(node.require("position", "\"position\": " + std::string(Words<Dim>::kVector)));
  ReadPose<Dim> pose = read_pose<Dim>(node);
  if (!node.has(Keys<Dim>::kPose[1]) && !node.has(Keys<Dim>::kPose[2])) {
    pose.pose.rotation = body.pose.rotation;
    pose.exact = body.exact;
  }
  keyframe.pose = std::move(pose.pose);
  exact = exact && pose.exact;
  return keyframe;
}

template <int Dim>
std::vector<Keyframe<Dim>> read_motion(const Node& node, const ReadPose<Dim>& body, bool& exact) {
  constexpr std::array<std::string_view, 1> keys{"keyframes"};
  node.demand_object("a motion", keys);
  const std::string expected = "a list of at least one { \"time\", \"position\" }";
  const Node list = node.require("keyframes", "\"keyframes\": " + expected);
  list.demand_list(expected);
  if (list.size() == 0) list.refuse(expected);
  std::vector<Keyframe<Dim>> keyframes;
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

/// That share of a turn, as a rational rotation.
Eigen::Matrix<Rational, 2, 2> part_of_turn(const Eigen::Matrix<Rational, 2, 2>& turn,
                                           const Rational& share) {
  const ExactPose<2>::Point x_axis(Rational(1), Rational(0));
  const Vec<2> direction = to_double<2>(ExactVec<2>(turn * x_axis));
  const double degrees =
      std::atan2(direction[1], direction[0]) * 180.0 / std::numbers::pi * to_double(share);
  return exact_rotation(Rational(degrees));
}
Eigen::Matrix<Rational, 3, 3> part_of_turn(const Eigen::Matrix<Rational, 3, 3>& turn,
                                           const Rational& share) {
  const Eigen::Matrix3d rotation = turn.unaryExpr([](const Rational& x) { return to_double(x); });
  const Vec<3> degrees = turn_of<3>(rotation) * (180.0 / std::numbers::pi * to_double(share));
  return rotation_from_vector(degrees.cast<Rational>()).rotation;
}

/// The pose at time zero on a path, and whether it is without rounding.
template <int Dim>
ReadPose<Dim> start_of_path(const std::vector<Keyframe<Dim>>& path) {
  const auto after = std::find_if(path.begin(), path.end(),
                                  [](const Keyframe<Dim>& key) { return key.time.exact >= 0; });
  if (after == path.end()) return {path.back().pose, true};
  if (after == path.begin() || after->time.exact == 0) return {after->pose, true};
  const Keyframe<Dim>& from = *(after - 1);
  const Keyframe<Dim>& to = *after;
  const Rational share = from.time.exact / (from.time.exact - to.time.exact);
  ReadPose<Dim> start{from.pose, true};
  for (int i = 0; i < Dim; ++i) {
    start.pose.position[i] += share * (to.pose.position[i] - from.pose.position[i]);
  }
  if (from.pose.rotation != to.pose.rotation) {
    const Eigen::Matrix<Rational, Dim, Dim> turn =
        from.pose.rotation.transpose() * to.pose.rotation;
    start.pose.rotation = from.pose.rotation * part_of_turn(turn, share);
    start.exact = false;
  }
  return start;
}

template <int Dim>
void read_path(const Node& node, const Node& motion, Body<Dim>& body) {
  if (body.fixed) motion.refuse("a motion of a fixed body", "either fixed or motion");
  const ReadPose<Dim> written{body.exact_pose, body.exact};
  bool exact = true;
  body.motion = read_motion(motion, written, exact);
  const ReadPose<Dim> start = start_of_path(body.motion);
  body.exact_pose = start.pose;
  body.exact = exact && start.exact;
  if (const std::optional<Node> position = node.find("position");
      position && written.pose.position != start.pose.position) {
    position->refuse("a position other than the path's at time 0",
                     "no position, or that of the path at time 0");
  }
}

NumberVec<1> read_spin(const Node& node, const Body<2>& /*body*/) {
  ExactVec<1> spin;
  spin[0] = node.number().exact;
  return NumberVec<1>(spin);
}
NumberVec<3> read_spin(const Node& node, const Body<3>& /*body*/) { return node.vector<3>(); }

template <int Dim>
void read_velocity(const Node& node, Body<Dim>& body) {
  const std::string still = "zero: the body is fixed or follows a given path";
  if (const std::optional<Node> velocity = node.find("velocity")) {
    body.velocity = velocity->vector<Dim>();
    if (!body.free() && !body.velocity.exact.isZero()) velocity->refuse("a velocity", still);
  }
  if (const std::optional<Node> spin = node.find("spin")) {
    const auto numbers = read_spin(*spin, body);
    body.spin = numbers.value;
    if (!body.free() && !numbers.exact.isZero()) spin->refuse("a spin", still);
  }
}

template <int Dim>
void refuse_what_planes_cannot_have(const Node& node) {
  std::vector<std::string_view> keys(kNotForPlanes.begin(), kNotForPlanes.end());
  keys.insert(keys.end(), Keys<Dim>::kPose.begin(), Keys<Dim>::kPose.end());
  for (const std::string_view key : keys) {
    if (const std::optional<Node> member = node.find(key)) {
      member->refuse("the key " + in_quotes(key) + " of a plane",
                     "only name, material and fixed beside plane; normal and offset place it");
    }
  }
  if (const std::optional<Node> fixed = node.find("fixed"); fixed && !fixed->boolean()) {
    fixed->refuse("true or nothing: a plane is always fixed");
  }
}

/// What messages list: in the order in which people write them.
template <int Dim>
std::vector<std::string_view> body_keys() {
  std::vector<std::string_view> keys{"name", "material", "fixed"};
  keys.insert(keys.end(), Keys<Dim>::kShapes.begin(), Keys<Dim>::kShapes.end());
  keys.insert(keys.end(), {"mass", "inertia"});
  keys.insert(keys.end(), Keys<Dim>::kPose.begin(), Keys<Dim>::kPose.end());
  keys.insert(keys.end(), {"velocity", "spin", "motion"});
  return keys;
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

template <int Dim>
Body<Dim> read_body(const Node& node, std::size_t index, const NameTable& materials,
                    const std::vector<Material>& material_list, const std::string& folder) {
  static const std::vector<std::string_view> keys = body_keys<Dim>();
  node.demand_object("a body", keys, ForeignKeys<Dim>::kAll, Words<Dim>::kElsewhere);
  Body<Dim> body;
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
  ReadShape<Dim> read = read_shape<Dim>(node, folder);
  body.shape = std::move(read.shape);
  if (read.key == "plane") {
    refuse_what_planes_cannot_have<Dim>(node);
    body.fixed = true;
    return body;
  }
  if (const std::optional<Node> fixed = node.find("fixed")) body.fixed = fixed->boolean();
  body.mass =
      read_mass(node, body.shape, material_list[static_cast<std::size_t>(body.material)].density);
  ReadPose<Dim> pose = read_pose<Dim>(node);
  body.exact_pose = std::move(pose.pose);
  body.exact = pose.exact;
  if (const std::optional<Node> motion = node.find("motion")) read_path(node, *motion, body);
  body.pose = to_double<Dim>(body.exact_pose);
  read_velocity(node, body);
  return body;
}

template Body<2> read_body(const Node&, std::size_t, const NameTable&, const std::vector<Material>&,
                           const std::string&);
template Body<3> read_body(const Node&, std::size_t, const NameTable&, const std::vector<Material>&,
                           const std::string&);

}  // namespace collapse::reader
