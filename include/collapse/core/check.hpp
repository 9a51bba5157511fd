#pragma once
/// Checks in three tiers.
///
///   COLLAPSE_ASSERT(condition)   a bug in this code; costs nothing in release builds
///   COLLAPSE_DEMAND(condition)   an invariant that is always checked: cheap, and a broken one would
///                                let a wrong answer out
///   throw collapse::Error{...}   the user's input cannot be used (core/error.hpp)
///
/// The outcome of a solver is none of these: it is a value (solver/solution.hpp).

#include <cassert>

namespace collapse {

/// Reports a broken invariant and ends the program: after it no answer can be trusted.
[[noreturn]] void demand_failed(const char* condition, const char* file, int line);

}  // namespace collapse

#define COLLAPSE_ASSERT(condition) assert(condition)
#define COLLAPSE_DEMAND(condition) \
  ((condition) ? void(0) : ::collapse::demand_failed(#condition, __FILE__, __LINE__))
