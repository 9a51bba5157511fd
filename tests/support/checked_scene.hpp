#pragma once

#include <map>
#include <string>
#include <utility>
#include <variant>

#include "collapse/formulation/verdict.hpp"
#include "collapse/io/scene_reader.hpp"
#include "scenes/gallery.hpp"

namespace collapse::testing {

/// A scene with everything that `check` says about it.
template <int Dim>
struct CheckedSceneOf {
  Scene<Dim> scene;
  State<Dim> state;
  ContactSet<Dim> contacts;
  Verdict<Dim> verdict;

  /// Sum over the contacts of a pair, on b.
  [[nodiscard]] Vec<Dim> force(const std::string& a, const std::string& b) const {
    Vec<Dim> sum = Vec<Dim>::Zero();
    for (const ContactForce<Dim>& contact : verdict.forces) {
      if (scene.body_name(contact.id.a) == a && scene.body_name(contact.id.b) == b) {
        sum += contact.force;
      }
      if (scene.body_name(contact.id.a) == b && scene.body_name(contact.id.b) == a) {
        sum -= contact.force;
      }
    }
    return sum;
  }
};

using CheckedScene = CheckedSceneOf<2>;

template <int Dim>
CheckedSceneOf<Dim> check_scene(Scene<Dim> scene, const CheckOptions& options = {}) {
  CheckedSceneOf<Dim> checked;
  checked.scene = std::move(scene);
  checked.state = initial_state(checked.scene);
  checked.contacts = find_contacts(checked.scene, checked.state);
  checked.verdict = check(checked.scene, checked.state, checked.contacts, options);
  return checked;
}

template <int Dim = 2>
CheckedSceneOf<Dim> check_text(const std::string& text, const CheckOptions& options = {}) {
  return check_scene(parse_scene<Dim>(text), options);
}

using SceneOptions = std::map<std::string, std::string>;

template <int Dim = 2>
CheckedSceneOf<Dim> check_gallery(const std::string& name, const SceneOptions& options = {}) {
  return check_text<Dim>(scenes::make_scene(name, options));
}

/// Of a scene in the plane or in space, without the programs that find how far from falling it is.
template <int Dim>
Stability stability_of(const Scene<Dim>& scene) {
  CheckOptions quick;
  quick.margin_bodies = 0;
  return check_scene(scene, quick).verdict.stability;
}
inline Stability stability_of(const std::string& name, const SceneOptions& options = {}) {
  const AnyScene any = parse_any_scene(scenes::make_scene(name, options));
  return std::visit([](const auto& scene) { return stability_of(scene); }, any);
}

}  // namespace collapse::testing
