#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/command.hpp"
#include "collapse/formulation/acceleration.hpp"

namespace collapse::cli {

/// `--load NAME` or `--load NAME=FACTOR`, repeatable.
void add_load_option(CLI::App& command, std::vector<std::string>& loads);

/// Throws Error, with the option as its place, for a load that the scene does not have and a factor that is no number.
template <int Dim>
[[nodiscard]] std::vector<AppliedLoad> applied_loads(const Scene<Dim>& scene,
                                                     const std::vector<std::string>& loads,
                                                     std::string_view option = "--load");

}  // namespace collapse::cli
