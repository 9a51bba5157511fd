#include "cli/command.hpp"
#include "cli/still.hpp"
#include "collapse/core/error.hpp"

namespace collapse::cli {
namespace {

int draw(const StillArguments& arguments) {
  const std::string& output = arguments.output;
  if (output != "-" && !output.ends_with(".svg") && !output.ends_with(".png")) {
    throw Error("--output", printable(output), "a file name that ends in .svg or .png, or -");
  }
  if (output == "-" && arguments.json) {
    throw Error("--json", "the picture on standard output as well", "a file for the picture");
  }
  return draw_still(arguments);
}

}  // namespace

void add_draw(CLI::App& app, Action& action) {
  CLI::App* const command = app.add_subcommand(
      "draw", "A picture of the structure, with its contact forces or the way it begins to fall");
  const auto options = std::make_shared<StillArguments>();
  command
      ->add_option("SCENE", options->file,
                   "Scene file, - for standard input; or a trajectory file, of which one frame")
      ->required();
  command
      ->add_option("-o,--output", options->output,
                   "Picture to write (.svg or .png), - for SVG on standard output")
      ->required();
  add_still_options(*command, *options);
  command->add_option("--width", options->draw.width, "Of the picture, in pixels")
      ->check(CLI::Range(100, 20000))
      ->capture_default_str();
  command->add_flag("--names", options->draw.names, "Write the names of bodies and points");
  command->add_flag("--no-forces", options->no_forces, "Leave out the forces");
  command->add_flag("--json", options->json, "One JSON object about what was drawn");
  command->footer(
      "Examples:\n"
      "  collapse gallery diamond -o diamond.json && collapse draw diamond.json -o diamond.svg\n"
      "  collapse run diamond.json -o diamond.clps && collapse draw diamond.clps --time 1/2 -o "
      "half.png\n"
      "Frameworks are drawn but not judged: their forces are in the frames of a trajectory.");
  command->callback([options, &action] { action = [options] { return draw(*options); }; });
}

}  // namespace collapse::cli
