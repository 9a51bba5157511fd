#pragma once
/// Figure 6 of Rote and Zwick for rigid bodies (docs/theory/motion.md): the contacts that touch, the
/// acceleration program with the terms of velocity, and a step along its solution:
///
///     v⁺ = v + h a,     q⁺ = q + h v⁺.
///
/// The rows ask that v⁺ is admissible, G (v + h a) + h β ≥ 0 and friction against the sliding of v⁺: the
/// program of the onset where v is admissible already, and an inelastic collision where it is not. Bodies
/// that bounce do so before it. A step is cut where a contact closes. Positions are not corrected: gaps
/// and joints drift, the former as the penetration that is reported.

#include "contact/motion_contacts.hpp"
#include "formulation/accelerated.hpp"
#include "simulate/scheme.hpp"
#include "simulate/world.hpp"

namespace collapse::simulate {

class AccelerationScheme final : public Scheme<2> {
 public:
  AccelerationScheme(const Scene<2>& scene, const SimulationOptions& options);

  StepReport<2> step(State<2>& state, double time, double h) override;
  [[nodiscard]] double energy(const State<2>& state) const override { return world_.energy(state); }
  /// Every step is made from the state alone.
  void forget() override {}

 private:
  struct Touching {
    contacts::MotionRow<2> row;
    Contact<2> contact;
    Facing<2> facing;
  };
  /// A part of a step that may have to be cut.
  struct Attempt {
    State<2> start;  ///< after any bounce
    State<2> end;
    std::vector<Touching> touching;
    Accelerated<2> motion;
  };

  void follow_paths(State<2>& state, double time, double h) const;
  void find_touching(const State<2>& state, std::vector<Touching>& touching);
  [[nodiscard]] bool is_still(int body, const Twist<2>& velocity, double h) const;
  void bounce(State<2>& state, const std::vector<Touching>& touching, double h,
              StepReport<2>& report);
  [[nodiscard]] Attempt advance(const State<2>& start, double time, double h,
                                StepReport<2>& report);
  void accelerate(Attempt& attempt, double h, StepReport<2>& report);
  void count(const Accelerated<2>& motion, StepReport<2>& report) const;
  [[nodiscard]] double until_closure(const Attempt& attempt, double h);
  void finish_part(State<2>& state, const Attempt& attempt, double part, double h,
                   StepReport<2>& report);
  void note_force(const ContactForce<2>& force);
  void measure_penetration(const State<2>& state, StepReport<2>& report);

  const SimulationOptions& options_;
  World<2> world_;
  contacts::MotionContacts<2> finder_;
  std::vector<contacts::MotionRow<2>> rows_;
  // Of the step being made.
  std::vector<ContactId> closing_;       ///< closed at the end of the last part; sorted
  std::vector<ContactId> next_closing_;  ///< close at the end of this one
  std::vector<ContactForce<2>> forces_;  ///< averaged over the step
};

}  // namespace collapse::simulate
