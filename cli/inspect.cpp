#include <fmt/core.h>

#include <algorithm>

#include "cli/command.hpp"
#include "collapse/core/error.hpp"

namespace collapse::cli {
namespace {

struct InspectArguments {
  std::vector<std::string> scenes;
  double touch = ContactOptions{}.touch;
  bool json = false;
};

std::string feature_name(const Feature& feature) {
  switch (feature.kind) {
    case FeatureKind::vertex:
      return fmt::format("vertex {}", feature.index);
    case FeatureKind::edge:
      return fmt::format("edge {}", feature.index);
    case FeatureKind::ball:
      return fmt::format("disk {}", feature.index);
    case FeatureKind::half_space:
      return "plane";
  }
  return "";
}

const char* kind_of(const Body<2>& body) {
  if (body.fixed) return "fixed";
  return body.motion.empty() ? "free" : "moved";
}

Json body_json(const Loaded& loaded, int index) {
  const Body<2>& body = loaded.scene.bodies[static_cast<std::size_t>(index)];
  Json json = {{"name", body.name},
               {"kind", kind_of(body)},
               {"material", loaded.scene.materials[static_cast<std::size_t>(body.material)].name}};
  if (body.shape.half_space) return json;
  json["mass"] = body.mass.mass;
  json["centre"] = to_json(loaded.state.centre(loaded.scene, index));
  json["inertia"] = body.mass.inertia(0, 0);
  json["size"] = body.shape.size();
  json["convex_parts"] = body.shape.pieces.size() + body.shape.balls.size();
  if (body.exact && body.mass.exact) {
    const auto& exact = *body.mass.exact;
    const ExactVec<2> centre = body.exact_pose.apply(exact.centre);
    json["exact"] = {{"mass", to_string(exact.mass)},
                     {"centre", {to_string(centre[0]), to_string(centre[1])}},
                     {"inertia", to_string(exact.inertia(0, 0))}};
  }
  return json;
}

Json framework_json(const Framework<2>& framework) {
  const auto name = [&](int point) {
    return framework.points[static_cast<std::size_t>(point)].name;
  };
  Json points = Json::array();
  for (const FrameworkPoint<2>& point : framework.points) {
    points.push_back({{"name", point.name},
                      {"kind", point.fixed ? "fixed" : "free"},
                      {"position", to_json(point.position.value)},
                      {"mass", point.mass.value}});
  }
  Json bars = Json::array();
  for (const auto& [p, q] : framework.bars) {
    const Vec<2> along = framework.points[static_cast<std::size_t>(q)].position.value -
                         framework.points[static_cast<std::size_t>(p)].position.value;
    bars.push_back({{"points", {name(p), name(q)}}, {"length", along.norm()}});
  }
  Json faces = Json::array();
  for (const std::vector<int>& face : framework.faces) {
    Json corners = Json::array();
    for (const int corner : face) corners.push_back(name(corner));
    faces.push_back(std::move(corners));
  }
  return {{"points", points}, {"bars", bars}, {"faces", faces}};
}

Json inspection_json(const std::string& file, const Loaded& loaded) {
  const Scene<2>& scene = loaded.scene;
  Json json = {{"scene", file}, {"name", scene.name}, {"dimension", 2}};
  json["gravity"] = to_json(scene.gravity.value);
  json["bodies"] = Json::array();
  for (int i = 0; i < static_cast<int>(scene.bodies.size()); ++i) {
    json["bodies"].push_back(body_json(loaded, i));
  }
  if (!scene.framework.points.empty()) json["framework"] = framework_json(scene.framework);
  json["contacts"] = Json::array();
  for (const Contact<2>& contact : loaded.contacts.contacts) {
    json["contacts"].push_back(
        {{"a", scene.body_name(contact.id.a)},
         {"b", scene.body_name(contact.id.b)},
         {"features", {feature_name(contact.id.feature_a), feature_name(contact.id.feature_b)}},
         {"point", to_json(contact.point)},
         {"normal", to_json(contact.normal)},
         {"gap", contact.gap},
         {"friction", contact.friction}});
  }
  json["corners"] = corners_json(scene, loaded.contacts);
  json["near_misses"] = near_misses_json(scene, loaded.contacts);
  json["isolated"] = isolated_json(scene, loaded.contacts);
  return json;
}

/// More rows than this are counted, not printed.
constexpr std::size_t kRows = 40;

std::string for_a_person(const std::string& file, const Loaded& loaded) {
  const Scene<2>& scene = loaded.scene;
  std::string text = fmt::format(
      "{}: {}, gravity ({:g}, {:g})\n",
      scene.name.empty() ? display_name(file) : printable(scene.name, 200),
      bodies_and_contacts(scene, loaded.contacts), scene.gravity.value[0], scene.gravity.value[1]);
  if (!scene.framework.points.empty()) {
    text += fmt::format("framework: {} points, {} bars, {} faces (--json lists them)\n",
                        scene.framework.points.size(), scene.framework.bars.size(),
                        scene.framework.faces.size());
  }
  text += fmt::format("\n{:<24}{:<8}{:>12}{:>12}{:>12}{:>12}\n", "body", "kind", "mass", "x", "y",
                      "inertia");
  for (std::size_t i = 0; i < std::min(kRows, scene.bodies.size()); ++i) {
    const Body<2>& body = scene.bodies[i];
    text += fmt::format("{:<24}{:<8}", printable(body.name, 22), kind_of(body));
    if (!body.shape.half_space) {
      const Vec<2> centre = loaded.state.centre(scene, static_cast<int>(i));
      text += fmt::format("{:>12.6g}{:>12.6g}{:>12.6g}{:>12.6g}", body.mass.mass, centre[0],
                          centre[1], body.mass.inertia(0, 0));
    }
    text += "\n";
  }
  const auto rest = [](std::size_t count) {
    return count > kRows ? fmt::format("… and {} more (--json has them all)\n", count - kRows)
                         : std::string();
  };
  text += rest(scene.bodies.size());
  if (!loaded.contacts.contacts.empty()) {
    text += fmt::format("\n{:<40}{:>10}{:>10}{:>8}{:>8}{:>10}  {}\n", "contact", "x", "y", "nx",
                        "ny", "friction", "features");
  }
  for (std::size_t i = 0; i < std::min(kRows, loaded.contacts.contacts.size()); ++i) {
    const Contact<2>& contact = loaded.contacts.contacts[i];
    const std::string pair = fmt::format("{} – {}", printable(scene.body_name(contact.id.a), 17),
                                         printable(scene.body_name(contact.id.b), 17));
    text += fmt::format("{:<40}{:>10.5g}{:>10.5g}{:>8.3f}{:>8.3f}{:>10.3g}  {} – {}\n", pair,
                        contact.point[0], contact.point[1], contact.normal[0] + 0.0,
                        contact.normal[1] + 0.0, contact.friction,
                        feature_name(contact.id.feature_a), feature_name(contact.id.feature_b));
  }
  text += rest(loaded.contacts.contacts.size());
  text += remarks(scene, loaded.contacts);
  return text;
}

}  // namespace

void add_inspect(CLI::App& app, Action& action) {
  CLI::App* const command =
      app.add_subcommand("inspect", "Bodies, masses, contacts and near misses of a scene");
  const auto options = std::make_shared<InspectArguments>();
  command->add_option("SCENE", options->scenes, "Scene files, - for standard input")->required();
  add_touch_option(*command, options->touch);
  command->add_flag("--json", options->json, "One JSON object per scene, with exact masses");
  command->footer("Example:\n  collapse gallery arch | collapse inspect -");
  command->callback([options, &action] {
    action = [options] {
      return for_each_scene(options->scenes, [&](const std::string& file) {
        const Loaded loaded = load(file, options->touch, Frameworks::used);
        fmt::print("{}", options->json ? inspection_json(file, loaded).dump() + "\n"
                                       : for_a_person(file, loaded));
        return kDone;
      });
    };
  });
}

}  // namespace collapse::cli
