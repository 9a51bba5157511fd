#include "io/page_header.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace collapse {
namespace {

using PageJson = nlohmann::ordered_json;

PageJson coordinates(const Vec<2>& point) { return PageJson::array({point[0], point[1]}); }

/// Relative to the centre of mass, as poses are.
PageJson shape_json(const Body<2>& body) {
  const Shape<2>& shape = body.shape;
  if (shape.half_space) {
    const HalfSpace<2>& half = *shape.half_space;
    return {{"plane", {half.normal[0], half.normal[1], half.offset}}};
  }
  PageJson loops = PageJson::array();
  for (const Loop& loop : shape.boundary) {
    PageJson numbers = PageJson::array();
    for (const Vec<2>& vertex : loop.vertices()) {
      const Vec<2> at = vertex - body.mass.centre;
      numbers.push_back(at[0]);
      numbers.push_back(at[1]);
    }
    loops.push_back(std::move(numbers));
  }
  PageJson json = {{"loops", std::move(loops)}};
  if (shape.balls.empty()) return json;
  PageJson balls = PageJson::array();
  for (const Ball<2>& ball : shape.balls) {
    const Vec<2> at = ball.centre - body.mass.centre;
    for (const double number : {at[0], at[1], ball.radius}) balls.push_back(number);
  }
  json["balls"] = std::move(balls);
  return json;
}

PageJson bodies_json(const Scene<2>& scene, const State<2>& state) {
  PageJson list = PageJson::array();
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const Body<2>& body = scene.bodies[i];
    PageJson json = {{"name", body.name}, {"material", body.material}};
    json.update(shape_json(body));
    if (body.fixed || body.shape.half_space) json["fixed"] = true;
    if (!body.motion.empty()) json["driven"] = true;
    if (body.free()) {
      json["mass"] = body.mass.mass;
      json["inertia"] = body.mass.inertia(0, 0);
    }
    if (!body.shape.half_space) {
      const Vec<2> centre = state.centre(scene, static_cast<int>(i));
      const Eigen::Matrix2d& turn = state.poses[i].rotation;
      const Twist<2>& velocity = state.velocities[i];
      json["pose"] = {centre[0], centre[1], std::atan2(turn(1, 0), turn(0, 0))};
      if (!velocity.isZero(0.0)) json["velocity"] = {velocity[0], velocity[1], velocity[2]};
    }
    list.push_back(std::move(json));
  }
  return list;
}

PageJson materials_json(const Scene<2>& scene) {
  PageJson list = PageJson::array();
  for (const Material& material : scene.materials) {
    list.push_back({{"name", material.name},
                    {"density", material.density.value},
                    {"friction", material.friction.value},
                    {"restitution", material.restitution.value}});
  }
  return list;
}

/// Where a joint holds a body: relative to its centre of mass and turned back; in the world for `world`.
PageJson joint_end_json(const Scene<2>& scene, int index, const Vec<2>& at) {
  if (index == kWorld) return coordinates(at);
  const Body<2>& body = scene.bodies[static_cast<std::size_t>(index)];
  const Vec<2> own = body.pose.rotation.transpose() * (at - body.pose.position);
  return coordinates(own - body.mass.centre);
}

PageJson joints_json(const Scene<2>& scene) {
  PageJson list = PageJson::array();
  for (const Joint<2>& joint : scene.joints) {
    const char* const type = joint.type == JointType::pin   ? "pin"
                             : joint.type == JointType::rod ? "rod"
                                                            : "weld";
    list.push_back({{"type", type},
                    {"a", joint.a},
                    {"b", joint.b},
                    {"atA", joint_end_json(scene, joint.a, joint.at_a.value)},
                    {"atB", joint_end_json(scene, joint.b, joint.at_b.value)}});
  }
  return list;
}

PageJson framework_json(const Scene<2>& scene, const State<2>& state) {
  PageJson points = PageJson::array();
  for (std::size_t i = 0; i < scene.framework.points.size(); ++i) {
    const FrameworkPoint<2>& point = scene.framework.points[i];
    PageJson json = {{"name", point.name},
                     {"mass", point.mass.value},
                     {"position", coordinates(state.points[i])}};
    if (point.fixed) json["fixed"] = true;
    points.push_back(std::move(json));
  }
  return {{"points", std::move(points)},
          {"bars", scene.framework.bars},
          {"faces", scene.framework.faces}};
}

/// Contacts with their normals, from which the page tells those that open.
PageJson contacts_json(const ContactSet<2>& contacts) {
  PageJson list = PageJson::array();
  for (const Contact<2>& contact : contacts.contacts) {
    list.push_back({contact.id.a, contact.id.b, contact.point[0], contact.point[1],
                    contact.normal[0], contact.normal[1], contact.friction});
  }
  return list;
}

PageJson verdict_json(const Verdict<2>& verdict, const ContactSet<2>& contacts) {
  PageJson json = {{"stability", to_string(verdict.stability)},
                   {"strength", to_string(verdict.strength)},
                   {"reason", verdict.reason},
                   {"margin", verdict.margin},
                   {"marginIsBound", verdict.margin_is_bound},
                   {"contacts", contacts_json(contacts)}};
  PageJson corners = PageJson::array();
  for (const CornerContact<2>& corner : contacts.corners)
    corners.push_back(coordinates(corner.point));
  json["corners"] = std::move(corners);
  PageJson forces = PageJson::array();
  for (const ContactForce<2>& f : verdict.forces) {
    forces.push_back({f.id.a, f.id.b, f.point[0], f.point[1], f.force[0], f.force[1]});
  }
  json["forces"] = std::move(forces);
  PageJson joint_forces = PageJson::array();
  for (const JointForce<2>& f : verdict.joint_forces) {
    joint_forces.push_back({f.joint, f.point[0], f.point[1], f.force[0], f.force[1], f.torque[0]});
  }
  json["jointForces"] = std::move(joint_forces);
  PageJson mechanism = PageJson::array();
  for (const BodyMotion<2>& motion : verdict.mechanism) {
    mechanism.push_back({motion.body, motion.velocity[0], motion.velocity[1], motion.spin[0]});
  }
  json["mechanism"] = std::move(mechanism);
  return json;
}

PageJson motion_json(const TrajectoryReader& file) {
  PageJson options = PageJson::array();
  for (const auto& [name, value] : file.header().options) {
    options.push_back(PageJson::array({name, value}));
  }
  return {{"command", file.header().command},
          {"finished", file.finished()},
          {"options", std::move(options)}};
}

}  // namespace

PageQuanta page_quanta(const Scene<2>& scene, const State<2>& state) {
  double smallest = std::numeric_limits<double>::infinity();
  double farthest = 0.0;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const Body<2>& body = scene.bodies[i];
    if (body.shape.half_space) continue;
    if (!body.fixed) smallest = std::min(smallest, body.shape.size());
    const Vec<2> centre = state.centre(scene, static_cast<int>(i));
    farthest = std::max(farthest, centre.stableNorm() + body.shape.reach(body.mass.centre));
  }
  for (const Vec<2>& point : state.points) farthest = std::max(farthest, point.stableNorm());
  for (const auto& [p, q] : scene.framework.bars) {
    const Vec<2> bar =
        state.points[static_cast<std::size_t>(p)] - state.points[static_cast<std::size_t>(q)];
    smallest = std::min(smallest, bar.stableNorm());
  }
  if (!std::isfinite(smallest)) smallest = farthest > 0.0 ? farthest : 1.0;
  // A body that fills a screen moves in steps of a tenth of a pixel; and places as far away as the scene
  // reaches have to fit into a double's 53 bits with room to fly.
  constexpr int kStepsPerBody = 14;
  constexpr int kStepsToFarthest = 40;
  PageQuanta quanta;
  quanta.length =
      std::ldexp(1.0, std::max(std::ilogb(smallest) - kStepsPerBody,
                               farthest > 0.0 ? std::ilogb(farthest) - kStepsToFarthest : -1000));
  quanta.point = 16.0 * quanta.length;
  quanta.angle = std::ldexp(1.0, -16);
  return quanta;
}

std::vector<int> moving_bodies(const Scene<2>& scene) {
  std::vector<int> moving;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    if (!scene.bodies[i].fixed && !scene.bodies[i].shape.half_space) {
      moving.push_back(static_cast<int>(i));
    }
  }
  return moving;
}

std::string page_header(const Scene<2>& scene, const State<2>& state, const PageQuanta& quanta,
                        const PageContent& content, const PageOptions& options) {
  PageJson json = {
      {"version", 1},
      {"name", scene.name},
      {"dimension", 2},
      {"gravity", coordinates(scene.gravity.value)},
      {"quanta", {{"length", quanta.length}, {"angle", quanta.angle}, {"point", quanta.point}}},
      {"materials", materials_json(scene)},
      {"bodies", bodies_json(scene, state)},
      {"moving", moving_bodies(scene)},
      {"joints", joints_json(scene)},
      {"hasForces", content.motion != nullptr && options.forces},
      {"loads", options.loads}};
  if (!scene.framework.points.empty()) json["framework"] = framework_json(scene, state);
  if (content.verdict != nullptr) {
    json["verdict"] = verdict_json(*content.verdict, *content.contacts);
  }
  if (content.motion != nullptr) json["motion"] = motion_json(*content.motion);
  return json.dump(-1, ' ', false, PageJson::error_handler_t::replace);
}

}  // namespace collapse
