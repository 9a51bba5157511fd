#pragma once
/// The part of the position scheme that finds the rows of contacts and joints, and places them. For
/// position_scheme.cpp.

#include <algorithm>
#include <cmath>

#include "simulate/position_scheme.hpp"

namespace collapse::simulate {

/// Of the touch tolerance: where a contact seems to overlap more at the start, the bodies are asked.
inline constexpr double kDeep = 3.0;
/// Numbers of rows that are kept, above all others: multiples of this, by the round.
inline constexpr int kKeptRow = 1500;

inline Inertia<2> turn_slope(const Spin<2>& /*turn*/) { return Inertia<2>::Identity(); }

/// How fast the rotation by a turn φ turns as φ changes: exp(φ + δ) = exp(J δ) exp(φ) for small δ.
inline Eigen::Matrix3d turn_slope(const Spin<3>& turn) {
  const double angle = turn.norm();
  // Series where the differences of the closed form would cancel.
  const bool small = angle < 1e-2;
  const double square = angle * angle;
  const double first = small ? 0.5 - square / 24.0 : (1.0 - std::cos(angle)) / square;
  const double second =
      small ? 1.0 / 6.0 - square / 120.0 : (angle - std::sin(angle)) / (square * angle);
  Eigen::Matrix3d cross;
  cross << 0.0, -turn.z(), turn.y(), turn.z(), 0.0, -turn.x(), -turn.y(), turn.x(), 0.0;
  return Eigen::Matrix3d::Identity() + first * cross + second * cross * cross;
}

/// Rows were found with room for bodies to end up a little beside where they were expected.
template <int Dim>
bool PositionScheme<Dim>::rows_are_current() const {
  const double room = 0.25 * (near_ + contacts::kNearShare * world_.smallest_size());
  for (const int body : active_) {
    if (way_of(body, displacements_[slot_of(body)] - found_for_[slot_of(body)]) > room)
      return false;
  }
  return true;
}

template <int Dim>
void PositionScheme<Dim>::find_rows(bool keep_all) {
  finder_.find({start_, poses_, near_, still_}, rows_);
  if (options_.freezing) wake_touched();
  found_for_ = displacements_;
  const auto by_id = [](const Entry& x, const Entry& y) { return x.row.id < y.row.id; };
  std::vector<Entry> old = std::move(entries_);
  entries_.clear();
  entries_.reserve(rows_.size());
  for (const contacts::MotionRow<Dim>& row : rows_) {
    Entry& entry = entries_.emplace_back();
    entry.row = row;
    const contacts::PlacedRow<Dim> placed = contacts::placed(row, start_);
    entry.start_gap = contacts::counted_start_gap(row, placed.gap);
    const bool touches = placed.gap <= options_.touch * row.size;
    const bool rough = options_.friction_law == FrictionLaw::coulomb || touches;
    entry.mu = rough && !smooth_ ? row.friction : 0.0;
  }
  if constexpr (Dim == 3) doubt_overlap_at_start();
  for (Entry& entry : entries_) {
    entry.least_gap = std::min(0.0, entry.start_gap);
    const auto held =
        std::lower_bound(held_.begin(), held_.end(), entry.row.id,
                         [](const Held& x, const ContactId& id) { return x.id < id; });
    if (held != held_.end() && held->id == entry.row.id)
      entry.multipliers = h_ * h_ * held->multipliers;
    const auto same = std::lower_bound(old.begin(), old.end(), entry, by_id);
    if (same != old.end() && same->row.id == entry.row.id) {
      entry.sigma = same->sigma;
      entry.push = same->push;
      entry.multipliers = same->multipliers;
    }
  }
  if (keep_all) keep_rows(old);
}

/// Adds rows that are no longer found, and those of the same features at another place: where two places take turns, both
/// are held.
template <int Dim>
void PositionScheme<Dim>::keep_rows(std::vector<Entry>& old) {
  const auto by_id = [](const Entry& x, const Entry& y) { return x.row.id < y.row.id; };
  const auto known = static_cast<std::ptrdiff_t>(entries_.size());
  for (Entry& entry : old) {
    const auto same = std::lower_bound(entries_.begin(), entries_.begin() + known, entry, by_id);
    if (same != entries_.begin() + known && same->row.id == entry.row.id) {
      if (!contacts::holds_elsewhere(entry.row, same->row)) continue;
      entry.row.id.end = static_cast<std::uint16_t>(entry.row.id.end + kKeptRow * (round_ + 1));
    }
    entries_.push_back(entry);
  }
  std::sort(entries_.begin(), entries_.end(), by_id);
}

/// Features that bodies reach only on their way may overlap at the start although the bodies do not: what is deep there is
/// compared with what the bodies are where they start.
template <int Dim>
void PositionScheme<Dim>::doubt_overlap_at_start() {
  const auto is_deep = [this](const Entry& entry) {
    return entry.start_gap < -kDeep * options_.touch * entry.row.size;
  };
  if (std::none_of(entries_.begin(), entries_.end(), is_deep)) return;
  if (!overlap_at_start_) {
    overlap_at_start_.emplace();
    std::vector<contacts::MotionRow<Dim>> rows;
    finder_.find({start_, start_, 0.0, still_}, rows);
    for (const contacts::MotionRow<Dim>& row : rows) {
      double& gap = (*overlap_at_start_)[{row.id.a, row.id.b}];
      gap = std::min(gap, contacts::placed(row, start_).gap);
    }
  }
  for (Entry& entry : entries_) {
    if (!is_deep(entry)) continue;
    const auto known = overlap_at_start_->find({entry.row.id.a, entry.row.id.b});
    entry.start_gap =
        std::max(entry.start_gap, known == overlap_at_start_->end() ? 0.0 : known->second);
  }
}

template <int Dim>
void PositionScheme<Dim>::linearise() {
  for (Entry& entry : entries_) {
    const contacts::PlacedRow<Dim> placed = contacts::placed(entry.row, poses_);
    entry.gap = placed.gap;
    entry.terms = ContactTerms<Dim>(world_, entry.row, placed, poses_);
  }
  world_.joint_rows(poses_, joints_);
  if constexpr (Dim == 3) turn_rows();
}

/// Rows are over the turn of the whole step: near it, poses turn by the slope of the exponential map.
template <int Dim>
void PositionScheme<Dim>::turn_rows() {
  std::vector<MassMatrix<Dim>> slopes(start_.size(), MassMatrix<Dim>::Identity());
  for (const int body : active_) {
    slopes[slot_of(body)].template bottomRightCorner<kSpins<Dim>, kSpins<Dim>>() =
        turn_slope(Spin<Dim>(displacements_[slot_of(body)].template tail<kSpins<Dim>>()))
            .transpose();
  }
  for (Entry& entry : entries_) {
    ContactTerms<Dim>& terms = entry.terms;
    terms.normal_a = slopes[slot_of(terms.a)] * terms.normal_a;
    terms.normal_b = slopes[slot_of(terms.b)] * terms.normal_b;
    terms.tangents_a = slopes[slot_of(terms.a)] * terms.tangents_a;
    terms.tangents_b = slopes[slot_of(terms.b)] * terms.tangents_b;
  }
  for (MovingJointRow<Dim>& joint : joints_) {
    const Joint<Dim>& source = world_.scene().joints[slot_of(joint.joint)];
    if (source.a != kWorld) joint.row.on_a = slopes[slot_of(source.a)] * joint.row.on_a;
    if (source.b != kWorld) joint.row.on_b = slopes[slot_of(source.b)] * joint.row.on_b;
  }
}

}  // namespace collapse::simulate
