#pragma once

#include <string_view>

namespace collapse {

/// How contact forces are found.
enum class ForceMethod {
  convex,     ///< by the acceleration program (acceleration.hpp)
  heuristic,  ///< as Baraff did in 1989, without friction (analytical/heuristic.hpp): it may fail
};

[[nodiscard]] std::string_view to_string(ForceMethod method);

}  // namespace collapse
