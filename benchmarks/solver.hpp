#pragma once

#include "benchmarks/benchmarks.hpp"

namespace collapse::benchmarks {

/// How the time of one solve grows with the number of bodies, without scenes and contact search. `next
/// s` is the step after it, from its solution.
[[nodiscard]] Table solver_walls(const std::function<void(const std::string&)>& progress);
[[nodiscard]] Table solver_piles(const std::function<void(const std::string&)>& progress);
[[nodiscard]] Table solver_islands(const std::function<void(const std::string&)>& progress);

}  // namespace collapse::benchmarks
