#include "simulate/oba_freezer.hpp"

#include <algorithm>

#include "simulate/slot.hpp"

namespace collapse::simulate {
ObaFreezer::ObaFreezer(const World<3>& world, const SimulationOptions& options)
    : world_(world),
      options_(options),
      frozen_(world.scene().bodies.size(), 0),
      calm_frames_(world.scene().bodies.size(), 0) {}

/// Kinetic energy above ½ m (g h)², or anything at all where only exact rest freezes.
bool ObaFreezer::wakes(int body, const Pose<3>& pose, const Twist<3>& velocity, double h) const {
  if (!options_.oba.freezing_by_energy) return !velocity.isZero(0.0);
  const double fall = h * world_.acceleration().norm();
  const double mass = world_.scene().bodies[slot_of(body)].mass.mass;
  return velocity.dot(world_.mass_matrix(body, pose) * velocity) >= mass * fall * fall;
}

void ObaFreezer::wake(int body) {
  frozen_[slot_of(body)] = 0;
  calm_frames_[slot_of(body)] = 0;
}

void ObaFreezer::wake_all() {
  std::fill(frozen_.begin(), frozen_.end(), std::uint8_t{0});
  std::fill(calm_frames_.begin(), calm_frames_.end(), 0);
}

bool ObaFreezer::is_cold(int body, std::span<const Pose<3>> poses) const {
  if (options_.oba.cold.empty()) return true;
  const Vec<3> centre = world_.centre(body, poses);
  return std::any_of(options_.oba.cold.begin(), options_.oba.cold.end(),
                     [&centre](const ColdVolume& box) {
                       return (centre.array() >= box.least.array()).all() &&
                              (centre.array() <= box.most.array()).all();
                     });
}

/// Bodies on given paths hold nothing still: they may leave.
void ObaFreezer::look(std::span<const Pose<3>> poses, std::span<const std::pair<int, int>> touching,
                      double h, std::vector<Twist<3>>& velocities) {
  if (!options_.freezing) return;
  const auto holds = [&](int body) {
    return body == kWorld || world_.scene().bodies[slot_of(body)].fixed ||
           frozen_[slot_of(body)] != 0;
  };
  std::vector<std::uint8_t> held(frozen_.size(), 0);
  for (const auto& [a, b] : touching) {
    if (a != kWorld && holds(b)) held[slot_of(a)] = 1;
    if (b != kWorld && holds(a)) held[slot_of(b)] = 1;
  }
  for (const int body : world_.free_bodies()) {
    const std::size_t i = slot_of(body);
    if (frozen_[i] != 0) continue;
    const bool calm =
        held[i] != 0 && !wakes(body, poses[i], velocities[i], h) && is_cold(body, poses);
    calm_frames_[i] = calm ? calm_frames_[i] + 1 : 0;
    if (calm_frames_[i] <= options_.oba.c_f) continue;
    frozen_[i] = 1;
    velocities[i].setZero();
  }
}

void ObaFreezer::save(std::vector<double>& numbers) const {
  for (std::size_t i = 0; i < frozen_.size(); ++i) {
    numbers.push_back(frozen_[i] != 0 ? -1.0 : calm_frames_[i]);
  }
}

const double* ObaFreezer::load(const double* numbers) {
  for (std::size_t i = 0; i < frozen_.size(); ++i, ++numbers) {
    frozen_[i] = *numbers < 0.0 ? 1 : 0;
    calm_frames_[i] = frozen_[i] != 0 ? 0 : static_cast<int>(*numbers);
  }
  return numbers;
}

}  // namespace collapse::simulate
