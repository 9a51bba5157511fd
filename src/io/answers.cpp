#include "collapse/io/answers.hpp"

#include <nlohmann/json.hpp>

namespace collapse {
namespace {

Json contacts_json(const Scene<2>& scene, const ContactSet<2>& contacts,
                   const Verdict<2>& verdict) {
  Json list = Json::array();
  const auto add = [&](const ContactId& id, const Vec<2>& point, const Vec<2>& normal) -> Json& {
    list.push_back({{"a", scene.body_name(id.a)},
                    {"b", scene.body_name(id.b)},
                    {"point", to_json(point)},
                    {"normal", to_json(normal)}});
    return list.back();
  };
  if (verdict.forces.empty()) {
    for (const Contact<2>& contact : contacts.contacts) {
      add(contact.id, contact.point, contact.normal);
    }
  } else {
    for (const ContactForce<2>& contact : verdict.forces) {
      add(contact.id, contact.point, contact.normal)["force"] = to_json(contact.force);
    }
  }
  return list;
}

}  // namespace

Json to_json(const Vec<2>& vector) { return Json::array({vector[0], vector[1]}); }

Json near_misses_json(const Scene<2>& scene, const ContactSet<2>& contacts) {
  Json list = Json::array();
  for (const NearMiss& miss : contacts.near_misses) {
    list.push_back(
        {{"a", scene.body_name(miss.a)}, {"b", scene.body_name(miss.b)}, {"gap", miss.gap}});
  }
  return list;
}

Json corners_json(const Scene<2>& scene, const ContactSet<2>& contacts) {
  Json list = Json::array();
  for (const CornerContact<2>& corner : contacts.corners) {
    list.push_back({{"a", scene.body_name(corner.id.a)},
                    {"b", scene.body_name(corner.id.b)},
                    {"point", to_json(corner.point)},
                    {"normals", {to_json(corner.normals[0]), to_json(corner.normals[1])}}});
  }
  return list;
}

Json joint_forces_json(const Scene<2>& scene, const std::vector<JointForce<2>>& forces) {
  Json list = Json::array();
  for (const JointForce<2>& force : forces) {
    const Joint<2>& joint = scene.joints[static_cast<std::size_t>(force.joint)];
    list.push_back({{"a", scene.body_name(joint.a)},
                    {"b", scene.body_name(joint.b)},
                    {"point", to_json(force.point)},
                    {"force", to_json(force.force)},
                    {"torque", force.torque[0]}});
  }
  return list;
}

Json isolated_json(const Scene<2>& scene, const ContactSet<2>& contacts) {
  Json list = Json::array();
  for (const int body : contacts.isolated) list.push_back(scene.body_name(body));
  return list;
}

Json verdict_json(const Scene<2>& scene, const ContactSet<2>& contacts, const Verdict<2>& verdict) {
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
    for (const BodyMotion<2>& motion : verdict.mechanism) {
      mechanism.push_back({{"body", scene.body_name(motion.body)},
                           {"velocity", to_json(motion.velocity)},
                           {"spin", motion.spin[0]}});
    }
  }
  json["isolated"] = isolated_json(scene, contacts);
  json["near_misses"] = near_misses_json(scene, contacts);
  json["solver"] = {{"status", to_string(verdict.status)},
                    {"programs", verdict.programs},
                    {"iterations", verdict.iterations}};
  return json;
}

}  // namespace collapse
