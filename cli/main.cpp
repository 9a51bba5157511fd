/// The command line tool: one file per command, all of them thin faces over the library.

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <string_view>

#include "cli/command.hpp"
#include "collapse/core/error.hpp"
#include "collapse/io/place.hpp"

namespace {

/// The parser would only say that a command is missing.
void refuse_unknown_command(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return;
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  if (std::find(names.begin(), names.end(), argv[1]) != names.end()) return;
  const std::vector<std::string_view> known(names.begin(), names.end());
  throw collapse::Error(
      "", "unknown command " + collapse::in_quotes(argv[1]),
      "one of " + collapse::joined(known) + collapse::did_you_mean(argv[1], known));
}

int run(int argc, char** argv) {
  using namespace collapse::cli;
  CLI::App app("Does a structure of rigid bodies that touch stand, and if not, how does it fall?",
               "collapse");
  app.set_version_flag("--version", "collapse " COLLAPSE_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Exit status: 0 done (check: stable), 1 the answer is no (check: unstable), 2 bad input,\n"
      "3 undecided, 130 interrupted. `collapse COMMAND --help` has examples.");
  Action action;
  add_check(app, action);
  add_onset(app, action);
  add_limit(app, action);
  add_inspect(app, action);
  add_draw(app, action);
  add_run(app, action);
  add_settle(app, action);
  add_compare(app, action);
  add_view(app, action);
  add_export(app, action);
  add_convert(app, action);
  add_gallery(app, action);
  add_bench(app, action);
  refuse_unknown_command(app, argc, argv);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    fmt::print(stderr, "collapse: {} (see --help)\n", error.what());
    return kBadInput;
  }
  const int status = action();
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    throw collapse::Error("standard output", "that it cannot be written", "room to write");
  }
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const collapse::Error& error) {
    fmt::print(stderr, "collapse: {}\n", error.what());
  } catch (const std::exception& error) {
    fmt::print(stderr, "collapse: {}\n", error.what());
  }
  return collapse::cli::kBadInput;
}
