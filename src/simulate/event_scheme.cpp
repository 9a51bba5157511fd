#include "simulate/event_scheme.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "collapse/core/error.hpp"
#include "collapse/model/path.hpp"
#include "formulation/participants.hpp"

namespace collapse::simulate {
namespace {

/// Radians that a body may turn in one step of the integrator: the search for contacts sees its ends.
constexpr double kLongestTurn = 0.25;
/// Share of the unit of time: shorter steps are made whatever their error.
constexpr double kShortestStride = 1e-10;
/// Share of the error of a longer step: a good step has less, at most 0.9⁴ of it even where it is hardly shorter.
constexpr double kNoise = 0.8;
constexpr double kMostNoise = 1e3;
/// Of a step that ends in an overlap.
constexpr int kMostOverlapHalvings = 30;
/// Steps in a row that were halved for an overlap: the next one takes it, so that time goes on.
constexpr int kMostCuts = 20;
/// A rest of this share of a step is not left over.
constexpr double kCrumb = 1e-2;
/// Accelerations of a body at rest up to this share of gravity are rounding.
constexpr double kNoPush = 1e-12;
/// Contacts that push less than this share of what a body weighs count as open in what is reported.
constexpr double kReported = 1e-6;
/// So many events within this share of the unit of time are a crowd: then slow collisions are closed more generously,
/// by this factor: of those that bounce only those slower than this share of the fastest among them, of the others up
/// to a speed.
constexpr int kManyEvents = 30;
constexpr double kCrowdTime = 0.1;
constexpr double kMoreClosing = 10.0;
constexpr double kSlowest = 0.1;
constexpr double kMostRattling = 1e-2;
/// So many collisions within this share of the unit of time, twice as long each time and up to a limit, would not end:
/// what touches then stays together.
constexpr int kBurst = 50;
constexpr double kBurstTime = 1e-6;
constexpr double kLongestBurst = 1e-2;
/// Share of the speed of a collision to which the velocities after it are known, where friction takes part.
constexpr double kImpactBlur = 1e-8;
/// Share of the speed at which collisions close: slower sliding after a collision has ended too.
constexpr double kClosingBlur = 1e-2;
/// Changes of the mode in a row, each within this share of the unit of time, after which the next ones have to wait:
/// for this share of it first, then twice as long each time, up to a limit.
constexpr int kManyChanges = 8;
constexpr double kHardlyTime = 1e-7;
constexpr double kLongestPause = 1e-3;

/// Which friction keeps a contact from sliding is not an event.
Hold shown(Hold hold) { return held_by_others(hold) ? Hold::sticking : hold; }

/// Once.
template <int Dim>
void add_incident(const std::string& what, StepReport<Dim>& report) {
  const auto& known = report.incidents;
  if (std::find(known.begin(), known.end(), what) == known.end()) report.incidents.push_back(what);
}

}  // namespace

template <int Dim>
EventScheme<Dim>::EventScheme(const Scene<Dim>& scene, const SimulationOptions& options)
    : options_(options),
      world_(scene, options),
      scales_(world_, options),
      contacts_(world_, options, scales_),
      coordinates_(world_),
      mode_(world_),
      endings_(world_, options, scales_, contacts_, mode_, coordinates_, integrator_) {
  if (options.friction_law != FrictionLaw::coulomb) {
    throw Error("--friction-law", std::string(to_string(options.friction_law)),
                "coulomb: with scheme event sliding does not lift");
  }
}

/// Gaps that the scene leaves although its bodies are meant to touch are closed, so that nothing falls through them.
template <int Dim>
void EventScheme<Dim>::prepare(State<Dim>& state) {
  std::vector<HeldContact<Dim>> loose;
  for (const contacts::MotionRow<Dim>& row : contacts_.on_the_way(state, state, 0.0)) {
    const double gap = contacts::placed(row, state.poses).gap;
    if (std::abs(gap) > options_.touch * row.size) continue;
    if (inside_edge(row, state.poses) >= 0.0) loose.push_back({row});
  }
  if (std::any_of(loose.begin(), loose.end(), [&](const HeldContact<Dim>& one) {
        const double gap = contacts::placed(one.row, state.poses).gap;
        return std::abs(gap) > scales_.rounding(one.row.size);
      })) {
    const std::vector<Twist<Dim>> velocities = state.velocities;
    mode_.hold_closed(std::move(loose));
    mode_.project(state);
    state.velocities = velocities;
  }
}

template <int Dim>
StepReport<Dim> EventScheme<Dim>::step(State<Dim>& state, double time, double h) {
  const State<Dim> before = state;
  const double end = time + h;
  StepReport<Dim> report;
  now_ = time;
  step_ = h;
  crowd_ = burst_ = {0, time, 0.0};
  burst_time_ = kBurstTime * scales_.time();
  locks_ = false;
  crowded_ = 0;
  cuts_ = 0;
  pause_ = 0.0;
  last_change_ = -1.0;
  closing_ = {options_.event.closing_speed, options_.event.closing_speed};
  forces_.clear();
  begin(state, report, {});
  while (now_ < end && !report.interrupted) {
    if (options_.interrupt && options_.interrupt()) report.interrupted = true;
    advance(state, end, report);
  }
  if (report.interrupted) {
    state = before;
    return report;
  }
  for (std::size_t i = 0; i < state.poses.size(); ++i) {
    if (world_.scene().bodies[i].motion.empty()) continue;
    state.poses[i] = path_pose(world_.scene().bodies[i], end);
    state.velocities[i] = path_velocity(world_.scene().bodies[i], end);
  }
  for (const contacts::MotionRow<Dim>& row : contacts_.on_the_way(state, state, 0.0)) {
    if (inside_edge(row, state.poses) < 0.0) continue;
    report.penetration = std::max(report.penetration, -contacts::placed(row, state.poses).gap);
  }
  report.contacts = forces_;
  return report;
}

// --- modes ------------------------------------------------------------------------------------

template <int Dim>
void EventScheme<Dim>::begin(State<Dim>& state, StepReport<Dim>& report,
                             std::span<const contacts::MotionRow<Dim>> more) {
  for (std::size_t i = 0; i < state.poses.size(); ++i) {
    const Body<Dim>& body = world_.scene().bodies[i];
    if (!body.motion.empty()) state.velocities[i] = path_velocity(body, now_);
  }
  std::vector<TouchingRow<Dim>> touching = contacts_.touching(state, more);
  for (const TouchingRow<Dim>& one : touching) {
    if (one.speed >= -scales_.still(one.row.size)) continue;
    const double share = -one.speed / scales_.speed(one.row.size);
    const bool bounces = share > closing_.of(one.row.restitution);
    crowd_.fastest = std::max(crowd_.fastest, share);
    report.events.push_back(
        {now_, bounces ? EventKind::collision : EventKind::closing, one.row.id});
  }
  const double before = world_.energy(state);
  const double work = report.driven_work;
  const double fastest = locks_ ? contacts_.lock(state, touching)
                                : contacts_.collide(state, touching, closing_, report);
  locks_ = false;
  // More energy than before comes from bodies on given paths, whatever found the velocities.
  if (fastest > 0.0) report.driven_work = work + std::max(0.0, world_.energy(state) - before);
  const double blur =
      fastest > 0.0 ? std::max(kImpactBlur * fastest, kClosingBlur * closing_.rattling *
                                                          scales_.speed(world_.smallest_size()))
                    : 0.0;
  take(contacts_.onward(state, touching, blur, mode_.contacts(), report), state, report);
}

/// Painlevé's paradox: an impact without a collision stops the sliding of the contact (Génot and Brogliato). If that is
/// no way out, it goes on without friction.
template <int Dim>
Onward<Dim> EventScheme<Dim>::after_jamming(Onward<Dim> onward, State<Dim>& state,
                                            StepReport<Dim>& report) {
  const ContactId jammed = *onward.undecided;
  const std::string what = pair_name(world_.scene(), jammed) +
                           " slides so that its friction presses it on (Painlevé's paradox): ";
  report.events.push_back({now_, EventKind::undecided, jammed});
  report.settled = false;
  for (const Hold way : {Hold::sticking, Hold::smooth}) {
    for (HeldContact<Dim>& held : onward.slow) {
      if (held.row.id == jammed) held.hold = way;
    }
    mode_.hold(onward.slow, state);
    mode_.project(state);
    onward = contacts_.onward_of(state, std::vector(onward.slow), {}, report);
    if (onward.settled && !onward.undecided) {
      add_incident(what + (way == Hold::sticking ? "stopped by an impact"
                                                 : "undecided, goes on without friction"),
                   report);
      break;
    }
  }
  return onward;
}

template <int Dim>
void EventScheme<Dim>::take(Onward<Dim> onward, State<Dim>& state, StepReport<Dim>& report) {
  if (onward.undecided) onward = after_jamming(std::move(onward), state, report);
  if (!onward.settled) {
    add_incident("no motion found that satisfies the laws", report);
    report.settled = false;
  }
  // What counted as at rest is: also where it begins to slide or to open.
  mode_.hold(std::move(onward.slow), state);
  mode_.project(state);
  mode_.hold(std::move(onward.held), state);
  endings_.begin_mode(onward.reference);
  const std::vector<int>& free = world_.free_bodies();
  for (std::size_t i = 0; i < free.size(); ++i) {
    const auto body = static_cast<std::size_t>(free[i]);
    const Twist<Dim> a = onward.accelerations.template segment<kDofs<Dim>>(
        kDofs<Dim> * static_cast<Eigen::Index>(i));
    const double size = scales_.sizes()[body];
    const bool stays = world_.way_of(free[i], state.velocities[body]) <= scales_.still(size) &&
                       world_.way_of(free[i], a) <= 1e-8 * onward.reference;
    if (stays) state.velocities[body].setZero();
  }
}

template <int Dim>
void EventScheme<Dim>::handle(const Ending<Dim>& ending, State<Dim>& state,
                              StepReport<Dim>& report) {
  if (ending.cause == Cause::gap) count_collision(ending, report);
  if (ending.cause != Cause::gap) keep_apart_in_time();
  if (ending.cause == Cause::force) return change_by_force(state, report);
  const std::vector<HeldContact<Dim>> before = mode_.contacts();
  std::vector<contacts::MotionRow<Dim>> known;
  for (const HeldContact<Dim>& held : before) {
    const bool goes_on =
        ending.cause != Cause::edge || EventContacts<Dim>::stays_in_place(held.row);
    if (goes_on) known.push_back(held.row);
  }
  if (ending.cause == Cause::gap) known.push_back(ending.row);
  begin(state, report, known);
  note_changes(before, report, ending.cause);
}

/// Many bodies that rattle against each other would collide without end, ever more slowly.
template <int Dim>
void EventScheme<Dim>::count_collision(const Ending<Dim>& ending, StepReport<Dim>& report) {
  if (now_ - burst_.since > burst_time_) burst_ = {0, now_, 0.0};
  if (++burst_.events > kBurst) {
    locks_ = true;
    burst_ = {0, now_, 0.0};
    burst_time_ = std::min(2.0 * burst_time_, kLongestBurst * scales_.time());
    add_incident(pair_name(world_.scene(), ending.row.id) +
                     " and others collide without end: held together for a moment",
                 report);
  }
  if (++crowd_.events < kManyEvents) return;
  if (now_ - crowd_.since < kCrowdTime * scales_.time()) {
    const double more = std::min(kMoreClosing * closing_.bouncing, kSlowest * crowd_.fastest);
    closing_.bouncing = std::max(closing_.bouncing, more);
    closing_.rattling =
        std::max(closing_.rattling, std::min(kMoreClosing * closing_.rattling, kMostRattling));
  }
  crowd_ = {0, now_, 0.0};
}

/// Contacts that pass a change on to each other, or for which Coulomb's law has several answers, could change without
/// end at one time.
template <int Dim>
void EventScheme<Dim>::keep_apart_in_time() {
  const double hardly = kHardlyTime * scales_.time();
  const bool soon = now_ - last_change_ <= std::max(hardly, 2.0 * pause_);
  crowded_ = soon ? crowded_ + 1 : 0;
  last_change_ = now_;
  const int doublings = std::min(crowded_ - kManyChanges, 20);
  pause_ =
      doublings < 0 ? 0.0 : std::min(std::ldexp(hardly, doublings), kLongestPause * scales_.time());
}

/// Along the velocities and accelerations of the mode.
template <int Dim>
State<Dim> EventScheme<Dim>::a_moment_later(const State<Dim>& state,
                                            const Eigen::VectorXd& accelerations,
                                            double moment) const {
  State<Dim> later = state;
  const std::vector<int>& free = world_.free_bodies();
  for (std::size_t i = 0; i < free.size(); ++i) {
    const auto body = static_cast<std::size_t>(free[i]);
    const Twist<Dim> a =
        accelerations.segment<kDofs<Dim>>(kDofs<Dim> * static_cast<Eigen::Index>(i));
    later.velocities[body] += moment * a;
    later.poses[body] =
        world_.moved(free[i], state.poses[body],
                     Twist<Dim>(moment * state.velocities[body] + 0.5 * moment * moment * a));
  }
  return later;
}

/// Right where a force ends nothing has changed yet. A moment later it shows which contacts open or slide.
template <int Dim>
void EventScheme<Dim>::change_by_force(State<Dim>& state, StepReport<Dim>& report) {
  const std::vector<HeldContact<Dim>> before = mode_.contacts();
  const std::vector<HeldContact<Dim>> moving = contacts_.as_they_move(state, before);
  const Eigen::VectorXd accelerations = mode_.motion(state).accelerations;
  for (const double moment : {1e-6, 1e-5, 1e-4, 1e-3}) {
    const State<Dim> later = a_moment_later(state, accelerations, moment * scales_.time());
    Onward<Dim> onward = contacts_.onward_of(later, moving, before, report);
    if (report.interrupted) return;
    if (!onward.settled || same_mode<Dim>(onward.held, before)) continue;
    take(std::move(onward), state, report);
    note_changes(before, report, Cause::force);
    return;
  }
  pause_ = kLongestPause * scales_.time();
}

template <int Dim>
void EventScheme<Dim>::note_changes(std::span<const HeldContact<Dim>> before,
                                    StepReport<Dim>& report, Cause cause) {
  const std::vector<HeldContact<Dim>>& after = mode_.contacts();
  for (const HeldContact<Dim>& old : before) {
    const auto same = std::find_if(after.begin(), after.end(), [&](const auto& contact) {
      return contact.row.id == old.row.id;
    });
    if (same == after.end()) {
      const bool passed = cause == Cause::edge;
      report.events.push_back({now_, passed ? EventKind::passing : EventKind::opening, old.row.id});
    } else if (same->hold != Hold::idle && old.hold != Hold::idle &&
               shown(same->hold) != shown(old.hold)) {
      const bool slides = same->hold == Hold::sliding;
      report.events.push_back(
          {now_, slides ? EventKind::sliding : EventKind::sticking, old.row.id});
    }
  }
}

// --- between events ---------------------------------------------------------------------------

template <int Dim>
double EventScheme<Dim>::next_keyframe(double time, double end) const {
  double next = end;
  for (const Body<Dim>& body : world_.scene().bodies) {
    for (const Keyframe<Dim>& keyframe : body.motion) {
      if (keyframe.time.value > time) next = std::min(next, keyframe.time.value);
    }
  }
  return next;
}

template <int Dim>
double EventScheme<Dim>::longest_stride(const State<Dim>& state) const {
  double longest = std::numeric_limits<double>::infinity();
  for (const int body : world_.free_bodies()) {
    const double spin =
        state.velocities[static_cast<std::size_t>(body)].template tail<kSpins<Dim>>().norm();
    if (spin > 0.0) longest = std::min(longest, kLongestTurn / spin);
  }
  return longest;
}

template <int Dim>
void EventScheme<Dim>::advance(State<Dim>& state, double end, StepReport<Dim>& report) {
  const double stop = next_keyframe(now_, end);
  const double left = stop - now_;
  const double shortest = kShortestStride * scales_.time();
  coordinates_.restart(state, now_, stop);
  const Eigen::VectorXd scale =
      coordinates_.scale(options_.event.tolerance, scales_.sizes(), scales_.gravity());
  const auto rate = [&](double time, const Eigen::VectorXd& y, Eigen::VectorXd& out) {
    const State<Dim> at = coordinates_.state(time, y);
    HeldMotion<Dim> motion = mode_.motion(at);
    rest_what_rests(at, motion);
    coordinates_.rate(at, y, motion.accelerations, motion.power, out);
  };
  const double wished = stride_ > 0.0 ? stride_ : left;
  span_ = std::min({wished, longest_stride(state), left});
  Ending<Dim> ending;
  int halvings = 0;
  bool overlaps = false;
  double factor = 1.0;
  double last_error = std::numeric_limits<double>::infinity();
  for (;;) {
    if (left - span_ <= kCrumb * span_) span_ = left;
    integrator_.attempt(rate, coordinates_.start(), span_);
    ++report.iterations;
    const double error = integrator_.error(scale) * scales_.time() / span_;
    factor = next_step_factor(error);
    // An error per time that a shorter step does not make smaller is noise: of forces that are hardly unique.
    const bool noise = error > kNoise * last_error && error < kMostNoise;
    if (error > 1.0 && span_ > shortest && !noise) {
      last_error = error;
      span_ *= factor;
      continue;
    }
    if (!integrator_.end().allFinite()) return let_go_of_friction(state, report);
    report.settled = report.settled && error <= 1.0;
    ending = endings_.find(state, span_, pause_);
    overlaps = ending.cause == Cause::none && endings_.overlaps(state);
    const bool in_vain = halvings == kMostOverlapHalvings || cuts_ == kMostCuts;
    if (!overlaps || span_ <= shortest || in_vain) break;
    span_ *= 0.5;
    ++halvings;
  }
  if (overlaps) report.settled = false;
  cuts_ = overlaps || halvings == 0 ? 0 : cuts_ + 1;
  const Eigen::VectorXd y = integrator_.at(ending.theta);
  state = endings_.state_at(ending.theta);
  report.driven_work += EventCoordinates<Dim>::work(y);
  const bool whole = ending.cause == Cause::none;
  now_ = whole && span_ == left ? stop : now_ + ending.theta * span_;
  stride_ = span_ < wished ? std::max(span_ * factor, wished) : span_ * factor;
  mode_.project(state);
  note_forces(state, ending.theta * span_ / step_);
  mode_.follow_sliding(state);
  if (!whole) {
    handle(ending, state, report);
  } else if (halvings > 0 || (stop < end && now_ == stop)) {
    // What the search on the way did not see is found where it begins.
    std::vector<contacts::MotionRow<Dim>> known;
    for (const HeldContact<Dim>& held : mode_.contacts()) known.push_back(held.row);
    begin(state, report, known);
  }
}

/// Where contacts that slide leave no finite forces: without their friction there are.
template <int Dim>
void EventScheme<Dim>::let_go_of_friction(State<Dim>& state, StepReport<Dim>& report) {
  std::vector<HeldContact<Dim>> smooth = mode_.contacts();
  for (HeldContact<Dim>& held : smooth) {
    if (held.hold != Hold::sliding) continue;
    held.hold = Hold::smooth;
    report.events.push_back({now_, EventKind::undecided, held.row.id});
    add_incident(
        pair_name(world_.scene(), held.row.id) + " slides without finite forces: undecided",
        report);
  }
  report.settled = false;
  mode_.hold(std::move(smooth), state);
}

/// What has no velocity and no acceleration but rounding stays exactly where it is.
template <int Dim>
void EventScheme<Dim>::rest_what_rests(const State<Dim>& state, HeldMotion<Dim>& motion) const {
  const std::vector<int>& free = world_.free_bodies();
  for (std::size_t i = 0; i < free.size(); ++i) {
    if (!state.velocities[static_cast<std::size_t>(free[i])].isZero(0.0)) continue;
    auto a = motion.accelerations.template segment<kDofs<Dim>>(kDofs<Dim> *
                                                               static_cast<Eigen::Index>(i));
    if (world_.way_of(free[i], a) <= kNoPush * scales_.gravity()) a.setZero();
  }
}

/// Forces at the end of a part of the step stand for it.
template <int Dim>
void EventScheme<Dim>::note_forces(const State<Dim>& state, double share) {
  const HeldMotion<Dim> motion = mode_.motion(state);
  for (std::size_t c = 0; c < motion.contacts.size(); ++c) {
    const HeldForce<Dim>& held = motion.contacts[c];
    const contacts::MotionRow<Dim>& row = mode_.contacts()[c].row;
    if (held.normal <= kReported * contacts_.weight_of(row.id)) continue;
    const Vec<Dim> force = share * (held.normal * held.direction + held.friction);
    const auto same = std::find_if(forces_.begin(), forces_.end(),
                                   [&](const auto& known) { return known.id == row.id; });
    if (same == forces_.end()) {
      const contacts::PlacedRow<Dim> placed = contacts::placed(row, state.poses);
      forces_.push_back({row.id, placed.at, placed.normal, force});
    } else {
      same->force += force;
    }
  }
}

template class EventScheme<2>;
template class EventScheme<3>;

template <int Dim>
std::unique_ptr<Scheme<Dim>> make_event_scheme(const Scene<Dim>& scene,
                                               const SimulationOptions& options) {
  return std::make_unique<EventScheme<Dim>>(scene, options);
}
template std::unique_ptr<Scheme<2>> make_event_scheme(const Scene<2>&, const SimulationOptions&);
template std::unique_ptr<Scheme<3>> make_event_scheme(const Scene<3>&, const SimulationOptions&);

}  // namespace collapse::simulate
