#include "io/page_header.hpp"

#include <algorithm>
#include <cmath>

#include "io/page_shapes.hpp"

namespace collapse {
namespace {

/// x, y, angle; in space x, y, z and a quaternion x, y, z, w.
PageJson pose_json(const Vec<2>& centre, const Eigen::Matrix2d& turn) {
  return row(centre, std::atan2(turn(1, 0), turn(0, 0)));
}
PageJson pose_json(const Vec<3>& centre, const Eigen::Matrix3d& turn) {
  return row(centre, Eigen::Quaterniond(turn).normalized().coeffs());
}

template <int Dim>
PageJson bodies_json(const Scene<Dim>& scene, const State<Dim>& state) {
  PageJson list = PageJson::array();
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const Body<Dim>& body = scene.bodies[i];
    PageJson json = {{"name", body.name}, {"material", body.material}};
    json.update(shape_json(body));
    if (body.fixed || body.shape.half_space) json["fixed"] = true;
    if (!body.motion.empty()) json["driven"] = true;
    if (body.free()) {
      json["mass"] = body.mass.mass;
      if constexpr (Dim == 2) json["inertia"] = body.mass.inertia(0, 0);
    }
    if (!body.shape.half_space) {
      const Vec<Dim> centre = state.centre(scene, static_cast<int>(i));
      const Twist<Dim>& velocity = state.velocities[i];
      json["pose"] = pose_json(centre, state.poses[i].rotation);
      if (!velocity.isZero(0.0)) json["velocity"] = row(velocity);
    }
    list.push_back(std::move(json));
  }
  return list;
}

template <int Dim>
PageJson materials_json(const Scene<Dim>& scene) {
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
template <int Dim>
PageJson joint_end_json(const Scene<Dim>& scene, int index, const Vec<Dim>& at) {
  if (index == kWorld) return row(at);
  const Body<Dim>& body = scene.bodies[static_cast<std::size_t>(index)];
  const Vec<Dim> own = body.pose.rotation.transpose() * (at - body.pose.position);
  return row(own - body.mass.centre);
}

template <int Dim>
PageJson joints_json(const Scene<Dim>& scene) {
  PageJson list = PageJson::array();
  for (const Joint<Dim>& joint : scene.joints) {
    PageJson json = {{"type", to_string(joint.type)},
                     {"a", joint.a},
                     {"b", joint.b},
                     {"atA", joint_end_json(scene, joint.a, joint.at_a.value)},
                     {"atB", joint_end_json(scene, joint.b, joint.at_b.value)}};
    if (joint.type == JointType::hinge) json["axis"] = row(joint.axis);  // of the world
    list.push_back(std::move(json));
  }
  return list;
}

template <int Dim>
PageJson framework_json(const Scene<Dim>& scene, const State<Dim>& state) {
  PageJson points = PageJson::array();
  for (std::size_t i = 0; i < scene.framework.points.size(); ++i) {
    const FrameworkPoint<Dim>& point = scene.framework.points[i];
    PageJson json = {
        {"name", point.name}, {"mass", point.mass.value}, {"position", row(state.points[i])}};
    if (point.fixed) json["fixed"] = true;
    points.push_back(std::move(json));
  }
  return {{"points", std::move(points)},
          {"bars", scene.framework.bars},
          {"faces", scene.framework.faces}};
}

/// Contacts with their normals, from which the page tells those that open.
template <int Dim>
PageJson contacts_json(const ContactSet<Dim>& contacts) {
  PageJson list = PageJson::array();
  for (const Contact<Dim>& contact : contacts.contacts) {
    list.push_back(
        row(contact.id.a, contact.id.b, contact.point, contact.normal, contact.friction));
  }
  return list;
}

template <int Dim>
PageJson verdict_json(const Verdict<Dim>& verdict, const ContactSet<Dim>& contacts) {
  PageJson json = {{"stability", to_string(verdict.stability)},
                   {"strength", to_string(verdict.strength)},
                   {"reason", verdict.reason},
                   {"margin", verdict.margin},
                   {"marginIsBound", verdict.margin_is_bound},
                   {"contacts", contacts_json(contacts)}};
  PageJson corners = PageJson::array();
  for (const CornerContact<Dim>& corner : contacts.corners) corners.push_back(row(corner.point));
  json["corners"] = std::move(corners);
  PageJson forces = PageJson::array();
  for (const ContactForce<Dim>& f : verdict.forces) {
    forces.push_back(row(f.id.a, f.id.b, f.point, f.force));
  }
  json["forces"] = std::move(forces);
  PageJson joint_forces = PageJson::array();
  for (const JointForce<Dim>& f : verdict.joint_forces) {
    joint_forces.push_back(row(f.joint, f.point, f.force, f.torque));
  }
  json["jointForces"] = std::move(joint_forces);
  PageJson mechanism = PageJson::array();
  for (const BodyMotion<Dim>& motion : verdict.mechanism) {
    mechanism.push_back(row(motion.body, motion.velocity, motion.spin));
  }
  json["mechanism"] = std::move(mechanism);
  return json;
}

PageJson motion_json(const TrajectoryHeader& header, bool finished) {
  PageJson options = PageJson::array();
  for (const auto& [name, value] : header.options) {
    options.push_back(PageJson::array({name, value}));
  }
  return {{"command", header.command}, {"finished", finished}, {"options", std::move(options)}};
}

}  // namespace

template <int Dim>
PageQuanta page_quanta(const Scene<Dim>& scene, const State<Dim>& state) {
  double smallest = std::numeric_limits<double>::infinity();
  double farthest = 0.0;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const Body<Dim>& body = scene.bodies[i];
    if (body.shape.half_space) continue;
    if (!body.fixed) smallest = std::min(smallest, body.shape.size());
    const Vec<Dim> centre = state.centre(scene, static_cast<int>(i));
    farthest = std::max(farthest, centre.stableNorm() + body.shape.reach(body.mass.centre));
  }
  for (const Vec<Dim>& point : state.points) farthest = std::max(farthest, point.stableNorm());
  for (const auto& [p, q] : scene.framework.bars) {
    const Vec<Dim> bar =
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
  quanta.point = (Dim == 2 ? 16.0 : 32.0) * quanta.length;
  // Four components of a quaternion, each half of the angle it stands for, need no more than places do.
  quanta.angle = std::ldexp(1.0, Dim == 2 ? -16 : -kStepsPerBody);
  return quanta;
}

template PageQuanta page_quanta(const Scene<2>& scene, const State<2>& state);
template PageQuanta page_quanta(const Scene<3>& scene, const State<3>& state);

template <int Dim>
std::vector<int> moving_bodies(const Scene<Dim>& scene) {
  std::vector<int> moving;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    if (!scene.bodies[i].fixed && !scene.bodies[i].shape.half_space) {
      moving.push_back(static_cast<int>(i));
    }
  }
  return moving;
}

template std::vector<int> moving_bodies(const Scene<2>& scene);
template std::vector<int> moving_bodies(const Scene<3>& scene);

template <int Dim>
std::string page_header(const Scene<Dim>& scene, const State<Dim>& state, const PageQuanta& quanta,
                        const PageContent<Dim>& content, const PageOptions& options) {
  PageJson json = {
      {"version", 1},
      {"name", scene.name},
      {"dimension", Dim},
      {"gravity", row(scene.gravity.value)},
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
  if (content.motion != nullptr) json["motion"] = motion_json(*content.motion, content.finished);
  return json.dump(-1, ' ', false, PageJson::error_handler_t::replace);
}

template std::string page_header(const Scene<2>&, const State<2>&, const PageQuanta&,
                                 const PageContent<2>&, const PageOptions&);
template std::string page_header(const Scene<3>&, const State<3>&, const PageQuanta&,
                                 const PageContent<3>&, const PageOptions&);

}  // namespace collapse
