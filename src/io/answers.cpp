#include "collapse/io/answers.hpp"

#include <nlohmann/json.hpp>

namespace collapse {
namespace {

template <int Dim>
Json contacts_json(const Scene<Dim>& scene, const ContactSet<Dim>& contacts,
                   const Verdict<Dim>& verdict) {
  Json list = Json::array();
  const auto add = [&](const ContactId& id, const Vec<Dim>& point,
                       const Vec<Dim>& normal) -> Json& {
    list.push_back({{"a", scene.body_name(id.a)},
                    {"b", scene.body_name(id.b)},
                    {"point", to_json(point)},
                    {"normal", to_json(normal)}});
    return list.back();
  };
  if (verdict.forces.empty()) {
    for (const Contact<Dim>& contact : contacts.contacts) {
      add(contact.id, contact.point, contact.normal);
    }
  } else {
    for (const ContactForce<Dim>& contact : verdict.forces) {
      add(contact.id, contact.point, contact.normal)["force"] = to_json(contact.force);
    }
  }
  return list;
}

}  // namespace

Json to_json(const Eigen::Ref<const Eigen::VectorXd>& vector) {
  Json list = Json::array();
  for (const double x : vector) list.push_back(x);
  return list;
}

Json spin_json(const Spin<2>& spin) { return spin[0]; }
Json spin_json(const Spin<3>& spin) { return to_json(spin); }

template <int Dim>
Json near_misses_json(const Scene<Dim>& scene, const ContactSet<Dim>& contacts) {
  Json list = Json::array();
  for (const NearMiss& miss : contacts.near_misses) {
    list.push_back(
        {{"a", scene.body_name(miss.a)}, {"b", scene.body_name(miss.b)}, {"gap", miss.gap}});
  }
  return list;
}

template <int Dim>
Json corners_json(const Scene<Dim>& scene, const ContactSet<Dim>& contacts) {
  Json list = Json::array();
  for (const CornerContact<Dim>& corner : contacts.corners) {
    Json normals = Json::array();
    for (const Vec<Dim>& normal : corner.normals) normals.push_back(to_json(normal));
    list.push_back({{"a", scene.body_name(corner.id.a)},
                    {"b", scene.body_name(corner.id.b)},
                    {"point", to_json(corner.point)},
                    {"normals", std::move(normals)}});
  }
  return list;
}

template <int Dim>
Json joint_forces_json(const Scene<Dim>& scene, const std::vector<JointForce<Dim>>& forces) {
  Json list = Json::array();
  for (const JointForce<Dim>& force : forces) {
    const Joint<Dim>& joint = scene.joints[static_cast<std::size_t>(force.joint)];
    list.push_back({{"a", scene.body_name(joint.a)},
                    {"b", scene.body_name(joint.b)},
                    {"point", to_json(force.point)},
                    {"force", to_json(force.force)},
                    {"torque", spin_json(force.torque)}});
  }
  return list;
}

template <int Dim>
Json isolated_json(const Scene<Dim>& scene, const ContactSet<Dim>& contacts) {
  Json list = Json::array();
  for (const int body : contacts.isolated) list.push_back(scene.body_name(body));
  return list;
}

template <int Dim>
Json verdict_json(const Scene<Dim>& scene, const ContactSet<Dim>& contacts,
                  const Verdict<Dim>& verdict) {
  Json json = {{"name", scene.name}, {"verdict", to_string(verdict.stability)}};
  if (!verdict.reason.empty()) json["reason"] = verdict.reason;
  json["strength"] = to_string(verdict.strength);
  json["certified"] = false;
  json["margin"] = verdict.margin;
  json["margin_is_bound"] = verdict.margin_is_bound;
  json["residual"] = verdict.residual;
  json["contacts"] = contacts_json(scene, contacts, verdict);
  json["corners"] = corners_json(scene, contacts);
  if (!verdict.joint_forces.empty())
    json["joints"] = joint_forces_json(scene, verdict.joint_forces);
  if (!verdict.mechanism.empty()) {
    Json& mechanism = json["mechanism"] = Json::array();
    for (const BodyMotion<Dim>& motion : verdict.mechanism) {
      mechanism.push_back({{"body", scene.body_name(motion.body)},
                           {"velocity", to_json(motion.velocity)},
                           {"spin", spin_json(motion.spin)}});
    }
  }
  json["isolated"] = isolated_json(scene, contacts);
  json["near_misses"] = near_misses_json(scene, contacts);
  json["solver"] = {{"status", to_string(verdict.status)},
                    {"programs", verdict.programs},
                    {"iterations", verdict.iterations}};
  return json;
}

template Json near_misses_json(const Scene<2>&, const ContactSet<2>&);
template Json corners_json(const Scene<2>&, const ContactSet<2>&);
template Json joint_forces_json(const Scene<2>&, const std::vector<JointForce<2>>&);
template Json isolated_json(const Scene<2>&, const ContactSet<2>&);
template Json verdict_json(const Scene<2>&, const ContactSet<2>&, const Verdict<2>&);
template Json near_misses_json(const Scene<3>&, const ContactSet<3>&);
template Json corners_json(const Scene<3>&, const ContactSet<3>&);
template Json joint_forces_json(const Scene<3>&, const std::vector<JointForce<3>>&);
template Json isolated_json(const Scene<3>&, const ContactSet<3>&);
template Json verdict_json(const Scene<3>&, const ContactSet<3>&, const Verdict<3>&);

}  // namespace collapse
