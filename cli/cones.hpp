#pragma once

#include <string>

#include "cli/command.hpp"
#include "collapse/formulation/rows.hpp"

namespace collapse::cli {

/// `--cone` and `--sides`.
struct ConeArguments {
  std::string cone = "circular";
  int sides = 8;

  /// Throws Error for what is no cone.
  [[nodiscard]] ConeModel model() const;
};

void add_cone_options(CLI::App& command, ConeArguments& cones);

}  // namespace collapse::cli
