#pragma once
/// Scenes in other units, turned or mirrored.

#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/checked_scene.hpp"

namespace collapse::testing {

using Json = nlohmann::ordered_json;

inline Rational number(const Json& json) {
  return *parse_rational(json.is_string() ? json.get<std::string>() : json.dump());
}

/// x ↦ length · A x with A a rotation, or a reflection of it; masses and gravity scaled.
struct Change {
  std::string name;
  Rational length{1};
  Rational mass{1};
  Rational gravity{1};
  Rational c{1};
  Rational s{0};
  bool mirror = false;

  [[nodiscard]] ExactVec<2> direction(const ExactVec<2>& v) const {
    const ExactVec<2> w(mirror ? Rational(-v[0]) : v[0], v[1]);
    return {c * w[0] - s * w[1], s * w[0] + c * w[1]};
  }
  [[nodiscard]] Vec<2> direction(const Vec<2>& v) const {
    const Vec<2> w(mirror ? -v[0] : v[0], v[1]);
    const double cosine = to_double(c);
    const double sine = to_double(s);
    return {cosine * w[0] - sine * w[1], sine * w[0] + cosine * w[1]};
  }
};

inline ExactVec<2> vector_of(const Json& json) { return {number(json[0]), number(json[1])}; }
inline Json to_json(const ExactVec<2>& v) {
  return Json::array({to_string(v[0]), to_string(v[1])});
}

inline Json point(const Json& json, const Change& change) {
  return to_json(change.length * change.direction(vector_of(json)));
}

inline std::string changed(const std::string& text, const Change& change) {
  Json scene = Json::parse(text);
  scene["gravity"] = to_json(change.gravity * change.direction(vector_of(scene["gravity"])));
  for (auto& material : scene["materials"]) {
    // Density is mass over area.
    material["density"] =
        to_string(number(material["density"]) * change.mass / (change.length * change.length));
  }
  for (Json& body : scene["bodies"]) {
    if (body.contains("mass")) body["mass"] = to_string(number(body["mass"]) * change.mass);
    if (body.contains("plane")) {
      Json& plane = body["plane"];
      plane["normal"] = to_json(change.direction(vector_of(plane["normal"])));
      plane["offset"] = to_string(number(plane["offset"]) * change.length);
    }
    if (body.contains("position")) body["position"] = point(body["position"], change);
    if (body.contains("box")) {
      for (Json& side : body["box"]) side = to_string(number(side) * change.length);
      body["rotation"] = Json::array({to_string(change.c), to_string(change.s)});
    }
    if (body.contains("disk")) body["disk"] = to_string(number(body["disk"]) * change.length);
    if (body.contains("polygon")) {
      for (Json& vertex : body["polygon"]) vertex = point(vertex, change);
    }
  }
  if (scene.contains("joints")) {
    for (Json& joint : scene["joints"]) {
      if (joint["type"] == "rod") {
        for (Json& end : joint["at"]) end = point(end, change);
      } else {
        joint["at"] = point(joint["at"], change);
      }
    }
  }
  return scene.dump();
}

/// What distinguishes the forces of a changed scene from the changed forces, if anything. Contacts
/// may be numbered differently in a mirrored scene: they are matched by bodies, point and normal.
inline std::string force_difference(const CheckedScene& original, const CheckedScene& other,
                                    const Change& change) {
  if (other.verdict.forces.size() != original.verdict.forces.size()) return "number of forces";
  double largest = 0.0;
  for (const auto& contact : original.verdict.forces) {
    largest = std::max(largest, contact.force.norm());
  }
  const double scale = to_double(change.mass * change.gravity);
  const double length = to_double(change.length);
  for (const ContactForce<2>& contact : original.verdict.forces) {
    const Vec<2> point_there = length * change.direction(contact.point);
    const Vec<2> force_there = scale * change.direction(contact.force);
    bool found = false;
    for (const ContactForce<2>& candidate : other.verdict.forces) {
      found = found || (candidate.id.a == contact.id.a && candidate.id.b == contact.id.b &&
                        (candidate.point - point_there).norm() < 1e-8 * length &&
                        (candidate.normal - change.direction(contact.normal)).norm() < 1e-9 &&
                        (candidate.force - force_there).norm() < 1e-7 * scale * largest);
    }
    if (!found) return "force on " + original.scene.body_name(contact.id.b);
  }
  return {};
}

}  // namespace collapse::testing
