#pragma once
/// The part of the position scheme that brings the few bodies of a crowd that move to an end beside those that rest. For
/// position_scheme.cpp.

#include <algorithm>
#include <iterator>
#include <utility>

#include "simulate/position_scheme.hpp"

namespace collapse::simulate {

/// Programs at most of those that move.
inline constexpr int kMoverRounds = 3;
/// Share of a crowd: where more bodies move, those that rest are hardly there to be leant on.
inline constexpr double kMostMovers = 0.5;

/// All but those that were at rest and are found to stay there.
template <int Dim>
std::vector<int> PositionScheme<Dim>::movers() const {
  std::vector<int> out;
  std::copy_if(active_.begin(), active_.end(), std::back_inserter(out), [&](int body) {
    return at_rest_[slot_of(body)] == 0 || !displacements_[slot_of(body)].isZero(0.0);
  });
  return out;
}

template <int Dim>
bool PositionScheme<Dim>::most_rest(const std::vector<int>& moving) const {
  return !moving.empty() &&
         static_cast<double>(moving.size()) <= kMostMovers * static_cast<double>(active_.size());
}

/// Whether what is left to find out is how some move beside what rests: one round of all tells what that is, unless
/// something fast is about.
template <int Dim>
bool PositionScheme<Dim>::comes_to_rest() const {
  const std::vector<int> moving = movers();
  return most_rest(moving) && std::all_of(moving.begin(), moving.end(), [&](int body) {
           return way_of(body, displacements_[slot_of(body)]) <= near_;
         });
}

/// What rests was to move by less than is known: left out of account, that lets others creep into it a little in each
/// step until they have to be parted, and the crowd never comes to rest. So the others make a few more rounds, short
/// ones, beside what is held. False if it was interrupted.
template <int Dim>
bool PositionScheme<Dim>::settle_movers(StepReport<Dim>& report) {
  std::vector<int> moving = movers();
  if (!most_rest(moving)) return true;
  Blocks blocks(blocks_.size(), -1);
  for (std::size_t i = 0; i < moving.size(); ++i) blocks[slot_of(moving[i])] = static_cast<int>(i);
  // The solver of the whole crowd is kept for the next step, which begins where it ended.
  Solver short_rounds(solver_options(options_));
  short_rounds.set_tolerance(accuracy_);
  const auto exchange = [&] {
    std::swap(active_, moving);
    std::swap(blocks_, blocks);
    std::swap(solver_, short_rounds);
  };
  exchange();
  bool goes_on = true;
  for (int round = 0; round < kMoverRounds && goes_on && !report.settled; ++round) {
    ++round_;
    if (std::exchange(rows_missing_, false)) find_rows(true);
    goes_on = make_round(report);
  }
  exchange();
  return goes_on;
}

}  // namespace collapse::simulate
