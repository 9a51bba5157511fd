#include "simulate/event_endings.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace collapse::simulate {
namespace {

/// Shares of a step at which it is looked whether something has happened.
constexpr std::array<double, 4> kGapSamples{0.25, 0.5, 0.75, 1.0};
constexpr std::array<double, 2> kChangeSamples{0.5, 1.0};
/// Of the weight: forces that pull less than this are rounding.
constexpr double kPull = 1e-10;
/// Shares of a size beyond the end of an edge: a corner that has left it, and one that does not meet it.
constexpr double kLeftEdge = 1e-12;
constexpr double kMissesEdge = 1e-9;
/// Of the reference: accelerations of a mode and of the program that differ by less are the same.
constexpr double kSameMotion = 3e-8;

}  // namespace

template <int Dim>
Ending<Dim> EventEndings<Dim>::find(const State<Dim>& start, double span, StepReport<Dim>& report) {
  span_ = span;
  const Ending<Dim> closure = first_closure(start);
  const Ending<Dim> change = first_change(start, closure.theta, report);
  return change.theta < closure.theta ? change : closure;
}

/// The first open row whose gap closes.
template <int Dim>
Ending<Dim> EventEndings<Dim>::first_closure(const State<Dim>& start) {
  const State<Dim> end = state_at(1.0);
  double bend = 0.0;  // of any path, away from the straight line that the search takes it for
  for (const int body : world_.free_bodies()) {
    const auto i = static_cast<std::size_t>(body);
    const Twist<Dim> way = world_.displacement(body, start.poses[i], end.poses[i]);
    bend = std::max(bend, world_.way_of(body, Twist<Dim>(way - span_ * start.velocities[i])));
  }
  std::vector<Watched> watched;
  for (const contacts::MotionRow<Dim>& row : contacts_.on_the_way(start, end, bend)) {
    if (holds(row.id)) continue;
    const double gap = contacts::placed(row, start.poses).gap;
    watched.push_back({row, std::min(0.0, gap) - scales_.rounding(row.size)});
  }
  Ending<Dim> ending;
  double before = 0.0;
  for (const double theta : kGapSamples) {
    const State<Dim> state = theta == 1.0 ? end : state_at(theta);
    for (Watched& one : watched) {
      if (one.missed || contacts::placed(one.row, state.poses).gap >= one.floor) continue;
      const auto gap = [&](double share) {
        return contacts::placed(one.row, state_at(share).poses).gap - one.floor;
      };
      const double root = last_good(gap, before, theta, event_width());
      if (!meets(one.row, state_at(root))) {
        one.missed = true;
      } else if (ending.cause == Cause::none || root < ending.theta) {
        ending = {Cause::gap, root, one.row};
      }
    }
    if (ending.cause != Cause::none) break;
    before = theta;
  }
  return ending;
}

/// Whether a row whose gap is closed is where both bodies are.
template <int Dim>
bool EventEndings<Dim>::meets(const contacts::MotionRow<Dim>& row, const State<Dim>& state) {
  if constexpr (Dim == 2) {
    return inside_edge(row, state.poses) >= -kMissesEdge;
  } else {
    const auto& rows = contacts_.on_the_way(state, state, 0.0);
    return std::any_of(rows.begin(), rows.end(), [&](const auto& other) {
      return other.id == row.id &&
             contacts::placed(other, state.poses).gap <= scales_.touch(row.size);
    });
  }
}

/// The first time at which the mode cannot go on: a force that would have to pull or to hold more than friction can,
/// sliding that ends, or a corner at the end of its edge.
template <int Dim>
Ending<Dim> EventEndings<Dim>::first_change(const State<Dim>& start, double latest,
                                            StepReport<Dim>& report) {
  Ending<Dim> ending;
  ending.theta = latest;
  if (mode_.contacts().empty()) return ending;
  if (!indeterminate_ && force_left(mode_.motion(start)) < 0.0) indeterminate_ = true;
  const auto left = [&](double theta) { return least_left(theta, report).first; };
  double before = 0.0;
  for (const double sample : kChangeSamples) {
    const double theta = sample * latest;
    if (left(theta) < 0.0) {
      const double root = last_good(left, before, theta, event_width());
      const double after = std::min(theta, root + 2.0 * event_width());
      return {least_left(after, report).second, root, {}};
    }
    before = theta;
  }
  return ending;
}

template <int Dim>
std::pair<double, Cause> EventEndings<Dim>::least_left(double theta, StepReport<Dim>& report) {
  const State<Dim> state = state_at(theta);
  const HeldMotion<Dim> motion = mode_.motion(state);
  std::pair<double, Cause> least{
      indeterminate_ ? truth_left(state, motion, report) : force_left(motion), Cause::force};
  const std::pair<double, Cause> others[] = {{slip_left(motion), Cause::slip},
                                             {edge_left(state), Cause::edge}};
  for (const auto& other : others) {
    if (other.first < least.first) least = other;
  }
  return least;
}

template <int Dim>
double EventEndings<Dim>::force_left(const HeldMotion<Dim>& motion) const {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t c = 0; c < motion.contacts.size(); ++c) {
    const HeldContact<Dim>& held = mode_.contacts()[c];
    const HeldForce<Dim>& force = motion.contacts[c];
    double left = force.normal;
    if (held.hold == Hold::sticking) {
      left = std::min(left, held.row.friction * force.normal - force.friction.norm());
    }
    least = std::min(least, left / weight_of(held.row) + kPull);
  }
  return least;
}

template <int Dim>
double EventEndings<Dim>::slip_left(const HeldMotion<Dim>& motion) const {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t c = 0; c < motion.contacts.size(); ++c) {
    const HeldContact<Dim>& held = mode_.contacts()[c];
    if (held.hold != Hold::sliding) continue;
    const double size = held.row.size;
    least = std::min(
        least, (motion.contacts[c].sliding + 0.5 * scales_.still(size)) / scales_.speed(size));
  }
  return least;
}

template <int Dim>
double EventEndings<Dim>::edge_left(const State<Dim>& state) const {
  double least = std::numeric_limits<double>::infinity();
  for (const HeldContact<Dim>& held : mode_.contacts()) {
    least = std::min(least, inside_edge(held.row, state.poses) + kLeftEdge);
  }
  return least;
}

/// Whether the program still gives the motion of the mode.
template <int Dim>
double EventEndings<Dim>::truth_left(const State<Dim>& state, const HeldMotion<Dim>& motion,
                                     StepReport<Dim>& report) {
  const Onward<Dim> onward = contacts_.onward_of(state, mode_.contacts(), report);
  if (!onward.settled) return kSameMotion;
  double apart = 0.0;
  const std::vector<int>& free = world_.free_bodies();
  for (std::size_t i = 0; i < free.size(); ++i) {
    const auto first = kDofs<Dim> * static_cast<Eigen::Index>(i);
    const Twist<Dim> difference = onward.accelerations.template segment<kDofs<Dim>>(first) -
                                  motion.accelerations.template segment<kDofs<Dim>>(first);
    apart = std::max(apart, world_.way_of(free[i], difference));
  }
  return kSameMotion - apart / onward.reference;
}

template <int Dim>
bool EventEndings<Dim>::overlaps(const State<Dim>& start) {
  const State<Dim> end = state_at(1.0);
  for (const contacts::MotionRow<Dim>& row : contacts_.on_the_way(end, end, 0.0)) {
    if (holds(row.id)) continue;
    const double gap = contacts::placed(row, end.poses).gap;
    const double allowed =
        std::min(0.0, contacts::placed(row, start.poses).gap) - scales_.touch(row.size);
    if (gap < allowed) return true;
  }
  return false;
}

template <int Dim>
double EventEndings<Dim>::weight_of(const contacts::MotionRow<Dim>& row) const {
  double lightest = std::numeric_limits<double>::infinity();
  for (const int body : {row.id.a, row.id.b}) {
    if (world_.block_of(body) < 0) continue;
    lightest = std::min(lightest, world_.scene().bodies[static_cast<std::size_t>(body)].mass.mass);
  }
  return lightest * scales_.gravity();
}

template class EventEndings<2>;
template class EventEndings<3>;

}  // namespace collapse::simulate
