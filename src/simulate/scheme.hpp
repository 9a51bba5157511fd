#pragma once
/// What all schemes have in common: they move a state on by one step.

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "collapse/simulate/simulation.hpp"

namespace collapse::simulate {

/// Of a body's size, and of what falls in a step: a contact that would push farther in a step, if nothing were behind,
/// crushes.
inline constexpr double kBeyondMeasure = 1e3;

/// Of 4 h² g: what was at rest and moves in a step by no more than this is not known to move at all, and stays.
inline constexpr double kRestShare = 1e-8;

/// What a step did, besides moving the state.
template <int Dim>
struct StepReport {
  std::vector<ContactForce<Dim>> contacts;  ///< that carried force, averaged over the step
  int programs = 0;
  int iterations = 0;
  double worst_residual = 0.0;
  double penetration = 0.0;  ///< largest at the end, length
  double driven_work = 0.0;
  bool settled = true;  ///< outer iterations ended below their tolerance
  int dulled_impacts = 0;
  std::vector<std::string> incidents;
  std::vector<MotionEvent> events;  ///< of scheme event
  CrowdCounts crowd;                ///< of scheme oba
  bool crushed = false;             ///< something had to be penetrated
  bool interrupted = false;         ///< then the state is as before
  /// It ended where it began, and so will the next one, if nothing is given that moves.
  bool repeats = false;

  void count_effort(const Solution& solution) {
    ++programs;
    iterations += solution.effort.iterations + solution.effort.newton_steps;
  }
  void count(const Solution& solution) {
    count_effort(solution);
    worst_residual = std::max(worst_residual, solution.residuals.worst());
  }

  StepReport& operator+=(const StepReport& other) {
    contacts.insert(contacts.end(), other.contacts.begin(), other.contacts.end());
    programs += other.programs;
    iterations += other.iterations;
    worst_residual = std::max(worst_residual, other.worst_residual);
    penetration = std::max(penetration, other.penetration);
    driven_work += other.driven_work;
    settled = settled && other.settled;
    dulled_impacts += other.dulled_impacts;
    incidents.insert(incidents.end(), other.incidents.begin(), other.incidents.end());
    events.insert(events.end(), other.events.begin(), other.events.end());
    crowd += other.crowd;
    crushed = crushed || other.crushed;
    repeats = repeats && other.repeats;
    return *this;
  }
};

template <int Dim>
class Scheme {
 public:
  virtual ~Scheme() = default;
  /// Adds to the state what the scheme needs in it and the scene does not have.
  virtual void prepare(State<Dim>& /*state*/) {}
  /// Moves `state` on by h from `time`. Bodies on given paths have to be at their places at time + h afterwards.
  virtual StepReport<Dim> step(State<Dim>& state, double time, double h) = 0;
  /// Kinetic, and potential in gravity and acceleration loads, of what the scheme moves.
  [[nodiscard]] virtual double energy(const State<Dim>& state) const = 0;
  /// Of each body, whether it is frozen; empty: none is.
  [[nodiscard]] virtual std::span<const std::uint8_t> frozen() const { return {}; }
  /// See Simulation::forget.
  virtual void forget() = 0;
  /// What the motion depends on besides the state, as numbers at the end of `numbers`; and back, returning where
  /// they end.
  virtual void save(std::vector<double>& /*numbers*/) const {}
  virtual const double* load(const double* numbers) { return numbers; }

 protected:
  Scheme() = default;
  Scheme(const Scheme&) = default;
  Scheme& operator=(const Scheme&) = default;
  Scheme(Scheme&&) = default;
  Scheme& operator=(Scheme&&) = default;
};

/// All of them keep references to the scene and the options.
template <int Dim>
[[nodiscard]] std::unique_ptr<Scheme<Dim>> make_position_scheme(const Scene<Dim>& scene,
                                                                const SimulationOptions& options);
[[nodiscard]] std::unique_ptr<Scheme<2>> make_acceleration_scheme(const Scene<2>& scene,
                                                                  const SimulationOptions& options);
/// Falling potential energy alone: for rest, not for motion.
template <int Dim>
[[nodiscard]] std::unique_ptr<Scheme<Dim>> make_settle_scheme(const Scene<Dim>& scene,
                                                              const SimulationOptions& options);
/// Schmidl and Milenkovic (docs/theory/oba.md).
[[nodiscard]] std::unique_ptr<Scheme<3>> make_oba_scheme(const Scene<3>& scene,
                                                         const SimulationOptions& options);
/// From event to event, to a tolerance (docs/theory/events.md).
template <int Dim>
[[nodiscard]] std::unique_ptr<Scheme<Dim>> make_event_scheme(const Scene<Dim>& scene,
                                                             const SimulationOptions& options);
/// Both loops for frameworks of points; the bodies of the scene are fixed ones.
[[nodiscard]] std::unique_ptr<Scheme<2>> make_point_scheme(const Scene<2>& scene,
                                                           const SimulationOptions& options);

}  // namespace collapse::simulate
