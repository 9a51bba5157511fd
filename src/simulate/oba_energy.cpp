#include "simulate/oba_energy.hpp"

#include <algorithm>
#include <cmath>

#include "simulate/slot.hpp"
#include "simulate/together.hpp"

namespace collapse::simulate {
namespace {

/// Of the energies themselves: a gain that is only rounding.
constexpr double kEnergyRounding = 1e-13;

/// Of a set of bodies that touch.
struct SetEnergy {
  double at_start = 0.0;  ///< kinetic
  double leaving = 0.0;   ///< kinetic, see EnergyFrame
  double loads = 0.0;     ///< their work
  double kinetic = 0.0;   ///< at the end
  double lifted = 0.0;    ///< potential energy gained
  double scale = 0.0;     ///< of the numbers it is made of
  double way = 0.0;       ///< the longest of any point
  bool driven = false;

  [[nodiscard]] double before() const { return std::min(at_start, leaving) + loads; }
};

double kinetic_energy(const World<3>& world, int body, const Pose<3>& pose, const Twist<3>& v) {
  return 0.5 * v.dot(world.mass_matrix(body, pose) * v);
}

/// Sets of bodies that touch or have joints, and their energies by their roots.
class EnergySets {
 public:
  EnergySets(const World<3>& world, const EnergyFrame& frame)
      : world_(world), frame_(frame), together_(frame.poses.size()), sets_(frame.poses.size()) {
    for (const auto& [a, b] : frame.touching) join(a, b);
    for (const Joint<3>& joint : world.scene().joints) join(joint.a, joint.b);
    for (const auto& [a, b] : frame.touching) mark_driven(a, b);
    for (const Joint<3>& joint : world.scene().joints) mark_driven(joint.a, joint.b);
  }

  void measure(std::span<const Twist<3>> velocities) {
    std::vector<Twist<3>> forces;
    world_.external(frame_.start, forces);
    for (const int body : world_.free_bodies()) {
      const std::size_t i = slot_of(body);
      const Twist<3> way = world_.displacement(body, frame_.start[i], frame_.poses[i]);
      SetEnergy& set = of(body);
      const double mass = world_.scene().bodies[i].mass.mass;
      const double before =
          kinetic_energy(world_, body, frame_.start[i], frame_.start_velocities[i]);
      set.leaving += kinetic_energy(world_, body, frame_.start[i], frame_.leaving[i]);
      const double after = kinetic_energy(world_, body, frame_.poses[i], velocities[i]);
      const double lifted = -mass * world_.acceleration().dot(way.head<3>());
      forces[i].head<3>() -= mass * world_.acceleration();
      set.at_start += before;
      set.loads += forces[i].dot(way);
      set.kinetic += after;
      set.lifted += lifted;
      set.scale += before + after + std::abs(lifted);
      set.way = std::max(set.way, world_.way_of(body, way));
    }
  }

  [[nodiscard]] SetEnergy& of(int body) { return sets_[together_.root(slot_of(body))]; }

 private:
  [[nodiscard]] bool is_free(int body) const { return world_.block_of(body) >= 0; }
  void join(int a, int b) {
    if (is_free(a) && is_free(b)) together_.join(a, b);
  }
  void mark_driven(int a, int b) {
    for (const auto& [body, other] : {std::pair(a, b), {b, a}}) {
      if (!is_free(body) || other == kWorld) continue;
      if (frame_.driven[slot_of(other)] != 0) of(body).driven = true;
    }
  }

  const World<3>& world_;
  const EnergyFrame& frame_;
  Together together_;
  std::vector<SetEnergy> sets_;
};

}  // namespace

double keep_energy(const World<3>& world, const EnergyFrame& frame,
                   std::vector<Twist<3>>& velocities) {
  EnergySets sets(world, frame);
  sets.measure(velocities);
  double left = 0.0;
  for (const int body : world.free_bodies()) {
    SetEnergy& set = sets.of(body);
    const double gain = set.kinetic + set.lifted - set.before();
    if (set.driven || gain <= kEnergyRounding * set.scale) continue;
    velocities[slot_of(body)] *= gain < set.kinetic ? std::sqrt(1.0 - gain / set.kinetic) : 0.0;
    left = std::max(left, gain - set.kinetic);
  }
  return left;
}

bool undo_free_lifts(const World<3>& world, const EnergyFrame& frame, double small,
                     std::vector<Pose<3>>& poses) {
  EnergySets sets(world, frame);
  sets.measure(frame.start_velocities);
  bool any = false;
  for (const int body : world.free_bodies()) {
    const SetEnergy& set = sets.of(body);
    if (set.driven || set.way > small) continue;
    if (set.lifted - set.before() <= kEnergyRounding * set.scale) continue;
    poses[slot_of(body)] = frame.start[slot_of(body)];
    any = true;
  }
  return any;
}

}  // namespace collapse::simulate
