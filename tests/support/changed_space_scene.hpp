#pragma once
/// Scenes in space in other units, or turned as a whole.

#include <string>

#include "scenes/space_document.hpp"

namespace collapse::testing {

/// x ↦ length · R x; densities and gravity scaled.
struct SpaceChange {
  scenes::Quaternion rotation;
  Rational length{1};
  Rational density{1};
  Rational gravity{1};
};

class SpaceChanger {
 public:
  explicit SpaceChanger(const SpaceChange& change) : change_(change) {}

  [[nodiscard]] std::string changed(const std::string& text) const {
    Json scene = Json::parse(text);
    scene["gravity"] = direction(scene["gravity"], change_.gravity);
    for (Json& material : scene["materials"]) {
      const Rational density =
          material.contains("density") ? value(material["density"]) : Rational(1);
      material["density"] = scenes::number(density * change_.density);
    }
    for (Json& body : scene["bodies"]) {
      if (body.contains("mass")) {
        const Rational& l = change_.length;
        body["mass"] = scenes::number(value(body["mass"]) * change_.density * l * l * l);
      }
      if (body.contains("plane")) {
        body["plane"]["normal"] = direction(body["plane"]["normal"], 1);
        scale(body["plane"]["offset"]);
        continue;
      }
      change_shape(body);
      if (body.contains("position")) {
        body["position"] = direction(body["position"], change_.length);
      }
      const scenes::Quaternion now = change_.rotation * orientation(body);
      body["orientation"] = scenes::quaternion_json(now);
    }
    if (scene.contains("joints")) {
      for (Json& joint : scene["joints"]) change_joint(joint);
    }
    scene.erase("loads");
    return scene.dump();
  }

 private:
  using Json = scenes::Json;

  static Rational value(const Json& json) {
    return *parse_rational(json.is_string() ? json.get<std::string>() : json.dump());
  }
  static scenes::Point3 point(const Json& json) {
    return {value(json[0]), value(json[1]), value(json[2])};
  }
  static scenes::Quaternion orientation(const Json& body) {
    if (!body.contains("orientation")) return {};
    const Json& q = body["orientation"];
    return {value(q[0]), value(q[1]), value(q[2]), value(q[3])};
  }
  [[nodiscard]] Json direction(const Json& json, const Rational& factor) const {
    return scenes::vector_json<3>(factor * scenes::turned(change_.rotation, point(json)));
  }
  void scale(Json& json) const {
    if (json.is_array()) {
      for (Json& item : json) scale(item);
    } else {
      json = scenes::number(value(json) * change_.length);
    }
  }
  /// In body coordinates: scaled, not turned.
  void change_shape(Json& body) const {
    for (const char* key : {"box", "sphere", "cylinder", "capsule", "hull"}) {
      if (body.contains(key)) scale(body[key]);
    }
    if (body.contains("mesh")) scale(body["mesh"]["vertices"]);
    if (!body.contains("parts")) return;
    for (Json& part : body["parts"]) {
      change_shape(part);
      if (part.contains("position")) scale(part["position"]);
    }
  }
  void change_joint(Json& joint) const {
    if (joint["type"] == "rod") {
      for (Json& end : joint["at"]) end = direction(end, change_.length);
    } else {
      joint["at"] = direction(joint["at"], change_.length);
    }
    if (joint.contains("axis")) joint["axis"] = direction(joint["axis"], 1);
  }

  SpaceChange change_;
};

}  // namespace collapse::testing
