#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "benchmarks/benchmarks.hpp"
#include "cli/command.hpp"
#include "cli/still.hpp"
#include "collapse/core/error.hpp"

namespace collapse::cli {
namespace {

struct BenchArguments {
  std::string name;
  std::string only;
  std::string plot;
  bool list = false;
  bool json = false;
};

std::string cell(double value) {
  if (value == std::floor(value) && std::abs(value) < 1e9) return fmt::format("{:.0f}", value);
  return fmt::format("{:.3g}", value);
}

/// As Markdown, so that it can go into the documentation as it is.
std::string markdown(const benchmarks::Table& table) {
  std::string text = fmt::format("{}\n\n|", table.title);
  for (const std::string& column : table.columns) text += fmt::format(" {} |", column);
  text += "\n|";
  for (std::size_t i = 0; i < table.columns.size(); ++i) text += "---:|";
  text += "\n";
  for (const std::vector<double>& row : table.rows) {
    text += "|";
    for (const double value : row) text += fmt::format(" {} |", cell(value));
    text += "\n";
  }
  return text + "\n";
}

std::string json_lines(const std::string& name, const benchmarks::Table& table) {
  std::string text;
  for (const std::vector<double>& row : table.rows) {
    Json json = {{"benchmark", name}};
    for (std::size_t i = 0; i < row.size(); ++i) json[table.columns[i]] = row[i];
    text += json.dump() + "\n";
  }
  return text;
}

/// Those of this name; where there is none, those whose names begin with it and a dash. All without a name.
bool is_asked_for(const std::string& asked, const std::string& name) {
  if (asked.empty() || asked == name) return true;
  const auto& all = benchmarks::all();
  return name.starts_with(asked + '-') &&
         std::none_of(all.begin(), all.end(),
                      [&](const auto& other) { return other.name == asked; });
}

benchmarks::Table table_of(const benchmarks::Benchmark& benchmark, const std::string& only) {
  Progress progress;
  const auto show = [&](const std::string& text) { progress.show(text); };
  benchmarks::Table table = only.empty() ? benchmark.run(show) : benchmark.run_only(show, only);
  progress.show("");
  return table;
}

void list_benchmarks() {
  for (const auto& benchmark : benchmarks::all()) {
    fmt::print("{:<21} {}\n", benchmark.name, benchmark.about);
  }
}

/// Before anything runs for minutes.
void refuse_plot(const BenchArguments& options) {
  if (options.plot.empty()) return;
  if (!options.plot.ends_with(".svg") && !options.plot.ends_with(".png")) {
    throw Error("--plot", printable(options.plot), "a file name that ends in .svg or .png");
  }
  const auto& all = benchmarks::all();
  const bool drawn = std::any_of(all.begin(), all.end(), [&](const auto& benchmark) {
    return benchmark.has_panels && is_asked_for(options.name, benchmark.name);
  });
  if (!drawn) throw Error("--plot", printable(options.name), "a benchmark with a plot: oba-growth");
}

void write_plot(const std::string& file, const benchmarks::Table& table) {
  const std::string svg = draw_plots(table.panels, table.plot);
  write_file(file, file.ends_with(".png") ? to_png(svg) : svg);
}

int bench(const BenchArguments& options) {
  if (options.list) {
    list_benchmarks();
    return kDone;
  }
  refuse_plot(options);
  bool found = false;
  for (const auto& benchmark : benchmarks::all()) {
    if (!is_asked_for(options.name, benchmark.name)) continue;
    if (!options.only.empty() && !benchmark.run_only) continue;
    const benchmarks::Table table = table_of(benchmark, options.only);
    if (table.rows.empty() && !options.only.empty()) continue;
    found = true;
    fmt::print("{}", options.json ? json_lines(benchmark.name, table) : markdown(table));
    if (!options.plot.empty() && !table.panels.empty()) write_plot(options.plot, table);
  }
  if (!found && !options.only.empty()) {
    throw Error("--only", printable(options.only), "a scene of oba, oba-full or oba-freezing");
  }
  if (!found) throw Error("bench", printable(options.name), "a name that `bench --list` shows");
  return kDone;
}

}  // namespace

void add_bench(CLI::App& app, Action& action) {
  CLI::App* const command = app.add_subcommand("bench", "Times the built-in benchmarks");
  const auto options = std::make_shared<BenchArguments>();
  command->add_option("NAME", options->name,
                      "Only this benchmark, or all whose names begin with it and a dash");
  command->add_option("--only", options->only,
                      "Only this scene, of the tables of oba: oba-full --only oba-robot");
  command->add_option("--plot", options->plot,
                      "Picture to write as well (.svg or .png), of oba-growth");
  command->add_flag("--list", options->list, "Names of all benchmarks");
  command->add_flag("--json", options->json, "One JSON object per row");
  command->footer(
      "Examples:\n"
      "  collapse bench growth\n"
      "  collapse bench oba             the scenes of Optimization-Based Animation by scheme oba "
      "and by the default,\n"
      "                                 60 frames of each, beside the published Tables 7.1 and "
      "7.2; oba-full: to the end\n"
      "  collapse bench oba-freezing    with freezing and without, beside Table 7.3; "
      "oba-freezing-full: to the end\n"
      "  collapse bench oba-growth --plot growth.svg\n"
      "                                 cost of a frame over close pairs, collisions and contacts, "
      "as in Figures 7.2 to 7.4");
  command->callback([options, &action] { action = [options] { return bench(*options); }; });
}

}  // namespace collapse::cli
