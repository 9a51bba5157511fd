#pragma once
/// The part of the contacts of scheme event that tells what a collision makes of velocities. For event_contacts.cpp.

#include <algorithm>
#include <cmath>

#include "simulate/event_contacts.hpp"
#include "simulate/slot.hpp"
#include "simulate/together.hpp"

namespace collapse::simulate {

/// Rounds of one collision: after the first only what the solver left is still moving together.
inline constexpr int kCollisionRounds = 3;
/// Rounds in which contacts that touch are held together until none closes.
inline constexpr int kLockRounds = 10;
/// Of the kinetic energy: no impact gives more, not even a bounce with friction.
inline constexpr double kMostGain = 2.0;
/// Share of the velocities: slower collisions are not told from rounding by their own measure.
inline constexpr double kSlowImpact = 1e-4;
/// Of the speed that counts as none, and of the impact's own: what it may leave of an approach.
inline constexpr double kNoApproach = 0.5;
inline constexpr double kLeftOfImpact = 1e-12;

template <int Dim>
double EventContacts<Dim>::collide(State<Dim>& state, std::vector<TouchingRow<Dim>>& touching,
                                   const ClosingSpeeds& closing, StepReport<Dim>& report) {
  Blocks blocks(state.poses.size());
  for (std::size_t i = 0; i < blocks.size(); ++i) blocks[i] = world_.block_of(static_cast<int>(i));
  std::vector<MovingJointRow<Dim>> joints;
  world_.joint_rows(state.poses, joints);
  SolverOptions solver_options;
  solver_options.threads = options_.threads;
  solver_options.interrupt = options_.interrupt;
  double fastest = 0.0;
  bool quick = false;
  for (int round = 0; round < kCollisionRounds; ++round) {
    std::vector<ImpactContact<Dim>> contacts;
    bool approaching = false;
    const std::vector<bool> shaken = shaken_bodies(touching);
    for (const TouchingRow<Dim>& one : touching) {
      if (!shaken[slot_of(one.row.id.a)] && !shaken[slot_of(one.row.id.b)]) continue;
      ImpactContact<Dim> contact{one.row.id, one.terms, one.row.friction, 0.0, 0.0};
      if (one.speed < -scales_.still(one.row.size)) {
        approaching = true;
        contact.approach = one.speed;
        fastest = std::max(fastest, -one.speed);
        const bool bounces =
            one.speed < -closing.of(one.row.restitution) * scales_.speed(one.row.size);
        if (bounces) contact.restitution = one.row.restitution;
        quick = quick || bounces;
      }
      contacts.push_back(contact);
    }
    if (!approaching) break;
    if (!collide_by_pivoting(state, contacts, fastest)) {
      Solver solver(solver_options);
      Impact<Dim> impact(world_, options_, solver, {state.poses, blocks, joints});
      for (const ImpactContact<Dim>& contact : contacts) impact.add(contact);
      const std::vector<Twist<Dim>> before = state.velocities;
      impact.resolve(before, state.velocities, report);
    }
    for (TouchingRow<Dim>& one : touching) {
      one.speed = one.terms.along_normal(state.velocities);
    }
  }
  if (fastest > 0.0 && !quick) close_slow_ones(state, touching, closing);
  return fastest;
}

/// Bodies that touch, or are joined, down to one that collides: no others change their velocities.
template <int Dim>
std::vector<bool> EventContacts<Dim>::shaken_bodies(
    const std::vector<TouchingRow<Dim>>& touching) const {
  const std::size_t count = world_.scene().bodies.size();
  Together together(count);
  const auto is_free = [&](int body) { return world_.block_of(body) >= 0; };
  const auto join = [&](int a, int b) {
    if (is_free(a) && is_free(b)) together.join(a, b);
  };
  for (const TouchingRow<Dim>& one : touching) join(one.row.id.a, one.row.id.b);
  for (const Joint<Dim>& joint : world_.scene().joints) join(joint.a, joint.b);
  std::vector<bool> hit(count, false);
  for (const TouchingRow<Dim>& one : touching) {
    if (one.speed >= -scales_.still(one.row.size)) continue;
    for (const int body : {one.row.id.a, one.row.id.b}) {
      if (is_free(body)) hit[together.root(slot_of(body))] = true;
    }
  }
  std::vector<bool> shaken(count, false);
  for (const int body : world_.free_bodies()) {
    shaken[slot_of(body)] = hit[together.root(slot_of(body))];
  }
  return shaken;
}

/// What a slow collision leaves slower than it may be stays together: a block that rattles from corner to corner would
/// do so for ever.
template <int Dim>
void EventContacts<Dim>::close_slow_ones(State<Dim>& state, std::vector<TouchingRow<Dim>>& touching,
                                         const ClosingSpeeds& closing) {
  hold_together(state, touching, [&](const TouchingRow<Dim>& one) {
    const double most = closing.of(one.row.restitution) * scales_.speed(one.row.size);
    return std::abs(one.speed) <= most;
  });
}

template <int Dim>
void EventContacts<Dim>::hold_together(
    State<Dim>& state, std::vector<TouchingRow<Dim>>& touching,
    const std::function<bool(const TouchingRow<Dim>&)>& which) const {
  std::vector<HeldContact<Dim>> held;
  for (const TouchingRow<Dim>& one : touching) {
    if (which(one)) held.push_back({one.row});
  }
  EventMode<Dim> together(world_);
  together.hold(held, state);
  together.project(state);
  for (TouchingRow<Dim>& one : touching) {
    one.speed = one.terms.along_normal(state.velocities);
  }
}

template <int Dim>
double EventContacts<Dim>::lock(State<Dim>& state, std::vector<TouchingRow<Dim>>& touching) const {
  const auto approaches = [&](const TouchingRow<Dim>& one) {
    return one.speed < -scales_.still(one.row.size);
  };
  double fastest = 0.0;
  for (const TouchingRow<Dim>& one : touching) fastest = std::max(fastest, -one.speed);
  for (int round = 0; round < kLockRounds; ++round) {
    if (std::none_of(touching.begin(), touching.end(), approaches)) break;
    // In the last round also what would part: then nothing can be left.
    hold_together(state, touching, [&](const TouchingRow<Dim>& one) {
      return round + 1 == kLockRounds || one.speed <= scales_.still(one.row.size);
    });
  }
  return fastest;
}

template <int Dim>
double EventContacts<Dim>::kinetic_energy(const State<Dim>& state,
                                          const Eigen::VectorXd& velocities) const {
  double energy = 0.0;
  const std::vector<int>& free = world_.free_bodies();
  for (std::size_t i = 0; i < free.size(); ++i) {
    const Twist<Dim> v = velocities.segment<kDofs<Dim>>(kDofs<Dim> * static_cast<Eigen::Index>(i));
    energy += 0.5 * v.dot(world_.mass_matrix(free[i], state.poses[slot_of(free[i])]) * v);
  }
  return energy;
}

/// Joints that hold velocities, of which some are given.
template <int Dim>
void add_joints_of_impact(const World<Dim>& world, const State<Dim>& state,
                          const std::vector<Twist<Dim>>& given, ModeEquations<Dim>& equations) {
  std::vector<MovingJointRow<Dim>> joints;
  world.joint_rows(state.poses, joints);
  for (const MovingJointRow<Dim>& joint : joints) {
    const Joint<Dim>& source = world.scene().joints[slot_of(joint.joint)];
    if (world.block_of(source.a) < 0 && world.block_of(source.b) < 0) continue;
    HeldRow<Dim> row = held_joint(source, joint);
    if (source.a != kWorld) row.beta += joint.row.on_a.dot(given[slot_of(source.a)]);
    if (source.b != kWorld) row.beta += joint.row.on_b.dot(given[slot_of(source.b)]);
    equations.add_joint(row);
  }
}

/// The law of simultaneous impacts (impact.hpp) by pivoting, which gives all digits. False if that finds nothing.
template <int Dim>
bool EventContacts<Dim>::collide_by_pivoting(State<Dim>& state,
                                             const std::vector<ImpactContact<Dim>>& contacts,
                                             double fastest) const {
  if (options_.impact != ImpactRule::simultaneous) return false;
  // Velocities of what is not free.
  std::vector<Twist<Dim>> given = state.velocities;
  const std::vector<int>& free = world_.free_bodies();
  Eigen::VectorXd before(kDofs<Dim> * std::ssize(free));
  for (std::size_t i = 0; i < free.size(); ++i) {
    given[slot_of(free[i])].setZero();
    before.template segment<kDofs<Dim>>(kDofs<Dim> * static_cast<Eigen::Index>(i)) =
        state.velocities[slot_of(free[i])];
  }
  double given_energy = 0.0;
  for (const ImpactContact<Dim>& contact : contacts) {
    const double speed = contact.terms.slide(given) + std::abs(contact.terms.along_normal(given));
    given_energy += weight_of(contact.id) / scales_.gravity() * speed * speed;
  }
  ModeEquations<Dim> equations(world_);
  equations.clear(state);
  std::vector<Hold> can;
  PivotScales scales;
  scales.motion = fastest;
  for (const ImpactContact<Dim>& contact : contacts) {
    const double slide = contact.terms.slide(state.velocities);
    scales.motion = std::max(scales.motion, kSlowImpact * slide);
  }
  scales.closing =
      std::max(kNoApproach * scales_.still(world_.smallest_size()), kLeftOfImpact * scales.motion);
  for (const ImpactContact<Dim>& contact : contacts) {
    const ContactTerms<Dim>& terms = contact.terms;
    const double least = -contact.restitution * contact.approach;
    can.push_back(contact.mu > 0.0 ? Hold::sticking : Hold::smooth);
    EquationContact<Dim> seen;
    seen.terms = terms;
    seen.mu = contact.mu;
    seen.beta = (terms.along_normal(given) - least) * terms.normal +
                terms.tangents * terms.along_tangents(given);
    const bool parts = terms.along_normal(state.velocities) - least > kNoMotion * fastest;
    seen.hold = parts ? Hold::idle : can.back();
    equations.add(seen);
    scales.forces.push_back(weight_of(contact.id) / scales_.gravity() * scales.motion);
  }
  add_joints_of_impact(world_, state, given, equations);
  const auto sane = [&](const Eigen::VectorXd& velocities) {
    return velocities.allFinite() && kinetic_energy(state, velocities) <=
                                         kMostGain * kinetic_energy(state, before) + given_energy;
  };
  std::optional<Eigen::VectorXd> after;
  std::optional<HeldMotion<Dim>> found = pivot<Dim>(equations, before, can, scales);
  if (found && sane(found->accelerations)) {
    after = std::move(found->accelerations);
  } else if constexpr (Dim == 2) {
    after = nearly_complementary(equations, before, can);
  }
  if (!after || !sane(*after)) return false;
  for (std::size_t i = 0; i < free.size(); ++i) {
    state.velocities[slot_of(free[i])] =
        after->template segment<kDofs<Dim>>(kDofs<Dim> * static_cast<Eigen::Index>(i));
  }
  return true;
}

}  // namespace collapse::simulate
