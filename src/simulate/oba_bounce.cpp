/// Contacts of an ObaMomentum at once: pressed together, and sprung apart.

#include <algorithm>
#include <cmath>

#include "simulate/oba_islands.hpp"
#include "simulate/oba_momentum.hpp"
#include "simulate/slot.hpp"

namespace collapse::simulate {
namespace {

/// Of the fastest motion at a contact: what no longer matters between rounds.
constexpr double kRoundFit = 1e-4;
/// Programs for Coulomb's law at most.
constexpr int kLawRounds = 12;
/// Of the fastest bounce: what may be missing of a contact's bounce before it counts as impossible.
constexpr double kMissing = 0.01;

double fastest_bounce(std::span<const double> bounds) {
  double fastest = 0.0;
  for (const double bound : bounds) fastest = std::max(fastest, bound);
  return fastest;
}

/// By how much a motion along the tangents lifts under the associated law: the largest −j_t·u_t of all impulses with
/// j_n = 1.
double lift_of(const ObaContact& contact, const ConeModel& model, const Vec<2>& tangential) {
  if (contact.mu == 0.0) return 0.0;
  if (model.cone == FrictionCone::circular) return contact.mu * tangential.norm();
  const ObaCone cone = oba_cone(contact.terms, contact.mu, model);
  double lift = 0.0;
  for (Eigen::Index k = 0; k < cone.rows(); ++k) {
    lift = std::max(lift, -cone.row(k).tail<2>().dot(tangential) / cone(k, 0));
  }
  return lift;
}

}  // namespace

/// Contacts with friction and the bounds given; under Coulomb's law in rounds, until what the tips of the cones are
/// lowered by is what sliding lifts.
bool ObaMomentum::squeeze(const Frame& frame, std::span<const Twist<3>> momenta,
                          std::vector<Twist<3>>& velocities, ObaImpulses& impulses,
                          ObaProgram& program, StepReport<3>& report) const {
  const std::span<const ObaContact> contacts = frame.touch.contacts;
  std::vector<Vec<3>> tips(contacts.size(), Vec<3>::Zero());
  std::vector<double> lifts(contacts.size(), 0.0);
  const double fit =
      kRoundFit * std::max(fastest_motion(frame.touch, velocities), fastest_bounce(frame.bounds));
  for (int round = 0; round < kLawRounds; ++round) {
    double change = 0.0;
    for (std::size_t c = 0; c < contacts.size(); ++c) {
      if (!options_.oba.lift) {
        const double lift =
            lift_of(contacts[c], options_.oba.cone, contacts[c].terms.along_tangents(velocities));
        change = std::max(change, std::abs(lift - lifts[c]));
        lifts[c] = lift;
      }
      tips[c][0] = frame.bounds[c] - lifts[c];
    }
    if (round > 0 && change <= fit) break;
    if (!program.solve({frame.touch, frame.bodies, momenta, tips}, velocities, impulses, report)) {
      return false;
    }
    if (options_.oba.lift) break;
  }
  return true;
}

/// Apart again from the velocities given, without friction. Bounces that contradict each other, as of a ball that fills
/// the gap between two walls, are given up.
bool ObaMomentum::spring(Frame& frame, std::vector<Twist<3>>& velocities, ObaImpulses& impulses,
                         StepReport<3>& report) {
  const std::span<const ObaContact> contacts = frame.touch.contacts;
  std::vector<Twist<3>> momenta(velocities.size(), Twist<3>::Zero());
  for (const int body : frame.bodies.active) {
    momenta[slot_of(body)] = frame.bodies.masses[slot_of(body)] * velocities[slot_of(body)];
  }
  for (;;) {
    const double fastest = fastest_bounce(frame.bounds);
    std::vector<Vec<3>> tips(contacts.size(), Vec<3>::Zero());
    for (std::size_t c = 0; c < contacts.size(); ++c) tips[c][0] = frame.bounds[c];
    if (!spring_.solve({frame.touch, frame.bodies, momenta, tips, false}, velocities, impulses,
                       report)) {
      return false;
    }
    bool gave_up = false;
    for (std::size_t c = 0; c < contacts.size(); ++c) {
      const double missing = frame.bounds[c] - contacts[c].terms.along_normal(velocities);
      if (frame.bounds[c] == 0.0 || missing <= kMissing * fastest) continue;
      frame.bounds[c] = 0.0;
      gave_up = true;
    }
    if (!gave_up) return true;
    ++report.dulled_impacts;
  }
}

/// Whether pressing together again would lead to the same velocities: what the springs gained acts where nothing
/// parts already, and leaves the impulses in their cones.
bool ObaMomentum::is_settled(const Frame& frame, std::span<const Twist<3>> squeezed,
                             const ObaImpulses& total, const ObaImpulses& gained,
                             double fit) const {
  for (std::size_t c = 0; c < frame.touch.contacts.size(); ++c) {
    const ObaContact& contact = frame.touch.contacts[c];
    const double gain = contact.terms.normal.dot(gained[c]);
    if (std::abs(gain) * frame.bodies.inverse_mass(contact.terms) <= fit) continue;
    if (contact.terms.along_normal(squeezed) > fit) return false;
    const double normal = contact.terms.normal.dot(total[c]);
    if (gain < 0.0 && (total[c] - normal * contact.terms.normal).norm() > contact.mu * normal) {
      return false;
    }
  }
  return true;
}

bool ObaMomentum::at_once(Frame& frame, std::vector<Twist<3>>& velocities, ObaImpulses& impulses,
                          StepReport<3>& report) {
  const std::size_t count = frame.touch.contacts.size();
  const std::vector<Twist<3>> before = velocities;
  const double fit = kRoundFit * fastest_motion(frame.touch, before);
  const auto momentum_of = [&frame](int body, const Twist<3>& v) -> Twist<3> {
    return frame.bodies.masses[slot_of(body)] * v;
  };
  std::vector<Twist<3>> momenta(before.size(), Twist<3>::Zero());
  for (const int body : frame.bodies.active) {
    momenta[slot_of(body)] = momentum_of(body, before[slot_of(body)]);
  }
  const bool bounces = std::any_of(frame.bounds.begin(), frame.bounds.end(),
                                   [](double bound) { return bound > 0.0; });
  const Frame rest{frame.touch, frame.bodies, std::vector<double>(count, 0.0)};
  std::vector<Twist<3>> squeezed = before;
  std::vector<Twist<3>> first;
  ObaImpulses first_impulses;
  if (!options_.oba.lift || !bounces) {
    if (!squeeze(frame, momenta, velocities, impulses, squeeze_, report)) return false;
    if (!bounces || !gains_energy(frame, before, velocities, impulses)) return true;
    if (!squeeze(rest, momenta, squeezed, first_impulses, squeeze_, report)) return false;
    blend(frame, before, {squeezed, first_impulses}, velocities, impulses, report);
    return true;
  }
  ObaImpulses springs(count, Vec<3>::Zero());
  for (int round = 0; round < bounce_rounds(); ++round) {
    if (!squeeze(rest, momenta, squeezed, impulses, squeeze_, report)) return false;
    if (round == 0) {
      first = squeezed;
      first_impulses = impulses;
    }
    ObaImpulses gained = springs;
    velocities = squeezed;
    if (!spring(frame, velocities, springs, report)) return false;
    for (std::size_t c = 0; c < count; ++c) {
      gained[c] = springs[c] - gained[c];
      impulses[c] += gained[c];
    }
    for (const int body : frame.bodies.active) {
      const std::size_t i = slot_of(body);
      momenta[i] = momentum_of(body, before[i] - velocities[i] + squeezed[i]);
    }
    if (is_settled(frame, squeezed, impulses, gained, fit)) break;
  }
  blend(frame, before, {first, first_impulses}, velocities, impulses, report);
  return true;
}

bool ObaMomentum::gains_energy(const Frame& frame, std::span<const Twist<3>> before,
                               std::span<const Twist<3>> after, const ObaImpulses& impulses) const {
  const ObaIslands islands(world_, frame.touch, frame.bodies);
  const std::vector<double> had = islands.energies(before);
  const std::vector<double> has = islands.own_energies(after, impulses);
  const std::vector<std::uint8_t> hauled = islands.hauled(before);
  for (std::size_t i = 0; i < had.size(); ++i) {
    if (hauled[i] == 0 && has[i] > had[i]) return true;
  }
  return false;
}

/// Newton's rule may add energy where several bodies collide, beyond the work of given ones. Then as much of the bounce as
/// does not: the velocities on the way from those pressed together, which have less than those before, to those sprung
/// apart. Energies here are less that work, which is linear in the impulses, and so along the way.
void ObaMomentum::blend(const Frame& frame, std::span<const Twist<3>> before, const Squeezed& least,
                        std::vector<Twist<3>>& velocities, ObaImpulses& impulses,
                        StepReport<3>& report) const {
  const ObaIslands islands(world_, frame.touch, frame.bodies);
  const std::vector<double> had = islands.energies(before);
  const std::vector<double> has = islands.own_energies(velocities, impulses);
  const std::vector<double> kept = islands.own_energies(least.velocities, least.impulses);
  const std::vector<std::uint8_t> hauled = islands.hauled(before);
  std::vector<Twist<3>> ways = velocities;
  for (const int body : frame.bodies.active) ways[slot_of(body)] -= least.velocities[slot_of(body)];
  const std::vector<double> apart = islands.energies(ways);
  // Energy at a share s of the way: kept + (has − kept − apart) s + apart s².
  std::vector<double> shares(had.size(), 1.0);
  for (std::size_t i = 0; i < had.size(); ++i) {
    if (hauled[i] != 0 || has[i] <= had[i] || !(apart[i] > 0.0)) continue;
    const double slope = has[i] - kept[i] - apart[i];
    const double room = std::max(0.0, had[i] - kept[i]);
    const double root = std::sqrt(slope * slope + 4.0 * apart[i] * room);
    // Whichever form loses no digits.
    shares[i] = std::clamp(
        slope > 0.0 ? 2.0 * room / (slope + root) : (root - slope) / (2.0 * apart[i]), 0.0, 1.0);
    ++report.dulled_impacts;
  }
  for (const int body : frame.bodies.active) {
    const std::size_t i = slot_of(body);
    const double share = shares[slot_of(islands.of(body))];
    if (share < 1.0) velocities[i] = least.velocities[i] + share * ways[i];
  }
  for (std::size_t c = 0; c < impulses.size(); ++c) {
    const int island = islands.of(frame.touch.contacts[c]);
    if (island < 0) continue;
    const double share = shares[slot_of(island)];
    if (share < 1.0) impulses[c] = least.impulses[c] + share * (impulses[c] - least.impulses[c]);
  }
}

}  // namespace collapse::simulate
