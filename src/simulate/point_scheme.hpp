#pragma once
/// Both loops of Rote and Zwick on points: positions (their Figure 7) and accelerations (Figure 6)
/// (docs/theory/points.md).

#include <memory>
#include <vector>

#include "simulate/point_rows.hpp"
#include "simulate/scheme.hpp"

namespace collapse::simulate {

/// What the rows demand. With Δ the displacement of the last step, h times the velocity, and everything at the
/// start of the step (equations in point_rows.hpp, times ‖r‖ or ‖n‖):
enum class PointRule {
  /// Lengths and sides as they are at the end, not to first order: the rows are corrected and the program is
  /// solved again until they fit. Forces act along the bars and normals of the start. What is left of earlier
  /// errors is made good in the same step. At level acceleration: one program, corrected for p + h v.
  fitted,
  /// (L'')  r·u = ℓ ‖r‖ − ‖r‖²,  and for sides  n·u ≥ −A(p). Position only.
  projected,
  /// (L')   r·u = −‖Δ_i − Δ_j‖²;      (S')   n·u ≥ −2 A(Δ) − A(p). At level acceleration (L2), (S2).
  theorem,
  /// (L'ₓ)  r·u = r·(Δ_i − Δ_j) − ‖Δ_i − Δ_j‖²;
  /// (S'ₓ)  n·u ≥ n·(Δ_k − (1−α) Δ_i − α Δ_j) − 2 A(Δ).  At level acceleration (L2), (S2): nothing is left out.
  extended,
  /// As `theorem`, with (S') as printed: −2 A(Δ)/h. Wrong by units; for tests.
  misprint,
};

struct PointRules {
  PointRule bars = PointRule::fitted;
  PointRule sides = PointRule::fitted;
};

/// make_point_scheme with other rules. All but `fitted` take one program a step, without sub-steps, and only
/// vertices that touch at the start (`options.touch`) get rows.
[[nodiscard]] std::unique_ptr<Scheme<2>> make_point_scheme(const Scene<2>& scene,
                                                           const SimulationOptions& options,
                                                           const PointRules& rules);

}  // namespace collapse::simulate
