#include "collapse/io/convert.hpp"

#include <fmt/core.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "cli/command.hpp"
#include "collapse/core/error.hpp"
#include "collapse/formulation/verdict.hpp"
#include "collapse/io/place.hpp"

namespace collapse::cli {
namespace {

struct ConvertArguments {
  std::string input;
  std::string output;
  std::string from;
  std::string supports;
  std::string friction;
  std::string density;
  std::string gravity;
  std::string up = "z";
  bool ground = false;
  bool forces = false;
  bool json = false;
  double touch = ContactOptions{}.touch;
};

std::string bytes_of(const std::string& file) {
  std::ostringstream bytes;
  if (file == "-") {
    bytes << std::cin.rdbuf();
    return bytes.str();
  }
  std::ifstream stream(file, std::ios::binary);
  if (!stream || std::filesystem::is_directory(file)) {
    throw Error("", "no file that can be read", "a file to convert").in_file(printable(file, 200));
  }
  bytes << stream.rdbuf();
  return bytes.str();
}

ForeignFormat format_of(const ConvertArguments& arguments, const std::string& text) {
  if (arguments.from == "compas") return ForeignFormat::compas;
  if (arguments.from == "obj") return ForeignFormat::obj;
  if (arguments.from == "mjcf") return ForeignFormat::mjcf;
  const std::optional<ForeignFormat> guess = guess_format(arguments.input, text);
  if (!guess) {
    throw Error("", "a file that is neither JSON, nor OBJ, nor XML",
                "a COMPAS assembly, an OBJ file or a model of MuJoCo (--from says which)");
  }
  return *guess;
}

std::optional<Rational> number_option(const char* option, const std::string& text) {
  if (text.empty()) return std::nullopt;
  std::optional<Rational> value = parse_rational(text);
  if (!value) throw Error(option, in_quotes(text), "a number such as 0.25 or 1/4");
  return value;
}

std::vector<std::string> words_between_commas(const std::string& text) {
  std::vector<std::string> words;
  std::istringstream stream(text);
  for (std::string word; std::getline(stream, word, ',');) {
    if (!word.empty()) words.push_back(word);
  }
  return words;
}

ConvertOptions options_of(const ConvertArguments& arguments) {
  ConvertOptions options;
  options.friction = number_option("--friction", arguments.friction);
  options.density = number_option("--density", arguments.density);
  options.gravity = number_option("--gravity", arguments.gravity);
  options.supports = words_between_commas(arguments.supports);
  options.ground = arguments.ground;
  options.y_up = arguments.up == "y";
  const std::size_t slash = arguments.input.find_last_of('/');
  const std::string folder =
      slash == std::string::npos ? std::string() : arguments.input.substr(0, slash + 1);
  options.read_file = [folder](const std::string& path) {
    return bytes_of(path.starts_with('/') ? path : folder + path);
  };
  return options;
}

int write_assembly(const ConvertArguments& arguments, const std::string& text,
                   const Scene<3>& scene) {
  if (arguments.ground) {
    throw Error("--ground", "a ground that is no block of the assembly",
                "supports among the blocks");
  }
  if (arguments.up == "y") {
    throw Error("--up", "y", "z up: the forces have to fit the file's own coordinates");
  }
  const State<3> state = initial_state(scene);
  ContactOptions options;
  options.touch = arguments.touch;
  const ContactSet<3> contacts = find_contacts(scene, state, options);
  const Verdict<3> verdict = check(scene, state, contacts);
  if (verdict.stability != Stability::stable) {
    fmt::print(stderr, "collapse: {}: {}; nothing written\n", display_name(arguments.input),
               verdict.stability == Stability::unstable
                   ? "it falls: no forces hold it"
                   : "undecided whether it stands (" + verdict.reason + ")");
    return verdict.stability == Stability::unstable ? kNo : kUndecided;
  }
  const CompasForces written = compas_with_forces(text, interface_forces(scene, verdict));
  write_file(arguments.output, written.text);
  if (arguments.json && arguments.output != "-") {
    fmt::print("{}\n", Json{{"input", arguments.input},
                            {"output", arguments.output},
                            {"interfaces", {{"kept", written.kept}, {"made", written.made}}}}
                           .dump());
  }
  return kDone;
}

int convert_file(const ConvertArguments& arguments) {
  const std::string text = bytes_of(arguments.input);
  try {
    const ForeignFormat format = format_of(arguments, text);
    if (arguments.forces && format != ForeignFormat::compas) {
      throw Error("--forces", "a file that is no assembly of COMPAS", "one that can hold forces");
    }
    const Converted converted = convert(format, text, options_of(arguments));
    // What cannot be used must not be written.
    const Scene<3> scene = parse_scene<3>(converted.scene);
    for (const std::string& remark : converted.remarks) {
      fmt::print(stderr, "collapse: {}: {}\n", display_name(arguments.input),
                 printable(remark, 300));
    }
    if (arguments.forces) return write_assembly(arguments, text, scene);
    write_file(arguments.output, converted.scene);
    if (arguments.json && arguments.output != "-") {
      fmt::print("{}\n", Json{{"input", arguments.input},
                              {"output", arguments.output},
                              {"bodies", scene.bodies.size()},
                              {"remarks", converted.remarks}}
                             .dump());
    }
    return kDone;
  } catch (const Error& error) {
    // One that names a file already is about the output or a mesh.
    throw error.file().empty() ? error.in_file(display_name(arguments.input)) : error;
  }
}

void add_convert_options(CLI::App& command, ConvertArguments& arguments) {
  command.add_option("IN", arguments.input, "File to convert, - for standard input")->required();
  command.add_option("-o,--output", arguments.output, "Scene file to write, - for standard output")
      ->required();
  command.add_option("--from", arguments.from, "Its format; without it by ending or content")
      ->check(CLI::IsMember({"compas", "obj", "mjcf"}));
  command.add_option("--supports", arguments.supports,
                     "Blocks that are fixed, with commas between: keys (COMPAS), names or numbers "
                     "from 0 (OBJ)");
  command.add_option("--friction", arguments.friction,
                     "Of all blocks (COMPAS, OBJ); 0.84, as compas_cra has it, without");
  command.add_option("--density", arguments.density,
                     "Of all blocks (COMPAS, OBJ); without it the file's, else 1");
  command.add_option("--gravity", arguments.gravity,
                     "Downwards (COMPAS: 1 without it, so that weights are density times volume; "
                     "OBJ: 9.81)");
  command.add_flag("--ground", arguments.ground,
                   "Add a fixed ground at the lowest point (COMPAS, OBJ)");
  command.add_option("--up", arguments.up, "Which axis of the file is up (COMPAS, OBJ)")
      ->check(CLI::IsMember({"y", "z"}))
      ->capture_default_str();
  command.add_flag(
      "--forces", arguments.forces,
      "Not a scene but the COMPAS assembly again, with the contact forces that hold it");
  add_touch_option(command, arguments.touch);
  command.add_flag("--json", arguments.json, "One JSON object about what was written");
}

}  // namespace

void add_convert(CLI::App& app, Action& action) {
  CLI::App* const command = app.add_subcommand(
      "convert", "COMPAS assemblies, OBJ files and models of MuJoCo (MJCF) as scenes");
  const auto options = std::make_shared<ConvertArguments>();
  add_convert_options(*command, *options);
  command->footer(
      "Examples:\n"
      "  collapse convert arch.json --supports 0,19 -o scene.json && collapse check scene.json\n"
      "  collapse convert arch.json --forces -o arch-with-forces.json\n"
      "  collapse convert wall.obj --up y --ground --friction 0.6 -o wall.json\n"
      "  collapse convert model.xml -o - | collapse check -\n"
      "Remarks about what was left out go to standard error. What has no counterpart in a scene "
      "is\n"
      "refused, with its place in the file.\n"
      "Exit status: 0 done, 1 it falls (--forces), 2 bad input or a file that cannot be written,\n"
      "3 undecided (--forces).");
  command->callback([options, &action] { action = [options] { return convert_file(*options); }; });
}

}  // namespace collapse::cli
