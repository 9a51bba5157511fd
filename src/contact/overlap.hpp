#pragma once

#include "contact/judge.hpp"

namespace collapse::contacts {

/// How deep two bodies are in each other: the least shift that parts the pair of convex pieces
/// where it is largest. Zero unless it is more than `tolerance`.
[[nodiscard]] double overlap_depth(const Placement& placement, Judge& judge, int a, int b,
                                   double tolerance);

}  // namespace collapse::contacts
