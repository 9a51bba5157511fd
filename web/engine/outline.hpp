#pragma once

#include "collapse/io/answers.hpp"

namespace collapse::web {

/// What there is to draw, in the scene's order: { bodies: [{ name, kind, material, friction, mass, centre (of mass, in
/// body coordinates), pose [x, y, c, s], loops [[x, y, …]], balls [[x, y, radius]], half_space [nx, ny, offset] }],
/// joints: [{ type, a, b, at_a, at_b }], framework: { points, bars, faces } }. Loops and balls are in body coordinates,
/// bodies of a joint and points of a framework are numbers from 0, −1 the world.
[[nodiscard]] Json outline_json(const Scene<2>& scene);

}  // namespace collapse::web
