#pragma once
/// The part of the position scheme that halves steps whose rounds go astray. For position_scheme.cpp.

#include <algorithm>

#include "simulate/position_overlap.hpp"
#include "simulate/position_scheme.hpp"

namespace collapse::simulate {

/// Radians that a body's turn may change by in a round, or by impacts in a step that is not halved: rows are straight.
inline constexpr double kStraight = 0.5;
/// A step whose rounds go astray is halved this many times at most.
inline constexpr int kMostHalvings = 5;
/// Radians that a body may turn by itself in what is left of a step that was halved.
inline constexpr double kMostTurn = 1.0;
/// Of a body's size: rounds that lead farther from where it would go by itself may have gone astray.
inline constexpr double kFarOff = 0.25;
/// Of the touch tolerance: what joints miss then.
inline constexpr double kUnjoined = 1e3;

/// Rows are straight: where a small body is thrown about by a large one, or by a joint, rounds may lead anywhere.
/// Over half the time they are better.
template <int Dim>
StepReport<Dim> PositionScheme<Dim>::step_in_parts(State<Dim>& state, double time, double h,
                                                   int halvings) {
  StepReport<Dim> report;
  const bool may_halve = halvings > 0;
  if (!(may_halve && spins_fast(state, h)) && whole_step(state, time, h, may_halve, report)) {
    return report;
  }
  const State<Dim> before = state;
  const int tried = report.programs;
  report = step_in_parts(state, time, 0.5 * h, halvings - 1);
  if (report.interrupted) return report;
  report.contacts.clear();
  const StepReport<Dim> rest = step_in_parts(state, time + 0.5 * h, 0.5 * h, halvings - 1);
  report += rest;
  report.programs += tried;
  report.interrupted = rest.interrupted;
  if (report.interrupted) state = before;
  return report;
}

/// Something struck a body in the first half of the step so that it turns too far in the second.
template <int Dim>
bool PositionScheme<Dim>::spins_fast(const State<Dim>& state, double h) const {
  return std::any_of(world_.free_bodies().begin(), world_.free_bodies().end(), [&](int body) {
    const Twist<Dim>& velocity = state.velocities[slot_of(body)];
    return turn_matters(body) && h * velocity.template tail<kSpins<Dim>>().norm() > kMostTurn;
  });
}

/// Something struck a body so that it turns by more than straight rows are good for.
template <int Dim>
bool PositionScheme<Dim>::turned_far() const {
  return std::any_of(active_.begin(), active_.end(), [&](int body) {
    const Twist<Dim> struck = displacements_[slot_of(body)] - targets_[slot_of(body)];
    return turn_matters(body) && struck.template tail<kSpins<Dim>>().norm() > kStraight;
  });
}

template <int Dim>
bool PositionScheme<Dim>::overlaps_still(const StepReport<Dim>& report) const {
  return !report.settled && !is_crowd() && (Dim == 2 || left_to_part() > kNoRoom);
}

/// Rounds have not settled, and some body is nowhere near where it would be.
template <int Dim>
bool PositionScheme<Dim>::went_astray() {
  const bool far = std::any_of(active_.begin(), active_.end(), [&](int body) {
    return way_of(body, displacements_[slot_of(body)] - targets_[slot_of(body)]) >
           kFarOff * finder_.size(body);
  });
  return far && (left_to_part() > kNoRoom || !joints_fit(kUnjoined));
}

}  // namespace collapse::simulate
