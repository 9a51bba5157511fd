#include "simulate/freezer.hpp"

#include <algorithm>
#include <numeric>

#include "simulate/slot.hpp"

namespace collapse::simulate {
namespace {

/// Steps that bodies have to rest.
constexpr int kStepsToFreeze = 3;

}  // namespace

template <int Dim>
Freezer<Dim>::Freezer(const Scene<Dim>& scene, FreezingUnit unit)
    : scene_(scene),
      unit_(unit),
      frozen_(scene.bodies.size(), 0),
      still_steps_(scene.bodies.size(), 0),
      island_(scene.bodies.size()) {
  std::iota(island_.begin(), island_.end(), 0);
}

template <int Dim>
void Freezer<Dim>::wake(int body) {
  const int island = island_[slot_of(body)];
  const auto of_island = [&](int i) {
    return frozen_[slot_of(i)] != 0 && island_[slot_of(i)] == island;
  };
  const auto ends = [&](const ContactForce<Dim>& contact) {
    return of_island(contact.id.a) || of_island(contact.id.b);
  };
  contacts_.erase(std::remove_if(contacts_.begin(), contacts_.end(), ends), contacts_.end());
  for (std::size_t i = 0; i < frozen_.size(); ++i) {
    if (!of_island(static_cast<int>(i))) continue;
    frozen_[i] = 0;
    still_steps_[i] = 0;
  }
}

template <int Dim>
void Freezer<Dim>::wake_all() {
  std::fill(frozen_.begin(), frozen_.end(), std::uint8_t{0});
  std::fill(still_steps_.begin(), still_steps_.end(), 0);
  contacts_.clear();
}

template <int Dim>
void Freezer<Dim>::ask_all() {
  std::fill(frozen_.begin(), frozen_.end(), std::uint8_t{0});
  contacts_.clear();
}

template <int Dim>
void Freezer<Dim>::join_islands(const std::vector<std::pair<int, int>>& touching) {
  std::vector<int> parent(frozen_.size());
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&parent](int i) {
    while (parent[slot_of(i)] != i) i = parent[slot_of(i)] = parent[slot_of(parent[slot_of(i)])];
    return i;
  };
  const auto join = [&](int a, int b) {
    if (a == kWorld || b == kWorld) return;
    if (scene_.bodies[slot_of(a)].free() && scene_.bodies[slot_of(b)].free())
      parent[slot_of(root(a))] = root(b);
  };
  for (const auto& [a, b] : touching) join(a, b);
  for (const Joint<Dim>& joint : scene_.joints) join(joint.a, joint.b);
  for (std::size_t i = 0; i < frozen_.size(); ++i) {
    if (is_awake(i)) island_[i] = root(static_cast<int>(i));
  }
}

template <int Dim>
std::vector<int> Freezer<Dim>::least_steps(std::span<const std::uint8_t> moved,
                                           const std::vector<std::pair<int, int>>& touching) const {
  std::vector<int> least(frozen_.size(), kStepsToFreeze);
  for (std::size_t i = 0; i < frozen_.size(); ++i) {
    if (!is_awake(i)) continue;
    int& steps = least[slot_of(island_[i])];
    steps = std::min(steps, still_steps_[i]);
  }
  if (unit_ == FreezingUnit::island) return least;
  const auto spoil = [&](int body, int by) {
    if (by == kWorld || body == kWorld) return;
    const bool counts = is_awake(slot_of(by));
    if (!counts && moved[slot_of(by)] == 0) return;
    int& steps = least[slot_of(body)];
    steps = std::min(steps, counts ? still_steps_[slot_of(by)] : 0);
  };
  const auto spoil_both = [&](int a, int b) {
    spoil(a, b);
    spoil(b, a);
  };
  for (const auto& [a, b] : touching) spoil_both(a, b);
  for (const Joint<Dim>& joint : scene_.joints) spoil_both(joint.a, joint.b);
  return least;
}

template <int Dim>
void Freezer<Dim>::look(std::span<const std::uint8_t> moved,
                        const std::vector<std::pair<int, int>>& touching,
                        const std::vector<ContactForce<Dim>>& contacts) {
  for (std::size_t i = 0; i < frozen_.size(); ++i) {
    if (is_awake(i)) still_steps_[i] = moved[i] != 0 ? 0 : still_steps_[i] + 1;
  }
  if (unit_ == FreezingUnit::island) join_islands(touching);
  const std::vector<int> least = least_steps(moved, touching);
  std::vector<std::uint8_t> now(frozen_.size(), 0);
  for (std::size_t i = 0; i < frozen_.size(); ++i) {
    if (is_awake(i) && least[slot_of(island_[i])] >= kStepsToFreeze) now[i] = 1;
  }
  for (std::size_t i = 0; i < frozen_.size(); ++i) frozen_[i] |= now[i];
  for (const ContactForce<Dim>& contact : contacts) {
    const std::size_t a = slot_of(contact.id.a);
    const std::size_t b = slot_of(contact.id.b);
    if ((now[a] != 0 || now[b] != 0) && !is_awake(a) && !is_awake(b)) contacts_.push_back(contact);
  }
}

template class Freezer<2>;
template class Freezer<3>;

}  // namespace collapse::simulate
