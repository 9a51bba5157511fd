#include "simulate/freezer.hpp"

#include <algorithm>
#include <numeric>

#include "simulate/slot.hpp"

namespace collapse::simulate {
namespace {

/// Steps that an island has to rest.
constexpr int kStepsToFreeze = 3;

}  // namespace

template <int Dim>
Freezer<Dim>::Freezer(const Scene<Dim>& scene)
    : scene_(scene),
      frozen_(scene.bodies.size(), 0),
      still_steps_(scene.bodies.size(), 0),
      island_(scene.bodies.size(), -1) {}

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
void Freezer<Dim>::look(std::span<const std::uint8_t> moved,
                        const std::vector<std::pair<int, int>>& touching,
                        const std::vector<ContactForce<Dim>>& contacts) {
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
  std::vector<int> least(frozen_.size(), kStepsToFreeze);
  const auto is_awake = [&](std::size_t i) { return scene_.bodies[i].free() && frozen_[i] == 0; };
  for (std::size_t i = 0; i < frozen_.size(); ++i) {
    if (!is_awake(i)) continue;
    still_steps_[i] = moved[i] != 0 ? 0 : still_steps_[i] + 1;
    int& steps = least[slot_of(root(static_cast<int>(i)))];
    steps = std::min(steps, still_steps_[i]);
  }
  std::vector<std::uint8_t> now(frozen_.size(), 0);
  for (std::size_t i = 0; i < frozen_.size(); ++i) {
    const int island = root(static_cast<int>(i));
    if (!is_awake(i) || least[slot_of(island)] < kStepsToFreeze) continue;
    now[i] = frozen_[i] = 1;
    island_[i] = island;
  }
  for (const ContactForce<Dim>& contact : contacts) {
    if (now[slot_of(contact.id.a)] != 0 || now[slot_of(contact.id.b)] != 0)
      contacts_.push_back(contact);
  }
}

template class Freezer<2>;
template class Freezer<3>;

}  // namespace collapse::simulate
