/// Verdicts and forces do not depend on units, on the direction of the axes, or on left and right.

#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "tests/support/checked_scene.hpp"

namespace collapse::testing {
namespace {

using Json = nlohmann::ordered_json;

Rational number(const Json& json) {
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

ExactVec<2> vector_of(const Json& json) { return {number(json[0]), number(json[1])}; }
Json to_json(const ExactVec<2>& v) { return Json::array({to_string(v[0]), to_string(v[1])}); }

Json point(const Json& json, const Change& change) {
  return to_json(change.length * change.direction(vector_of(json)));
}

std::string changed(const std::string& text, const Change& change) {
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

std::vector<Change> all_changes() {
  const Rational k(1000);
  const Rational milli(1, 1000);
  std::vector<Change> changes(9);
  changes[0].name = "length up", changes[0].length = k;
  changes[1].name = "length down", changes[1].length = milli;
  changes[2].name = "mass up", changes[2].mass = k;
  changes[3].name = "mass down", changes[3].mass = milli;
  changes[4].name = "gravity up", changes[4].gravity = k;
  changes[5].name = "gravity down", changes[5].gravity = milli;
  changes[6].name = "mirrored", changes[6].mirror = true;
  changes[7].name = "turned", changes[7].c = Rational(3, 5), changes[7].s = Rational(4, 5);
  changes[8].name = "all at once", changes[8].c = Rational(-5, 13), changes[8].s = Rational(12, 13);
  changes[8].mirror = true, changes[8].length = milli, changes[8].mass = k;
  return changes;
}

struct Case {
  const char* scene;
  SceneOptions options;
};

TEST(Invariance, OfVerdictsAndForcesUnderUnitsMirrorsAndRotations) {
  const std::vector<Case> cases = {
      {"harmonic", {{"factor", "0.999"}}}, {"harmonic", {{"factor", "1.001"}}},
      {"diamond", {{"rows", "4"}}},        {"diamond", {{"rows", "5"}}},
      {"triangle", {}},                    {"wall", {{"ends", "straight"}}},
      {"wall", {{"bond", "stack"}}},       {"arch", {}},
      {"arch", {{"thickness", "0.106"}}},  {"ladder", {}},
      {"wedge", {}},                       {"wedge", {{"friction", "0.6"}}},
      {"slope", {}},                       {"column", {}},
      {"seesaw", {}},                      {"cylinders", {}},
      {"gate", {}},                        {"pile", {{"seed", "3"}}},
  };
  for (const Case& scene : cases) {
    const std::string text = scenes::make_scene(scene.scene, scene.options);
    const CheckedScene original = check_text(text);
    ASSERT_NE(original.verdict.stability, Stability::undecided) << scene.scene;
    for (const Change& change : all_changes()) {
      SCOPED_TRACE(std::string(scene.scene) + ", " + change.name);
      const CheckedScene other = check_text(changed(text, change));
      ASSERT_EQ(other.verdict.stability, original.verdict.stability) << other.verdict.reason;
      EXPECT_EQ(other.contacts.contacts.size(), original.contacts.contacts.size());
      EXPECT_NEAR(other.verdict.margin, original.verdict.margin,
                  0.02 * std::abs(original.verdict.margin));
      ASSERT_EQ(other.verdict.forces.size(), original.verdict.forces.size());
      double largest = 0.0;
      for (const auto& contact : original.verdict.forces) {
        largest = std::max(largest, contact.force.norm());
      }
      // Contacts may be numbered differently in a mirrored scene: matched by bodies and point.
      const double scale = to_double(change.mass * change.gravity);
      const double length = to_double(change.length);
      for (const ContactForce<2>& contact : original.verdict.forces) {
        const Vec<2> expected_point = length * change.direction(contact.point);
        const Vec<2> expected = scale * change.direction(contact.force);
        bool found = false;
        for (const ContactForce<2>& candidate : other.verdict.forces) {
          found = found || (candidate.id.a == contact.id.a && candidate.id.b == contact.id.b &&
                            (candidate.point - expected_point).norm() < 1e-9 * length &&
                            (candidate.normal - change.direction(contact.normal)).norm() < 1e-9 &&
                            (candidate.force - expected).norm() < 1e-7 * scale * largest);
        }
        EXPECT_TRUE(found) << original.scene.body_name(contact.id.b);
      }
    }
  }
}

}  // namespace
}  // namespace collapse::testing
