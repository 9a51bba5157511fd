#include <fmt/core.h>

#include <algorithm>
#include <chrono>

#include "cli/command.hpp"
#include "cli/compare_report.hpp"
#include "cli/interrupt.hpp"
#include "cli/loads.hpp"
#include "cli/oba_options.hpp"
#include "cli/option_number.hpp"
#include "cli/still.hpp"
#include "collapse/core/error.hpp"
#include "collapse/io/place.hpp"

namespace collapse::cli {
namespace {

struct CompareArguments {
  std::string scene;
  std::string output;
  std::string until;
  std::string step;
  std::string tolerance;
  std::vector<std::string> schemes;
  std::vector<std::string> loads;
  std::vector<std::string> oba;
  double touch = SimulationOptions{}.touch;
  int halvings = ComparisonOptions{}.halvings;
  int threads = 0;
  int width = 1000;
  bool json = false;
};

/// Those that step through time and are not the reference.
constexpr std::array kComparable{SchemeKind::position, SchemeKind::acceleration, SchemeKind::oba};

template <int Dim>
std::vector<SchemeKind> compared_schemes(const std::vector<std::string>& words) {
  if (words.empty()) {
    return {SchemeKind::position, Dim == 2 ? SchemeKind::acceleration : SchemeKind::oba};
  }
  std::vector<SchemeKind> schemes;
  for (const std::string& word : words) {
    std::vector<std::string_view> known;
    const std::size_t before = schemes.size();
    for (const SchemeKind scheme : kComparable) {
      known.push_back(to_string(scheme));
      if (to_string(scheme) == word) schemes.push_back(scheme);
    }
    if (schemes.size() > before) continue;
    if (word == to_string(SchemeKind::event)) {
      throw Error("--schemes", "event, which is what the others are compared with",
                  "some of " + joined(known));
    }
    throw Error("--schemes", in_quotes(word),
                "some of " + joined(known) + did_you_mean(word, known));
  }
  return schemes;
}

void refuse_output(const CompareArguments& arguments) {
  const std::string& output = arguments.output;
  if (output.empty()) return;
  const bool known =
      output.ends_with(".svg") || output.ends_with(".png") || output.ends_with(".csv");
  if (!known) {
    throw Error("--output", printable(output), "a file name that ends in .svg, .png or .csv");
  }
}

void write_comparison(const ComparedScene& compared, const CompareArguments& arguments) {
  const std::string& output = arguments.output;
  if (output.empty()) return;
  if (output.ends_with(".csv")) return write_file(output, compare_csv(compared));
  const std::string svg = compare_plot(compared, arguments.width);
  write_file(output, output.ends_with(".png") ? to_png(svg) : svg);
}

/// What the command line and the scene's settings say, the former first.
template <int Dim>
ComparisonOptions comparison_options(const Scene<Dim>& scene, const CompareArguments& arguments,
                                     ComparedScene& compared) {
  ComparisonOptions options;
  const SimulationSettings& settings = scene.simulation;
  compared.interval =
      arguments.step.empty() ? settings.step.exact : option_number("--step", arguments.step, false);
  const Rational until = arguments.until.empty() ? std::min(settings.duration.exact, Rational(1, 2))
                                                 : option_number("--until", arguments.until, false);
  options.interval = to_double(compared.interval);
  options.intervals = rounded_up(until / compared.interval, "--until", "steps");
  compared.until = compared.interval * options.intervals;
  options.halvings = arguments.halvings;
  options.schemes = compared_schemes<Dim>(arguments.schemes);
  options.simulation.impact = impact_rule(scene.simulation);
  options.simulation.touch = arguments.touch;
  options.simulation.threads = arguments.threads;
  options.simulation.loads = applied_loads(scene, arguments.loads);
  options.simulation.oba = parse_oba(arguments.oba);
  if (!arguments.tolerance.empty()) {
    options.simulation.event.tolerance =
        to_double(option_number("--tolerance", arguments.tolerance, false));
  }
  try {
    options.validate();
  } catch (const Error& error) {
    throw Error("--" + error.place(), error.found(), error.expected());
  }
  return options;
}

template <int Dim>
int compare_scene(const CompareArguments& arguments, const Scene<Dim>& scene) {
  ComparedScene compared;
  compared.file = arguments.scene;
  compared.name = scene.name;
  compared.output = arguments.output;
  ComparisonOptions options = comparison_options(scene, arguments, compared);
  const InterruptGuard guard;
  options.simulation.interrupt = [] { return InterruptGuard::requested(); };
  Progress progress;
  std::chrono::steady_clock::time_point shown;
  options.progress = [&](const std::string& what, double share) {
    const auto now = std::chrono::steady_clock::now();
    if (now - shown < std::chrono::milliseconds(100)) return;
    shown = now;
    progress.show(fmt::format("{}: {:.0f} %", what, 100.0 * share));
  };
  try {
    compared.comparison = compare_schemes(scene, options);
  } catch (const Error& error) {
    throw error.in_file(display_name(arguments.scene));
  }
  progress.show("");
  if (compared.comparison.interrupted) {
    fmt::print(stderr, "collapse: interrupted; nothing is written\n");
    return kInterrupted;
  }
  const bool decided = compared.comparison.reference.doubt.empty();
  if (decided) write_comparison(compared, arguments);
  fmt::print("{}", arguments.json ? compare_json(compared).dump() + "\n" : compare_text(compared));
  return decided ? kDone : kUndecided;
}

int compare(const CompareArguments& arguments) {
  refuse_output(arguments);
  return std::visit([&](const auto& scene) { return compare_scene(arguments, scene); },
                    read_scene_text(arguments.scene).scene);
}

}  // namespace

void add_compare(CLI::App& app, Action& action) {
  CLI::App* const command = app.add_subcommand(
      "compare", "Errors of the schemes against scheme event, over step and cost");
  const auto options = std::make_shared<CompareArguments>();
  command->add_option("SCENE", options->scene, "Scene file, - for standard input")->required();
  command->add_option("-o,--output", options->output,
                      "Plot to write (.svg or .png), or the table (.csv)");
  command->add_option("--until", options->until,
                      "Time to run to: the first multiple of the longest step at or after it");
  command->add_option("--step", options->step,
                      "The longest step; motions are compared at its multiples");
  command->add_option("--halvings", options->halvings, "How often the step is halved")
      ->check(CLI::Range(0, 20))
      ->capture_default_str();
  command
      ->add_option("--schemes", options->schemes,
                   "position,acceleration,oba or some of them; those for the scene's dimension")
      ->delimiter(',');
  command->add_option(
      "--tolerance", options->tolerance,
      fmt::format("Of the reference, as of `run --scheme event`; {}", EventOptions{}.tolerance));
  add_load_option(*command, options->loads);
  add_oba_option(*command, options->oba);
  add_touch_option(*command, options->touch);
  command
      ->add_option("--threads", options->threads, "0: one per core; the motion is always the same")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  command->add_option("--width", options->width, "Of the plot, in pixels")
      ->check(CLI::Range(100, 20000))
      ->capture_default_str();
  command->add_flag("--json", options->json, "One JSON object");
  command->footer(
      "The error is the largest distance of any body from where the reference has it (centre of "
      "mass, and\n"
      "angle times size), at any multiple of the longest step. The reference is run once more, ten "
      "times less\n"
      "exact: errors below the difference (≤) are not known better. Order: of the error, by the "
      "last halving.\n"
      "Examples:\n"
      "  collapse gallery wedge | collapse compare - --until 1/2\n"
      "  collapse compare ladder.json --step 1/30 --halvings 6 -o ladder.svg\n"
      "  collapse compare stack.json --schemes oba --oba lift=off --json    # in space\n"
      "The default step is the scene's, or 1/60; the default end is that of the scene, at most "
      "1/2: once a\n"
      "structure has come down, collisions magnify every difference.\n"
      "Exit status: 0 done, 2 bad input or a scene that scheme event does not take, 3 the "
      "reference is\n"
      "undecided or not known to 1e-2, 130 interrupted.");
  command->callback([options, &action] { action = [options] { return compare(*options); }; });
}

}  // namespace collapse::cli
