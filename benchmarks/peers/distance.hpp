#pragma once

namespace collapse::benchmarks {

/// Distance and depth of pairs of convex polyhedra: ours, from nothing and from the last witnesses, beside FCL (on
/// libccd). Prints a table in Markdown with times per pair and how far the answers are apart.
void compare_distance();

}  // namespace collapse::benchmarks
