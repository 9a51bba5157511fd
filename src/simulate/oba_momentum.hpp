#pragma once
/// Velocities after collisions, as the dissertation has them (docs/theory/oba.md):
///
///     minimise   ½ vᵀMv      over velocities v, impulses j and those of joints κ
///     with       M v = M v⁻ + Gᵀj + Jᵀκ,    j in the cones C of friction,    J v = 0,
///                n·u(v) ≥ b,     b = −ε n·u(v⁻) where bodies approach each other, 0 elsewhere.
///
/// Impulses are no variables here. With ν ≥ 0 the multipliers of the last line and y those of the first, the conditions
/// of optimality are
///
///     y = v⁻ − M⁻¹Nᵀν + M⁻¹(Gᵀj + Jᵀκ),   G y ∈ C* ⟂ j ∈ C      and      v = y + M⁻¹Nᵀν,   N v ≥ b ⟂ ν ≥ 0:
///
/// two programs over velocities alone, of the kind of Gauss' principle, that are solved in turn. y is the velocity when
/// the bodies are pressed together, with multipliers j; v that after they have sprung apart. Each round lowers the
/// dual objective; already after the first one v is admissible, with the impulses j + νn. Where nothing bounces
/// (b = 0) one program is all: y = v, and what slides lifts by μ times its speed, since that is how kinetic energy is
/// least. With ObaOptions::lift off Coulomb's law takes its place, in rounds as in Impact.

#include "simulate/oba_program.hpp"
#include "simulate/oba_sequence.hpp"

namespace collapse::simulate {

class ObaMomentum {
 public:
  ObaMomentum(const World<3>& world, const SimulationOptions& options);

  /// Collisions at the end of a frame of length h: up to n of them one by one, the fastest approach first, the others
  /// at once. Frozen bodies that gain enough wake, the others stay where they are. Adds to `impulses` and to the report
  /// (work of given bodies, restitution that had no solution). False if it was interrupted.
  [[nodiscard]] bool collide(const ObaTouch& touch, double h, ObaFreezer& freezer,
                             std::vector<Twist<3>>& velocities, ObaImpulses& impulses,
                             StepReport<3>& report);
  /// The same program without bounce, frozen bodies fixed: nothing approaches anything afterwards.
  [[nodiscard]] bool press(const ObaTouch& touch, std::span<const std::uint8_t> frozen,
                           std::vector<Twist<3>>& velocities, ObaImpulses& impulses,
                           StepReport<3>& report);
  /// See Simulation::forget.
  void forget();

 private:
  /// A frame's contacts and bodies, with the velocities before the program.
  struct Frame {
    const ObaTouch& touch;
    const ObaBodies& bodies;
    std::vector<double> bounds;  ///< b, of each contact
  };
  [[nodiscard]] ObaSpeeds speeds(double h, const ObaTouch& touch,
                                 std::span<const Twist<3>> velocities) const;
  [[nodiscard]] bool joints_tear(const ObaTouch& touch, std::span<const Twist<3>> velocities,
                                 double speed) const;
  [[nodiscard]] int sequence_length(const ObaTouch& touch) const;
  [[nodiscard]] int bounce_rounds() const;
  [[nodiscard]] std::vector<std::size_t> still_colliding(
      const ObaTouch& touch, const ObaBodies& movable, const ObaFreezer& freezer,
      const ObaSpeeds& limits, std::span<const Twist<3>> velocities) const;
  [[nodiscard]] bool at_once(Frame& frame, std::vector<Twist<3>>& velocities, ObaImpulses& impulses,
                             StepReport<3>& report);
  [[nodiscard]] bool squeeze(const Frame& frame, std::span<const Twist<3>> momenta,
                             std::vector<Twist<3>>& velocities, ObaImpulses& impulses,
                             ObaProgram& program, StepReport<3>& report) const;
  [[nodiscard]] bool spring(Frame& frame, std::vector<Twist<3>>& velocities, ObaImpulses& impulses,
                            StepReport<3>& report);

  [[nodiscard]] bool is_settled(const Frame& frame, std::span<const Twist<3>> squeezed,
                                const ObaImpulses& total, const ObaImpulses& gained,
                                double fit) const;
  [[nodiscard]] bool gains_energy(const Frame& frame, std::span<const Twist<3>> before,
                                  std::span<const Twist<3>> after,
                                  const ObaImpulses& impulses) const;
  /// Bodies pressed together: the result without any bounce.
  struct Squeezed {
    const std::vector<Twist<3>>& velocities;
    const ObaImpulses& impulses;
  };
  void blend(const Frame& frame, std::span<const Twist<3>> before, const Squeezed& least,
             std::vector<Twist<3>>& velocities, ObaImpulses& impulses, StepReport<3>& report) const;

  const World<3>& world_;
  const SimulationOptions& options_;
  ObaProgram squeeze_;
  ObaProgram spring_;
  ObaProgram press_;
};

}  // namespace collapse::simulate
