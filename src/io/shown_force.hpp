#pragma once
/// Of force and counterforce one is shown.

#include "collapse/model/scene.hpp"

namespace collapse {

/// Whether a thing that touches (body, then face, then point of the framework) can move by itself.
template <int Dim>
[[nodiscard]] bool can_move(const Scene<Dim>& scene, int thing);

/// The force on the free one is shown if only one is free, otherwise the one on the upper body, which is the
/// one that points up. Then what is shown does not depend on how bodies are numbered.
template <int Dim>
[[nodiscard]] bool shown_on_a(const Scene<Dim>& scene, int a, int b, const Vec<Dim>& force_on_b);

}  // namespace collapse
