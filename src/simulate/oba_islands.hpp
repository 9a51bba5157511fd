#pragma once
/// Bodies that act on each other through contacts and joints, and what impacts did to their kinetic energy.

#include <vector>

#include "simulate/oba_program.hpp"

namespace collapse::simulate {

class ObaIslands {
 public:
  ObaIslands(const World<3>& world, const ObaTouch& touch, const ObaBodies& bodies);

  /// Of a body with a block; −1 for others.
  [[nodiscard]] int of(int body) const { return island_[static_cast<std::size_t>(body)]; }
  [[nodiscard]] int of(const ObaContact& contact) const {
    return of(contact.terms.a) >= 0 ? of(contact.terms.a) : of(contact.terms.b);
  }
  [[nodiscard]] int count() const { return count_; }
  /// Kinetic, of each island.
  [[nodiscard]] std::vector<double> energies(std::span<const Twist<3>> velocities) const;
  /// The same less the work that given bodies have done by these impulses.
  [[nodiscard]] std::vector<double> own_energies(std::span<const Twist<3>> velocities,
                                                 const ObaImpulses& impulses) const;
  /// Of each island, whether a given body that moves has a joint with it: the work of joints is not known.
  [[nodiscard]] std::vector<std::uint8_t> hauled(std::span<const Twist<3>> velocities) const;

 private:
  const World<3>& world_;
  const ObaTouch& touch_;
  const ObaBodies& bodies_;
  std::vector<int> island_;  ///< of each body
  int count_ = 0;
};

}  // namespace collapse::simulate
