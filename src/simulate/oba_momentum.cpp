#include "simulate/oba_momentum.hpp"

#include <algorithm>
#include <cmath>

#include "simulate/oba_islands.hpp"
#include "simulate/slot.hpp"

namespace collapse::simulate {
namespace {

/// Of what gravity gives in a frame: approach that counts as a collision where static contact looks at accelerations
/// alone and would let it go on.
constexpr double kSlowCollision = 1e-3;
/// Bodies that gravity alone brought together within one frame do not bounce. Above 1, against rounding.
constexpr double kFallShare = 1.001;
/// Rounds of pressing together and springing apart at most, of few bodies. Each is admissible: of many one will do.
constexpr int kBounceRounds = 24;
/// Collisions of fewer bodies are resolved one by one as often as there are bodies; of more, this share of the contacts.
constexpr std::size_t kFewBodies = 50;
constexpr double kSequenceShare = 0.1;

bool tears(const MovingJointRow<3>& row, const Joint<3>& joint,
           std::span<const Twist<3>> velocities, double speed) {
  double tear = 0.0;
  if (joint.a != kWorld) tear += row.row.on_a.dot(velocities[slot_of(joint.a)]);
  if (joint.b != kWorld) tear += row.row.on_b.dot(velocities[slot_of(joint.b)]);
  return std::abs(tear) > speed;
}

/// Work of bodies without a block on those with one.
double work_of_all_given(const World<3>& world, const ObaTouch& touch, const ObaImpulses& impulses,
                         std::span<const Twist<3>> velocities) {
  double work = 0.0;
  for (std::size_t c = 0; c < touch.contacts.size(); ++c) {
    work += work_of_given(world, touch.contacts[c].terms, impulses[c], velocities);
  }
  return work;
}

}  // namespace

ObaMomentum::ObaMomentum(const World<3>& world, const SimulationOptions& options)
    : world_(world),
      options_(options),
      squeeze_(world, options, ObaProgram::Kind::quick),
      spring_(world, options, ObaProgram::Kind::quick),
      press_(world, options, ObaProgram::Kind::accurate) {}

void ObaMomentum::forget() {
  squeeze_.forget();
  spring_.forget();
  press_.forget();
}

/// Static contact by impulses stops what gravity alone brings together. Without gravity all that is more than rounding
/// collides.
ObaSpeeds ObaMomentum::speeds(double h, const ObaTouch& touch,
                              std::span<const Twist<3>> velocities) const {
  const double fall = kFallShare * h * world_.acceleration().norm();
  const double rounding = 1e-9 * fastest_motion(touch, velocities);
  const bool stopped = options_.oba.static_contact == StaticContact::impulses;
  return {std::max(stopped ? fall : kSlowCollision * fall, rounding), fall};
}

bool ObaMomentum::joints_tear(const ObaTouch& touch, std::span<const Twist<3>> velocities,
                              double speed) const {
  return std::any_of(touch.joints.begin(), touch.joints.end(), [&](const MovingJointRow<3>& row) {
    return tears(row, world_.scene().joints[slot_of(row.joint)], velocities, speed);
  });
}

int ObaMomentum::sequence_length(const ObaTouch& touch) const {
  if (options_.oba.sequential_collisions >= 0) return options_.oba.sequential_collisions;
  const std::size_t bodies = world_.free_bodies().size();
  if (bodies < kFewBodies) return static_cast<int>(bodies);
  return static_cast<int>(kSequenceShare * static_cast<double>(touch.contacts.size()));
}

int ObaMomentum::bounce_rounds() const {
  if (options_.oba.bounce_rounds > 0) return options_.oba.bounce_rounds;
  return world_.free_bodies().size() < kFewBodies ? kBounceRounds : 1;
}

/// Contacts of islands in which something collides or a joint tears. Those of frozen bodies with what does not move do
/// not take part.
std::vector<std::size_t> ObaMomentum::still_colliding(const ObaTouch& touch,
                                                      const ObaBodies& movable,
                                                      const ObaFreezer& freezer,
                                                      const ObaSpeeds& limits,
                                                      std::span<const Twist<3>> velocities) const {
  const auto moves = [&](int body) {
    const Body<3>& solid = world_.scene().bodies[slot_of(body)];
    return solid.free() ? freezer.frozen()[slot_of(body)] == 0 : !solid.motion.empty();
  };
  const ObaIslands islands(world_, touch, movable);
  std::vector<std::uint8_t> collides(slot_of(islands.count()), 0);
  for (const ObaContact& contact : touch.contacts) {
    const int island = islands.of(contact);
    if (island < 0 || (!moves(contact.terms.a) && !moves(contact.terms.b))) continue;
    if (contact.terms.along_normal(velocities) < -limits.collides) collides[slot_of(island)] = 1;
  }
  for (const MovingJointRow<3>& row : touch.joints) {
    const Joint<3>& joint = world_.scene().joints[slot_of(row.joint)];
    if (!tears(row, joint, velocities, limits.collides)) continue;
    for (const int body : {joint.a, joint.b}) {
      if (body != kWorld && islands.of(body) >= 0) collides[slot_of(islands.of(body))] = 1;
    }
  }
  std::vector<std::size_t> chosen;
  for (std::size_t c = 0; c < touch.contacts.size(); ++c) {
    const ObaContact& contact = touch.contacts[c];
    const int island = islands.of(contact);
    if (island < 0 || collides[slot_of(island)] == 0) continue;
    if (moves(contact.terms.a) || moves(contact.terms.b)) chosen.push_back(c);
  }
  return chosen;
}

bool ObaMomentum::collide(const ObaTouch& touch, double h, ObaFreezer& freezer,
                          std::vector<Twist<3>>& velocities, ObaImpulses& impulses,
                          StepReport<3>& report) {
  const std::vector<Twist<3>> start = velocities;
  const ObaSpeeds limits = speeds(h, touch, velocities);
  const ObaBodies movable(world_, touch, {});
  ObaImpulses mine(touch.contacts.size(), Vec<3>::Zero());
  ObaSequence sequence(world_, touch, movable, h, limits, freezer, velocities);
  const bool resolved = sequence.run(sequence_length(touch), mine);
  if (!resolved || joints_tear(touch, velocities, limits.collides)) {
    const std::vector<std::size_t> number =
        still_colliding(touch, movable, freezer, limits, velocities);
    std::vector<ObaContact> contacts;
    for (const std::size_t c : number) contacts.push_back(touch.contacts[c]);
    const ObaTouch moving{touch.poses, contacts, touch.joints};
    const ObaBodies bodies(world_, moving, {});
    Frame frame{moving, bodies, {}};
    for (const ObaContact& contact : contacts) {
      frame.bounds.push_back(limits.bound(contact, contact.terms.along_normal(velocities)));
    }
    ObaImpulses found;
    if (!at_once(frame, velocities, found, report)) {
      velocities = start;
      return false;
    }
    for (std::size_t k = 0; k < number.size(); ++k) mine[number[k]] += found[k];
  }
  for (const int body : world_.free_bodies()) {
    const std::size_t i = slot_of(body);
    if (freezer.frozen()[i] == 0 || velocities[i].isZero(0.0)) continue;
    if (freezer.wakes(body, touch.poses[i], velocities[i], h)) {
      freezer.wake(body);
    } else {
      velocities[i].setZero();
    }
  }
  report.driven_work += work_of_all_given(world_, touch, mine, velocities);
  impulses.resize(touch.contacts.size(), Vec<3>::Zero());
  for (std::size_t c = 0; c < mine.size(); ++c) impulses[c] += mine[c];
  return true;
}

bool ObaMomentum::press(const ObaTouch& touch, std::span<const std::uint8_t> frozen,
                        std::vector<Twist<3>>& velocities, ObaImpulses& impulses,
                        StepReport<3>& report) {
  const ObaBodies bodies(world_, touch, frozen);
  const Frame frame{touch, bodies, std::vector<double>(touch.contacts.size(), 0.0)};
  std::vector<Twist<3>> momenta(velocities.size(), Twist<3>::Zero());
  for (const int body : bodies.active) {
    momenta[slot_of(body)] = bodies.masses[slot_of(body)] * velocities[slot_of(body)];
  }
  ObaImpulses found;
  if (!squeeze(frame, momenta, velocities, found, press_, report)) return false;
  report.driven_work += work_of_all_given(world_, touch, found, velocities);
  impulses.resize(touch.contacts.size(), Vec<3>::Zero());
  for (std::size_t c = 0; c < found.size(); ++c) impulses[c] += found[c];
  return true;
}

}  // namespace collapse::simulate
