#include "simulate/impact.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "simulate/slot.hpp"

namespace collapse::simulate {
namespace {

/// Programs per impact at most: friction's σ settles in two or three. Crowds are not worth more.
constexpr int kImpactRounds = 12;
constexpr int kCrowdRounds = 2;
/// Of the fastest approach: changes of the tangential velocity that no longer matter.
constexpr double kImpactFit = 1e-9;
constexpr double kCrowdFit = 1e-4;
/// Share of the inverse mass at a contact in a crowd: its programs are solved from the last one's solution.
constexpr double kImpactSoftness = 3e-3;
/// Collisions that one contact may go through on average in a sequence.
constexpr int kHitsPerContact = 200;

}  // namespace

template <int Dim>
void Impact<Dim>::resolve(const std::vector<Twist<Dim>>& before,
                          std::vector<Twist<Dim>>& velocities, StepReport<Dim>& report) {
  if (options_.impact == ImpactRule::sequential) {
    std::vector<Twist<Dim>> sequence = velocities;
    for (std::size_t i = 0; i < sequence.size(); ++i) {
      if (place_.blocks[i] >= 0) sequence[i] = before[i];
    }
    one_by_one(sequence);
    velocities = sequence;
    for (ImpactContact<Dim>& contact : contacts_) contact.approach = 0.0;
  }
  all_at_once(velocities, report);
  report.driven_work += std::accumulate(driven_work_.begin(), driven_work_.end(), 0.0);
}

template <int Dim>
void Impact<Dim>::one_by_one(std::vector<Twist<Dim>>& velocities) {
  double fastest = 0.0;
  for (const ImpactContact<Dim>& contact : contacts_)
    fastest = std::max(fastest, -contact.approach);
  const int limit = kHitsPerContact * static_cast<int>(contacts_.size());
  for (int hit = 0; hit < limit; ++hit) {
    const ImpactContact<Dim>* worst = nullptr;
    double approach = -1e-9 * fastest;
    for (const ImpactContact<Dim>& contact : contacts_) {
      const double speed = contact.terms.along_normal(velocities);
      if (speed < approach) {
        approach = speed;
        worst = &contact;
      }
    }
    if (worst == nullptr) return;
    const ContactTerms<Dim>& terms = worst->terms;
    const Twist<Dim> move_a = moved_by(terms.a, terms.normal_a);
    const Twist<Dim> move_b = moved_by(terms.b, terms.normal_b);
    const double normal = -(1.0 + worst->restitution) * approach /
                          (terms.normal_a.dot(move_a) + terms.normal_b.dot(move_b));
    velocities[slot_of(terms.a)] += normal * move_a;
    velocities[slot_of(terms.b)] += normal * move_b;
    const Vec<Dim> impulse =
        normal * terms.normal + strike_sideways(terms, worst->mu * normal, velocities);
    driven_work_[free_one(world_, terms.a, terms.b)] +=
        work_of_driven<Dim>(world_.scene(), terms, impulse, velocities);
  }
}

/// Friction of one collision: against the sliding, as much as stops it or as the cone allows. In space the bodies may
/// turn the direction of sliding while it lasts; that is left out. Returns the impulse on b.
template <int Dim>
Vec<Dim> Impact<Dim>::strike_sideways(const ContactTerms<Dim>& terms, double most,
                                      std::vector<Twist<Dim>>& velocities) const {
  const Vec<Dim - 1> sliding = terms.along_tangents(velocities);
  const double speed = sliding.norm();
  if (speed == 0.0 || most == 0.0) return Vec<Dim>::Zero();
  const Vec<Dim - 1> against = -sliding / speed;
  const Twist<Dim> row_a = terms.tangents_a * against;
  const Twist<Dim> row_b = terms.tangents_b * against;
  const Twist<Dim> move_a = moved_by(terms.a, row_a);
  const Twist<Dim> move_b = moved_by(terms.b, row_b);
  const double impulse = std::min(speed / (row_a.dot(move_a) + row_b.dot(move_b)), most);
  velocities[slot_of(terms.a)] += impulse * move_a;
  velocities[slot_of(terms.b)] += impulse * move_b;
  return impulse * (terms.tangents * against);
}

/// The change of a body's velocity by an impulse.
template <int Dim>
Twist<Dim> Impact<Dim>::moved_by(int body, const Twist<Dim>& impulse) const {
  if (place_.blocks[slot_of(body)] < 0) return Twist<Dim>::Zero();
  return world_.inverse_mass_matrix(body, place_.poses[slot_of(body)]) * impulse;
}

template <int Dim>
void Impact<Dim>::all_at_once(std::vector<Twist<Dim>>& velocities, StepReport<Dim>& report) {
  double fastest = 0.0;
  for (const ImpactContact<Dim>& contact : contacts_) {
    fastest = std::max({fastest, -contact.approach, contact.terms.slide(velocities)});
  }
  const int rounds = place_.crowd ? kCrowdRounds : kImpactRounds;
  const double fit = place_.crowd ? kCrowdFit : kImpactFit;
  std::vector<Twist<Dim>> after = velocities;
  std::vector<double> work(driven_work_.size(), 0.0);
  std::vector<double> joint_impulses;
  Program program;
  for (int round = 0; round < rounds; ++round) {
    program.clear();
    for (const int body : world_.free_bodies()) {
      if (place_.blocks[slot_of(body)] < 0) continue;
      const MassMatrix<Dim> M = world_.mass_matrix(body, place_.poses[slot_of(body)]);
      add_body<Dim>(program, M, velocities[slot_of(body)], size_of(body));
    }
    std::vector<int> first_rows;
    int row = 0;
    for (const ImpactContact<Dim>& contact : contacts_) {
      first_rows.push_back(row);
      const double sigma =
          options_.friction_law == FrictionLaw::coulomb ? contact.terms.slide(after) : 0.0;
      Program::Traits traits;
      if (place_.crowd) {
        const ContactTerms<Dim>& terms = contact.terms;
        traits.id = group_id(contact.id);
        traits.compliance =
            kImpactSoftness * (terms.normal_a.dot(moved_by(terms.a, terms.normal_a)) +
                               terms.normal_b.dot(moved_by(terms.b, terms.normal_b)));
      }
      row += add_contact<Dim>(program, place_.blocks, velocities, contact.terms, contact.mu,
                              -contact.restitution * contact.approach, sigma,
                              RowValues<Dim>::Zero(), traits);
    }
    for (const MovingJointRow<Dim>& joint : place_.joints) {
      const Joint<Dim>& source = world_.scene().joints[slot_of(joint.joint)];
      double bound = 0.0;
      if (source.a != kWorld && place_.blocks[slot_of(source.a)] < 0) {
        bound -= joint.row.on_a.dot(velocities[slot_of(source.a)]);
      }
      if (source.b != kWorld && place_.blocks[slot_of(source.b)] < 0) {
        bound -= joint.row.on_b.dot(velocities[slot_of(source.b)]);
      }
      add_joint<Dim>(program, world_, place_.blocks, joint, bound, {});
    }
    if (place_.crowd) {
      Eigen::VectorXd guess(program.variables());
      for (const int body : world_.free_bodies()) {
        const int block = place_.blocks[slot_of(body)];
        if (block < 0) continue;
        put_motion<Dim>(program, block, after[slot_of(body)], guess);
      }
      solver_.begin_at(std::move(guess));
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
    const std::vector<Twist<Dim>> last = after;
    for (const int body : world_.free_bodies()) {
      const int block = place_.blocks[slot_of(body)];
      if (block < 0) continue;
      after[slot_of(body)] = motion_of<Dim>(program, block, solution.x, velocities[slot_of(body)]);
    }
    std::fill(work.begin(), work.end(), 0.0);
    for (std::size_t c = 0; c < contacts_.size(); ++c) {
      const ImpactContact<Dim>& contact = contacts_[c];
      const Vec<Dim> impulse =
          force_of<Dim>(contact.terms, contact.mu, solution.lambda, first_rows[c]);
      work[free_one(world_, contact.id.a, contact.id.b)] +=
          work_of_driven<Dim>(world_.scene(), contact.terms, impulse, velocities);
      if (contact.mu == 0.0) continue;
      change = std::max(change, std::abs(contact.terms.slide(after) - contact.terms.slide(last)));
    }
    take_joint_forces<Dim>(world_.scene(), place_.blocks, place_.joints, solution.lambda, row,
                           joint_impulses);
    add_joint_work<Dim>(world_, place_.joints, joint_impulses, velocities, work);
    if (change <= fit * fastest) break;
  }
  velocities = after;
  for (std::size_t i = 0; i < work.size(); ++i) driven_work_[i] += work[i];
}

template class Impact<2>;
template class Impact<3>;

}  // namespace collapse::simulate
