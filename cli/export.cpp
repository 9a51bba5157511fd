#include "cli/export.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "cli/interrupt.hpp"
#include "collapse/core/error.hpp"
#include "collapse/io/place.hpp"

namespace collapse::cli {
namespace {

constexpr std::array<std::string_view, 6> kEndings{".csv", ".glb", ".pvd", ".svg", ".png", ".mp4"};

/// Options that only some endings know.
struct OptionUse {
  std::string_view option;
  std::string_view endings;
};
constexpr std::array<OptionUse, 12> kOptionUses{{{"--contacts", ".csv"},
                                                 {"--changes", ".csv"},
                                                 {"--time", ".svg, .png"},
                                                 {"--frame", ".svg, .png"},
                                                 {"--names", ".svg, .png"},
                                                 {"--width", ".svg, .png, .mp4"},
                                                 {"--height", ".mp4"},
                                                 {"--speed", ".mp4"},
                                                 {"--frame-rate", ".glb, .pvd, .mp4"},
                                                 {"--no-forces", ".glb, .pvd, .svg, .png, .mp4"},
                                                 {"--load", ".glb, .pvd, .svg, .png"},
                                                 {"--touch", ".glb, .pvd, .svg, .png"}}};

/// `-` and tables without the one of all bodies are CSV.
std::string_view ending_of(const ExportArguments& arguments) {
  const std::string& output = arguments.output;
  if (output.empty() || output == "-") return ".csv";
  for (const std::string_view ending : kEndings) {
    if (output.ends_with(ending)) return ending;
  }
  throw Error("--output", printable(output),
              fmt::format("a file name that ends in one of {}, or - for .csv", joined(kEndings)));
}

void refuse_useless_options(const CLI::App& command, std::string_view ending) {
  for (const OptionUse& use : kOptionUses) {
    const CLI::Option* const option = command.get_option_no_throw(std::string(use.option));
    if (option == nullptr || option->count() == 0) continue;
    if (use.endings.find(ending) != std::string_view::npos) continue;
    throw Error(std::string(use.option), fmt::format("an output that ends in {}", ending),
                fmt::format("one of {}", use.endings));
  }
}

void require_csv(const char* option, const std::string& file) {
  if (file.empty() || file == "-" || file.ends_with(".csv")) return;
  throw Error(option, printable(file), "a file name that ends in .csv, or -");
}

Exported write_export(const ExportArguments& arguments, std::string_view ending) {
  if (ending == ".svg" || ending == ".png") {
    StillArguments still = arguments;
    still.json = false;
    if (arguments.width > 0) still.draw.width = arguments.width;
    return {draw_still(still), 1};
  }
  const InterruptGuard guard;
  if (ending == ".glb") return export_glb(arguments);
  if (ending == ".pvd") return export_vtk(arguments);
  if (ending == ".mp4") return export_film(arguments);
  return export_csv(arguments);
}

int export_file(const ExportArguments& arguments, const CLI::App& command) {
  const std::string_view ending = ending_of(arguments);
  require_csv("--contacts", arguments.contacts);
  require_csv("--changes", arguments.changes);
  refuse_useless_options(command, ending);
  if (arguments.output.empty() && arguments.contacts.empty() && arguments.changes.empty()) {
    throw Error("--output", "nothing to write", "-o FILE.csv, --contacts or --changes");
  }
  const bool to_standard_output =
      arguments.output == "-" || arguments.contacts == "-" || arguments.changes == "-";
  if (arguments.json && to_standard_output) {
    throw Error("--json", "a table on standard output as well", "a file for the table");
  }
  if (is_trajectory_argument(arguments.file)) {
    refuse_loads(arguments);
  } else if (arguments.frame_rate && ending != ".mp4") {
    throw Error("--frame-rate", "a scene, which has no frames", "a trajectory file");
  }
  const Exported exported = write_export(arguments, ending);
  if (arguments.json && exported.status != kInterrupted) {
    const Json json = {
        {"file", arguments.file}, {"output", arguments.output}, {"frames", exported.frames}};
    fmt::print("{}\n", json.dump());
  }
  return exported.status;
}

/// Whether this frame is the nearest one to a multiple of the rate's interval.
bool is_sampled(const TrajectoryFile& file, std::int64_t number, double time, double begin,
                double rate) {
  return file.frame_near(begin + std::round((time - begin) * rate) / rate) == number;
}

}  // namespace

template <int Dim>
Exported for_each_frame(const ExportArguments& arguments, const TrajectoryReader<Dim>& file,
                        const std::type_identity_t<std::function<void(const Frame<Dim>&)>>& one) {
  Exported exported;
  std::int64_t number = 0;
  double begin = 0.0;
  exported.status = for_each_good_frame(file, arguments.file, [&](const Frame<Dim>& frame) {
    const std::int64_t i = number++;
    if (i == 0) begin = frame.time;
    const std::optional<double>& rate = arguments.frame_rate;
    if (rate && !is_sampled(file, i, frame.time, begin, *rate)) return;
    one(frame);
    ++exported.frames;
  });
  return exported;
}

template Exported for_each_frame(const ExportArguments&, const TrajectoryReader<2>&,
                                 const std::function<void(const Frame<2>&)>&);
template Exported for_each_frame(const ExportArguments&, const TrajectoryReader<3>&,
                                 const std::function<void(const Frame<3>&)>&);

void add_export(CLI::App& app, Action& action) {
  CLI::App* const command = app.add_subcommand(
      "export", "A trajectory or a scene for other programs, by the output's ending");
  const auto options = std::make_shared<ExportArguments>();
  command
      ->add_option("FILE", options->file,
                   "Trajectory file, also one that is being written; for .glb, .pvd, .svg and .png "
                   "also a scene file")
      ->required();
  command->add_option(
      "-o,--output", options->output,
      "File to write: .csv (- for standard output), .glb, .pvd, .svg, .png or .mp4");
  command->add_option("--contacts", options->contacts,
                      "Table of the contact forces in all frames to write (.csv)");
  command->add_option("--changes", options->changes,
                      "Table of the contacts that began or ceased to carry force to write (.csv)");
  command
      ->add_option(
          "--frame-rate", options->frame_rate,
          "Frames per unit of time (.glb, .pvd: all that were recorded unless given) or, of "
          "a film, per second (30 unless given)")
      ->check(CLI::Range(0.001, 10000.0));
  add_still_options(*command, *options);
  command
      ->add_option("--width", options->width,
                   "Pixels of a picture (1000 unless given) or of a film (1280)")
      ->check(CLI::Range(100, 20000));
  command->add_option("--height", options->height, "Pixels of a film (9/16 of its width)")
      ->check(CLI::Range(100, 20000));
  command->add_option("--speed", options->speed, "Of a film: units of time in one second")
      ->check(CLI::Range(1e-6, 1e6))
      ->capture_default_str();
  command->add_flag("--names", options->draw.names, "Write names into a picture");
  command->add_flag("--no-forces", options->no_forces, "Leave out the forces");
  command->add_flag("--json", options->json, "One JSON object about what was written");
  command->footer(
      "Examples:\n"
      "  collapse export diamond.clps -o diamond.csv\n"
      "  collapse export diamond.clps -o - --contacts forces.csv | head\n"
      "  collapse export diamond.clps -o diamond.glb                # for Blender, animated\n"
      "  collapse export diamond.clps -o diamond.pvd                # for ParaView\n"
      "  collapse export diamond.clps -o still.png --time 1/2\n"
      "  collapse export diamond.clps -o film.mp4 --speed 0.5       # needs Chromium and ffmpeg\n"
      "Tables have centres of mass, angles in radians (whole turns count on), framework points by "
      "name;\n"
      "planes are left out. Of a damaged file the frames before the damage are exported; the "
      "status "
      "is 2\n"
      "then. docs/formats.md describes the formats.");
  command->callback([options, command, &action] {
    action = [options, command] { return export_file(*options, *command); };
  });
}

}  // namespace collapse::cli
