#pragma once
/// The part of the position scheme that leaves what rests out of its programs, and takes it in again. For
/// position_scheme.cpp.

#include <algorithm>

#include "simulate/position_scheme.hpp"

namespace collapse::simulate {

/// Steps after which a crowd is asked as a whole again.
inline constexpr int kStepsUnasked = 10;
/// Of 4 h² g.
inline constexpr double kShove = 0.25;

/// Bodies of a crowd that are frozen hold whatever leans on them: not for long, and not if all others rest.
template <int Dim>
void PositionScheme<Dim>::ask_frozen() {
  if (!options_.freezing || !is_crowd()) return;
  if (++unasked_ < kStepsUnasked) return;
  freezer_.ask_all();
  unasked_ = 0;
}

/// What is on a path, and what is faster than gravity makes it in a step, may move a whole crowd.
template <int Dim>
bool PositionScheme<Dim>::shoves(int body) const {
  if (still_[slot_of(body)] != 0) return false;
  return !world_.scene().bodies[slot_of(body)].free() ||
         way_of(body, displacements_[slot_of(body)]) > kShove * near_;
}

/// Whatever comes near a frozen body, or is joined to it and moves, wakes its island; of crowds the body alone, and only
/// if it was not at rest.
template <int Dim>
void PositionScheme<Dim>::wake_touched() {
  const auto find_again = [this] {
    give_blocks();
    finder_.find({start_, poses_, near_, still_}, rows_);
  };
  const auto is_shoved = [this](const contacts::MotionRow<Dim>& row) {
    return shoves(row.id.a) || shoves(row.id.b);
  };
  if (is_crowd() && std::any_of(rows_.begin(), rows_.end(), is_shoved)) {
    if (active_.size() == world_.free_bodies().size()) return;
    freezer_.wake_all();
    find_again();
    return;
  }
  const auto moves = [&](int body) {
    return body != kWorld && still_[slot_of(body)] == 0 &&
           (!is_crowd() || at_rest_[slot_of(body)] == 0);
  };
  const auto wake = [&](int body, int by) {
    if (!moves(by) || body == kWorld || freezer_.frozen()[slot_of(body)] == 0) return false;
    freezer_.wake(body);
    return true;
  };
  for (bool woken = true; woken;) {
    woken = false;
    for (const contacts::MotionRow<Dim>& row : rows_) {
      woken = wake(row.id.a, row.id.b) || woken;
      woken = wake(row.id.b, row.id.a) || woken;
    }
    for (const Joint<Dim>& joint : world_.scene().joints) {
      woken = wake(joint.a, joint.b) || woken;
      woken = wake(joint.b, joint.a) || woken;
    }
    if (!woken) return;
    find_again();
  }
}

template <int Dim>
void PositionScheme<Dim>::freeze() {
  std::vector<std::uint8_t> moved(start_.size(), 0);
  for (const int body : active_) {
    const std::size_t i = slot_of(body);
    // An impact may leave a body where it was, with a velocity.
    moved[i] = poses_[i] == start_[i] && velocities_[i].isZero(0.0) ? 0 : 1;
  }
  for (std::size_t i = 0; i < moved.size(); ++i) {
    if (!world_.scene().bodies[i].motion.empty() && still_[i] == 0) moved[i] = 1;
  }
  std::vector<std::pair<int, int>> touching;
  std::vector<ContactForce<Dim>> contacts;
  for (const Entry& entry : entries_) {
    touching.emplace_back(entry.row.id.a, entry.row.id.b);
    if (carries(entry)) {
      contacts.push_back({entry.row.id, entry.terms.at, entry.terms.normal, entry.force});
    }
  }
  freezer_.look(moved, touching, contacts);
}

}  // namespace collapse::simulate
