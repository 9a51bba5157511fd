#pragma once
/// Freezing: what has come to rest, exactly, is left out of the programs until something else comes near.
///
/// By islands, all bodies of which rest: since a step from rest that ended where it began ends there again, this changes
/// no motion and no verdict; it saves time. Body by body, where a crowd is one island and something in it always moves: a
/// body that rests among bodies that rest. What it carries may change meanwhile without moving its neighbours, so all
/// have to be asked again now and then.

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "collapse/formulation/verdict.hpp"

namespace collapse::simulate {

enum class FreezingUnit { island, body };

template <int Dim>
class Freezer {
 public:
  Freezer(const Scene<Dim>& scene, FreezingUnit unit);

  /// Of each body, whether it is frozen.
  [[nodiscard]] const std::vector<std::uint8_t>& frozen() const { return frozen_; }
  /// Wakes the whole island of a body, or it alone.
  void wake(int body);
  void wake_all();
  /// Likewise for one step: those that it does not move are frozen again.
  void ask_all();
  /// After a step: `moved` tells which bodies did, `touching` which pairs act on each other, `contacts` with what
  /// forces.
  void look(std::span<const std::uint8_t> moved, const std::vector<std::pair<int, int>>& touching,
            const std::vector<ContactForce<Dim>>& contacts);
  /// Forces in frozen islands.
  [[nodiscard]] const std::vector<ContactForce<Dim>>& contacts() const { return contacts_; }

 private:
  [[nodiscard]] bool is_awake(std::size_t i) const {
    return scene_.bodies[i].free() && frozen_[i] == 0;
  }
  void join_islands(const std::vector<std::pair<int, int>>& touching);
  /// The least of the still steps of each island, or of a body and those around it.
  [[nodiscard]] std::vector<int> least_steps(
      std::span<const std::uint8_t> moved, const std::vector<std::pair<int, int>>& touching) const;

  const Scene<Dim>& scene_;
  FreezingUnit unit_;
  std::vector<std::uint8_t> frozen_;
  std::vector<int> still_steps_;
  std::vector<int> island_;  ///< one number for all of an island that is frozen
  std::vector<ContactForce<Dim>> contacts_;
};

}  // namespace collapse::simulate
