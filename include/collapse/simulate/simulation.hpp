#pragma once
/// How does it fall? Steps a scene through time; every step is one or a few convex programs (docs/theory/motion.md).

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "collapse/formulation/verdict.hpp"
#include "collapse/simulate/event.hpp"
#include "collapse/simulate/oba.hpp"

namespace collapse {

enum class SchemeKind {
  position,      ///< one program per step over the new positions, linearised anew until it fits
  acceleration,  ///< accelerations from the acceleration program, then a step along them
  oba,           ///< optimization-based animation, in space (simulate/oba.hpp)
  event,  ///< accurate to a tolerance, from event to event (simulate/event.hpp); steps only say when to look
  settle,  ///< no velocities and no friction: potential energy falls, by so much at a time that bodies move by
  ///< no more than a tenth of the smallest one; time counts steps
};

enum class ImpactRule {
  simultaneous,  ///< all collisions of a step in one program
  sequential,    ///< one at a time, the fastest first: the result depends on that order
};

/// What polygons are made of.
enum class ModelKind {
  rigid,
  nine_points,  ///< corners, midpoints of edges and the centre of a rectangle: right moments
  corners,  ///< equal masses in the corners, as in the paper: rectangles have three times the inertia
};

[[nodiscard]] std::string_view to_string(SchemeKind scheme);
[[nodiscard]] std::string_view to_string(FrictionLaw law);
[[nodiscard]] std::string_view to_string(ImpactRule rule);
[[nodiscard]] std::string_view to_string(ModelKind model);
/// What the scene asks for.
[[nodiscard]] ImpactRule impact_rule(const SimulationSettings& settings);

struct SimulationOptions {
  SchemeKind scheme = SchemeKind::position;
  double step = 1.0 / 60.0;
  FrictionLaw friction_law = FrictionLaw::coulomb;
  ImpactRule impact = ImpactRule::simultaneous;
  ModelKind model = ModelKind::rigid;
  ObaOptions oba;      ///< of scheme oba
  EventOptions event;  ///< of scheme event
  std::vector<AppliedLoad> loads;
  /// Bodies touch up to this gap, relative to the smaller body's size.
  double touch = 1e-6;
  /// Bodies that have come to rest are left out of the programs until something moves them.
  bool freezing = false;
  int threads = 0;  ///< 0: one per core. The motion does not depend on it.
  /// Asked now and then; `true` stops the step that is being made, which then has not happened.
  std::function<bool()> interrupt = {};

  /// Throws Error naming the field if a value makes no sense.
  void validate() const;
};

/// A contact that began or ceased to carry force. In between the motion is smooth.
struct ContactChange {
  double time = 0.0;  ///< at the end of the step
  ContactId id;
  bool closed = false;
};

/// Sums and worst cases over all steps so far: what `run` reports, and what a resumed run goes on with.
struct Account {
  std::int64_t steps = 0;
  std::int64_t programs = 0;
  std::int64_t iterations = 0;
  double worst_residual = 0.0;   ///< of any program, free of units
  double max_penetration = 0.0;  ///< length
  double initial_energy = 0.0;   ///< kinetic and potential, of gravity and acceleration loads
  double energy = 0.0;
  /// Done so far by bodies on given paths and by force loads. In a step that crushes something nobody knows it: what the
  /// energy changes by is taken for it.
  double driven_work = 0.0;
  double least_energy = 0.0;  ///< so far, of energy − driven work
  double max_gain = 0.0;  ///< largest rise of energy − driven work above its least value before
  std::int64_t unsettled_steps = 0;  ///< whose outer iterations ended above their tolerance
  std::int64_t dulled_impacts = 0;   ///< where restitution had no solution and was taken as zero
  std::int64_t crushed_steps = 0;    ///< in which something had to be penetrated
};

/// One line of trouble worth telling the user once: what, where, when.
struct Incident {
  double time = 0.0;
  std::string what;
};

template <int Dim>
class Simulation {
 public:
  /// From the scene's own state. Throws Error if the scene cannot be run: overlap, or what the scheme does
  /// not support.
  Simulation(const Scene<Dim>& scene, SimulationOptions options);
  ~Simulation();
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;

  /// One step. False if it was interrupted: then nothing has changed.
  bool step();

  [[nodiscard]] double time() const;
  [[nodiscard]] const State<Dim>& state() const;
  [[nodiscard]] const Account& account() const;
  /// Whether the last step left everything where it was and without velocity.
  [[nodiscard]] bool resting() const;
  /// Contacts that carried force in the last step, forces averaged over it, sorted by id.
  [[nodiscard]] const std::vector<ContactForce<Dim>>& contacts() const;
  /// Of the last step.
  [[nodiscard]] const std::vector<ContactChange>& changes() const;
  [[nodiscard]] const std::vector<Incident>& incidents() const;
  /// Of the last step, of scheme event: in the order of time.
  [[nodiscard]] const std::vector<MotionEvent>& events() const;
  /// Of each body, whether it is frozen: all false without freezing.
  [[nodiscard]] const std::vector<std::uint8_t>& frozen() const;
  /// Of scheme oba, over all steps this object has made: not part of a snapshot.
  [[nodiscard]] const CrowdCounts& crowd() const;

  /// All that the motion from here on depends on besides `forget`ting: with the account and the contacts of that
  /// time, restore gives the same bits as going on, if both runs forget at the same times.
  [[nodiscard]] std::vector<double> snapshot() const;
  /// Forgets, too.
  void restore(const std::vector<double>& snapshot, const Account& account,
               const std::vector<ContactForce<Dim>>& contacts);
  /// Drops what is kept only for speed (last solutions, patterns). What follows depends on the snapshot alone.
  void forget();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// FNV-1a over the bits of numbers; −0 counts as 0.
class StateHash {
 public:
  void add(double number);
  void add(std::uint64_t number);
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325ULL;
};

}  // namespace collapse
