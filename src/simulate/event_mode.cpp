#include "simulate/event_mode.hpp"

#include <algorithm>
#include <cmath>

#include "simulate/contact_terms.hpp"
#include "simulate/row_contact.hpp"

namespace collapse::simulate {
namespace {

/// Share of the smallest body's size: drift up to this is rounding.
constexpr double kNoDrift = 1e-15;
constexpr int kProjections = 3;

}  // namespace

template <int Dim>
bool same_mode(std::span<const HeldContact<Dim>> x, std::span<const HeldContact<Dim>> y) {
  return std::equal(x.begin(), x.end(), y.begin(), y.end(), [](const auto& one, const auto& other) {
    return one.row.id == other.row.id && one.hold == other.hold &&
           (one.hold != Hold::sliding || one.slide.dot(other.slide) > 0.0);
  });
}

template <int Dim>
void EventMode<Dim>::hold(std::vector<HeldContact<Dim>> contacts, const State<Dim>& state) {
  contacts_ = std::move(contacts);
  gaps_.clear();
  for (const HeldContact<Dim>& contact : contacts_) {
    gaps_.push_back(contacts::placed(contact.row, state.poses).gap);
  }
}

template <int Dim>
void EventMode<Dim>::hold_closed(std::vector<HeldContact<Dim>> contacts) {
  contacts_ = std::move(contacts);
  gaps_.assign(contacts_.size(), 0.0);
}

template <int Dim>
void EventMode<Dim>::follow_sliding(const State<Dim>& state) {
  build(state);
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    if (contacts_[c].hold == Hold::sliding) contacts_[c].slide = spots_[c].direction;
  }
}

template <int Dim>
void EventMode<Dim>::build(const State<Dim>& state) {
  rows_.clear(state);
  spots_.clear();
  for (std::size_t c = 0; c < contacts_.size(); ++c) add_contact_rows(state, c);
  add_joint_rows(state);
}

template <int Dim>
void EventMode<Dim>::add_contact_rows(const State<Dim>& state, std::size_t contact) {
  const HeldContact<Dim>& held = contacts_[contact];
  const contacts::PlacedRow<Dim> placed = contacts::placed(held.row, state.poses);
  const ContactTerms<Dim> terms(world_, held.row, placed, state.poses);
  const Vec<Dim> beta = contact_motion(world_.scene(), state, contact_of<Dim>(held.row, placed),
                                       facing_of_row(held.row, placed, state.poses))
                            .beta;
  const Vec<Dim - 1> sliding = terms.along_tangents(state.velocities);
  Spot spot{rows_.count(), placed.normal};
  HeldRow<Dim> row;
  row.a = terms.a;
  row.b = terms.b;
  row.motion_a = row.force_a = terms.normal_a;
  row.motion_b = row.force_b = terms.normal_b;
  row.beta = placed.normal.dot(beta);
  row.drift = placed.gap - gaps_[contact];
  row.speed = terms.along_normal(state.velocities);
  if (held.hold == Hold::sliding) {
    Vec<Dim - 1> direction = (terms.tangents.transpose() * held.slide).normalized();
    // In the plane a trial step may go beyond the time at which it stops: with friction as before.
    if (Dim == 3 && sliding.dot(direction) > 0.0) direction = sliding.normalized();
    spot.direction = terms.tangents * direction;
    spot.sliding = sliding.dot(direction);
    row.force_a -= held.row.friction * (terms.tangents_a * direction);
    row.force_b -= held.row.friction * (terms.tangents_b * direction);
  }
  rows_.add(row);
  spots_.push_back(spot);
  if (held.hold != Hold::sticking) return;
  for (int k = 0; k < Dim - 1; ++k) {
    row.motion_a = row.force_a = terms.tangents_a.col(k);
    row.motion_b = row.force_b = terms.tangents_b.col(k);
    row.beta = terms.tangents.col(k).dot(beta);
    row.drift = std::numeric_limits<double>::quiet_NaN();
    row.speed = sliding[k];
    rows_.add(row);
  }
}

template <int Dim>
void EventMode<Dim>::add_joint_rows(const State<Dim>& state) {
  std::vector<MovingJointRow<Dim>> joints;
  world_.joint_rows(state.poses, joints);
  JointMotion<Dim> motion;
  for (const MovingJointRow<Dim>& joint : joints) {
    const Joint<Dim>& source = world_.scene().joints[static_cast<std::size_t>(joint.joint)];
    if (joint.number == 0) motion = joint_motion(world_.scene(), state, source);
    if (world_.block_of(source.a) < 0 && world_.block_of(source.b) < 0) continue;
    HeldRow<Dim> row;
    row.a = source.a;
    row.b = source.b;
    row.motion_a = row.force_a = joint.row.on_a;
    row.motion_b = row.force_b = joint.row.on_b;
    row.beta = motion.gamma[joint.number];
    row.speed = motion.velocity[joint.number];
    row.drift = joint.row.error;
    rows_.add(row);
  }
}

template <int Dim>
HeldMotion<Dim> EventMode<Dim>::motion(const State<Dim>& state) {
  build(state);
  HeldMotion<Dim> out;
  std::vector<Twist<Dim>> forces;
  world_.external(state.poses, forces);
  const std::vector<int>& free = world_.free_bodies();
  out.accelerations.resize(kDofs<Dim> * std::ssize(free));
  for (std::size_t i = 0; i < free.size(); ++i) {
    Twist<Dim> force = forces[static_cast<std::size_t>(free[i])];
    force.template tail<kSpins<Dim>>() += gyroscopic_torque(world_.scene(), state, free[i]);
    out.accelerations.template segment<kDofs<Dim>>(kDofs<Dim> * static_cast<Eigen::Index>(i)) =
        rows_.inverse_mass(i) * force;
  }
  out.power = world_.load_work(state.poses, state.velocities);
  if (rows_.count() == 0) return out;
  using Along = typename HeldRows<Dim>::Along;
  const Eigen::VectorXd beta = rows_.betas();
  const Eigen::VectorXd lambda =
      rows_.solve(-(beta + rows_.measured(out.accelerations)), Along::forces);
  out.accelerations += rows_.response(lambda, Along::forces);
  out.residual = (rows_.measured(out.accelerations) + beta).template lpNorm<Eigen::Infinity>();
  out.power += rows_.driven_power(lambda, state);
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    const Spot& spot = spots_[c];
    const double normal = lambda[spot.row];
    Vec<Dim> friction = -contacts_[c].row.friction * normal * spot.direction;
    if (contacts_[c].hold == Hold::sticking) {
      friction = tangents_of<Dim>(spot.normal) * lambda.segment<Dim - 1>(spot.row + 1);
    }
    out.contacts.push_back({normal, spot.normal, friction, spot.sliding});
  }
  return out;
}

template <int Dim>
void EventMode<Dim>::project(State<Dim>& state) {
  using Along = typename HeldRows<Dim>::Along;
  const std::vector<int>& free = world_.free_bodies();
  const auto part = [](const Eigen::VectorXd& x, std::size_t i) -> Twist<Dim> {
    return x.segment<kDofs<Dim>>(kDofs<Dim> * static_cast<Eigen::Index>(i));
  };
  build(state);
  if (rows_.count() == 0) return;
  Eigen::VectorXd off(rows_.count());
  for (int round = 0; round < kProjections; ++round) {
    double worst = 0.0;
    for (Eigen::Index r = 0; r < off.size(); ++r) {
      off[r] = -rows_.rows()[static_cast<std::size_t>(r)].drift;
      if (!std::isnan(off[r])) worst = std::max(worst, std::abs(off[r]));
    }
    if (worst <= kNoDrift * world_.smallest_size()) break;
    const Eigen::VectorXd back = rows_.response(rows_.solve(off, Along::motion), Along::motion);
    for (std::size_t i = 0; i < free.size(); ++i) {
      Pose<Dim>& pose = state.poses[static_cast<std::size_t>(free[i])];
      pose = world_.moved(free[i], pose, part(back, i));
    }
    build(state);
  }
  for (Eigen::Index r = 0; r < off.size(); ++r) {
    off[r] = -rows_.rows()[static_cast<std::size_t>(r)].speed;
  }
  const Eigen::VectorXd back = rows_.response(rows_.solve(off, Along::motion), Along::motion);
  for (std::size_t i = 0; i < free.size(); ++i) {
    state.velocities[static_cast<std::size_t>(free[i])] += part(back, i);
  }
}

template bool same_mode(std::span<const HeldContact<2>>, std::span<const HeldContact<2>>);
template bool same_mode(std::span<const HeldContact<3>>, std::span<const HeldContact<3>>);
template class EventMode<2>;
template class EventMode<3>;

}  // namespace collapse::simulate
