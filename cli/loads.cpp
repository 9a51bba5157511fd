#include "cli/loads.hpp"

#include <fmt/core.h>

#include <cmath>

#include "collapse/core/error.hpp"

namespace collapse::cli {

void add_load_option(CLI::App& command, std::vector<std::string>& loads) {
  command
      .add_option("--load", loads,
                  "Let this load of the scene act: NAME or NAME=FACTOR, repeatable")
      ->allow_extra_args(false)
      ->type_name("NAME[=FACTOR]");
}

template <int Dim>
std::vector<AppliedLoad> applied_loads(const Scene<Dim>& scene,
                                       const std::vector<std::string>& loads,
                                       std::string_view option) {
  std::vector<AppliedLoad> applied;
  for (const std::string& text : loads) {
    // A name may contain "=": the whole text is tried first.
    AppliedLoad load;
    std::optional<int> index = scene.find_load(text);
    const std::size_t equals = text.rfind('=');
    if (!index && equals != std::string::npos) {
      index = scene.find_load(text.substr(0, equals));
      const std::optional<Rational> factor = parse_rational(text.substr(equals + 1));
      if (!factor) {
        throw Error(std::string(option), printable(text),
                    "NAME=FACTOR with a number as in a scene");
      }
      load.factor = to_double(*factor);
      constexpr double kLargestFactor = 1e50;
      if (!(std::abs(load.factor) <= kLargestFactor)) {
        throw Error(std::string(option), printable(text), "a factor of at most 1e50");
      }
    }
    if (!index) {
      std::string known;
      for (const Load<Dim>& candidate : scene.loads) {
        known += fmt::format("{}\"{}\"", known.empty() ? "" : ", ", candidate.name);
      }
      throw Error(std::string(option), printable(text),
                  known.empty() ? "nothing: the scene has no loads" : "one of " + known);
    }
    load.load = *index;
    applied.push_back(load);
  }
  return applied;
}

template std::vector<AppliedLoad> applied_loads(const Scene<2>&, const std::vector<std::string>&,
                                                std::string_view);
template std::vector<AppliedLoad> applied_loads(const Scene<3>&, const std::vector<std::string>&,
                                                std::string_view);

}  // namespace collapse::cli
