#include "formulation/onset_forces.hpp"

#include <algorithm>

namespace collapse {
namespace {

/// Least forces are those that are reported if they balance at least this well.
constexpr double kLeastForcesBalance = 1e-10;
/// How nearly least, relative to the largest.
constexpr double kLeastForcesAccuracy = 1e-9;

}  // namespace

template <int Dim>
OnsetForces<Dim>::OnsetForces(const Moment<Dim>& moment, const Accelerated<Dim>& motion,
                              double zero, Solve solve)
    : moment_(moment),
      motion_(motion),
      zero_(zero),
      solve_(std::move(solve)),
      cones_(moment.cones) {
  const Program acceleration = moment.program();
  Eigen::VectorXd inertial;
  acceleration.mass_times(motion.x, inertial);
  for (std::size_t i = 0; i < moment.free.bodies.size(); ++i) {
    load_.push_back(moment.external[i] - inertial.template segment<kDofs<Dim>>(
                                             static_cast<Eigen::Index>(i) * kDofs<Dim>));
  }
  carries_.assign(moment.contacts.size(), false);
  for (std::size_t c = 0; c < moment.contacts.size(); ++c) {
    for (const Contact<Dim>& carrier : carriers_of(c)) {
      carries_[c] = true;
      carriers_.push_back(carrier);
      carrier_of_.push_back(c);
    }
  }
  program_ = force_program<Dim>(moment.scene, moment.state, moment.free, carriers_, load_, cones_);
  SolverOptions options;
  options.tolerance = 1e-14;  // the lightest body has to be balanced too
  options.complementarity_tolerance = kLeastForcesAccuracy;
  const Solution solution = solve_(program_, options);
  forces_ = motion.forces;
  imbalance_ = imbalance_of(forces_);
  if (!solution.x.allFinite()) return;
  const Forces<Dim> least = forces_from<Dim>(program_, carriers_, solution.x, cones_);
  Forces<Dim> forces;
  forces.contacts.assign(moment.contacts.size(), Vec<Dim>::Zero());
  for (std::size_t k = 0; k < carriers_.size(); ++k) {
    forces.contacts[carrier_of_[k]] += least.contacts[k];
  }
  forces.joints = least.joints;
  const double balance = imbalance_of(forces);
  if (balance <= std::max(kLeastForcesBalance, imbalance_)) {
    forces_ = std::move(forces);
    imbalance_ = balance;
  }
}

template <int Dim>
std::vector<Contact<Dim>> OnsetForces<Dim>::carriers_of(std::size_t contact) const {
  const Contact<Dim>& at = moment_.contacts[contact];
  const ContactTerm<Dim>& term = moment_.terms.contacts[contact];
  const Vec<Dim> relative = moment_.relative_acceleration(contact, motion_.x);
  const double normal = at.normal.dot(relative);
  const bool lifts = term.rows == ContactRows::generators;  // as it slides, with force
  if (normal > zero_ && !lifts) return {};
  const Vec<Dim> across = relative - normal * at.normal;
  const auto along = [&](const Vec<Dim>& direction) {
    Contact<Dim> one = at;
    one.normal = direction.normalized();
    one.friction = 0.0;
    return one;
  };
  if (term.rows == ContactRows::normal) return {along(at.normal + term.drag)};
  if (term.rows == ContactRows::cone || is_round_cone(at, cones_)) {
    if (normal - moment_.lift(contact, across) > zero_) return {};
    if (across.norm() <= zero_) return {at};
    return {along(at.normal - at.friction * across.normalized())};
  }
  // The generators that do not open.
  std::vector<Contact<Dim>> closed;
  const ConeDirections<Dim> directions = cone_directions(at, cones_);
  for (Eigen::Index k = 0; k < directions.cols(); ++k) {
    if (directions.col(k).dot(relative) <= zero_) closed.push_back(along(directions.col(k)));
  }
  if (directions.cols() > 1 && closed.size() == static_cast<std::size_t>(directions.cols())) {
    return {at};
  }
  return closed;
}

template <int Dim>
double OnsetForces<Dim>::imbalance_of(const Forces<Dim>& forces) const {
  const std::vector<Twist<Dim>> left = collapse::imbalance<Dim>(
      moment_.scene, moment_.state, moment_.free, moment_.contacts, load_, forces);
  const auto size_of = [&](const Twist<Dim>& wrench, std::size_t i) {
    const Body<Dim>& body = moment_.scene.bodies[static_cast<std::size_t>(moment_.free.bodies[i])];
    return wrench.template head<Dim>().norm() +
           wrench.template tail<kSpins<Dim>>().norm() / body.shape.reach(body.mass.centre);
  };
  std::vector<double> largest(left.size());
  for (std::size_t i = 0; i < left.size(); ++i) {
    largest[i] = std::max(size_of(load_[i], i), size_of(moment_.external[i], i));
  }
  for (std::size_t c = 0; c < forces.contacts.size(); ++c) {
    for (const int body : {moment_.contacts[c].id.a, moment_.contacts[c].id.b}) {
      const int block = moment_.free.block_of(body);
      if (block < 0) continue;
      double& most = largest[static_cast<std::size_t>(block)];
      most = std::max(most, forces.contacts[c].norm());
    }
  }
  for (std::size_t j = 0; j < forces.joints.size(); ++j) {
    for (const int body : {moment_.scene.joints[j].a, moment_.scene.joints[j].b}) {
      const int block = moment_.free.block_of(body);
      if (block < 0) continue;
      double& most = largest[static_cast<std::size_t>(block)];
      most = std::max(most, forces.joints[j].norm());
    }
  }
  double worst = 0.0;
  for (std::size_t i = 0; i < left.size(); ++i) {
    const double unbalanced = size_of(left[i], i);
    if (unbalanced > 0.0) worst = std::max(worst, unbalanced / largest[i]);
  }
  return worst;
}

template <int Dim>
std::vector<std::optional<std::array<double, 2>>> OnsetForces<Dim>::ranges() const {
  std::vector<std::optional<std::array<double, 2>>> ranges(moment_.contacts.size(),
                                                           std::array<double, 2>{0.0, 0.0});
  ForceRanges<Dim> finder(program_, carriers_, solve_);
  for (std::size_t k = 0; k < carriers_.size(); ++k) {
    const std::size_t c = carrier_of_[k];
    auto& range = ranges[c];
    // On an edge or face of a pyramid: several that would have to be looked at together.
    if (std::count(carrier_of_.begin(), carrier_of_.end(), c) > 1) {
      range.reset();
      continue;
    }
    range = finder.range(k, moment_.contacts[c].normal);
    if (!range) continue;
    // A force pushes, and the least is not above the largest: what says otherwise is rounding.
    auto& [low, high] = *range;
    low = std::max(std::min(low, high), 0.0);
    high = std::max(high, low);
  }
  return ranges;
}

template class OnsetForces<2>;
template class OnsetForces<3>;

}  // namespace collapse
