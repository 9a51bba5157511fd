#pragma once
/// How a comparison of schemes is told: as a table, as JSON, as a plot, as CSV.

#include <string>

#include "cli/command.hpp"
#include "collapse/core/rational.hpp"
#include "collapse/simulate/comparison.hpp"

namespace collapse::cli {

/// A comparison and what it is of.
struct ComparedScene {
  std::string file;
  std::string name;
  Rational interval;  ///< the longest step, exactly
  Rational until;
  std::string output;  ///< the plot's file; empty for none
  Comparison comparison;
};

[[nodiscard]] std::string compare_text(const ComparedScene& compared);
[[nodiscard]] Json compare_json(const ComparedScene& compared);
[[nodiscard]] std::string compare_csv(const ComparedScene& compared);
/// Error over step and over cost, as SVG.
[[nodiscard]] std::string compare_plot(const ComparedScene& compared, int width);

}  // namespace collapse::cli
