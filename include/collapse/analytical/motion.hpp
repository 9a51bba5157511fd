#pragma once
/// Motion in coordinates of the user's choice, with multipliers for the constraints. Each handled constraint is driven
/// to its surface as a critically damped spring would (Baumgarte):
///
///     J_k ẍ = d_k,     d_k = −ẋᵀ Hess(g_k) ẋ − (2/τ) J_k ẋ − g_k/τ²
///
/// Equations are always handled. Which inequalities are is the question that ActiveSet answers.

#include <optional>

#include "collapse/analytical/collision.hpp"

namespace collapse::analytical {

enum class ActiveSet {
  platt,     ///< drops what pulled (λ ≤ 0) and adds what is violated (g < 0), after each step
  improved,  ///< adds active ones that tend to violation, J ẍ < d, instead; also after each step
  right,  ///< within each step: from none, adds active ones that tend to violation until none is left
  convex,  ///< least constraint over all active ones: λ ≥ 0, J ẍ ≥ d, complementary
};

enum class Integrator {
  euler,          ///< x⁺ = x + h ẋ, ẋ⁺ = ẋ + h ẍ
  semi_implicit,  ///< ẋ⁺ = ẋ + h ẍ, x⁺ = x + h ẋ⁺
  runge_kutta,    ///< the classical one of order four, the handled set kept through the step
};

/// What happens when an inequality becomes active while g falls.
enum class ImpactModel {
  /// Nothing but Baumgarte's term, as published: for h ≪ τ the approach velocity u comes back as e⁻² u, after a depth of
  /// u τ/e.
  stabilisation,
  simultaneous,
  propagation,
};

struct MotionOptions {
  double step = 1e-2;
  double tau = 1e-1;  ///< time in which a violation fades
  ActiveSet active_set = ActiveSet::convex;
  Integrator integrator = Integrator::semi_implicit;
  double activity = 1e-9;  ///< g up to which a constraint is active, in units of g
  /// Steps are cut short where an inequality becomes active.
  bool rewind = false;
  ImpactModel impacts = ImpactModel::stabilisation;
  double restitution = 0.0;
  /// In units of ġ: an impact that would be left more slowly has no restitution. Nor has one whose bounce would be over
  /// within a step, so a bouncing ball comes to rest.
  double resting_speed = 1e-6;

  /// Throws Error naming the field if a value makes no sense.
  void validate() const;
};

/// What acts in one step.
struct Instant {
  Eigen::VectorXd acceleration;
  Eigen::VectorXd lambda;  ///< of all constraints
  RowSet handled;          ///< of all constraints; for ActiveSet::convex those with λ > 0
};

class Motion {
 public:
  /// Throws Error for a system that `check` refuses, and for inequalities that contradict each other at the start.
  Motion(System system, CoordinateState start, MotionOptions options = {});

  /// Throws Error where the system ends on the way: a mass that becomes singular, a constraint whose value is no number,
  /// or, for ActiveSet::convex, that contradicts others.
  void step();

  [[nodiscard]] const System& system() const { return system_; }
  [[nodiscard]] const CoordinateState& state() const { return state_; }
  /// Of the last step, at its beginning (of its last part, where it was cut short).
  [[nodiscard]] const Instant& last() const { return last_; }
  /// Impacts so far.
  [[nodiscard]] int impacts() const { return impacts_; }
  /// By how much constraints are violated now: the largest −g, and |g| of equations.
  [[nodiscard]] double violation() const;
  /// ½ ẋᵀ M ẋ.
  [[nodiscard]] double kinetic_energy() const;

 private:
  [[nodiscard]] LeastConstraint problem_at(const CoordinateState& state) const;
  [[nodiscard]] Eigen::VectorXd values_at(const Eigen::VectorXd& x) const;
  [[nodiscard]] RowSet active_at(const Eigen::VectorXd& x) const;
  void begin_handled_set();
  void update_handled_set();
  /// Those of `active` that take part in the convex program: a contact that parts needs no row.
  [[nodiscard]] RowSet without_parting(const LeastConstraint& problem, RowSet active) const;
  [[nodiscard]] Instant instant_at(const RowSet& rows);
  [[nodiscard]] Instant convex_instant(const LeastConstraint& problem, const RowSet& rows);
  /// Within a step, after its first instant.
  [[nodiscard]] Eigen::VectorXd later_acceleration(const CoordinateState& state,
                                                   const RowSet& rows);
  [[nodiscard]] CoordinateState advanced(const RowSet& rows, double h);
  [[nodiscard]] CoordinateState runge_kutta(const RowSet& rows, double h);
  /// When the first of the inequalities becomes active that are not, and are violated at the end of the step.
  [[nodiscard]] std::optional<double> first_activation(const RowSet& active, const RowSet& rows,
                                                       const CoordinateState& end, double h);
  /// −J ẋ, 0 where that is rounding.
  [[nodiscard]] double approach_of(const LeastConstraint& problem, int row) const;
  /// Whether a contact left with this speed stays open for a step, if the system falls as without constraints.
  [[nodiscard]] bool parts(const LeastConstraint& problem, const Eigen::VectorXd& fall, int row,
                           double speed) const;
  void resolve_impacts();

  System system_;
  CoordinateState state_;
  MotionOptions options_;
  Solver solver_;
  RowSet handled_;  ///< F⁺ of the algorithms that keep it from step to step
  Instant last_;
  int impacts_ = 0;
};

}  // namespace collapse::analytical
