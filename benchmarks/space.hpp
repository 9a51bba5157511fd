#pragma once
/// What `check` costs in space.

#include "benchmarks/benchmarks.hpp"

namespace collapse::benchmarks {

/// An arch, and bridges of irregular hulls.
[[nodiscard]] Table space_bridges(const std::function<void(const std::string&)>& progress);
/// Houses of bricks.
[[nodiscard]] Table space_walls(const std::function<void(const std::string&)>& progress);

}  // namespace collapse::benchmarks
