/// The command line tool: one file per command, all of them thin faces over the library.

#include <fmt/core.h>

#include <exception>

#include "cli/command.hpp"
#include "collapse/core/error.hpp"

namespace {

int run(int argc, char** argv) {
  using namespace collapse::cli;
  CLI::App app(
      "Does a structure of rigid bodies that touch stand, and if not, how does it begin to fall?",
      "collapse");
  app.set_version_flag("--version", "collapse " COLLAPSE_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Exit status: 0 done (check: stable), 1 the answer is no (check: unstable), 2 bad input,\n"
      "3 undecided. `collapse COMMAND --help` has examples.");
  Action action;
  add_check(app, action);
  add_inspect(app, action);
  add_draw(app, action);
  add_gallery(app, action);
  add_bench(app, action);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    fmt::print(stderr, "collapse: {} (see --help)\n", error.what());
    return kBadInput;
  }
  return action();
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
