#include "io/shown_force.hpp"

#include <algorithm>

namespace collapse {

template <int Dim>
bool can_move(const Scene<Dim>& scene, int thing) {
  if (thing == kWorld) return false;
  const std::size_t bodies = scene.bodies.size();
  const auto index = static_cast<std::size_t>(thing);
  if (index < bodies) return scene.bodies[index].free();
  const Framework<Dim>& framework = scene.framework;
  const std::size_t face = index - bodies;
  const auto fixed = [&](int point) {
    return framework.points[static_cast<std::size_t>(point)].fixed;
  };
  if (face >= framework.faces.size())
    return !fixed(static_cast<int>(face - framework.faces.size()));
  return !std::ranges::all_of(framework.faces[face], fixed);
}

template bool can_move(const Scene<2>& scene, int thing);
template bool can_move(const Scene<3>& scene, int thing);

template <int Dim>
bool shown_on_a(const Scene<Dim>& scene, int a, int b, const Vec<Dim>& force_on_b) {
  if (can_move(scene, a) != can_move(scene, b)) return can_move(scene, a);
  const double gravity = scene.gravity.value.stableNorm();
  if (gravity == 0.0) return false;
  const Vec<Dim> down = scene.gravity.value / gravity;
  return down.dot(force_on_b / force_on_b.stableNorm()) > 1e-6;
}

template bool shown_on_a(const Scene<2>& scene, int a, int b, const Vec<2>& force_on_b);
template bool shown_on_a(const Scene<3>& scene, int a, int b, const Vec<3>& force_on_b);

}  // namespace collapse
