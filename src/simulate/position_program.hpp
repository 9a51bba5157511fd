#pragma once
/// The part of the position scheme that builds the program of a round, with what gives way in it. For
/// position_scheme.cpp.

#include <algorithm>
#include <cmath>
#include <limits>

#include "simulate/position_scheme.hpp"

namespace collapse::simulate {

/// Of what falls in a step: where bodies move by more, how fast is known well enough without the last digits.
inline constexpr double kFast = 2e-2;
/// Inverse masses at contacts count for the compliance up to this multiple of the least one.
inline constexpr double kMassRatio = 100.0;
/// Of the soft program that takes the place of one without solution: share of the inverse mass at a contact.
inline constexpr double kSoftness = 1e-3;
/// Likewise, where neither of the two bodies is on a path: what is on a path gives way first, so that it does not press
/// others through walls.
inline constexpr double kStandingSoftness = 1e-5;

template <int Dim>
double PositionScheme<Dim>::inverse_mass(const ContactTerms<Dim>& terms) const {
  double inverse = 0.0;
  for (const auto& [body, row] : {std::pair(terms.a, terms.normal_a), {terms.b, terms.normal_b}}) {
    if (blocks_[slot_of(body)] < 0) continue;
    inverse += row.dot(inverse_masses_[slot_of(body)] * row);
  }
  return inverse;
}

/// What a light body carries may be heavy: compliance by the light one's mass would not vanish in the rounds.
template <int Dim>
double PositionScheme<Dim>::largest_softness() const {
  double least = std::numeric_limits<double>::infinity();
  for (const int body : active_) {
    least = std::min(least, 1.0 / world_.scene().bodies[slot_of(body)].mass.mass);
  }
  return kMassRatio * least;
}

template <int Dim>
double PositionScheme<Dim>::joint_softness(const MovingJointRow<Dim>& joint) const {
  const Joint<Dim>& source = world_.scene().joints[slot_of(joint.joint)];
  double inverse = 0.0;
  for (const auto& [body, row] :
       {std::pair(source.a, joint.row.on_a), {source.b, joint.row.on_b}}) {
    if (block_of(body) < 0) continue;
    inverse += row.dot(inverse_masses_[slot_of(body)] * row);
  }
  return kSoftness * inverse;
}

template <int Dim>
bool PositionScheme<Dim>::is_pushed(const ContactId& id) const {
  const std::vector<Body<Dim>>& bodies = world_.scene().bodies;
  return !bodies[slot_of(id.a)].motion.empty() || !bodies[slot_of(id.b)].motion.empty();
}

/// Of the inverse mass.
template <int Dim>
double PositionScheme<Dim>::compliance_share(const Entry& entry, Stiffness stiffness) const {
  if (stiffness == Stiffness::hard) return 0.0;
  if (stiffness == Stiffness::soft) {
    return Dim == 2 || is_pushed(entry.row.id) ? kSoftness : kStandingSoftness;
  }
  // What gives way in a first round must not tilt bodies that are small beside what falls in a step.
  const double small = near_ > 0.0 ? std::min(1.0, entry.row.size / near_) : 1.0;
  if (!moves_) return small * pace_.compliance;
  const auto is_fast = [this](int body) {
    return blocks_[slot_of(body)] >= 0 &&
           way_of(body, displacements_[slot_of(body)]) > kFast * near_;
  };
  const bool fast = is_fast(entry.row.id.a) || is_fast(entry.row.id.b);
  const double first = fast ? std::ldexp(pace_.first_compliance, -round_) : pace_.slow_compliance;
  return small * std::max(pace_.compliance, first);
}

template <int Dim>
void PositionScheme<Dim>::build_program(Stiffness stiffness) {
  program_.clear();
  for (const int body : active_) {
    add_body<Dim>(program_, masses_[slot_of(body)], targets_[slot_of(body)], sizes_[slot_of(body)]);
  }
  const double most = largest_softness();
  int row = 0;
  for (Entry& entry : entries_) {
    entry.first_row = row;
    Program::Traits traits;
    traits.id = group_id(entry.row.id);
    entry.compliance = traits.compliance =
        compliance_share(entry, stiffness) * std::min(inverse_mass(entry.terms), most);
    const double bound = entry.least_gap - entry.gap + entry.terms.along_normal(displacements_);
    entry.rows = add_contact<Dim>(program_, blocks_, displacements_, entry.terms, entry.mu, bound,
                                  entry.sigma, entry.compliance * entry.multipliers, traits);
    row += entry.rows;
  }
  for (const MovingJointRow<Dim>& joint : joints_) {
    const Joint<Dim>& source = world_.scene().joints[slot_of(joint.joint)];
    double bound = -joint.row.error;
    const int block_a = block_of(source.a);
    const int block_b = block_of(source.b);
    if (block_a >= 0) bound += joint.row.on_a.dot(displacements_[slot_of(source.a)]);
    if (block_b >= 0) bound += joint.row.on_b.dot(displacements_[slot_of(source.b)]);
    constexpr std::uint64_t kNumbers = Dim == 2 ? 8 : 16;  // ids that a joint may have, two per row
    const auto id = static_cast<std::uint64_t>(joint.joint) * kNumbers +
                    static_cast<std::uint64_t>(joint.number) * 2 + 2;
    // Given up only where there is no room: joints are equations, and hard ones unless contacts are soft.
    const double compliance = stiffness == Stiffness::soft ? joint_softness(joint) : 0.0;
    add_joint<Dim>(program_, world_, blocks_, joint, bound, {.compliance = compliance, .id = id});
  }
}

}  // namespace collapse::simulate
