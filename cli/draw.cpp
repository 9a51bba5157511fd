#include <fmt/core.h>

#include "cli/command.hpp"
#include "cli/loads.hpp"
#include "collapse/core/error.hpp"
#include "collapse/io/svg.hpp"

namespace collapse::cli {
namespace {

struct DrawArguments {
  std::string scene;
  std::string output;
  std::vector<std::string> loads;
  double touch = ContactOptions{}.touch;
  DrawOptions draw;
  bool json = false;
};

int draw(const DrawArguments& options) {
  if (options.output != "-" && !options.output.ends_with(".svg")) {
    throw Error("--output", printable(options.output), "a file name that ends in .svg, or -");
  }
  if (options.output == "-" && options.json) {
    throw Error("--json", "the picture on standard output as well", "a file for the picture");
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

}  // namespace

void add_draw(CLI::App& app, Action& action) {
  CLI::App* const command = app.add_subcommand(
      "draw", "A picture of the structure, with its contact forces or the way it begins to fall");
  const auto options = std::make_shared<DrawArguments>();
  command->add_option("SCENE", options->scene, "Scene file, - for standard input")->required();
  command
      ->add_option("-o,--output", options->output, "Picture to write (.svg), - for standard output")
      ->required();
  add_load_option(*command, options->loads);
  add_touch_option(*command, options->touch);
  command->add_option("--width", options->draw.width, "Of the picture, in pixels")
      ->check(CLI::Range(100, 20000))
      ->capture_default_str();
  command->add_flag("--names", options->draw.names, "Write the bodies' names");
  command->add_flag("--json", options->json, "One JSON object about what was drawn");
  command->footer(
      "Example:\n"
      "  collapse gallery diamond -o diamond.json && collapse draw diamond.json -o diamond.svg");
  command->callback([options, &action] { action = [options] { return draw(*options); }; });
}

}  // namespace collapse::cli
