#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>

#include "cli/command.hpp"
#include "collapse/core/error.hpp"
#include "collapse/io/place.hpp"
#include "scenes/extrusion.hpp"
#include "scenes/gallery.hpp"

namespace collapse::cli {
namespace {

struct GalleryArguments {
  std::string name;
  std::string output = "-";
  std::string extrude;
  bool json = false;
};

/// What to do with a scene that is made to be run.
std::string run_line(const scenes::Entry& entry) {
  return fmt::format("collapse run {}.json {} -o {}.clps", entry.name, entry.run, entry.name);
}

Json entry_json(const scenes::Entry& entry) {
  Json options = Json::array();
  for (const scenes::Option& option : entry.options) {
    options.push_back(
        {{"name", option.name}, {"default", option.default_value}, {"about", option.about}});
  }
  Json json = {{"name", entry.name},
               {"about", entry.about},
               {"dimension", entry.dimension},
               {"options", options}};
  if (!entry.run.empty()) json["run"] = run_line(entry);
  return json;
}

int list(bool json) {
  if (json) {
    Json all = Json::array();
    for (const scenes::Entry& entry : scenes::gallery()) all.push_back(entry_json(entry));
    fmt::print("{}\n", Json{{"scenes", all}}.dump());
    return kDone;
  }
  for (const scenes::Entry& entry : scenes::gallery()) {
    fmt::print("{}{}\n    {}\n", coloured(entry.name, Colour::green),
               entry.dimension == 3 ? "  (in space)" : "", entry.about);
    for (const scenes::Option& option : entry.options) {
      fmt::print("    --{:<22} {}\n", fmt::format("{} {}", option.name, option.default_value),
                 option.about);
    }
    if (!entry.run.empty()) fmt::print("    {}\n", run_line(entry));
  }
  return kDone;
}

/// `--key value` and `--key=value`, as left over by the parser of the fixed options.
std::map<std::string, std::string> scene_options(const std::vector<std::string>& words) {
  std::map<std::string, std::string> options;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (!word.starts_with("--")) throw Error("gallery", printable(word), "--OPTION VALUE");
    const std::size_t equals = word.find('=');
    const std::string key = word.substr(2, equals == std::string::npos ? equals : equals - 2);
    if (equals == std::string::npos && i + 1 == words.size()) {
      throw Error("--" + printable(key), "no value", "--" + printable(key) + " VALUE");
    }
    const std::string value = equals == std::string::npos ? words[++i] : word.substr(equals + 1);
    if (!options.emplace(key, value).second) {
      throw Error("--" + printable(key), "the option twice", "each option once");
    }
  }
  return options;
}

Rational extrusion_depth(const std::string& text) {
  const std::optional<Rational> depth = parse_rational(text);
  if (!depth || *depth <= 0) throw Error("--extrude", in_quotes(text), "a number above 0");
  return *depth;
}

int write(const GalleryArguments& options, const std::vector<std::string>& words) {
  std::string text = scenes::make_scene(options.name, scene_options(words));
  if (!options.extrude.empty()) text = scenes::extruded(text, extrusion_depth(options.extrude));
  write_file(options.output, text);
  if (options.json && options.output != "-") {
    fmt::print("{}\n", Json{{"scene", options.name}, {"output", options.output}}.dump());
  }
  return kDone;
}

}  // namespace

void add_gallery(CLI::App& app, Action& action) {
  CLI::App* const command =
      app.add_subcommand("gallery", "Lists the built-in scenes, or writes one as a scene file");
  const auto options = std::make_shared<GalleryArguments>();
  command->add_option("NAME", options->name, "The scene to write; without it, all are listed");
  command->add_option("-o,--output", options->output, "Scene file to write, - for standard output")
      ->capture_default_str();
  command
      ->add_option("--extrude", options->extrude,
                   "A depth: a scene of the plane is made solid, in space")
      ->type_name("DEPTH");
  command->add_flag("--json", options->json, "One JSON object");
  command->allow_extras();
  command->footer(
      "Examples:\n"
      "  collapse gallery\n"
      "  collapse gallery diamond --rows 4 -o diamond.json\n"
      "  collapse gallery arch --extrude 1/2 -o vault.json\n"
      "  collapse gallery harmonic --bricks 12 --factor 999/1000 | collapse check -");
  command->callback([command, options, &action] {
    const std::vector<std::string> words = command->remaining();
    action = [options, words] {
      return options->name.empty() && words.empty() ? list(options->json) : write(*options, words);
    };
  });
}

}  // namespace collapse::cli
