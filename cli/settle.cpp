#include <fmt/core.h>

#include "cli/command.hpp"
#include "cli/run_plan.hpp"
#include "collapse/core/error.hpp"
#include "collapse/formulation/potential.hpp"

namespace collapse::cli {
namespace {

/// Flat bricks that keep to their verticals: one linear program.
int settle_flat(const RunArguments& arguments) {
  const AnyScene any = read_scene_text(arguments.scene).scene;
  const Scene<2>* const plane = std::get_if<Scene<2>>(&any);
  if (plane == nullptr) {
    throw Error("--flat", "a scene in space", "bricks in the plane; without --flat it settles")
        .in_file(display_name(arguments.scene));
  }
  const Scene<2>& scene = *plane;
  LeastPotential found;
  try {
    found = least_potential(scene);
  } catch (const Error& error) {
    throw error.in_file(display_name(arguments.scene));
  }
  const bool solved = found.status == Status::optimal;
  if (arguments.json) {
    Json json = {{"scene", arguments.scene},
                 {"name", scene.name},
                 {"status", to_string(found.status)},
                 {"energy", {{"initial", found.energy_at_start}, {"final", found.energy}}},
                 {"residual", found.residual},
                 {"bricks", Json::array()}};
    for (const FlatBrick& brick : found.bricks) {
      json["bricks"].push_back({{"body", scene.body_name(brick.body)},
                                {"height", brick.height},
                                {"slope", brick.slope}});
    }
    fmt::print("{}\n", json.dump());
  } else if (solved) {
    fmt::print("{}: potential energy {:.6g} → {:.6g}\n", title(arguments.scene, scene.name, false),
               found.energy_at_start, found.energy);
    for (const FlatBrick& brick : found.bricks) {
      fmt::print("  \"{}\" at height {:.6g}, slope {:.4g}\n",
                 printable(scene.body_name(brick.body)), brick.height, brick.slope);
    }
  } else {
    fmt::print("no least potential energy found: {}\n", to_string(found.status));
  }
  return solved ? kDone : kUndecided;
}

}  // namespace

void add_settle(CLI::App& app, Action& action) {
  CLI::App* const command =
      app.add_subcommand("settle", "Where it comes to rest, by falling potential energy alone");
  const auto options = std::make_shared<RunArguments>();
  const auto flat = std::make_shared<bool>(false);
  options->settle = true;
  add_settle_options(*command, *options);
  command->add_flag("--flat", *flat,
                    "Least potential energy of upright bricks that keep to their verticals: one "
                    "linear program, no "
                    "file");
  command->footer(
      "Without velocities, impact and friction: every step lowers the potential energy, by so much "
      "that no\n"
      "body goes further than a tenth of the smallest one, until nothing moves. Time counts "
      "steps.\n"
      "Examples:\n"
      "  collapse gallery diamond | collapse settle - -o rest.clps\n"
      "  collapse settle pile.json -o rest.clps --json\n"
      "  collapse gallery oba-sphereglass | collapse settle - -o rest.clps   # in space\n"
      "  collapse gallery diamond | collapse settle - --flat\n"
      "Exit status: 0 done, 2 bad input or a file that cannot be written, 3 it does not come to "
      "rest,\n"
      "130 interrupted.");
  command->callback([options, flat, &action] {
    action = [options, flat] { return *flat ? settle_flat(*options) : run_scene(*options); };
  });
}

}  // namespace collapse::cli
