#pragma once
/// Freezing as published: a body whose kinetic energy is below what gravity gives it in a frame, more than c_f frames in
/// a row, while it touches something fixed or frozen, inside a cold volume, is left where it is: no gravity, no rows
/// against what is fixed or frozen. Only a collision that gives it more than that energy wakes it. Unlike Freezer this
/// may stop what would have gone on moving.

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "simulate/world.hpp"

namespace collapse::simulate {

class ObaFreezer {
 public:
  ObaFreezer(const World<3>& world, const SimulationOptions& options);

  /// Of each body, whether it is frozen: all 0 without freezing.
  [[nodiscard]] const std::vector<std::uint8_t>& frozen() const { return frozen_; }
  /// Whether that velocity is more than a frozen body keeps still with.
  [[nodiscard]] bool wakes(int body, const Pose<3>& pose, const Twist<3>& velocity, double h) const;
  void wake(int body);
  void wake_all();
  /// At the end of a frame of length h. `touching`: pairs of bodies that touch; velocities of bodies that freeze become
  /// zero.
  void look(std::span<const Pose<3>> poses, std::span<const std::pair<int, int>> touching, double h,
            std::vector<Twist<3>>& velocities);
  /// See Scheme.
  void save(std::vector<double>& numbers) const;
  const double* load(const double* numbers);

 private:
  [[nodiscard]] bool is_cold(int body, std::span<const Pose<3>> poses) const;

  const World<3>& world_;
  const SimulationOptions& options_;
  std::vector<std::uint8_t> frozen_;
  std::vector<int> calm_frames_;
};

}  // namespace collapse::simulate
