#pragma once
/// What all schemes have in common: they move a state on by one step.

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "collapse/simulate/simulation.hpp"

namespace collapse::simulate {

/// What a step did, besides moving the state.
struct StepReport {
  std::vector<ContactForce<2>> contacts;  ///< that carried force, averaged over the step
  int programs = 0;
  int iterations = 0;
  double worst_residual = 0.0;
  double penetration = 0.0;  ///< largest at the end, length
  double driven_work = 0.0;
  bool settled = true;  ///< outer iterations ended below their tolerance
  int dulled_impacts = 0;
  std::vector<std::string> incidents;
  bool interrupted = false;  ///< then the state is as before

  void count(const Solution& solution) {
    ++programs;
    iterations += solution.effort.iterations + solution.effort.newton_steps;
    worst_residual = std::max(worst_residual, solution.residuals.worst());
  }
};

class Scheme {
 public:
  virtual ~Scheme() = default;
  /// Moves `state` on by h from `time`. Bodies on given paths have to be at their places at time + h afterwards.
  virtual StepReport step(State<2>& state, double time, double h) = 0;
  /// See Simulation::forget.
  virtual void forget() = 0;

 protected:
  Scheme() = default;
  Scheme(const Scheme&) = default;
  Scheme& operator=(const Scheme&) = default;
  Scheme(Scheme&&) = default;
  Scheme& operator=(Scheme&&) = default;
};

/// All of them keep references to the scene and the options.
[[nodiscard]] std::unique_ptr<Scheme> make_position_scheme(const Scene<2>& scene,
                                                           const SimulationOptions& options);
[[nodiscard]] std::unique_ptr<Scheme> make_acceleration_scheme(const Scene<2>& scene,
                                                               const SimulationOptions& options);
/// Both loops for frameworks of points; the bodies of the scene are fixed ones.
[[nodiscard]] std::unique_ptr<Scheme> make_point_scheme(const Scene<2>& scene,
                                                        const SimulationOptions& options);

}  // namespace collapse::simulate
