#include "simulate/impact.hpp"

#include <algorithm>
#include <cmath>

namespace collapse::simulate {
namespace {

/// Programs per impact at most: friction's σ settles in two or three.
constexpr int kImpactRounds = 12;
/// Of the fastest approach: changes of the tangential velocity that no longer matter.
constexpr double kImpactFit = 1e-9;
/// Collisions that one contact may go through on average in a sequence.
constexpr int kHitsPerContact = 200;

std::size_t at_body(int i) { return static_cast<std::size_t>(i); }

}  // namespace

void Impact::resolve(const std::vector<Twist<2>>& before, std::vector<Twist<2>>& velocities,
                     StepReport& report) {
  if (options_.impact == ImpactRule::sequential) {
    std::vector<Twist<2>> sequence = velocities;
    for (std::size_t i = 0; i < sequence.size(); ++i) {
      if (blocks_[i] >= 0) sequence[i] = before[i];
    }
    one_by_one(sequence);
    velocities = sequence;
    for (ImpactContact& contact : contacts_) contact.approach = 0.0;
  }
  all_at_once(velocities, report);
}

void Impact::one_by_one(std::vector<Twist<2>>& velocities) {
  double fastest = 0.0;
  for (const ImpactContact& contact : contacts_) fastest = std::max(fastest, -contact.approach);
  const int limit = kHitsPerContact * static_cast<int>(contacts_.size());
  for (int hit = 0; hit < limit; ++hit) {
    const ImpactContact* worst = nullptr;
    double approach = -1e-9 * fastest;
    for (const ImpactContact& contact : contacts_) {
      const double speed = contact.terms.along_normal(velocities);
      if (speed < approach) {
        approach = speed;
        worst = &contact;
      }
    }
    if (worst == nullptr) return;
    const ContactTerms& terms = worst->terms;
    const auto inverse_mass = [&](const Twist<2>& row, int body) -> Twist<2> {
      if (blocks_[at_body(body)] < 0) return Twist<2>::Zero();
      return row.cwiseProduct(world_.mass_matrix(body).diagonal().cwiseInverse());
    };
    const auto strike = [&](const Twist<2>& row_a, const Twist<2>& row_b, double impulse) {
      velocities[at_body(terms.a)] += impulse * inverse_mass(row_a, terms.a);
      velocities[at_body(terms.b)] += impulse * inverse_mass(row_b, terms.b);
    };
    const auto compliance = [&](const Twist<2>& row_a, const Twist<2>& row_b) {
      return row_a.dot(inverse_mass(row_a, terms.a)) + row_b.dot(inverse_mass(row_b, terms.b));
    };
    const double normal =
        -(1.0 + worst->restitution) * approach / compliance(terms.normal_a, terms.normal_b);
    strike(terms.normal_a, terms.normal_b, normal);
    const double stop =
        -terms.along_tangent(velocities) / compliance(terms.tangent_a, terms.tangent_b);
    strike(terms.tangent_a, terms.tangent_b,
           std::clamp(stop, -worst->mu * normal, worst->mu * normal));
  }
}

void Impact::all_at_once(std::vector<Twist<2>>& velocities, StepReport& report) {
  double fastest = 0.0;
  for (const ImpactContact& contact : contacts_) {
    fastest =
        std::max({fastest, -contact.approach, std::abs(contact.terms.along_tangent(velocities))});
  }
  std::vector<Twist<2>> after = velocities;
  Program program;
  for (int round = 0; round < kImpactRounds; ++round) {
    program.clear();
    for (const int body : world_.free_bodies()) {
      if (blocks_[at_body(body)] < 0) continue;
      const Eigen::Matrix3d M = world_.mass_matrix(body);
      program.add_block(M, M * velocities[at_body(body)]);
    }
    std::vector<int> first_rows;
    int row = 0;
    for (const ImpactContact& contact : contacts_) {
      first_rows.push_back(row);
      const double sigma = options_.friction_law == FrictionLaw::coulomb
                               ? std::abs(contact.terms.along_tangent(after))
                               : 0.0;
      row +=
          add_contact(program, blocks_, velocities, contact.terms, contact.mu,
                      -contact.restitution * contact.approach, sigma, Eigen::Vector2d::Zero(), {});
    }
    for (const MovingJointRow& joint : joints_) {
      const Joint<2>& source = world_.scene().joints[at_body(joint.joint)];
      double bound = 0.0;
      if (source.a != kWorld && blocks_[at_body(source.a)] < 0) {
        bound -= joint.row.on_a.dot(velocities[at_body(source.a)]);
      }
      if (source.b != kWorld && blocks_[at_body(source.b)] < 0) {
        bound -= joint.row.on_b.dot(velocities[at_body(source.b)]);
      }
      add_joint(program, world_, blocks_, joint, bound, {});
    }
    const Solution& solution = solver_.solve(program);
    report.count(solution);
    if (solution.status == Status::infeasible) {
      // A ball that fills the gap between two walls cannot leave both. Those contacts do not bounce.
      ++report.dulled_impacts;
      bool changed = false;
      for (std::size_t c = 0; c < contacts_.size(); ++c) {
        if (contacts_[c].approach == 0.0 || solution.ray[first_rows[c]] == 0.0) continue;
        contacts_[c].approach = 0.0;
        changed = true;
      }
      if (!changed) return;
      continue;
    }
    if (!solution.x.allFinite() || solution.status == Status::interrupted) return;
    double change = 0.0;
    const std::vector<Twist<2>> last = after;
    for (const int body : world_.free_bodies()) {
      if (blocks_[at_body(body)] < 0) continue;
      after[at_body(body)] = solution.x.segment<3>(3 * blocks_[at_body(body)]);
    }
    for (const ImpactContact& contact : contacts_) {
      if (contact.mu == 0.0) continue;
      change = std::max(change, std::abs(std::abs(contact.terms.along_tangent(after)) -
                                         std::abs(contact.terms.along_tangent(last))));
    }
    if (change <= kImpactFit * fastest) break;
  }
  velocities = after;
}

}  // namespace collapse::simulate
