#include "collapse/formulation/onset.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "cli/command.hpp"
#include "cli/cones.hpp"
#include "cli/loads.hpp"
#include "collapse/core/error.hpp"
#include "collapse/io/place.hpp"

namespace collapse::cli {
namespace {

struct OnsetArguments {
  std::vector<std::string> scenes;
  std::vector<std::string> loads;
  std::string friction_law = "coulomb";
  std::string forces = "convex";
  double touch = ContactOptions{}.touch;
  ConeArguments cones;
  bool ranges = false;
  bool json = false;
};

FrictionLaw law_of(const std::string& word) {
  if (word == "coulomb") return FrictionLaw::coulomb;
  if (word == "associated") return FrictionLaw::associated;
  throw Error("--friction-law", in_quotes(word), "coulomb or associated");
}

ForceMethod method_of(const std::string& word) {
  for (const ForceMethod method : {ForceMethod::convex, ForceMethod::heuristic}) {
    if (to_string(method) == word) return method;
  }
  throw Error("--forces", in_quotes(word), "convex or heuristic");
}

template <int Dim>
const char* outcome_of(const Onset<Dim>& onset) {
  if (!onset.decided) return "undecided";
  return onset.moves ? "moves" : "rests";
}

/// Nothing bounds the force: null, as JSON has no infinity.
Json bound_json(double bound) { return std::isfinite(bound) ? Json(bound) : Json(nullptr); }

template <int Dim>
Json onset_contacts_json(const Scene<Dim>& scene, const Onset<Dim>& onset) {
  Json list = Json::array();
  for (const OnsetContact<Dim>& contact : onset.contacts) {
    Json json = {{"a", scene.body_name(contact.id.a)}, {"b", scene.body_name(contact.id.b)},
                 {"point", to_json(contact.point)},    {"normal", to_json(contact.normal)},
                 {"force", to_json(contact.force)},    {"acceleration", contact.acceleration},
                 {"opens", contact.opens()},           {"state", to_string(contact.state)}};
    if (contact.range) {
      json["range"] = {bound_json((*contact.range)[0]), bound_json((*contact.range)[1])};
      json["unique"] = contact.unique;
    }
    list.push_back(std::move(json));
  }
  return list;
}

template <int Dim>
Json onset_json(const std::string& file, const Loaded<Dim>& loaded, const OnsetArguments& arguments,
                const Onset<Dim>& onset) {
  const Scene<Dim>& scene = loaded.scene;
  Json json = {{"scene", file}, {"name", scene.name}, {"onset", outcome_of(onset)}};
  if (!onset.reason.empty()) json["reason"] = onset.reason;
  json["certified"] = false;
  json["friction_law"] = arguments.friction_law;
  json["forces"] = arguments.forces;
  if (onset.guess) json["guess"] = to_string(*onset.guess);
  json["accelerates"] = onset.accelerates;
  json["share"] = onset.share;
  json["residual"] = onset.residual;
  Json& bodies = json["bodies"] = Json::array();
  for (const BodyAcceleration<Dim>& body : onset.bodies) {
    bodies.push_back({{"body", scene.body_name(body.body)},
                      {"linear", to_json(body.linear)},
                      {"angular", spin_json(body.angular)}});
  }
  json["contacts"] = onset_contacts_json(scene, onset);
  json["corners"] = corners_json(scene, loaded.contacts);
  if (!onset.joint_forces.empty()) json["joints"] = joint_forces_json(scene, onset.joint_forces);
  json["isolated"] = isolated_json(scene, loaded.contacts);
  json["near_misses"] = near_misses_json(scene, loaded.contacts);
  json["solver"] = {{"status", to_string(onset.status)},
                    {"programs", onset.programs},
                    {"iterations", onset.iterations}};
  return json;
}

/// A few of a list, and how many more there are.
template <class Item, class Describe>
std::string a_few(const std::vector<Item>& items, const Describe& describe) {
  constexpr std::size_t kShown = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(kShown, items.size()); ++i) text += describe(items[i]);
  if (items.size() > kShown) text += fmt::format("    and {} more\n", items.size() - kShown);
  return text;
}

template <int Dim>
std::string fastest_bodies(const Scene<Dim>& scene, const Onset<Dim>& onset) {
  std::vector<BodyAcceleration<Dim>> moving;
  double largest = 0.0;
  const auto size = [&](const BodyAcceleration<Dim>& a) {
    const Body<Dim>& body = scene.bodies[static_cast<std::size_t>(a.body)];
    return a.linear.norm() + a.angular.norm() * body.shape.reach(body.mass.centre);
  };
  for (const BodyAcceleration<Dim>& body : onset.bodies) largest = std::max(largest, size(body));
  constexpr double kMoves = 1e-6;
  for (const BodyAcceleration<Dim>& body : onset.bodies) {
    if (size(body) > kMoves * largest) moving.push_back(body);
  }
  std::stable_sort(moving.begin(), moving.end(),
                   [&](const auto& x, const auto& y) { return size(x) > size(y); });
  std::string text = fmt::format(
      "  {} of {} accelerate{}, with up to {:.2g} of what they "
      "would without contacts and joints\n",
      moving.size(), counted(static_cast<std::int64_t>(onset.bodies.size()), "body"),
      moving.size() == 1 ? "s" : "", onset.share);
  return text + a_few(moving, [&](const BodyAcceleration<Dim>& a) {
           // What is only rounding is not worth its digits.
           const double rounding = 1e-9 * largest;
           const std::string turning = in_brackets(a.angular, 4, rounding);
           return fmt::format("    \"{}\" {}, turning {}\n", printable(scene.body_name(a.body)),
                              in_brackets(a.linear, 4, rounding),
                              Dim == 2 ? turning.substr(1, turning.size() - 2) : turning);
         });
}

template <int Dim>
std::string contact_lines(const Scene<Dim>& scene, const Onset<Dim>& onset) {
  const auto pair = [&](const OnsetContact<Dim>& contact) {
    return fmt::format("\"{}\" on \"{}\"", printable(scene.body_name(contact.id.b)),
                       printable(scene.body_name(contact.id.a)));
  };
  std::string text;
  std::vector<OnsetContact<Dim>> opening;
  std::size_t sliding = 0;
  std::vector<OnsetContact<Dim>> loaded;
  for (const OnsetContact<Dim>& contact : onset.contacts) {
    if (contact.opens()) opening.push_back(contact);
    if (!contact.opens()) loaded.push_back(contact);
    sliding += contact.state == ContactState::sliding || contact.state == ContactState::slipping;
  }
  text += fmt::format("  {}, {} open, {} slide\n",
                      counted(static_cast<std::int64_t>(onset.contacts.size()), "contact"),
                      opening.size(), sliding);
  text += a_few(opening, [&](const OnsetContact<Dim>& contact) {
    return fmt::format("    {} opens with {:.4g}\n", pair(contact), contact.acceleration);
  });
  std::stable_sort(loaded.begin(), loaded.end(),
                   [](const auto& x, const auto& y) { return x.force.norm() > y.force.norm(); });
  if (loaded.empty() || loaded.front().force.isZero(0.0)) return text;
  text += "  largest contact forces\n";
  return text + a_few(loaded, [&](const OnsetContact<Dim>& contact) {
           std::string line = fmt::format("    {} {:.4g}", pair(contact), contact.force.norm());
           if (contact.range && !contact.unique) {
             const auto [low, high] = *contact.range;
             line += std::isfinite(high) ? fmt::format(", normal {:.4g} to {:.4g}", low, high)
                                         : fmt::format(", normal {:.4g} or any more", low);
           }
           return line + "\n";
         });
}

template <int Dim>
std::string onset_for_a_person(const std::string& file, const Loaded<Dim>& loaded,
                               const Onset<Dim>& onset, bool with_file) {
  const Scene<Dim>& scene = loaded.scene;
  const Colour colour = !onset.decided ? Colour::yellow : onset.moves ? Colour::red : Colour::green;
  std::string text = fmt::format("{}: {}\n", title(file, scene.name, with_file),
                                 coloured(outcome_of(onset), colour));
  if (!onset.decided) {
    text += fmt::format("  {}\n", onset.reason);
    if (!onset.bodies.empty()) text += "  one possibility:\n";
  }
  if (onset.guess && onset.decided) {
    text += fmt::format("  the heuristic of 1989 was right with its {} guess\n",
                        onset.guess == analytical::Guess::none_vanish ? "first" : "second");
  }
  if (!onset.bodies.empty()) {
    if (onset.accelerates) text += fastest_bodies(scene, onset);
    text += contact_lines(scene, onset);
  }
  text += coloured(remarks(scene, loaded.contacts), Colour::faint);
  return text;
}

template <int Dim>
int onset_of_loaded(const std::string& file, const Loaded<Dim>& loaded,
                    const OnsetArguments& arguments, Progress& progress) {
  OnsetOptions options;
  options.loads = applied_loads(loaded.scene, arguments.loads);
  options.friction_law = law_of(arguments.friction_law);
  options.forces = method_of(arguments.forces);
  options.ranges = arguments.ranges;
  const ConeModel cones = arguments.cones.model();
  options.cone = cones.cone;
  options.sides = cones.sides;
  options.progress = [&](int number) {
    progress.show(
        fmt::format("{}: program {}", bodies_and_contacts(loaded.scene, loaded.contacts), number));
  };
  const Onset<Dim> onset = find_onset(loaded.scene, loaded.state, loaded.contacts, options);
  progress.show("");
  if (arguments.json) {
    fmt::print("{}\n", onset_json(file, loaded, arguments, onset).dump());
  } else {
    fmt::print("{}", onset_for_a_person(file, loaded, onset, arguments.scenes.size() > 1));
  }
  return onset.decided ? kDone : kUndecided;
}

int onset_of_one(const std::string& file, const OnsetArguments& arguments) {
  Progress progress;
  progress.show(fmt::format("reading {}", file));
  return std::visit(
      [&](const auto& loaded) { return onset_of_loaded(file, loaded, arguments, progress); },
      load(file, arguments.touch));
}

}  // namespace

void add_onset(CLI::App& app, Action& action) {
  CLI::App* const command = app.add_subcommand("onset", "How does it begin to fall?");
  const auto arguments = std::make_shared<OnsetArguments>();
  command->add_option("SCENE", arguments->scenes, "Scene files, - for standard input")->required();
  add_load_option(*command, arguments->loads);
  command
      ->add_option(
          "--friction-law", arguments->friction_law,
          "coulomb|associated: does sliding lift? (associated: by the friction coefficient)")
      ->capture_default_str();
  command
      ->add_option("--forces", arguments->forces,
                   "convex|heuristic: by the convex program, or by Baraff's guesses of 1989, "
                   "without friction; these may fail")
      ->capture_default_str();
  command->add_flag("--ranges", arguments->ranges,
                    "Also the least and largest normal force of each contact that go with this "
                    "motion");
  add_touch_option(*command, arguments->touch);
  add_cone_options(*command, arguments->cones);
  command->add_flag("--json", arguments->json, "One JSON object per scene");
  command->footer(
      "Velocities in the scene count: the state is that after any impact.\n"
      "Examples:\n"
      "  collapse gallery diamond | collapse onset -\n"
      "  collapse gallery wedge | collapse onset - --ranges --json\n"
      "  collapse onset wall.json --load push=0.5 --friction-law associated\n"
      "  collapse gallery harmonic --factor 1.1 | collapse onset - --forces heuristic\n"
      "Exit status: 0 done, 2 bad input, 3 undecided.");
  command->callback([arguments, &action] {
    action = [arguments] {
      return for_each_scene(arguments->scenes, [&](const std::string& file) {
        return onset_of_one(file, *arguments);
      });
    };
  });
}

}  // namespace collapse::cli
