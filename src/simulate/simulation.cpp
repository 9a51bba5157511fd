#include "collapse/simulate/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>

#include "collapse/core/check.hpp"
#include "collapse/core/error.hpp"
#include "collapse/model/path.hpp"
#include "simulate/scheme.hpp"

namespace collapse {
namespace {

/// Radians that a body may turn in one step; faster ones make sub-steps.
template <int Dim>
constexpr double kLargestTurn = Dim == 2 ? 0.5 : 1.0;
/// More sub-steps than this are not made: what spins so fast is not worth following.
constexpr int kMaxSubsteps = 1000;

/// However fast a ball in space turns about its centre, it stays where it is.
template <int Dim>
bool turns_freely(const Body<Dim>& body) {
  return Dim == 3 && body.shape.is_ball() && body.mass.centre == body.shape.balls.front().centre;
}

}  // namespace

std::string_view to_string(SchemeKind scheme) {
  switch (scheme) {
    case SchemeKind::position:
      return "position";
    case SchemeKind::acceleration:
      return "acceleration";
    case SchemeKind::oba:
      return "oba";
    case SchemeKind::event:
      return "event";
    case SchemeKind::settle:
      return "settle";
  }
  return "position";
}
std::string_view to_string(FrictionLaw law) {
  return law == FrictionLaw::coulomb ? "coulomb" : "associated";
}
std::string_view to_string(ImpactRule rule) {
  return rule == ImpactRule::simultaneous ? "simultaneous" : "sequential";
}
std::string_view to_string(ModelKind model) {
  switch (model) {
    case ModelKind::rigid:
      return "rigid";
    case ModelKind::nine_points:
      return "points";
    case ModelKind::corners:
      return "corner-points";
  }
  return "rigid";
}
ImpactRule impact_rule(const SimulationSettings& settings) {
  return settings.impact == to_string(ImpactRule::sequential) ? ImpactRule::sequential
                                                              : ImpactRule::simultaneous;
}

void SimulationOptions::validate() const {
  if (!(step > 0.0 && std::isfinite(step))) {
    throw Error("step", fmt::format("{:g}", step), "a positive number");
  }
  if (!(touch > 0.0 && touch < 0.1)) {
    throw Error("touch", fmt::format("{:g}", touch), "a number above 0 and below 1/10");
  }
  if (threads < 0) throw Error("threads", fmt::format("{}", threads), "0 or more");
  oba.validate();
  event.validate();
}

/// Of a rotation matrix by columns, what a snapshot keeps: in the plane the first column, which is all.
template <int Dim>
constexpr int kRotationNumbers = Dim == 2 ? 2 : 9;

template <int Dim>
class Simulation<Dim>::Impl {
 public:
  Impl(const Scene<Dim>& scene, SimulationOptions options)
      : scene_(scene), options_(std::move(options)), state_(initial_state(scene)) {
    options_.validate();
    if (options_.interrupt) {
      options_.interrupt = [this, asked = std::move(options_.interrupt)] {
        if (asked()) interrupted_ = true;
        return interrupted_.load();
      };
    }
    ContactOptions contact_options;
    contact_options.touch = options_.touch;
    static_cast<void>(find_contacts(scene_, state_, contact_options));  // refuses overlap
    add_schemes();
    for (const auto& scheme : schemes_) scheme->prepare(state_);
    account_.initial_energy = account_.energy = account_.least_energy = energy();
    frozen_.assign(scene_.bodies.size(), 0);
  }

  bool step() {
    interrupted_ = false;
    simulate::StepReport<Dim> total;
    if (is_repeat()) {
      total.contacts = contacts_;
      total.settled = repeated_.settled;
      total.crushed = repeated_.crushed;
      total.crowd = repeated_.crowd;
      take(total);
      return true;
    }
    total.repeats = true;
    const State<Dim> before = state_;
    std::vector<double> before_of_schemes;
    for (const auto& scheme : schemes_) scheme->save(before_of_schemes);
    const int substeps = count_substeps();
    const double h = options_.step / substeps;
    for (int k = 0; k < substeps; ++k) {
      total.contacts.clear();
      for (const auto& scheme : schemes_) {
        const simulate::StepReport<Dim> report = scheme->step(state_, time() + k * h, h);
        // A solver that was stopped may have been content with what it had: not what the step is without.
        if (report.interrupted || interrupted_) {
          state_ = before;
          const double* next = before_of_schemes.data();
          for (const auto& of_before : schemes_) next = of_before->load(next);
          forget();
          return false;
        }
        total += report;
      }
    }
    for (const auto& scheme : schemes_) {
      const std::span<const std::uint8_t> frozen = scheme->frozen();
      if (!frozen.empty()) frozen_.assign(frozen.begin(), frozen.end());
    }
    take(total);
    resting_ = before.poses == state_.poses && before.points == state_.points &&
               std::all_of(state_.velocities.begin(), state_.velocities.end(),
                           [](const Twist<Dim>& v) { return v.isZero(0.0); });
    repeated_ = {resting_ && total.repeats, total.settled, total.crushed, total.crowd};
    CrowdCounts& crowd = repeated_.crowd;
    crowd.position_seconds = crowd.momentum_seconds = crowd.static_seconds = 0.0;
    return true;
  }

  /// A step from rest that ended where it began ends there again.
  [[nodiscard]] bool is_repeat() const {
    if (!repeated_.holds) return false;
    for (std::size_t i = 0; i < state_.poses.size(); ++i) {
      const Body<Dim>& body = scene_.bodies[i];
      if (body.motion.empty()) continue;
      if (!(path_pose(body, time() + options_.step) == state_.poses[i])) return false;
    }
    return true;
  }

  [[nodiscard]] double time() const { return options_.step * static_cast<double>(account_.steps); }

  [[nodiscard]] std::vector<double> snapshot() const {
    std::vector<double> numbers;
    for (std::size_t i = 0; i < state_.poses.size(); ++i) {
      const Pose<Dim>& pose = state_.poses[i];
      numbers.insert(numbers.end(), pose.position.begin(), pose.position.end());
      numbers.insert(numbers.end(), pose.rotation.data(),
                     pose.rotation.data() + kRotationNumbers<Dim>);
      for (int k = 0; k < kDofs<Dim>; ++k) numbers.push_back(state_.velocities[i][k]);
    }
    for (std::size_t i = 0; i < state_.points.size(); ++i) {
      for (int k = 0; k < Dim; ++k) numbers.push_back(state_.points[i][k]);
      for (int k = 0; k < Dim; ++k) numbers.push_back(state_.point_velocities[i][k]);
    }
    for (const std::uint8_t flag : frozen_) numbers.push_back(flag);
    for (const bool flag : {repeated_.holds, repeated_.settled, repeated_.crushed}) {
      numbers.push_back(flag ? 1.0 : 0.0);
    }
    for (const auto& scheme : schemes_) scheme->save(numbers);
    return numbers;
  }

  void restore(const std::vector<double>& numbers, const Account& account,
               const std::vector<ContactForce<Dim>>& contacts) {
    COLLAPSE_DEMAND(numbers.size() == snapshot().size());
    const double* next = numbers.data();
    for (std::size_t i = 0; i < state_.poses.size(); ++i) {
      Pose<Dim>& pose = state_.poses[i];
      for (int k = 0; k < Dim; ++k) pose.position[k] = *next++;
      std::copy_n(next, kRotationNumbers<Dim>, pose.rotation.data());
      if constexpr (Dim == 2) pose.rotation.col(1) << -next[1], next[0];
      next += kRotationNumbers<Dim>;
      for (int k = 0; k < kDofs<Dim>; ++k) state_.velocities[i][k] = *next++;
    }
    for (std::size_t i = 0; i < state_.points.size(); ++i) {
      for (int k = 0; k < Dim; ++k) state_.points[i][k] = *next++;
      for (int k = 0; k < Dim; ++k) state_.point_velocities[i][k] = *next++;
    }
    for (std::uint8_t& flag : frozen_) flag = *next++ != 0.0 ? 1 : 0;
    for (bool* flag : {&repeated_.holds, &repeated_.settled, &repeated_.crushed}) {
      *flag = *next++ != 0.0;
    }
    resting_ = repeated_.holds;
    for (const auto& scheme : schemes_) next = scheme->load(next);
    account_ = account;
    contacts_ = contacts;
    forget();
  }

  void forget() {
    for (const auto& scheme : schemes_) scheme->forget();
  }

 private:
  friend class Simulation;

  const Scene<Dim>& scene_;
  SimulationOptions options_;
  std::atomic<bool> interrupted_ = false;  ///< in the step being made
  State<Dim> state_;
  Account account_;
  std::vector<ContactForce<Dim>> contacts_;
  std::vector<ContactChange> changes_;
  std::vector<Incident> incidents_;
  std::vector<MotionEvent> events_;
  std::vector<std::uint8_t> frozen_;
  CrowdCounts crowd_;
  bool resting_ = false;
  /// Of the last step.
  struct Repeated {
    bool holds = false;  ///< the next one is the same
    bool settled = true;
    bool crushed = false;
    CrowdCounts crowd;  ///< not part of a snapshot
  };
  Repeated repeated_;

  void add_schemes();
  [[nodiscard]] std::unique_ptr<simulate::Scheme<Dim>> make_rigid_scheme() const;

  [[nodiscard]] double energy() const {
    double sum = 0.0;
    for (const auto& scheme : schemes_) sum += scheme->energy(state_);
    return sum;
  }

  /// Rows of contacts are good for turns of less than a radian. Scheme oba turns bodies little by little within a frame.
  [[nodiscard]] int count_substeps() const {
    if (options_.scheme == SchemeKind::oba) return 1;
    double fastest = 0.0;
    for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
      if (turns_freely(scene_.bodies[i])) continue;
      fastest = std::max(fastest, state_.velocities[i].template tail<kSpins<Dim>>().norm());
    }
    const double needed = std::ceil(fastest * options_.step / kLargestTurn<Dim>);
    return static_cast<int>(std::clamp(needed, 1.0, static_cast<double>(kMaxSubsteps)));
  }

  void take(simulate::StepReport<Dim>& report) {
    ++account_.steps;
    account_.programs += report.programs;
    account_.iterations += report.iterations;
    account_.worst_residual = std::max(account_.worst_residual, report.worst_residual);
    account_.max_penetration = std::max(account_.max_penetration, report.penetration);
    account_.unsettled_steps += report.settled ? 0 : 1;
    account_.dulled_impacts += report.dulled_impacts;
    account_.crushed_steps += report.crushed ? 1 : 0;
    crowd_ += report.crowd;
    const double before = std::exchange(account_.energy, energy());
    // Forces on what is crushed have nothing to do with its motion, nor has their work.
    account_.driven_work += report.crushed ? account_.energy - before : report.driven_work;
    const double own = account_.energy - account_.driven_work;
    account_.max_gain = std::max(account_.max_gain, own - account_.least_energy);
    account_.least_energy = std::min(account_.least_energy, own);
    incidents_.clear();
    events_ = std::move(report.events);
    for (std::string& what : report.incidents) incidents_.push_back({time(), std::move(what)});
    note_changes(report.contacts);
    contacts_ = std::move(report.contacts);
  }

  void note_changes(std::vector<ContactForce<Dim>>& now) {
    const auto by_id = [](const ContactForce<Dim>& x, const ContactForce<Dim>& y) {
      return x.id < y.id;
    };
    std::sort(now.begin(), now.end(), by_id);
    changes_.clear();
    const auto note = [&](const std::vector<ContactForce<Dim>>& here,
                          const std::vector<ContactForce<Dim>>& there, bool closed) {
      for (const ContactForce<Dim>& contact : here) {
        if (!std::binary_search(there.begin(), there.end(), contact, by_id)) {
          changes_.push_back({time(), contact.id, closed});
        }
      }
    };
    note(contacts_, now, false);
    note(now, contacts_, true);
  }

  std::vector<std::unique_ptr<simulate::Scheme<Dim>>> schemes_;
};

template <>
std::unique_ptr<simulate::Scheme<2>> Simulation<2>::Impl::make_rigid_scheme() const {
  switch (options_.scheme) {
    case SchemeKind::position:
      return simulate::make_position_scheme<2>(scene_, options_);
    case SchemeKind::acceleration:
      return simulate::make_acceleration_scheme(scene_, options_);
    case SchemeKind::settle:
      return simulate::make_settle_scheme<2>(scene_, options_);
    case SchemeKind::oba:
      throw Error("--scheme", "oba", "position or acceleration: oba is for scenes in space");
    case SchemeKind::event:
      return simulate::make_event_scheme<2>(scene_, options_);
  }
  return nullptr;
}

template <>
std::unique_ptr<simulate::Scheme<3>> Simulation<3>::Impl::make_rigid_scheme() const {
  switch (options_.scheme) {
    case SchemeKind::position:
      return simulate::make_position_scheme<3>(scene_, options_);
    case SchemeKind::acceleration:
      throw Error("--scheme", "acceleration", "position or oba: the scene is in space");
    case SchemeKind::settle:
      return simulate::make_settle_scheme<3>(scene_, options_);
    case SchemeKind::oba:
      return simulate::make_oba_scheme(scene_, options_);
    case SchemeKind::event:
      return simulate::make_event_scheme<3>(scene_, options_);
  }
  return nullptr;
}

template <>
void Simulation<2>::Impl::add_schemes() {
  const bool points = options_.model != ModelKind::rigid;
  const bool settles = options_.scheme == SchemeKind::settle;
  if (settles && (points || !scene_.framework.points.empty())) {
    throw Error(points ? "--model" : "framework", "points", "rigid bodies: points do not settle");
  }
  if (options_.scheme == SchemeKind::event && (points || !scene_.framework.points.empty())) {
    throw Error(points ? "--model" : "framework", "points",
                "rigid bodies: scheme event moves no points");
  }
  if (!points) schemes_.push_back(make_rigid_scheme());
  if (points || !scene_.framework.points.empty()) {
    schemes_.push_back(simulate::make_point_scheme(scene_, options_));
  }
}

template <>
void Simulation<3>::Impl::add_schemes() {
  if (options_.model != ModelKind::rigid) {
    throw Error("--model", std::string(to_string(options_.model)), "rigid: the scene is in space");
  }
  schemes_.push_back(make_rigid_scheme());
}

template <int Dim>
Simulation<Dim>::Simulation(const Scene<Dim>& scene, SimulationOptions options)
    : impl_(std::make_unique<Impl>(scene, std::move(options))) {}
template <int Dim>
Simulation<Dim>::~Simulation() = default;
template <int Dim>
Simulation<Dim>::Simulation(Simulation&&) noexcept = default;
template <int Dim>
Simulation<Dim>& Simulation<Dim>::operator=(Simulation&&) noexcept = default;

template <int Dim>
bool Simulation<Dim>::step() {
  return impl_->step();
}
template <int Dim>
double Simulation<Dim>::time() const {
  return impl_->time();
}
template <int Dim>
const State<Dim>& Simulation<Dim>::state() const {
  return impl_->state_;
}
template <int Dim>
const Account& Simulation<Dim>::account() const {
  return impl_->account_;
}
template <int Dim>
bool Simulation<Dim>::resting() const {
  return impl_->resting_;
}
template <int Dim>
const std::vector<ContactForce<Dim>>& Simulation<Dim>::contacts() const {
  return impl_->contacts_;
}
template <int Dim>
const std::vector<ContactChange>& Simulation<Dim>::changes() const {
  return impl_->changes_;
}
template <int Dim>
const std::vector<Incident>& Simulation<Dim>::incidents() const {
  return impl_->incidents_;
}
template <int Dim>
const std::vector<MotionEvent>& Simulation<Dim>::events() const {
  return impl_->events_;
}
template <int Dim>
const std::vector<std::uint8_t>& Simulation<Dim>::frozen() const {
  return impl_->frozen_;
}
template <int Dim>
const CrowdCounts& Simulation<Dim>::crowd() const {
  return impl_->crowd_;
}
template <int Dim>
std::vector<double> Simulation<Dim>::snapshot() const {
  return impl_->snapshot();
}
template <int Dim>
void Simulation<Dim>::restore(const std::vector<double>& snapshot, const Account& account,
                              const std::vector<ContactForce<Dim>>& contacts) {
  impl_->restore(snapshot, account, contacts);
}
template <int Dim>
void Simulation<Dim>::forget() {
  impl_->forget();
}

template class Simulation<2>;
template class Simulation<3>;

}  // namespace collapse
