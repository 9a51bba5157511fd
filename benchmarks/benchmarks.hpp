#pragma once
/// The built-in benchmarks. Times are seconds of wall clock on the machine at hand: compare rows of
/// one run with each other, not runs with each other.

#include <functional>
#include <string>
#include <vector>

#include "collapse/io/plot.hpp"

namespace collapse::benchmarks {

/// A table: one row per measured case; cells in the order of `columns`.
struct Table {
  std::string title;
  std::vector<std::string> columns;
  std::vector<std::vector<double>> rows;
  std::vector<PlotPanel> panels = {};  ///< the same to be looked at, of some benchmarks
  PlotOptions plot = {};               ///< of these
};

struct Benchmark {
  std::string name;
  std::string about;
  std::function<Table(const std::function<void(const std::string&)>& progress)> run;
  /// One of its scenes alone, no rows if it has none of this name. Empty where there is no such choice.
  std::function<Table(const std::function<void(const std::string&)>& progress,
                      const std::string& scene)>
      run_only = {};
  bool has_panels = false;
};

[[nodiscard]] const std::vector<Benchmark>& all();

}  // namespace collapse::benchmarks
