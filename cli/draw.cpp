#include <fmt/core.h>

#include <cmath>

#include "cli/command.hpp"
#include "cli/loads.hpp"
#include "collapse/core/error.hpp"
#include "collapse/io/svg.hpp"
#include "collapse/io/trajectory.hpp"

namespace collapse::cli {
namespace {

struct DrawArguments {
  std::string scene;
  std::string output;
  std::vector<std::string> loads;
  std::string time;
  std::int64_t frame = -1;
  double touch = ContactOptions{}.touch;
  DrawOptions draw;
  bool json = false;
};

int draw_scene(const DrawArguments& options) {
  if (!options.time.empty() || options.frame >= 0) {
    throw Error(options.time.empty() ? "--frame" : "--time", "a scene, which has no frames",
                "a trajectory file");
  }
  Progress progress;
  progress.show(fmt::format("reading {}", options.scene));
  const Loaded loaded = load(options.scene, options.touch);
  CheckOptions check_options;
  check_options.loads = applied_loads(loaded.scene, options.loads);
  check_options.progress = [&](int number) { progress.show(fmt::format("program {}", number)); };
  const Verdict<2> verdict = check(loaded.scene, loaded.state, loaded.contacts, check_options);
  write_file(options.output,
             draw_svg(loaded.scene, loaded.state, loaded.contacts, verdict, options.draw));
  progress.show("");
  if (options.json) {
    const Json json = {{"scene", options.scene},
                       {"output", options.output},
                       {"verdict", to_string(verdict.stability)}};
    fmt::print("{}\n", json.dump());
  }
  return kDone;
}

/// The last frame unless told otherwise.
std::int64_t chosen_frame(const TrajectoryReader& file, const DrawArguments& options) {
  if (file.frames() == 0) {
    throw Error("", "a trajectory without a complete frame", "at least one").in_file(options.scene);
  }
  if (options.frame >= 0) {
    if (options.frame < file.frames()) return options.frame;
    throw Error("--frame", std::to_string(options.frame),
                fmt::format("a number from 0 to {}", file.frames() - 1));
  }
  if (options.time.empty()) return file.frames() - 1;
  const std::optional<Rational> time = parse_rational(options.time);
  if (!time || !std::isfinite(to_double(*time))) {
    throw Error("--time", printable(options.time), "a number such as 2.5 or 5/2");
  }
  return file.frame_near(to_double(*time));
}

int draw_frame(const DrawArguments& options) {
  if (!options.loads.empty()) {
    throw Error("--load", "a trajectory, whose loads are those it was run with", "a scene");
  }
  const TrajectoryReader file(options.scene);
  const Frame<2> frame = file.frame(chosen_frame(file, options));
  ContactSet<2> contacts;
  Verdict<2> verdict;
  for (const ContactForce<2>& force : frame.contacts) {
    // Frameworks have no picture.
    if (std::max(force.id.a, force.id.b) >= file.header().bodies) continue;
    Contact<2>& contact = contacts.contacts.emplace_back();
    contact.id = force.id;
    contact.point = force.point;
    contact.normal = force.normal;
    verdict.forces.push_back(force);
  }
  DrawOptions draw = options.draw;
  draw.caption = fmt::format("time {:.6g}", frame.time);
  write_file(options.output, draw_svg(file.scene(), frame.state, contacts, verdict, draw));
  if (options.json) {
    const Json json = {{"trajectory", options.scene},
                       {"output", options.output},
                       {"frame", frame.number},
                       {"time", frame.time}};
    fmt::print("{}\n", json.dump());
  }
  return kDone;
}

int draw(const DrawArguments& options) {
  if (options.output != "-" && !options.output.ends_with(".svg")) {
    throw Error("--output", printable(options.output), "a file name that ends in .svg, or -");
  }
  if (options.output == "-" && options.json) {
    throw Error("--json", "the picture on standard output as well", "a file for the picture");
  }
  const bool recorded = options.scene != "-" && is_trajectory(options.scene);
  return recorded ? draw_frame(options) : draw_scene(options);
}

}  // namespace

void add_draw(CLI::App& app, Action& action) {
  CLI::App* const command = app.add_subcommand(
      "draw", "A picture of the structure, with its contact forces or the way it begins to fall");
  const auto options = std::make_shared<DrawArguments>();
  command
      ->add_option("SCENE", options->scene,
                   "Scene file, - for standard input; or a trajectory file, of which one frame")
      ->required();
  command
      ->add_option("-o,--output", options->output, "Picture to write (.svg), - for standard output")
      ->required();
  add_load_option(*command, options->loads);
  add_touch_option(*command, options->touch);
  auto* const time = command->add_option(
      "--time", options->time, "Of a trajectory: the frame nearest to it, instead of the last");
  command->add_option("--frame", options->frame, "Of a trajectory: this frame, from 0")
      ->check(CLI::NonNegativeNumber)
      ->excludes(time);
  command->add_option("--width", options->draw.width, "Of the picture, in pixels")
      ->check(CLI::Range(100, 20000))
      ->capture_default_str();
  command->add_flag("--names", options->draw.names, "Write the bodies' names");
  command->add_flag("--json", options->json, "One JSON object about what was drawn");
  command->footer(
      "Examples:\n"
      "  collapse gallery diamond -o diamond.json && collapse draw diamond.json -o diamond.svg\n"
      "  collapse run diamond.json -o diamond.clps && collapse draw diamond.clps --time 1/2 -o "
      "half.svg");
  command->callback([options, &action] { action = [options] { return draw(*options); }; });
}

}  // namespace collapse::cli
