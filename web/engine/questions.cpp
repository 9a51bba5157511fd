/// Questions without memory: the gallery, and whether a scene stands.

#include <emscripten.h>

#include <map>

#include "collapse/io/scene_reader.hpp"
#include "scenes/gallery.hpp"
#include "web/engine/answer.hpp"
#include "web/engine/outline.hpp"

namespace collapse::web {
namespace {

Json gallery_json() {
  Json all = Json::array();
  for (const scenes::Entry& entry : scenes::gallery()) {
    if (entry.dimension != 2) continue;  // the playground is a plane
    Json options = Json::array();
    for (const scenes::Option& option : entry.options) {
      options.push_back(
          {{"name", option.name}, {"default", option.default_value}, {"about", option.about}});
    }
    all.push_back({{"name", entry.name},
                   {"about", entry.about},
                   {"options", options},
                   {"framework", entry.framework}});
  }
  return {{"scenes", all}};
}

enum CheckWish : int { kOutline = 1, kQuick = 2 };

/// The verdict beside what there is to draw. An overlap is an answer too (`overlap`): while a body is dragged it is
/// no fault of the scene's author, and the rest can be drawn.
Json check_answer(const Scene<2>& scene, int wishes) {
  Json json = Json::object();
  if ((wishes & kOutline) != 0) json["outline"] = outline_json(scene);
  json["bodies"] = scene.bodies.size();
  if (!scene.framework.points.empty()) {
    json["unasked"] =
        "a framework of points and bars: it moves, but whether it stands is not asked";
    return json;
  }
  const State<2> state = initial_state(scene);
  ContactSet<2> contacts;
  try {
    contacts = find_contacts(scene, state);
  } catch (const Error& error) {
    json["overlap"] = error_json(error);
    return json;
  }
  CheckOptions options;
  if ((wishes & kQuick) != 0) options.margin_bodies = 0;
  json.update(verdict_json(scene, contacts, check(scene, state, contacts, options)));
  return json;
}

}  // namespace
}  // namespace collapse::web

extern "C" {

/// { scenes: [{ name, about, options, framework }] }
EMSCRIPTEN_KEEPALIVE char* collapse_gallery() {
  return collapse::web::answer([] { return collapse::web::gallery_json(); });
}

/// { text }; `options` is a JSON object of names and texts.
EMSCRIPTEN_KEEPALIVE char* collapse_gallery_scene(const char* name, const char* options) {
  return collapse::web::answer([&] {
    const auto given = collapse::Json::parse(options).get<std::map<std::string, std::string>>();
    return collapse::Json{{"text", collapse::scenes::make_scene(name, given)}};
  });
}

/// What `check --json` says of the scene. `wishes` are a sum: 1 for { outline } too; 2 for a quick answer, which leaves
/// out how large the margin is (while a body is dragged). { overlap } in place of the verdict
/// where bodies overlap, { unasked } where there is no verdict to give.
EMSCRIPTEN_KEEPALIVE char* collapse_check(const char* scene, int wishes) {
  return collapse::web::answer(
      [&] { return collapse::web::check_answer(collapse::parse_scene(scene), wishes); });
}
}
