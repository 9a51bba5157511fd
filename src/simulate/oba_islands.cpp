#include "simulate/oba_islands.hpp"

#include <numeric>

#include "simulate/slot.hpp"

namespace collapse::simulate {
ObaIslands::ObaIslands(const World<3>& world, const ObaTouch& touch, const ObaBodies& bodies)
    : world_(world), touch_(touch), bodies_(bodies), island_(touch.poses.size(), -1) {
  std::vector<int> parent(touch.poses.size());
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&parent](int i) {
    while (parent[slot_of(i)] != i) {
      i = parent[slot_of(i)] = parent[slot_of(parent[slot_of(i)])];
    }
    return i;
  };
  const auto join = [&](int a, int b) {
    if (a == kWorld || b == kWorld) return;
    if (bodies.blocks[slot_of(a)] < 0 || bodies.blocks[slot_of(b)] < 0) return;
    parent[slot_of(root(a))] = root(b);
  };
  for (const ObaContact& contact : touch.contacts) join(contact.terms.a, contact.terms.b);
  for (const MovingJointRow<3>& row : touch.joints) {
    const Joint<3>& joint = world.scene().joints[slot_of(row.joint)];
    join(joint.a, joint.b);
  }
  std::vector<int> number(touch.poses.size(), -1);
  for (const int body : bodies.active) {
    int& mine = number[slot_of(root(body))];
    if (mine < 0) mine = count_++;
    island_[slot_of(body)] = mine;
  }
}

std::vector<double> ObaIslands::energies(std::span<const Twist<3>> velocities) const {
  std::vector<double> sums(slot_of(count_), 0.0);
  for (const int body : bodies_.active) {
    const Twist<3>& v = velocities[slot_of(body)];
    sums[slot_of(of(body))] += 0.5 * v.dot(bodies_.masses[slot_of(body)] * v);
  }
  return sums;
}

std::vector<double> ObaIslands::own_energies(std::span<const Twist<3>> velocities,
                                             const ObaImpulses& impulses) const {
  std::vector<double> sums = energies(velocities);
  for (std::size_t c = 0; c < impulses.size(); ++c) {
    const int island = of(touch_.contacts[c]);
    if (island < 0) continue;
    sums[slot_of(island)] -=
        work_of_given(world_, touch_.contacts[c].terms, impulses[c], velocities);
  }
  return sums;
}

std::vector<std::uint8_t> ObaIslands::hauled(std::span<const Twist<3>> velocities) const {
  std::vector<std::uint8_t> flags(slot_of(count_), 0);
  for (const MovingJointRow<3>& row : touch_.joints) {
    const Joint<3>& joint = world_.scene().joints[slot_of(row.joint)];
    for (const auto& [given, other] : {std::pair(joint.a, joint.b), {joint.b, joint.a}}) {
      if (given == kWorld || other == kWorld || of(other) < 0 || of(given) >= 0) continue;
      if (!velocities[slot_of(given)].isZero(0.0)) flags[slot_of(of(other))] = 1;
    }
  }
  return flags;
}

}  // namespace collapse::simulate
