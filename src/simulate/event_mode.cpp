#include "simulate/event_mode.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

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
           ((one.hold != Hold::sliding && one.hold != Hold::limited) ||
            one.slide.dot(other.slide) > 0.0);
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
    contacts_[c].slide = equations_.contact(c).slide;
  }
}

template <int Dim>
void EventMode<Dim>::build(const State<Dim>& state) {
  equations_.clear(state);
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    equations_.add(seen(state, contacts_[c], gaps_[c]));
  }
  add_joints(state);
}

template <int Dim>
EquationContact<Dim> EventMode<Dim>::seen(const State<Dim>& state, const HeldContact<Dim>& held,
                                          double gap) const {
  const contacts::PlacedRow<Dim> placed = contacts::placed(held.row, state.poses);
  EquationContact<Dim> out;
  out.terms = ContactTerms<Dim>(world_, held.row, placed, state.poses);
  out.mu = held.row.friction;
  out.beta = contact_motion(world_.scene(), state, contact_of<Dim>(held.row, placed),
                            facing_of_row(held.row, placed, state.poses))
                 .beta;
  out.hold = held.hold;
  out.gap = placed.gap - gap;
  out.speed = out.terms.along_normal(state.velocities);
  out.sliding = out.terms.along_tangents(state.velocities);
  if (held.slide.isZero(0.0)) return out;
  Vec<Dim - 1> direction = (out.terms.tangents.transpose() * held.slide).normalized();
  // In the plane a trial step may go beyond the time at which it stops: with friction as before.
  const bool slides = held.hold == Hold::sliding;
  if (Dim == 3 && slides && out.sliding.dot(direction) > 0.0) direction = out.sliding.normalized();
  out.slide = out.terms.tangents * direction;
  return out;
}

template <int Dim>
void EventMode<Dim>::add_joints(const State<Dim>& state) {
  std::vector<MovingJointRow<Dim>> joints;
  world_.joint_rows(state.poses, joints);
  JointMotion<Dim> motion;
  for (const MovingJointRow<Dim>& joint : joints) {
    const Joint<Dim>& source = world_.scene().joints[static_cast<std::size_t>(joint.joint)];
    if (joint.number == 0) motion = joint_motion(world_.scene(), state, source);
    if (world_.block_of(source.a) < 0 && world_.block_of(source.b) < 0) continue;
    HeldRow<Dim> row = held_joint(source, joint);
    row.beta = motion.gamma[joint.number];
    row.speed = motion.velocity[joint.number];
    row.drift = joint.row.error;
    equations_.add_joint(row);
  }
}

template <int Dim>
Eigen::VectorXd EventMode<Dim>::free_motion(const State<Dim>& state) const {
  std::vector<Twist<Dim>> forces;
  world_.external(state.poses, forces);
  const std::vector<int>& free = world_.free_bodies();
  Eigen::VectorXd out(kDofs<Dim> * std::ssize(free));
  for (std::size_t i = 0; i < free.size(); ++i) {
    const auto body = static_cast<std::size_t>(free[i]);
    Twist<Dim> force = forces[body];
    force.template tail<kSpins<Dim>>() += gyroscopic_torque(world_.scene(), state, free[i]);
    out.template segment<kDofs<Dim>>(kDofs<Dim> * static_cast<Eigen::Index>(i)) =
        world_.inverse_mass_matrix(free[i], state.poses[body]) * force;
  }
  return out;
}

template <int Dim>
HeldMotion<Dim> EventMode<Dim>::motion(const State<Dim>& state) {
  build(state);
  HeldMotion<Dim> out = equations_.solve(free_motion(state));
  out.power = world_.load_work(state.poses, state.velocities) + equations_.driven_power(state);
  return out;
}

template <int Dim>
std::optional<HeldMotion<Dim>> EventMode<Dim>::find_holds(const State<Dim>& state,
                                                          std::span<const HeldContact<Dim>> guess,
                                                          const PivotScales& scales) {
  build(state);
  std::vector<Hold> can;
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    can.push_back(contacts_[c].hold);
    const Hold hold = guess[c].hold;
    if (hold == Hold::idle || (hold == Hold::steady && can[c] == Hold::sticking)) {
      equations_.change(c, hold, equations_.contact(c).slide);
    } else if (can[c] == Hold::sticking && (hold == Hold::sliding || hold == Hold::limited)) {
      equations_.change(c, Hold::sliding, guess[c].slide);
    }
  }
  std::optional<HeldMotion<Dim>> found = pivot<Dim>(equations_, free_motion(state), can, scales);
  if (!found) return found;
  std::vector<HeldContact<Dim>> closed;
  std::vector<double> gaps;
  const double none = kNoMotion * scales.motion;
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    const HeldForce<Dim>& force = found->contacts[c];
    HeldContact<Dim> contact = contacts_[c];
    contact.hold = equations_.contact(c).hold;
    if (contact.hold == Hold::idle && force.apart > none) continue;
    if (contact.hold == Hold::sliding && can[c] == Hold::sticking) {
      contact.slide = equations_.contact(c).slide;
      if (force.across.norm() <= none) contact.hold = Hold::limited;
    }
    closed.push_back(contact);
    gaps.push_back(gaps_[c]);
  }
  contacts_ = std::move(closed);
  gaps_ = std::move(gaps);
  return found;
}

template <int Dim>
void EventMode<Dim>::project(State<Dim>& state) {
  using Along = typename HeldRows<Dim>::Along;
  const std::vector<int>& free = world_.free_bodies();
  const auto part = [](const Eigen::VectorXd& x, std::size_t i) -> Twist<Dim> {
    return x.segment<kDofs<Dim>>(kDofs<Dim> * static_cast<Eigen::Index>(i));
  };
  build(state);
  const HeldRows<Dim>& rows = equations_.build();
  if (rows.count() == 0) return;
  Eigen::VectorXd off(rows.count());
  for (int round = 0; round < kProjections; ++round) {
    double worst = 0.0;
    for (Eigen::Index r = 0; r < off.size(); ++r) {
      off[r] = -rows.rows()[static_cast<std::size_t>(r)].drift;
      if (!std::isnan(off[r])) worst = std::max(worst, std::abs(off[r]));
    }
    if (worst <= kNoDrift * world_.smallest_size()) break;
    const Eigen::VectorXd back = rows.response(rows.solve(off, Along::motion).exact, Along::motion);
    for (std::size_t i = 0; i < free.size(); ++i) {
      Pose<Dim>& pose = state.poses[static_cast<std::size_t>(free[i])];
      pose = world_.moved(free[i], pose, part(back, i));
    }
    build(state);
    equations_.build();
  }
  for (Eigen::Index r = 0; r < off.size(); ++r) {
    off[r] = -rows.rows()[static_cast<std::size_t>(r)].speed;
  }
  const Eigen::VectorXd back = rows.response(rows.solve(off, Along::motion).exact, Along::motion);
  for (std::size_t i = 0; i < free.size(); ++i) {
    state.velocities[static_cast<std::size_t>(free[i])] += part(back, i);
  }
}

template bool same_mode(std::span<const HeldContact<2>>, std::span<const HeldContact<2>>);
template bool same_mode(std::span<const HeldContact<3>>, std::span<const HeldContact<3>>);
template class EventMode<2>;
template class EventMode<3>;

}  // namespace collapse::simulate
