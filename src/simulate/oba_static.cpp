#include "simulate/oba_static.hpp"

#include <algorithm>
#include <cmath>

#include "simulate/slot.hpp"

namespace collapse::simulate {
namespace {

/// Of gravity's acceleration: how far u(a) may be from the tip of its cone and still be there, or above the plane of
/// the contact and still lie in it.
constexpr double kAtTip = 1e-6;

}  // namespace

ObaStatic::ObaStatic(const World<3>& world, const SimulationOptions& options, ObaMomentum& momentum)
    : world_(world),
      options_(options),
      momentum_(momentum),
      program_(world, options, ObaProgram::Kind::accurate) {}

void ObaStatic::forget() { program_.forget(); }

bool ObaStatic::apply(const ObaTouch& touch, double h, std::span<const std::uint8_t> frozen,
                      std::vector<Twist<3>>& velocities, ObaImpulses& impulses,
                      StepReport<3>& report) {
  std::vector<Twist<3>> forces;
  world_.external(touch.poses, forces);
  const std::vector<Twist<3>> before = velocities;
  for (const int body : world_.free_bodies()) {
    const std::size_t i = slot_of(body);
    if (!frozen.empty() && frozen[i] != 0) continue;
    velocities[i] += h * (world_.inverse_mass_matrix(body, touch.poses[i]) * forces[i]);
  }
  const bool done = options_.oba.static_contact == StaticContact::impulses
                        ? momentum_.press(touch, frozen, velocities, impulses, report)
                        : by_accelerations(touch, h, frozen, before, velocities, impulses, report);
  if (!done) {
    velocities = before;
    return false;
  }
  // What is within the accuracy of the programs is rest.
  const double still = 4.0 * kRestShare * h * world_.acceleration().norm();
  for (const int body : world_.free_bodies()) {
    Twist<3>& v = velocities[slot_of(body)];
    if (world_.way_of(body, v) <= still) v.setZero();
  }
  return true;
}

/// On entry the velocities are those without contacts.
bool ObaStatic::by_accelerations(const ObaTouch& touch, double h,
                                 std::span<const std::uint8_t> frozen,
                                 std::span<const Twist<3>> before,
                                 std::vector<Twist<3>>& velocities, ObaImpulses& impulses,
                                 StepReport<3>& report) {
  const ObaBodies bodies(world_, touch, frozen);
  const bool cones = options_.oba.static_contact == StaticContact::cones;
  std::vector<Twist<3>> accelerations(velocities.size(), Twist<3>::Zero());
  std::vector<Twist<3>> forces(velocities.size(), Twist<3>::Zero());
  for (const int body : bodies.active) {
    const std::size_t i = slot_of(body);
    accelerations[i] = (velocities[i] - before[i]) / h;
    forces[i] = bodies.masses[i] * accelerations[i];
  }
  std::vector<Vec<3>> tips(touch.contacts.size(), Vec<3>::Zero());
  for (std::size_t c = 0; cones && c < tips.size(); ++c) {
    tips[c].tail<2>() = -motion_over(touch.contacts[c].terms, before).tail<2>() / h;
  }
  ObaImpulses found;
  const int rounds = cones ? options_.oba.cone_iterations : 1;
  for (int round = 0; round < rounds; ++round) {
    if (!program_.solve({touch, bodies, forces, tips, cones}, accelerations, found, report)) {
      return false;
    }
    if (!cones || !move_tips(touch, accelerations, found, tips)) break;
  }
  for (const int body : bodies.active) {
    const std::size_t i = slot_of(body);
    velocities[i] = before[i] + h * accelerations[i];
  }
  impulses.resize(touch.contacts.size(), Vec<3>::Zero());
  for (std::size_t c = 0; c < found.size(); ++c) impulses[c] += h * found[c];
  return true;
}

/// Cones whose contact pushes and opens all the same move below where it is. Whether any did.
bool ObaStatic::move_tips(const ObaTouch& touch, std::span<const Twist<3>> accelerations,
                          const ObaImpulses& found, std::vector<Vec<3>>& tips) const {
  const double near = kAtTip * world_.acceleration().norm();
  bool moved = false;
  for (std::size_t c = 0; c < tips.size(); ++c) {
    const Vec<3> a = motion_over(touch.contacts[c].terms, accelerations);
    if (found[c].isZero(0.0) || a[0] <= near) continue;
    tips[c].tail<2>() = a.tail<2>();
    moved = true;
  }
  return moved;
}

}  // namespace collapse::simulate
