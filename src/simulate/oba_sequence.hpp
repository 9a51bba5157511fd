#pragma once
/// Collisions one at a time, the fastest approach first: a priority queue in which a hit changes only what touches the two
/// bodies. Frozen bodies that are hit hard enough wake, and their contacts with other frozen bodies begin to count.

#include <vector>

#include "simulate/oba_freezer.hpp"
#include "simulate/oba_program.hpp"

namespace collapse::simulate {

/// What counts as a collision.
struct ObaSpeeds {
  double collides = 0.0;  ///< approach faster than this
  double bounces = 0.0;   ///< slower collisions end without restitution

  [[nodiscard]] double bound(const ObaContact& contact, double speed) const {
    return speed < -bounces ? -contact.restitution * speed : 0.0;
  }
};

class ObaSequence {
 public:
  ObaSequence(const World<3>& world, const ObaTouch& touch, const ObaBodies& bodies, double h,
              const ObaSpeeds& speeds, ObaFreezer& freezer, std::vector<Twist<3>>& velocities);

  /// Resolves up to `limit` collisions; adds to `impulses`. Whether none is left.
  bool run(int limit, ObaImpulses& impulses);

 private:
  [[nodiscard]] double approach(int contact) const;
  [[nodiscard]] bool moves(int body) const;
  [[nodiscard]] bool before(int x, int y) const;
  void place(std::size_t position, int contact);
  void sift_up(std::size_t position);
  void sift_down(std::size_t position);
  void touch_changed(int body);
  void strike(int contact, ObaImpulses& impulses);

  const World<3>& world_;
  const ObaTouch& touch_;
  const ObaBodies& bodies_;
  double h_;
  ObaSpeeds speeds_;
  ObaFreezer& freezer_;
  std::vector<Twist<3>>& velocities_;
  std::vector<int> first_;  ///< of each body, in contacts_of_; one more at the end
  std::vector<int> contacts_of_;
  std::vector<double> speed_;       ///< n·u of each contact, 0 where it does not count
  std::vector<int> heap_;           ///< contacts, the fastest approach on top
  std::vector<std::size_t> where_;  ///< of each contact in the heap
};

}  // namespace collapse::simulate
