#pragma once
/// The part of the position scheme that leaves islands at rest out of its programs, and takes them in again. For
/// position_scheme.cpp.

#include "simulate/position_scheme.hpp"

namespace collapse::simulate {

/// Whatever comes near a frozen body, or is joined to it and moves, wakes its island.
template <int Dim>
void PositionScheme<Dim>::wake_touched() {
  const auto wake = [&](int body) {
    if (body == kWorld || freezer_.frozen()[slot_of(body)] == 0) return false;
    freezer_.wake(body);
    return true;
  };
  for (bool woken = true; woken;) {
    woken = false;
    for (const contacts::MotionRow<Dim>& row : rows_) {
      woken = wake(row.id.a) || woken;
      woken = wake(row.id.b) || woken;
    }
    const auto moves = [&](int body) { return body != kWorld && still_[slot_of(body)] == 0; };
    for (const Joint<Dim>& joint : world_.scene().joints) {
      if (moves(joint.a)) woken = wake(joint.b) || woken;
      if (moves(joint.b)) woken = wake(joint.a) || woken;
    }
    if (!woken) return;
    give_blocks();
    finder_.find({start_, poses_, near_, still_}, rows_);
  }
}

template <int Dim>
void PositionScheme<Dim>::freeze() {
  std::vector<std::uint8_t> moved(start_.size(), 0);
  for (const int body : active_) {
    moved[slot_of(body)] = poses_[slot_of(body)] == start_[slot_of(body)] ? 0 : 1;
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
