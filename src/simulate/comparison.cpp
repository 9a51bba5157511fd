#include "collapse/simulate/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>

#include "collapse/core/error.hpp"

namespace collapse {
namespace {

/// How much less exact the run is that judges the reference.
constexpr double kLessExact = 10.0;
/// A reference that is known no better than this share of the size says nothing of others.
constexpr double kKnownMotion = 1e-2;
/// A tolerance that leaves room for that.
constexpr double kLeastExact = 1e-3;
constexpr int kHalvingsAtMost = 20;

/// Where everything is at the common times, the start among them.
template <int Dim>
struct Track {
  std::vector<State<Dim>> looks;
  RunCost cost;
  Account account;
  std::int64_t events = 0;
  std::vector<Incident> incidents;
  std::string doubt;
  std::string fault;
  bool interrupted = false;
};

/// Distances of two tracks at their common times, over the size.
struct TrackDistance {
  double most = 0.0;
  double at_end = 0.0;
  std::size_t lost = 0;  ///< the first time of a distance above kKnownMotion; 0: none
};

double cpu_seconds() {
  return static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC);
}

template <int Dim>
std::string doubt_of(const Simulation<Dim>& simulation) {
  for (const MotionEvent& event : simulation.events()) {
    if (event.kind != EventKind::undecided) continue;
    std::string what = "Coulomb's law has no motion for a contact, or several";
    if (!simulation.incidents().empty()) what = simulation.incidents().front().what;
    return fmt::format("at time {:.6g} scheme event is undecided: {}", event.time, what);
  }
  return {};
}

template <int Dim>
class Comparer {
 public:
  Comparer(const Scene<Dim>& scene, const ComparisonOptions& options)
      : scene_(scene), options_(options) {
    comparison_.size = moving_size(scene, initial_state(scene));
  }

  Comparison run() {
    make_reference();
    if (comparison_.interrupted || !comparison_.reference.doubt.empty()) return comparison_;
    for (const SchemeKind scheme : options_.schemes) {
      comparison_.schemes.push_back({scheme, {}, {}});
      try_scheme(comparison_.schemes.back());
      if (comparison_.interrupted) break;
    }
    return comparison_;
  }

 private:
  void make_reference() {
    ReferenceMotion& reference = comparison_.reference;
    reference.options = reference.check = options_.simulation.event;
    reference.check.tolerance *= kLessExact;
    reference.check.event_tolerance *= kLessExact;
    reference.check.closing_speed *= kLessExact;
    // Times at which to look end steps of the integrator: the check has longer ones, or both might take the same.
    track_ = follow(by_events(reference.options), 2, "reference");
    reference.cost = track_.cost;
    reference.events = track_.events;
    reference.incidents = track_.incidents;
    reference.doubt = track_.doubt;
    if (track_.interrupted || !reference.doubt.empty()) return;
    const Track<Dim> check = follow(by_events(reference.check), 1, "reference, less exact");
    reference.check_cost = check.cost;
    reference.doubt = check.doubt;
    if (check.interrupted || !reference.doubt.empty()) return;
    const TrackDistance apart = distance_to(check);
    // Where every step is exact, as in a free fall, both differ by less than rounding.
    constexpr double kRounding = std::numeric_limits<double>::epsilon();
    reference.error = std::max(apart.most, kRounding);
    reference.error_at_end = std::max(apart.at_end, kRounding);
    if (apart.lost == 0) return;
    reference.doubt = fmt::format(
        "with the tolerances {:g} and {:g} scheme event gives motions that are {:.2g} of the size "
        "apart at time {:.6g}: no tolerance determines the motion that far",
        reference.options.tolerance, reference.check.tolerance, kKnownMotion,
        options_.interval * static_cast<double>(apart.lost));
  }

  [[nodiscard]] SimulationOptions by_events(const EventOptions& event) const {
    SimulationOptions options = options_.simulation;
    options.scheme = SchemeKind::event;
    options.event = event;
    return options;
  }

  void try_scheme(SchemeTrials& out) {
    SimulationOptions options = options_.simulation;
    options.scheme = out.scheme;
    for (int halving = 0; halving <= options_.halvings; ++halving) {
      Trial trial;
      trial.steps_per_interval = std::int64_t{1} << halving;
      trial.step = options_.interval / static_cast<double>(trial.steps_per_interval);
      Track<Dim> track;
      try {
        track = follow(options, trial.steps_per_interval,
                       fmt::format("{}, step {:.3g}", to_string(out.scheme), trial.step));
      } catch (const Error& error) {
        out.refusal = fmt::format("found {}, expected {}", error.found(), error.expected());
        return;
      }
      comparison_.interrupted = comparison_.interrupted || track.interrupted;
      if (comparison_.interrupted) return;
      judge(track, trial);
      if (!out.trials.empty()) add_order(out.trials.back(), trial);
      out.trials.push_back(trial);
    }
  }

  void judge(const Track<Dim>& track, Trial& trial) const {
    trial.cost = track.cost;
    trial.max_penetration = track.account.max_penetration / comparison_.size;
    trial.unsettled_steps = track.account.unsettled_steps;
    trial.fault = track.fault;
    if (!trial.fault.empty()) return;
    const TrackDistance apart = distance_to(track);
    trial.error = apart.most;
    trial.error_at_end = apart.at_end;
    trial.below_reference = trial.error <= comparison_.reference.error;
  }

  static void add_order(const Trial& before, Trial& trial) {
    for (const Trial* one : {&before, static_cast<const Trial*>(&trial)}) {
      if (one->below_reference || !one->fault.empty()) return;
    }
    trial.order = observed_order(before.step, before.error, trial.step, trial.error);
  }

  /// Error where the scheme does not take the scene. What is thrown on the way is a fault of the track.
  Track<Dim> follow(SimulationOptions options, std::int64_t steps, const std::string& what) {
    options.step = options_.interval / static_cast<double>(steps);
    Track<Dim> track;
    const double start = cpu_seconds();
    Simulation<Dim> simulation(scene_, options);
    track.looks.push_back(simulation.state());
    try {
      go(simulation, steps, what, track);
    } catch (const Error& error) {
      track.fault = fmt::format("at time {:.6g}: {}", simulation.time(), error.what());
    }
    track.account = simulation.account();
    track.cost = {cpu_seconds() - start, track.account.steps, track.account.programs,
                  track.account.iterations};
    comparison_.interrupted = comparison_.interrupted || track.interrupted;
    return track;
  }

  void go(Simulation<Dim>& simulation, std::int64_t steps, const std::string& what,
          Track<Dim>& track) const {
    const std::int64_t all = options_.intervals * steps;
    for (std::int64_t step = 1; step <= all; ++step) {
      track.interrupted = !simulation.step();
      if (track.interrupted) return;
      track.events += std::ssize(simulation.events());
      if (track.doubt.empty()) track.doubt = doubt_of(simulation);
      const auto& incidents = simulation.incidents();
      track.incidents.insert(track.incidents.end(), incidents.begin(), incidents.end());
      if (step % steps == 0) track.looks.push_back(simulation.state());
      if (options_.progress) {
        options_.progress(what, static_cast<double>(step) / static_cast<double>(all));
      }
    }
  }

  [[nodiscard]] TrackDistance distance_to(const Track<Dim>& track) const {
    TrackDistance apart;
    for (std::size_t i = 0; i < track_.looks.size(); ++i) {
      apart.at_end = motion_distance(scene_, track_.looks[i], track.looks[i]) / comparison_.size;
      apart.most = std::max(apart.most, apart.at_end);
      if (apart.lost == 0 && !(apart.at_end <= kKnownMotion)) apart.lost = i;
    }
    return apart;
  }

  const Scene<Dim>& scene_;
  const ComparisonOptions& options_;
  Track<Dim> track_;  ///< of the reference
  Comparison comparison_;
};

}  // namespace

template <int Dim>
double motion_distance(const Scene<Dim>& scene, const State<Dim>& x, const State<Dim>& y) {
  double most = 0.0;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const Body<Dim>& body = scene.bodies[i];
    if (!body.free()) continue;
    const int index = static_cast<int>(i);
    const double way = (x.centre(scene, index) - y.centre(scene, index)).norm();
    // |R − R'| = √8 |sin(θ/2)| in the plane and in space: exact for small angles too.
    const double chord = (x.poses[i].rotation - y.poses[i].rotation).norm() / std::sqrt(8.0);
    const double angle = 2.0 * std::asin(std::min(chord, 1.0));
    most = std::max(most, way + angle * body.shape.reach(body.mass.centre));
  }
  return most;
}

template <int Dim>
double moving_size(const Scene<Dim>& scene, const State<Dim>& state) {
  Vec<Dim> low = Vec<Dim>::Constant(std::numeric_limits<double>::infinity());
  Vec<Dim> high = -low;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const Body<Dim>& body = scene.bodies[i];
    if (!body.free()) continue;
    const Vec<Dim> centre = state.centre(scene, static_cast<int>(i));
    const Vec<Dim> reach = Vec<Dim>::Constant(body.shape.reach(body.mass.centre));
    low = low.cwiseMin(centre - reach);
    high = high.cwiseMax(centre + reach);
  }
  const double size = (high - low).maxCoeff();
  return size > 0.0 ? size : 1.0;
}

std::optional<double> observed_order(double coarse_step, double coarse_error, double fine_step,
                                     double fine_error) {
  const bool known = coarse_error > 0.0 && fine_error > 0.0 && std::isfinite(coarse_error) &&
                     std::isfinite(fine_error);
  if (!known || coarse_step == fine_step) return std::nullopt;
  return std::log(coarse_error / fine_error) / std::log(coarse_step / fine_step);
}

void ComparisonOptions::validate() const {
  if (!(interval > 0.0 && std::isfinite(interval))) {
    throw Error("step", fmt::format("{:g}", interval), "a positive number");
  }
  if (intervals < 1) throw Error("until", fmt::format("{}", intervals), "a time after the start");
  if (halvings < 0 || halvings > kHalvingsAtMost) {
    throw Error("halvings", fmt::format("{}", halvings),
                fmt::format("a number from 0 to {}", kHalvingsAtMost));
  }
  simulation.validate();
  if (simulation.event.tolerance > kLeastExact) {
    throw Error("tolerance", fmt::format("{:g}", simulation.event.tolerance),
                fmt::format("at most {:g}: a run that is {:g} times less exact judges it",
                            kLeastExact, kLessExact));
  }
}

template <int Dim>
Comparison compare_schemes(const Scene<Dim>& scene, const ComparisonOptions& options) {
  options.validate();
  return Comparer<Dim>(scene, options).run();
}

template double motion_distance(const Scene<2>&, const State<2>&, const State<2>&);
template double motion_distance(const Scene<3>&, const State<3>&, const State<3>&);
template double moving_size(const Scene<2>&, const State<2>&);
template double moving_size(const Scene<3>&, const State<3>&);
template Comparison compare_schemes(const Scene<2>&, const ComparisonOptions&);
template Comparison compare_schemes(const Scene<3>&, const ComparisonOptions&);

}  // namespace collapse
