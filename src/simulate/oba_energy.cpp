#include "simulate/oba_energy.hpp"

#include <algorithm>
#include <cmath>

#include "simulate/together.hpp"

namespace collapse::simulate {
namespace {

/// Of the energies themselves: a gain that is only rounding.
constexpr double kEnergyRounding = 1e-13;

/// Of a set of bodies that touch.
struct SetEnergy {
  double before = 0.0;
  double kinetic = 0.0;  ///< at the end
  double lifted = 0.0;   ///< potential energy gained
  double scale = 0.0;    ///< of the numbers it is made of
  bool driven = false;
};

double kinetic_energy(const World<3>& world, int body, const Pose<3>& pose, const Twist<3>& v) {
  return 0.5 * v.dot(world.mass_matrix(body, pose) * v);
}

}  // namespace

double keep_energy(const World<3>& world, const EnergyFrame& frame,
                   std::vector<Twist<3>>& velocities) {
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  const auto is_free = [&](int body) { return world.block_of(body) >= 0; };
  Together together(frame.poses.size());
  for (const auto& [a, b] : frame.touching) {
    if (is_free(a) && is_free(b)) together.join(a, b);
  }
  for (const Joint<3>& joint : world.scene().joints) {
    if (is_free(joint.a) && is_free(joint.b)) together.join(joint.a, joint.b);
  }
  std::vector<SetEnergy> sets(frame.poses.size());
  for (const auto& [a, b] : frame.touching) {
    if (is_free(a) && frame.driven[at(b)] != 0) sets[together.root(at(a))].driven = true;
    if (is_free(b) && frame.driven[at(a)] != 0) sets[together.root(at(b))].driven = true;
  }
  for (const Joint<3>& joint : world.scene().joints) {
    for (const auto& [body, other] : {std::pair(joint.a, joint.b), {joint.b, joint.a}}) {
      if (!is_free(body) || other == kWorld || frame.driven[at(other)] == 0) continue;
      sets[together.root(at(body))].driven = true;
    }
  }
  std::vector<Twist<3>> forces;
  world.external(frame.start, forces);
  for (const int body : world.free_bodies()) {
    const std::size_t i = at(body);
    const Twist<3> way = world.displacement(body, frame.start[i], frame.poses[i]);
    SetEnergy& set = sets[together.root(i)];
    const double mass = world.scene().bodies[i].mass.mass;
    const double before = kinetic_energy(world, body, frame.start[i], frame.start_velocities[i]);
    const double after = kinetic_energy(world, body, frame.poses[i], velocities[i]);
    const double lifted = -mass * world.acceleration().dot(way.head<3>());
    forces[i].head<3>() -= mass * world.acceleration();
    set.before += before + forces[i].dot(way);
    set.kinetic += after;
    set.lifted += lifted;
    set.scale += before + after + std::abs(lifted);
  }
  double left = 0.0;
  std::vector<double> factors(sets.size(), 1.0);
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const SetEnergy& set = sets[i];
    const double gain = set.kinetic + set.lifted - set.before;
    if (set.driven || gain <= kEnergyRounding * set.scale) continue;
    left += std::max(0.0, gain - set.kinetic);
    factors[i] = gain < set.kinetic ? std::sqrt(1.0 - gain / set.kinetic) : 0.0;
  }
  for (const int body : world.free_bodies())
    velocities[at(body)] *= factors[together.root(at(body))];
  return left;
}

}  // namespace collapse::simulate
