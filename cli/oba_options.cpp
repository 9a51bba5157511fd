#include "cli/oba_options.hpp"

#include <fmt/format.h>

#include "collapse/core/error.hpp"

namespace collapse::cli {
namespace {

std::string oba_lines() {
  std::string lines = "--oba takes key=value, several with commas between them:\n";
  const std::vector<std::pair<std::string, std::string>> defaults = ObaOptions{}.describe();
  std::size_t k = 0;
  for (const auto& [name, help] : oba_option_help()) {
    lines += fmt::format("  {:<11} {} [{}]\n", name, help, defaults[k++].second);
  }
  return lines + "docs/theory/oba.md says what each does and when to use it.\n";
}

}  // namespace

void add_oba_option(CLI::App& command, std::vector<std::string>& arguments) {
  command
      .add_option("--oba", arguments,
                  "Parts of scheme oba, such as cone=circular,n=20; `--oba help` lists them")
      ->type_name("KEY=VALUE,...")
      ->allow_extra_args(false)
      ->each([](const std::string& argument) {
        if (argument != "help") return;
        fmt::print("{}", oba_lines());
        throw CLI::Success();
      });
}

ObaOptions parse_oba(const std::vector<std::string>& arguments) {
  ObaOptions options;
  for (const std::string& argument : arguments) {
    try {
      options.set_all(argument);
    } catch (const Error& error) {
      throw Error(error.place().empty() ? "--oba" : "--oba " + error.place(), error.found(),
                  error.expected());
    }
  }
  return options;
}

std::vector<std::pair<std::string, std::string>> oba_header(const ObaOptions& options) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (auto& [key, value] : options.describe()) pairs.emplace_back("oba." + key, value);
  return pairs;
}

}  // namespace collapse::cli
