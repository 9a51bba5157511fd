#pragma once
/// In which way contacts are held so that forces and motions fit together (docs/theory/events.md):
///
///     a contact that bears pushes, with friction within its cone, or opposite to the way in which it begins to slide;
///     one that does not bear does not close.
///
/// Contacts that do not fit change, all at once as long as their number falls, otherwise one at a time: the block
/// principal pivoting of Júdice and Pires, with Murty's rule, which ends where the matrix of the equations has positive
/// principal minors, as it has without sliding.

#include <optional>
#include <span>
#include <vector>

#include "simulate/event_equations.hpp"

namespace collapse::simulate {

/// What forces of contacts and motions are measured by.
struct PivotScales {
  std::vector<double> forces;
  double motion = 1.0;
  double closing = 1e-10;  ///< motions up to this do not close a contact and do not slide back
};

/// Motions up to this share of the scale are none, and forces that are missing up to this share.
inline constexpr double kNoMotion = 1e-8;
inline constexpr double kNoPull = 1e-10;

/// Begins with the contacts as they are held, and changes that. `can`: which ones are smooth, slide already (along their
/// direction) or can stick. `free`: see ModeEquations. Nothing if no way is found.
template <int Dim>
[[nodiscard]] std::optional<HeldMotion<Dim>> pivot(ModeEquations<Dim>& equations,
                                                   const Eigen::VectorXd& free,
                                                   std::span<const Hold> can,
                                                   const PivotScales& scales);

/// The motion in the plane by Lemke's method alone: not to all digits, because of what breaks its ties.
[[nodiscard]] std::optional<Eigen::VectorXd> nearly_complementary(ModeEquations<2>& equations,
                                                                  const Eigen::VectorXd& free,
                                                                  std::span<const Hold> can);

}  // namespace collapse::simulate
