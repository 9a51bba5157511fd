#pragma once
/// What scheme `oba` does not say of itself: that energy does not grow. A frame may lift bodies to part them, at speeds
/// that they would only have had further down. Where the bodies that touch have more energy at the end of a frame than at
/// its start, and nothing given has touched them, all of them get slower in the same ratio: contacts that part go on
/// parting and joints stay closed. And what would be lifted without the speed for it, by no more than gravity moves it in
/// a frame, stays where it was: so a pile that the position update shakes comes to rest.

#include <span>
#include <utility>
#include <vector>

#include "simulate/world.hpp"

namespace collapse::simulate {

/// A frame as it has been made so far.
struct EnergyFrame {
  std::span<const Pose<3>> start;
  std::span<const Twist<3>> start_velocities;
  std::span<const Twist<3>>
      leaving;  ///< velocities after contacts have pushed, where they do: what they stop is lost
  std::span<const Pose<3>> poses;
  std::span<const std::pair<int, int>> touching;  ///< pairs of bodies
  std::span<const std::uint8_t> driven;           ///< of each body: given, and it moves
};

/// Returns the energy that could not be taken away from any of these sets, because there was no speed left.
double keep_energy(const World<3>& world, const EnergyFrame& frame,
                   std::vector<Twist<3>>& velocities);

/// Bodies that touch, go no further than `small`, and would have more energy at the end than at the start even without
/// any speed, get back to where they started. Whether there were any.
[[nodiscard]] bool undo_free_lifts(const World<3>& world, const EnergyFrame& frame, double small,
                                   std::vector<Pose<3>>& poses);

}  // namespace collapse::simulate
