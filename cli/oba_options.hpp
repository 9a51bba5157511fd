#pragma once
/// `--oba key=value,key=value`: the parts of scheme oba (docs/theory/oba.md).

#include <string>
#include <vector>

#include "cli/command.hpp"
#include "collapse/simulate/oba.hpp"

namespace collapse::cli {

/// The option may be given several times; each argument has one key or several.
void add_oba_option(CLI::App& command, std::vector<std::string>& arguments);

/// Throws Error naming --oba, and what there is, if an argument is none of it.
[[nodiscard]] ObaOptions parse_oba(const std::vector<std::string>& arguments);

/// For the header of a trajectory: `oba.key` and value of each option.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> oba_header(
    const ObaOptions& options);

}  // namespace collapse::cli
