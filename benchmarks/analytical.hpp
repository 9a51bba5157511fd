#pragma once

#include "benchmarks/benchmarks.hpp"

namespace collapse::benchmarks {

/// The figures and tables of the sources on analytical methods (docs/theory/analytical.md). `collapse bench analytical`
/// runs all of them.

/// The particle in a corner by the four ways to keep the handled set.
[[nodiscard]] Table corner_cases(const std::function<void(const std::string&)>& progress);
/// Figures 2 and 3 of Jonquet, Nocent and Remion: position and acceleration along y, step by step.
[[nodiscard]] Table corner_figures(const std::function<void(const std::string&)>& progress);
/// What Platt's algorithm does for other ratios of τ to the step.
[[nodiscard]] Table corner_stabilisation(const std::function<void(const std::string&)>& progress);
/// Figure 4: the break.
[[nodiscard]] Table billiards_break(const std::function<void(const std::string&)>& progress);
/// Links of a chain, by τ.
[[nodiscard]] Table chain_drift(const std::function<void(const std::string&)>& progress);
/// Baraff: balls in a line.
[[nodiscard]] Table balls_in_line(const std::function<void(const std::string&)>& progress);
/// Baraff: a small ball between a heavy one and the floor.
[[nodiscard]] Table mass_ratios(const std::function<void(const std::string&)>& progress);
/// Baraff's heuristic on random contact problems, and on scenes.
[[nodiscard]] Table heuristic_random(const std::function<void(const std::string&)>& progress);
[[nodiscard]] Table heuristic_scenes(const std::function<void(const std::string&)>& progress);

}  // namespace collapse::benchmarks
