#include "simulate/event_equations.hpp"

#include <algorithm>
#include <limits>

namespace collapse::simulate {

template <int Dim>
void ModeEquations<Dim>::clear(const State<Dim>& state) {
  rows_.clear(state);
  contacts_.clear();
  joints_.clear();
}

template <int Dim>
const HeldRows<Dim>& ModeEquations<Dim>::build() {
  rows_.clear_rows();
  first_rows_.clear();
  for (const EquationContact<Dim>& contact : contacts_) {
    first_rows_.push_back(rows_.count());
    add_rows(contact);
  }
  for (const HeldRow<Dim>& joint : joints_) rows_.add(joint);
  return rows_;
}

template <int Dim>
void ModeEquations<Dim>::add_rows(const EquationContact<Dim>& contact) {
  const ContactTerms<Dim>& terms = contact.terms;
  HeldRow<Dim> row;
  row.a = terms.a;
  row.b = terms.b;
  row.motion_a = row.force_a = terms.normal_a;
  row.motion_b = row.force_b = terms.normal_b;
  row.beta = terms.normal.dot(contact.beta);
  row.drift = contact.gap;
  row.speed = contact.speed;
  row.bears = contact.hold != Hold::idle;
  if (contact.hold == Hold::sliding || contact.hold == Hold::limited) {
    const Vec<Dim - 1> direction = terms.tangents.transpose() * contact.slide;
    row.force_a -= contact.mu * (terms.tangents_a * direction);
    row.force_b -= contact.mu * (terms.tangents_b * direction);
  }
  rows_.add(row);
  if (contact.hold != Hold::sticking && !held_by_others(contact.hold)) return;
  row.bears = contact.hold == Hold::sticking;
  row.drift = std::numeric_limits<double>::quiet_NaN();
  for (int k = 0; k < Dim - 1; ++k) {
    row.motion_a = row.force_a = terms.tangents_a.col(k);
    row.motion_b = row.force_b = terms.tangents_b.col(k);
    row.beta = terms.tangents.col(k).dot(contact.beta);
    row.speed = contact.sliding[k];
    rows_.add(row);
  }
}

template <int Dim>
HeldMotion<Dim> ModeEquations<Dim>::solve(const Eigen::VectorXd& free) {
  using Along = typename HeldRows<Dim>::Along;
  build();
  HeldMotion<Dim> out;
  out.accelerations = free;
  Eigen::VectorXd right = -(rows_.betas() + rows_.measured(free));
  for (Eigen::Index r = 0; r < right.size(); ++r) {
    const bool bears = rows_.rows()[static_cast<std::size_t>(r)].bears;
    if (!bears) right[r] = std::numeric_limits<double>::quiet_NaN();
  }
  const typename HeldRows<Dim>::Multipliers lambda = rows_.solve(right, Along::forces);
  lambda_ = lambda.exact;
  out.accelerations += rows_.response(lambda_, Along::forces);
  const Eigen::VectorXd missed = rows_.measured(out.accelerations) + rows_.betas();
  for (Eigen::Index r = 0; r < missed.size(); ++r) {
    if (rows_.rows()[static_cast<std::size_t>(r)].bears) {
      out.residual = std::max(out.residual, std::abs(missed[r]));
    }
  }
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    const EquationContact<Dim>& contact = contacts_[c];
    const ContactTerms<Dim>& terms = contact.terms;
    HeldForce<Dim> force;
    force.direction = terms.normal;
    force.normal = lambda.steady[first_rows_[c]];
    force.friction = -contact.mu * force.normal * contact.slide;
    if (contact.hold == Hold::sticking) {
      force.friction = terms.tangents * lambda.steady.template segment<Dim - 1>(first_rows_[c] + 1);
    } else if (contact.hold == Hold::smooth || contact.hold == Hold::steady) {
      force.friction.setZero();
    }
    force.sliding = contact.sliding.dot(terms.tangents.transpose() * contact.slide);
    force.apart = missed[first_rows_[c]];
    Vec<Dim - 1> across = terms.tangents.transpose() * contact.beta;
    const auto add = [&](int body, const typename ContactTerms<Dim>::TangentRows& measure) {
      const int block = world_.block_of(body);
      if (block < 0) return;
      across +=
          measure.transpose() * out.accelerations.template segment<kDofs<Dim>>(kDofs<Dim> * block);
    };
    add(terms.a, terms.tangents_a);
    add(terms.b, terms.tangents_b);
    force.across = terms.tangents * across;
    out.contacts.push_back(force);
  }
  return out;
}

template <int Dim>
bool ModeEquations<Dim>::pressed_on() const {
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    if (contacts_[c].hold != Hold::sliding) continue;
    if (rows_.answer(static_cast<std::size_t>(first_rows_[c])) <= 0.0) return true;
  }
  return false;
}

template class ModeEquations<2>;
template class ModeEquations<3>;

}  // namespace collapse::simulate
