#pragma once

#include <map>
#include <string>

#include "collapse/formulation/verdict.hpp"
#include "collapse/io/scene_reader.hpp"
#include "scenes/gallery.hpp"

namespace collapse::testing {

/// A scene with everything that `check` says about it.
struct CheckedScene {
  Scene<2> scene;
  State<2> state;
  ContactSet<2> contacts;
  Verdict<2> verdict;
};

inline CheckedScene check_text(const std::string& text, const CheckOptions& options = {}) {
  CheckedScene checked;
  checked.scene = parse_scene(text);
  checked.state = initial_state(checked.scene);
  checked.contacts = find_contacts(checked.scene, checked.state);
  checked.verdict = check(checked.scene, checked.state, checked.contacts, options);
  return checked;
}

using SceneOptions = std::map<std::string, std::string>;

inline CheckedScene check_gallery(const std::string& name, const SceneOptions& options = {}) {
  return check_text(scenes::make_scene(name, options));
}

inline Stability stability_of(const std::string& name, const SceneOptions& options = {}) {
  return check_gallery(name, options).verdict.stability;
}

}  // namespace collapse::testing
