#include "collapse/analytical/motion.hpp"

#include <fmt/core.h>

#include <Eigen/Dense>
#include <algorithm>
#include <stdexcept>

#include "collapse/core/error.hpp"

namespace collapse::analytical {
namespace {

/// Residual up to which a program that did not converge is taken.
constexpr double kSolved = 1e-6;
/// Parts of one step. What is left after so many is taken as one.
constexpr int kMostCuts = 1000;

Error contradiction(const Constraint& constraint, double time) {
  return {"constraint \"" + printable(constraint.name) + '"',
          fmt::format("contradicts others at time {:.6g}", time),
          "constraints that can hold at once"};
}

Eigen::VectorXd free_acceleration(const LeastConstraint& problem) {
  return Eigen::LLT<Eigen::MatrixXd>(problem.M).solve(problem.f);
}

void demand(bool valid, const char* field, double value, const char* expected) {
  if (!valid) throw Error(field, fmt::format("{:.6g}", value), expected);
}

}  // namespace

void MotionOptions::validate() const {
  const auto positive = [](double value) { return value > 0.0 && std::isfinite(value); };
  demand(positive(step), "step", step, "a positive number");
  demand(positive(tau), "tau", tau, "a positive number");
  demand(activity >= 0.0, "activity", activity, "zero or more");
  demand(restitution >= 0.0 && restitution <= 1.0, "restitution", restitution,
         "a number from 0 to 1");
  demand(resting_speed >= 0.0, "resting_speed", resting_speed, "zero or more");
}

Motion::Motion(System system, CoordinateState start, MotionOptions options)
    : system_(std::move(system)), state_(std::move(start)), options_(options) {
  options_.validate();
  check(system_, state_);
  static_cast<void>(convex_instant(problem_at(state_), active_at(state_.x)));
  begin_handled_set();
}

LeastConstraint Motion::problem_at(const CoordinateState& state) const {
  const auto count = static_cast<Eigen::Index>(system_.constraints.size());
  LeastConstraint problem{system_.mass(state.x),
                          system_.force(state),
                          Eigen::MatrixXd(count, state.x.size()),
                          Eigen::VectorXd(count),
                          {}};
  if (Eigen::LLT<Eigen::MatrixXd>(problem.M).info() != Eigen::Success) {
    throw Error("mass", fmt::format("a singular matrix at time {:.6g}", state.time),
                "a positive definite one");
  }
  const double tau = options_.tau;
  for (Eigen::Index k = 0; k < count; ++k) {
    const Constraint& constraint = system_.constraints[static_cast<std::size_t>(k)];
    const ConstraintValue value = value_of(constraint, state.x, state.v);
    problem.J.row(k) = value.gradient;
    problem.d[k] =
        -value.curvature - 2.0 / tau * value.gradient.dot(state.v) - value.g / (tau * tau);
    problem.relations.push_back(constraint.relation);
    if (std::isfinite(problem.d[k]) && value.gradient.allFinite()) continue;
    throw Error("constraint \"" + printable(constraint.name) + '"',
                fmt::format("a number that is not finite at time {:.6g}", state.time),
                "finite ones");
  }
  return problem;
}

Eigen::VectorXd Motion::values_at(const Eigen::VectorXd& x) const {
  Eigen::VectorXd values(static_cast<Eigen::Index>(system_.constraints.size()));
  Eigen::Index k = 0;
  for (const Constraint& constraint : system_.constraints) values[k++] = value_of(constraint, x);
  return values;
}

RowSet Motion::active_at(const Eigen::VectorXd& x) const {
  const Eigen::VectorXd g = values_at(x);
  RowSet active;
  for (std::size_t k = 0; k < system_.constraints.size(); ++k) {
    active.push_back(system_.constraints[k].relation == Relation::equal ||
                     g[static_cast<Eigen::Index>(k)] <= options_.activity);
  }
  return active;
}

void Motion::begin_handled_set() {
  handled_.assign(system_.constraints.size(), false);
  const RowSet active = active_at(state_.x);
  if (options_.active_set == ActiveSet::platt) handled_ = active;
  if (options_.active_set != ActiveSet::improved) return;
  const LeastConstraint problem = problem_at(state_);
  const Eigen::VectorXd tendency = problem.J * solve_handled(problem, handled_).x - problem.d;
  for (std::size_t k = 0; k < handled_.size(); ++k) {
    handled_[k] = active[k] && tendency[static_cast<Eigen::Index>(k)] < 0.0;
  }
}

/// Lines 3 to 9 of Algorithms 1 and 2, with x and ẋ of the end of the step, λ and ẍ of its beginning. In the second only
/// active constraints are candidates, as its text has it.
void Motion::update_handled_set() {
  const bool platt = options_.active_set == ActiveSet::platt;
  if (!platt && options_.active_set != ActiveSet::improved) return;
  const Eigen::VectorXd g = values_at(state_.x);
  const LeastConstraint problem = problem_at(state_);
  const Eigen::VectorXd tendency = problem.J * last_.acceleration - problem.d;
  for (std::size_t k = 0; k < handled_.size(); ++k) {
    const auto row = static_cast<Eigen::Index>(k);
    if (handled_[k]) {
      handled_[k] = last_.lambda[row] > 0.0;
    } else {
      handled_[k] = platt ? g[row] < 0.0 : g[row] <= options_.activity && tendency[row] < 0.0;
    }
  }
}

Instant Motion::convex_instant(const LeastConstraint& problem, const RowSet& rows) {
  const ConvexAnswer answer = solve_convex(problem, rows, solver_);
  if (answer.contradiction >= 0) {
    throw contradiction(system_.constraints[static_cast<std::size_t>(answer.contradiction)],
                        state_.time);
  }
  if (answer.status != Status::optimal && answer.multipliers.residual > kSolved) {
    throw std::runtime_error(fmt::format("the acceleration program at time {:.6g}: {}", state_.time,
                                         to_string(answer.status)));
  }
  Instant instant{answer.multipliers.x, answer.multipliers.lambda, RowSet(rows.size(), false)};
  for (std::size_t k = 0; k < rows.size(); ++k) {
    instant.handled[k] = instant.lambda[static_cast<Eigen::Index>(k)] > 0.0;
  }
  return instant;
}

Instant Motion::instant_at(const RowSet& rows) {
  const LeastConstraint problem = problem_at(state_);
  if (options_.active_set == ActiveSet::convex) return convex_instant(problem, rows);
  if (options_.active_set == ActiveSet::right) {
    const RightAnswer answer = solve_right(problem, rows);
    return {answer.multipliers.x, answer.multipliers.lambda, answer.handled};
  }
  const Multipliers answer = solve_handled(problem, handled_);
  return {answer.x, answer.lambda, handled_};
}

RowSet Motion::without_parting(const LeastConstraint& problem, RowSet active) const {
  const Eigen::VectorXd g = values_at(state_.x);
  const Eigen::VectorXd fall = free_acceleration(problem);
  for (int k = 0; k < problem.rows(); ++k) {
    if (problem.is_equation(k) || g[k] < -options_.activity) continue;
    if (!parts(problem, fall, k, -approach_of(problem, k))) continue;
    active[static_cast<std::size_t>(k)] = false;
  }
  return active;
}

Eigen::VectorXd Motion::later_acceleration(const CoordinateState& state, const RowSet& rows) {
  const LeastConstraint problem = problem_at(state);
  if (options_.active_set == ActiveSet::convex) return convex_instant(problem, rows).acceleration;
  return solve_handled(problem, last_.handled).x;
}

CoordinateState Motion::advanced(const RowSet& rows, double h) {
  if (options_.integrator == Integrator::runge_kutta) return runge_kutta(rows, h);
  CoordinateState end = state_;
  end.time += h;
  end.v += h * last_.acceleration;
  end.x += h * (options_.integrator == Integrator::euler ? state_.v : end.v);
  return end;
}

CoordinateState Motion::runge_kutta(const RowSet& rows, double h) {
  const auto stage = [&](double share, const Eigen::VectorXd& v, const Eigen::VectorXd& a) {
    return CoordinateState{state_.time + share * h, state_.x + share * h * v,
                           state_.v + share * h * a};
  };
  const Eigen::VectorXd& a1 = last_.acceleration;
  const CoordinateState s2 = stage(0.5, state_.v, a1);
  const Eigen::VectorXd a2 = later_acceleration(s2, rows);
  const CoordinateState s3 = stage(0.5, s2.v, a2);
  const Eigen::VectorXd a3 = later_acceleration(s3, rows);
  const CoordinateState s4 = stage(1.0, s3.v, a3);
  const Eigen::VectorXd a4 = later_acceleration(s4, rows);
  return {state_.time + h, state_.x + h / 6.0 * (state_.v + 2.0 * s2.v + 2.0 * s3.v + s4.v),
          state_.v + h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4)};
}

std::optional<double> Motion::first_activation(const RowSet& active, const RowSet& rows,
                                               const CoordinateState& end, double h) {
  const Eigen::VectorXd at_end = values_at(end.x);
  std::vector<Eigen::Index> candidates;
  for (std::size_t k = 0; k < active.size(); ++k) {
    const auto row = static_cast<Eigen::Index>(k);
    if (!active[k] && at_end[row] < 0.0) candidates.push_back(row);
  }
  if (candidates.empty()) return std::nullopt;
  double before = 0.0;
  double after = h;
  constexpr int kHalvings = 60;  // down to the rounding of h
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = 0.5 * (before + after);
    const double least = values_at(advanced(rows, middle).x)(candidates).minCoeff();
    (least < 0.0 ? after : before) = middle;
    if (least >= 0.0 && least <= options_.activity) return middle;
  }
  return after;
}

double Motion::approach_of(const LeastConstraint& problem, int row) const {
  constexpr double kRounding = 1e-10;
  const double approach = -problem.J.row(row).dot(state_.v);
  const bool rests = std::abs(approach) <= kRounding * problem.J.row(row).norm() * state_.v.norm();
  return rests ? 0.0 : approach;
}

bool Motion::parts(const LeastConstraint& problem, const Eigen::VectorXd& fall, int row,
                   double speed) const {
  const Constraint& constraint = system_.constraints[static_cast<std::size_t>(row)];
  const double pressing =
      -problem.J.row(row).dot(fall) - value_of(constraint, state_.x, state_.v).curvature;
  return speed > std::max(options_.resting_speed, 0.5 * options_.step * pressing);
}

void Motion::resolve_impacts() {
  const RowSet active = active_at(state_.x);
  const LeastConstraint problem = problem_at(state_);
  const Eigen::VectorXd fall = free_acceleration(problem);
  Collision collision{problem.M, state_.v, problem.J, problem.relations,
                      Eigen::VectorXd::Zero(problem.rows())};
  std::vector<int> rows;
  bool collides = false;
  for (int k = 0; k < problem.rows(); ++k) {
    if (!active[static_cast<std::size_t>(k)]) continue;
    rows.push_back(k);
    if (problem.is_equation(k)) continue;
    const double approach = approach_of(problem, k);
    collides = collides || approach > 0.0;
    // What does not approach yet may do so after another impact.
    if (approach <= 0.0 || parts(problem, fall, k, options_.restitution * approach)) {
      collision.restitution[k] = options_.restitution;
    }
  }
  if (!collides) return;
  collision.J = collision.J(rows, Eigen::all).eval();
  collision.restitution = collision.restitution(rows).eval();
  collision.relations.clear();
  for (const int k : rows) {
    collision.relations.push_back(problem.relations[static_cast<std::size_t>(k)]);
  }
  const auto model = options_.impacts == ImpactModel::simultaneous ? CollisionModel::simultaneous
                                                                   : CollisionModel::propagation;
  state_.v = collide(collision, model).v;
  ++impacts_;
}

void Motion::step() {
  double left = options_.step;
  for (int cuts = 0;; ++cuts) {
    if (options_.impacts != ImpactModel::stabilisation) resolve_impacts();
    const RowSet active = active_at(state_.x);
    const bool convex = options_.active_set == ActiveSet::convex;
    const RowSet rows = convex ? without_parting(problem_at(state_), active) : active;
    last_ = instant_at(rows);
    const CoordinateState end = advanced(rows, left);
    std::optional<double> cut;
    if (options_.rewind && cuts < kMostCuts) cut = first_activation(active, rows, end, left);
    state_ = cut ? advanced(rows, *cut) : end;
    update_handled_set();
    if (!cut) return;
    left -= *cut;
  }
}

double Motion::violation() const {
  const Eigen::VectorXd g = values_at(state_.x);
  double worst = 0.0;
  for (std::size_t k = 0; k < system_.constraints.size(); ++k) {
    const double value = g[static_cast<Eigen::Index>(k)];
    const bool equation = system_.constraints[k].relation == Relation::equal;
    worst = std::max(worst, equation ? std::abs(value) : -value);
  }
  return worst;
}

double Motion::kinetic_energy() const {
  return 0.5 * state_.v.dot(system_.mass(state_.x) * state_.v);
}

}  // namespace collapse::analytical
