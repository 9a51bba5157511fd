#pragma once

namespace collapse::benchmarks {

/// What stands must stand, what falls must fall: structures on both sides of their limits, ten seconds at
/// 60 steps per second, ours beside Box2D, Bullet and MuJoCo. Prints two tables in Markdown.
void compare_standing();

}  // namespace collapse::benchmarks
