#pragma once
/// Freezing: islands of bodies that have come to rest, exactly and all of them, are left out of the programs until
/// something else comes near one of them. Since a step from rest that ended where it began ends there again, this
/// changes no motion and no verdict; it saves time.

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "collapse/formulation/verdict.hpp"

namespace collapse::simulate {

template <int Dim>
class Freezer {
 public:
  explicit Freezer(const Scene<Dim>& scene);

  /// Of each body, whether it is frozen.
  [[nodiscard]] const std::vector<std::uint8_t>& frozen() const { return frozen_; }
  /// Wakes the whole island of a body.
  void wake(int body);
  void wake_all();
  /// After a step: `moved` tells which bodies did, `touching` which pairs act on each other, `contacts` with what
  /// forces.
  void look(std::span<const std::uint8_t> moved, const std::vector<std::pair<int, int>>& touching,
            const std::vector<ContactForce<Dim>>& contacts);
  /// Forces in frozen islands.
  [[nodiscard]] const std::vector<ContactForce<Dim>>& contacts() const { return contacts_; }

 private:
  const Scene<Dim>& scene_;
  std::vector<std::uint8_t> frozen_;
  std::vector<int> still_steps_;
  std::vector<int> island_;  ///< of frozen bodies: one number for all of an island
  std::vector<ContactForce<Dim>> contacts_;
};

}  // namespace collapse::simulate
