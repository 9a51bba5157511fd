#pragma once
/// Motion accurate to a tolerance (docs/theory/events.md): the accelerations of a mode are integrated by a Runge–Kutta
/// method with error control up to the next event, which is found on the polynomial of the step that it falls into.
/// There velocities jump or contacts change, and the next mode begins. Steps of the simulation are ends of steps here,
/// so that every step is made from the state alone.

#include "simulate/event_endings.hpp"

namespace collapse::simulate {

template <int Dim>
class EventScheme final : public Scheme<Dim> {
 public:
  EventScheme(const Scene<Dim>& scene, const SimulationOptions& options);

  void prepare(State<Dim>& state) override;
  StepReport<Dim> step(State<Dim>& state, double time, double h) override;
  [[nodiscard]] double energy(const State<Dim>& state) const override {
    return world_.energy(state);
  }
  void forget() override { stride_ = 0.0; }

 private:
  [[nodiscard]] double next_keyframe(double time, double end) const;
  void begin(State<Dim>& state, StepReport<Dim>& report,
             std::span<const contacts::MotionRow<Dim>> more);
  [[nodiscard]] Onward<Dim> after_jamming(Onward<Dim> onward, State<Dim>& state,
                                          StepReport<Dim>& report);
  void take(Onward<Dim> onward, State<Dim>& state, StepReport<Dim>& report);
  /// Moves on by one step of the integrator, up to `end` at most.
  void advance(State<Dim>& state, double end, StepReport<Dim>& report);
  [[nodiscard]] double longest_stride(const State<Dim>& state) const;
  void handle(const Ending<Dim>& ending, State<Dim>& state, StepReport<Dim>& report);
  void count_collision(const Ending<Dim>& ending, StepReport<Dim>& report);
  void keep_apart_in_time();
  void change_by_force(State<Dim>& state, StepReport<Dim>& report);
  [[nodiscard]] State<Dim> a_moment_later(const State<Dim>& state,
                                          const Eigen::VectorXd& accelerations,
                                          double moment) const;
  void note_changes(std::span<const HeldContact<Dim>> before, StepReport<Dim>& report, Cause cause);
  void let_go_of_friction(State<Dim>& state, StepReport<Dim>& report);
  void rest_what_rests(const State<Dim>& state, HeldMotion<Dim>& motion) const;
  void note_forces(const State<Dim>& state, double share);

  const SimulationOptions& options_;
  World<Dim> world_;
  EventScales<Dim> scales_;
  EventContacts<Dim> contacts_;
  EventCoordinates<Dim> coordinates_;
  EventMode<Dim> mode_;
  DormandPrince integrator_;
  EventEndings<Dim> endings_;
  double stride_ = 0.0;  ///< length of the next step of the integrator; 0: not known
  // Of the step being made.
  double now_ = 0.0;
  double span_ = 0.0;  ///< of the step of the integrator
  double step_ = 0.0;
  struct Crowd {
    int events = 0;
    double since = 0.0;
    double fastest = 0.0;  ///< share of √(g L)
  };
  Crowd crowd_;              ///< collisions counted together
  Crowd burst_;              ///< the same, of a shorter time
  double burst_time_ = 0.0;  ///< that time
  bool locks_ = false;  ///< the next collision does not bounce, and all that touches stays together
  int crowded_ = 0;     ///< changes of the mode in a row that hardly took time
  int cuts_ = 0;        ///< steps of the integrator in a row that were halved for an overlap
  double last_change_ = 0.0;  ///< when the last was
  double pause_ = 0.0;        ///< in which the mode does not change
  ClosingSpeeds closing_;
  std::vector<ContactForce<Dim>> forces_;  ///< averaged over the step
};

}  // namespace collapse::simulate
