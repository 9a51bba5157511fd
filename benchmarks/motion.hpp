#pragma once

#include "benchmarks/benchmarks.hpp"

namespace collapse::benchmarks {

/// Observed orders of convergence, by halving the step.
[[nodiscard]] Table convergence(const std::function<void(const std::string&)>& progress);
/// What motion costs: a wall that stands, walls that fall, the diamond; and how symmetric that stays.
[[nodiscard]] Table motion_cost(const std::function<void(const std::string&)>& progress);

}  // namespace collapse::benchmarks
