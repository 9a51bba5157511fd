#include <fmt/core.h>

#include <algorithm>

#include "cli/command.hpp"
#include "cli/cones.hpp"
#include "cli/loads.hpp"
#include "collapse/core/error.hpp"
#include "collapse/formulation/verdict.hpp"

namespace collapse::cli {
namespace {

struct CheckArguments {
  std::vector<std::string> scenes;
  std::vector<std::string> loads;
  double touch = ContactOptions{}.touch;
  ConeArguments cones;
  bool margin = false;
  bool json = false;
};

int exit_status(Stability stability) {
  switch (stability) {
    case Stability::stable:
      return kDone;
    case Stability::unstable:
      return kNo;
    case Stability::undecided:
      return kUndecided;
  }
  return kUndecided;
}

/// The contact that carries most.
template <int Dim>
std::string largest_force(const Scene<Dim>& scene, const Verdict<Dim>& verdict) {
  const ContactForce<Dim>* largest = nullptr;
  for (const ContactForce<Dim>& contact : verdict.forces) {
    if (largest == nullptr || contact.force.norm() > largest->force.norm()) largest = &contact;
  }
  if (largest == nullptr) return {};
  return fmt::format("  largest contact force {:.4g}, between \"{}\" and \"{}\"\n",
                     largest->force.norm(), printable(scene.body_name(largest->id.a)),
                     printable(scene.body_name(largest->id.b)));
}

template <int Dim>
std::string fastest_body(const Scene<Dim>& scene, const Verdict<Dim>& verdict) {
  const BodyMotion<Dim>* fastest = nullptr;
  int moving = 0;
  constexpr double kMoves = 1e-6;
  for (const BodyMotion<Dim>& motion : verdict.mechanism) {
    const double speed = motion.velocity.norm();
    if (speed > kMoves) ++moving;
    if (fastest == nullptr || speed > fastest->velocity.norm()) fastest = &motion;
  }
  if (fastest == nullptr) return {};
  const std::string name = printable(scene.body_name(fastest->body));
  if (moving == 1) return fmt::format("  only \"{}\" begins to move\n", name);
  return fmt::format("  {} bodies begin to move, \"{}\" fastest\n", moving, name);
}

template <int Dim>
std::string for_a_person(const std::string& file, const Loaded<Dim>& loaded,
                         const Verdict<Dim>& verdict, bool with_file) {
  const Scene<Dim>& scene = loaded.scene;
  std::string word;
  switch (verdict.stability) {
    case Stability::stable:
      word = coloured("stands", Colour::green);
      break;
    case Stability::unstable:
      word = coloured("falls", Colour::red);
      break;
    case Stability::undecided:
      word = coloured("undecided", Colour::yellow);
      break;
  }
  std::string text = fmt::format("{}: {}\n", title(file, scene.name, with_file), word);
  text += fmt::format("  {}\n", bodies_and_contacts(scene, loaded.contacts));
  if (verdict.stability == Stability::stable) {
    text += fmt::format("  margin {}{:.2g}: so much of every contact and of friction may be lost\n",
                        verdict.margin_is_bound ? "at least " : "", verdict.margin);
    text += largest_force(scene, verdict);
    if (verdict.strength == Strength::unknown) {
      text +=
          "  an equilibrium with friction exists; whether rest is the only outcome is not known\n";
    }
  } else if (verdict.stability == Stability::unstable) {
    text += fmt::format("  begins to fall at {:.2g} of the free acceleration\n", -verdict.margin);
    text += fastest_body(scene, verdict);
  } else {
    text += fmt::format("  {}\n", verdict.reason);
  }
  const bool moves = std::any_of(scene.bodies.begin(), scene.bodies.end(), [](const auto& body) {
    return !body.velocity.value.isZero(0.0) || !body.spin.isZero(0.0);
  });
  if (moves) text += "  velocities in the scene are left out: this is about rest\n";
  text += coloured(remarks(scene, loaded.contacts), Colour::faint);
  return text;
}

template <int Dim>
int check_loaded(const std::string& file, const Loaded<Dim>& loaded, const CheckArguments& options,
                 Progress& progress) {
  CheckOptions check_options;
  check_options.loads = applied_loads(loaded.scene, options.loads);
  check_options.full_margin = options.margin;
  const ConeModel cones = options.cones.model();
  check_options.cone = cones.cone;
  check_options.sides = cones.sides;
  check_options.progress = [&](int number) {
    progress.show(
        fmt::format("{}: program {}", bodies_and_contacts(loaded.scene, loaded.contacts), number));
  };
  const Verdict<Dim> verdict = check(loaded.scene, loaded.state, loaded.contacts, check_options);
  progress.show("");
  if (options.json) {
    Json json = {{"scene", file}};
    json.update(verdict_json(loaded.scene, loaded.contacts, verdict));
    fmt::print("{}\n", json.dump());
  } else {
    fmt::print("{}", for_a_person(file, loaded, verdict, options.scenes.size() > 1));
  }
  return exit_status(verdict.stability);
}

int check_one(const std::string& file, const CheckArguments& options) {
  Progress progress;
  progress.show(fmt::format("reading {}", file));
  return std::visit(
      [&](const auto& loaded) { return check_loaded(file, loaded, options, progress); },
      load(file, options.touch));
}

}  // namespace

void add_check(CLI::App& app, Action& action) {
  CLI::App* const command = app.add_subcommand("check", "Does it stand?");
  const auto options = std::make_shared<CheckArguments>();
  command->add_option("SCENE", options->scenes, "Scene files, - for standard input")->required();
  add_load_option(*command, options->loads);
  add_touch_option(*command, options->touch);
  add_cone_options(*command, options->cones);
  command->add_flag("--margin", options->margin,
                    "Find the margin within 10 % in large scenes too (slower)");
  command->add_flag("--json", options->json, "One JSON object per scene");
  command->footer(
      "Examples:\n"
      "  collapse gallery diamond -o diamond.json && collapse check diamond.json\n"
      "  collapse gallery harmonic --factor 0.99 | collapse check - --json\n"
      "  collapse check wall.json --load wind=0.3\n"
      "Exit status: 0 stable, 1 unstable, 2 bad input, 3 undecided.");
  command->callback([options, &action] {
    action = [options] {
      return for_each_scene(options->scenes,
                            [&](const std::string& file) { return check_one(file, *options); });
    };
  });
}

}  // namespace collapse::cli
