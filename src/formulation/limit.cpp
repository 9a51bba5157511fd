#include "collapse/formulation/limit.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "formulation/limit_finder.hpp"
#include "formulation/participants.hpp"

namespace collapse {

std::string_view to_string(LimitStatus status) {
  switch (status) {
    case LimitStatus::found:
      return "found";
    case LimitStatus::unbounded:
      return "unbounded";
    case LimitStatus::falls:
      return "falls";
    case LimitStatus::undecided:
      return "undecided";
  }
  return "undecided";
}

template <int Dim>
LimitFinder<Dim>::LimitFinder(const Scene<Dim>& scene, const State<Dim>& state,
                              const ContactSet<Dim>& set, const LimitOptions& options)
    : scene_(scene),
      state_(state),
      set_(set),
      options_(options),
      cones_{options.cone, options.sides},
      statics_(scene, state, options.loads, cones_, options.progress) {
  cones_.validate();
  with_corners_ = set.contacts;
  for (const CornerContact<Dim>& corner : set.corners) {
    for (std::size_t side = 0; side < corner.normals.size(); ++side) {
      with_corners_.push_back(along_normal(corner, side));
    }
  }
  std::stable_sort(with_corners_.begin(), with_corners_.end(),
                   [](const auto& x, const auto& y) { return x.id < y.id; });
}

template <int Dim>
Limit<Dim> LimitFinder<Dim>::find(const Load& load) {
  Limit<Dim> limit;
  limit.corner_contacts = static_cast<int>(set_.corners.size());
  limit.reason = far_from_origin(scene_, set_);
  if (limit.reason.empty() && stands_without(limit)) {
    const Bound low = bound_of(set_.contacts, load);
    const Bound high = set_.corners.empty() ? low : bound_of(with_corners_, load);
    conclude(limit, low, high);
  }
  limit.programs = statics_.programs();
  limit.iterations = statics_.iterations();
  return limit;
}

template <int Dim>
bool LimitFinder<Dim>::stands_without(Limit<Dim>& limit) {
  const auto stands = [&](const Contacts& contacts) {
    return statics_.equilibrium(contacts, statics_.external(), kAnyForces).has_value();
  };
  if (statics_.trivial() || stands(set_.contacts)) return true;
  const auto mechanism =
      statics_.mechanism(with_corners_, statics_.onset(with_corners_, statics_.external()));
  if (mechanism) {
    limit.status = LimitStatus::falls;
    limit.residual = mechanism->violation;
    limit.mechanism = motions(mechanism->motion);
  } else if (!set_.corners.empty() && stands(with_corners_)) {
    limit.reason = "corner on corner: falls without the forces there, may stand with them";
  } else {
    limit.reason = "without the load it is too close to call";
  }
  return false;
}

template <int Dim>
typename LimitFinder<Dim>::Bound LimitFinder<Dim>::bound_of(const Contacts& contacts,
                                                            const Load& load) {
  Bound bound;
  double weight = 0.0;
  double push = 0.0;
  for (std::size_t i = 0; i < load.size(); ++i) {
    weight = std::max(weight, statics_.size_of(statics_.external()[i], i));
    push = std::max(push, statics_.size_of(load[i], i));
  }
  if (push == 0.0) {
    bound.unbounded = true;
    return bound;
  }
  // As large as the loads that do not grow: then 1 is a natural size for the factor.
  const double scale = (weight > 0.0 ? weight : 1.0) / push;
  bound.scale = scale;
  const Program program = program_of(contacts, load, scale);
  const Solution solution = statics_.solve_counted(program);
  if (solution.status == Status::unbounded) {
    bound.unbounded = true;
    return bound;
  }
  if (!solution.x.allFinite() || !solution.lambda.allFinite()) return bound;
  const double factor = scale * solution.x[solution.x.size() - 1];
  Forces<Dim> forces =
      forces_from(program, std::span<const Contact<Dim>>(contacts), solution.x, cones_);
  forces.joints.resize(scene_.joints.size());  // the last block is the factor
  prove_lower(bound, contacts, load, factor, std::move(forces));
  const auto size = static_cast<Eigen::Index>(load.size()) * kDofs<Dim>;
  prove_upper(bound, contacts, load, statics_.split(-solution.lambda.tail(size)));
  if (!(bound.upper - bound.lower <= agreement(bound.lower, scale))) {
    // Multipliers with a residual of their own: the motion just beyond the limit is a program's own variable.
    constexpr double kBeyond = 1e-5;
    const Load beyond = total(load, factor + kBeyond * (std::abs(factor) + scale));
    Bound other = bound;
    other.upper = std::numeric_limits<double>::infinity();
    prove_upper(other, contacts, load, statics_.onset(contacts, beyond).accelerations);
    if (other.upper < bound.upper) bound = std::move(other);
  }
  bound.found = bound.upper - bound.lower <= agreement(bound.lower, scale);
  // Between both: what the solver says.
  bound.factor = std::clamp(factor, bound.lower, std::max(bound.lower, bound.upper));
  return bound;
}

template <int Dim>
Program LimitFinder<Dim>::program_of(const Contacts& contacts, const Load& load,
                                     double scale) const {
  const std::span<const Contact<Dim>> all = contacts;
  const Program forces =
      force_program<Dim>(scene_, state_, statics_.free(), all, statics_.external(), cones_);
  Program program;
  for (const Program::Block& block : forces.blocks()) {
    program.add_block(Eigen::MatrixXd::Zero(block.size, block.size),
                      Eigen::VectorXd::Zero(block.size));
  }
  const int factor = program.add_block(Eigen::MatrixXd::Zero(1, 1), Eigen::VectorXd::Ones(1));
  Eigen::Index equation = 0;
  for (const Program::Group& group : forces.groups()) {
    program.begin_group(group.cone, forces.bounds().segment(group.first_row, group.rows));
    for (const Program::Term& term : forces.terms(group)) {
      program.add_term(term.block, forces.coefficients(group, term));
    }
    if (group.cone != Cone::zero) continue;
    const Twist<Dim>& wrench = load[static_cast<std::size_t>(equation / kDofs<Dim>)];
    const double coefficient = scale * wrench[equation % kDofs<Dim>];
    if (coefficient != 0.0) program.add_term(factor, Eigen::MatrixXd::Constant(1, 1, coefficient));
    ++equation;
  }
  return program;
}

template <int Dim>
typename LimitFinder<Dim>::Load LimitFinder<Dim>::total(const Load& load, double factor) const {
  Load sum(statics_.external().begin(), statics_.external().end());
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += factor * load[i];
  return sum;
}

template <int Dim>
void LimitFinder<Dim>::prove_lower(Bound& bound, const Contacts& contacts, const Load& load,
                                   double factor, Forces<Dim> found) {
  const double size = std::abs(factor) + bound.scale;
  const auto holds = [&](double step) {
    const double tried = std::max(0.0, factor - step * size);
    auto equilibrium = statics_.equilibrium(contacts, total(load, tried), kLeastForces);
    if (!equilibrium) return false;
    bound.lower = tried;
    bound.forces = std::move(equilibrium->forces);
    bound.imbalance = equilibrium->imbalance;
    return true;
  };
  // At the limit itself forces may be a rounding error away from balance.
  constexpr std::array kNearSteps = {0.0, 1e-10, 1e-9, 1e-8};
  if (std::any_of(kNearSteps.begin(), kNearSteps.end(), holds)) return;
  // Just below a limit in round cones few forces are left, and the least of them are hard to find.
  const double imbalance = statics_.unbalanced_share(contacts, total(load, factor), found);
  if (imbalance <= Statics<Dim>::kBalanced) {
    bound.lower = factor;
    bound.forces = std::move(found);
    bound.imbalance = imbalance;
    return;
  }
  constexpr std::array kFarSteps = {1e-7, 1e-6, 1e-4};
  static_cast<void>(std::any_of(kFarSteps.begin(), kFarSteps.end(), holds));
}

template <int Dim>
void LimitFinder<Dim>::prove_upper(Bound& bound, const Contacts& contacts, const Load& load,
                                   Load motion) {
  const double speed = statics_.fastest(motion);
  if (!(speed > 0.0) || !std::isfinite(speed)) return;
  double power = 0.0;
  double against = 0.0;
  for (std::size_t i = 0; i < motion.size(); ++i) {
    motion[i] /= speed;
    power += motion[i].dot(load[i]);
    against -= motion[i].dot(statics_.external()[i]);
  }
  if (!(power > 0.0)) return;
  const double violation = statics_.violation(contacts, motion);
  // With G u ≥ −violation forces λ carry at most (against + violation · Σλ)/power: no forces up to ten times those
  // found carry more than this.
  constexpr double kMoreForce = 10.0;
  double forces = 0.0;
  for (const Vec<Dim>& force : bound.forces.contacts) forces += force.norm();
  for (const Eigen::VectorXd& kappa : bound.forces.joints) forces += kappa.norm();
  bound.upper = (against + kMoreForce * violation * forces) / power;
  bound.violation = violation;
  bound.motion = std::move(motion);
}

template <int Dim>
void LimitFinder<Dim>::conclude(Limit<Dim>& limit, const Bound& low, const Bound& high) const {
  if (low.unbounded) {
    limit.status = LimitStatus::unbounded;
    limit.lower = std::numeric_limits<double>::infinity();
    return;
  }
  limit.lower = low.lower;
  limit.upper = high.unbounded ? std::numeric_limits<double>::infinity() : high.upper;
  limit.factor = low.factor;
  limit.residual = std::max(low.imbalance, high.violation);
  limit.mechanism = motions(high.motion);
  for (std::size_t c = 0; c < low.forces.contacts.size(); ++c) {
    const Contact<Dim>& contact = set_.contacts[c];
    limit.forces.push_back({contact.id, contact.point, contact.normal, low.forces.contacts[c]});
  }
  for (std::size_t j = 0; j < low.forces.joints.size(); ++j) {
    limit.joint_forces.push_back(
        joint_force(scene_, state_, static_cast<int>(j), low.forces.joints[j]));
  }
  const bool agree =
      low.found && high.found && !high.unbounded &&
      high.factor - low.factor <= agreement(low.factor, low.scale) + (high.upper - high.lower);
  if (agree) {
    limit.status = LimitStatus::found;
  } else if (low.found && (high.found || high.unbounded)) {
    limit.reason = fmt::format(
        "corner on corner: carries {:.6g} without the forces there, {} with forces along all their "
        "normals",
        low.factor, high.unbounded ? "anything" : fmt::format("{:.6g}", high.factor));
  } else {
    limit.reason =
        fmt::format("too close to call: forces carry {:.9g}, a mechanism excludes {}", limit.lower,
                    std::isfinite(limit.upper) ? fmt::format("more than {:.9g}", limit.upper)
                                               : std::string("nothing"));
  }
}

template <int Dim>
std::vector<BodyMotion<Dim>> LimitFinder<Dim>::motions(const Load& motion) const {
  std::vector<BodyMotion<Dim>> list;
  for (std::size_t i = 0; i < motion.size(); ++i) {
    list.push_back({statics_.free().bodies[i], motion[i].template head<Dim>(),
                    motion[i].template tail<kSpins<Dim>>()});
  }
  return list;
}

template <int Dim>
Limit<Dim> find_limit(const Scene<Dim>& scene, const State<Dim>& state,
                      const ContactSet<Dim>& contacts, int load, const LimitOptions& options) {
  LimitFinder<Dim> finder(scene, state, contacts, options);
  const std::vector<AppliedLoad> grows{{load, 1.0}};
  // What the load adds to everything else.
  std::vector<Twist<Dim>> added = external_forces<Dim>(scene, state, finder.free(), grows);
  const std::vector<Twist<Dim>> without = external_forces<Dim>(scene, state, finder.free(), {});
  for (std::size_t i = 0; i < added.size(); ++i) added[i] -= without[i];
  return finder.find(added);
}

template class LimitFinder<2>;
template class LimitFinder<3>;
template Limit<2> find_limit(const Scene<2>&, const State<2>&, const ContactSet<2>&, int,
                             const LimitOptions&);
template Limit<3> find_limit(const Scene<3>&, const State<3>&, const ContactSet<3>&, int,
                             const LimitOptions&);

}  // namespace collapse
