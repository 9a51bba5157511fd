#pragma once
/// Schemes with a fixed step, judged by the motion that scheme event gives: how far they are from it, over step and
/// cost (docs/compare.md).

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "collapse/simulate/simulation.hpp"

namespace collapse {

/// The largest, over all free bodies, of: distance of the centres of mass in both states, plus the angle between both
/// rotations times the reach of the body from its centre.
template <int Dim>
[[nodiscard]] double motion_distance(const Scene<Dim>& scene, const State<Dim>& x,
                                     const State<Dim>& y);

/// Longest side of the box along the axes that holds the free bodies, each taken as the ball around its centre.
template <int Dim>
[[nodiscard]] double moving_size(const Scene<Dim>& scene, const State<Dim>& state);

/// p where error ∝ step^p between two steps; none where an error is not a positive number.
[[nodiscard]] std::optional<double> observed_order(double coarse_step, double coarse_error,
                                                   double fine_step, double fine_error);

struct ComparisonOptions {
  /// What all runs share. Its `event` is that of the reference; `scheme` and `step` are not looked at.
  SimulationOptions simulation;
  std::vector<SchemeKind> schemes;
  double interval =
      1.0 / 60.0;  ///< between the times at which motions are compared: the longest step
  std::int64_t intervals = 1;
  int halvings = 4;  ///< of the step
  /// Asked after every step, with what is being run and the share of it that is done.
  std::function<void(const std::string& what, double share)> progress = {};

  /// Throws Error naming the field if a value makes no sense.
  void validate() const;
};

/// What a run cost.
struct RunCost {
  double seconds = 0.0;  ///< of CPU, all threads together
  std::int64_t steps = 0;
  std::int64_t programs = 0;
  std::int64_t iterations = 0;
};

/// One scheme with one step.
struct Trial {
  std::int64_t steps_per_interval = 1;
  double step = 0.0;
  double error = 0.0;         ///< the largest at any of the common times, over the size
  double error_at_end = 0.0;  ///< the same at the last of them
  /// The error is not larger than that of the reference: it is known only not to be larger.
  bool below_reference = false;
  std::optional<double> order;  ///< from the trial before, where both errors are known
  RunCost cost;
  double max_penetration = 0.0;      ///< over the size
  std::int64_t unsettled_steps = 0;  ///< whose iterations ended above their tolerance
  std::string fault;                 ///< why it could not go on; empty if it ran to the end
};

struct SchemeTrials {
  SchemeKind scheme = SchemeKind::position;
  std::string refusal;  ///< why it does not take the scene; empty if it does
  std::vector<Trial> trials;
};

/// Scheme event as it was asked for, and once more with all tolerances ten times as large and longer steps: how far apart
/// both are is how well the motion is known.
struct ReferenceMotion {
  EventOptions options;
  EventOptions check;  ///< of the second run
  double error =
      0.0;  ///< distance of both, over the size: of the less exact one, hence a bound for the other
  double error_at_end = 0.0;
  std::int64_t events = 0;
  std::vector<Incident> incidents;
  RunCost cost;
  RunCost check_cost;
  std::string doubt;  ///< why it cannot serve; empty if it can
};

struct Comparison {
  double size = 1.0;  ///< of what moves, at the start
  ReferenceMotion reference;
  std::vector<SchemeTrials> schemes;  ///< none where the reference cannot serve
  bool interrupted = false;           ///< then what is there is not all
};

/// Throws Error if scheme event does not take the scene.
template <int Dim>
[[nodiscard]] Comparison compare_schemes(const Scene<Dim>& scene, const ComparisonOptions& options);

}  // namespace collapse
