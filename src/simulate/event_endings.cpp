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
/// Shares of a size beyond the end of an edge: a corner that has left it, and one that does not meet it.
constexpr double kLeftEdge = 1e-11;
constexpr double kMissesEdge = 1e-9;
/// By which what ends a mode is beyond what the search for the next one takes for none.
constexpr double kBeyond = 2.0;

}  // namespace

template <int Dim>
Ending<Dim> EventEndings<Dim>::find(const State<Dim>& start, double span, double pause) {
  span_ = span;
  const Ending<Dim> closure = first_closure(start);
  const Ending<Dim> change = first_change(pause / span, closure.theta);
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
Ending<Dim> EventEndings<Dim>::first_change(double earliest, double latest) {
  Ending<Dim> ending;
  ending.theta = latest;
  if (mode_.contacts().empty() || earliest >= latest) return ending;
  const double width = event_width();
  const auto left = [&](double theta) { return least_left(theta).first; };
  const double change = first_below(left, earliest, latest, width);
  if (change < latest)
    ending = {least_left(std::min(latest, change + 2.0 * width)).second, change, {}};
  return ending;
}

/// `latest` if f is not below zero at any sample.
template <int Dim>
double EventEndings<Dim>::first_below(const std::function<double(double)>& f, double earliest,
                                      double latest, double width) const {
  double before = earliest;
  for (const double sample : kChangeSamples) {
    const double theta = earliest + sample * (latest - earliest);
    if (f(theta) < 0.0) return last_good(f, before, theta, width);
    before = theta;
  }
  return latest;
}

template <int Dim>
std::pair<double, Cause> EventEndings<Dim>::least_left(double theta) {
  const State<Dim> state = state_at(theta);
  const HeldMotion<Dim> motion = mode_.motion(state);
  std::pair<double, Cause> least{slip_left(motion), Cause::slip};
  const double inside = contacts_.inside_edges(state, mode_.contacts()) + kLeftEdge;
  if (inside < least.first) least = {inside, Cause::edge};
  const double force = force_left(motion);
  if (force < least.first) least = {force, Cause::force};
  return least;
}

template <int Dim>
double EventEndings<Dim>::force_left(const HeldMotion<Dim>& motion) const {
  double least = std::numeric_limits<double>::infinity();
  const double none = kBeyond * kNoMotion;
  for (std::size_t c = 0; c < motion.contacts.size(); ++c) {
    const HeldContact<Dim>& held = mode_.contacts()[c];
    const HeldForce<Dim>& force = motion.contacts[c];
    if (held.hold == Hold::idle) {
      least = std::min(least, none - std::abs(force.apart) / reference_);
      continue;
    }
    double left = force.normal;
    if (held.hold == Hold::sticking) {
      left = std::min(left, held.row.friction * force.normal - force.friction.norm());
    } else if (held_by_others(held.hold)) {
      least = std::min(least, none - force.across.norm() / reference_);
    }
    least = std::min(least, left / contacts_.weight_of(held.row.id) + kBeyond * kNoPull);
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
bool EventEndings<Dim>::overlaps(const State<Dim>& start) {
  const State<Dim> end = state_at(1.0);
  for (const contacts::MotionRow<Dim>& row : contacts_.on_the_way(end, end, 0.0)) {
    // Beyond the end of an edge nothing overlaps.
    if (holds(row.id) || inside_edge(row, end.poses) < 0.0) continue;
    const double gap = contacts::placed(row, end.poses).gap;
    // Not by so much in every step: that would add up.
    const double before = contacts::placed(row, start.poses).gap - scales_.rounding(row.size);
    if (gap < std::min(before, -scales_.touch(row.size))) return true;
  }
  return false;
}

template class EventEndings<2>;
template class EventEndings<3>;

}  // namespace collapse::simulate
