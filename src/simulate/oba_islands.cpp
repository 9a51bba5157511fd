#include "simulate/oba_islands.hpp"

#include <numeric>

namespace collapse::simulate {
namespace {

std::size_t island_index(int i) { return static_cast<std::size_t>(i); }

}  // namespace

ObaIslands::ObaIslands(const World<3>& world, const ObaTouch& touch, const ObaBodies& bodies)
    : world_(world), touch_(touch), bodies_(bodies), island_(touch.poses.size(), -1) {
  std::vector<int> parent(touch.poses.size());
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&parent](int i) {
    while (parent[island_index(i)] != i) {
      i = parent[island_index(i)] = parent[island_index(parent[island_index(i)])];
    }
    return i;
  };
  const auto join = [&](int a, int b) {
    if (a == kWorld || b == kWorld) return;
    if (bodies.blocks[island_index(a)] < 0 || bodies.blocks[island_index(b)] < 0) return;
    parent[island_index(root(a))] = root(b);
  };
  for (const ObaContact& contact : touch.contacts) join(contact.terms.a, contact.terms.b);
  for (const MovingJointRow<3>& row : touch.joints) {
    const Joint<3>& joint = world.scene().joints[island_index(row.joint)];
    join(joint.a, joint.b);
  }
  std::vector<int> number(touch.poses.size(), -1);
  for (const int body : bodies.active) {
    int& mine = number[island_index(root(body))];
    if (mine < 0) mine = count_++;
    island_[island_index(body)] = mine;
  }
}

std::vector<double> ObaIslands::energies(std::span<const Twist<3>> velocities) const {
  std::vector<double> sums(island_index(count_), 0.0);
  for (const int body : bodies_.active) {
    const Twist<3>& v = velocities[island_index(body)];
    sums[island_index(of(body))] += 0.5 * v.dot(bodies_.masses[island_index(body)] * v);
  }
  return sums;
}

std::vector<std::uint8_t> ObaIslands::driven(std::span<const Twist<3>> velocities) const {
  std::vector<std::uint8_t> flags(island_index(count_), 0);
  const auto mark = [&](int a, int b) {
    for (const auto& [given, other] : {std::pair(a, b), {b, a}}) {
      if (given == kWorld || other == kWorld || of(other) < 0 || of(given) >= 0) continue;
      if (!velocities[island_index(given)].isZero(0.0)) flags[island_index(of(other))] = 1;
    }
  };
  for (const ObaContact& contact : touch_.contacts) mark(contact.terms.a, contact.terms.b);
  for (const MovingJointRow<3>& row : touch_.joints) {
    const Joint<3>& joint = world_.scene().joints[island_index(row.joint)];
    mark(joint.a, joint.b);
  }
  return flags;
}

}  // namespace collapse::simulate
