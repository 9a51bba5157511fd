#include "solver/interior_point.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "solver/common.hpp"
#include "solver/proximal_newton.hpp"
#include "solver/residuals.hpp"
#include "solver/stopwatch.hpp"

namespace collapse {
namespace {

// If nothing has come down by a tenth in this many iterations, nothing will.
constexpr int kPatience = 10;
// Below this mean product, in the scaled measure, further decrease means nothing.
constexpr double kLeastMu = 1e-26;
// What a ray may leave of its claim: whatever contradicts it is further away than the inverse.
constexpr double kRayDefect = 1e-9;
// Multipliers or variables have to be this large before they are suspected of being a ray.
constexpr double kSuspicious = 1e3;

// Where every inequality and cone gives way, Newton's method takes over from here: its steps then are
// fewer than those that the products still need.
constexpr double kHandOver = 1e-4;
// … or from here, if a step is stopped early at the boundary.
constexpr double kEarlyHandOver = 1e-3;
constexpr double kShortStep = 0.3;

// ρ follows the mean product from kProximal down to here, always this share of it, and rises again where the
// factorisation breaks down.
constexpr double kLeastProximal = 1e-14;
constexpr double kProximalShare = 1e-3;
constexpr double kProximalRise = 10.0;

// A start near a solution: the root of its products as a share of the residual there (a third to a hundredth cost about the
// same), and the least of them.
constexpr double kCentralShare = 0.1;
constexpr double kLeastCentral = 1e-8;

// The share of the way to the boundary that a step takes, more of it as the products vanish.
constexpr double kLeastShare = 0.99;
constexpr double kMostShare = 0.9999;

// A step that ends so early is tried again, at no less than this share of the mean product.
constexpr double kBlocked = 0.1;
constexpr double kCentring = 0.5;

// Of the linear systems. The predictor only says how far to aim; what a step leaves of the balance of forces
// is kept below this share of the residual.
constexpr double kPredictorAccuracy = 0.1;
constexpr double kStepAccuracy = 0.03;
constexpr double kBalanceShare = 0.3;

// Newton's method is tried on other programs from here, and again whenever the residual has come down by so much: the set of
// active rows is mostly known long before the products are as small as they have to be.
constexpr double kFirstShortCut = 1e-4;
constexpr double kNextShortCut = 1e-3;
constexpr int kShortCutSteps = 8;

/// The least values so far. Products grow at first where forces have to build up through many bodies
/// while the defects come down, so any of them counts.
class Progress {
 public:
  bool made(double mu, double dual, double primal, double residual) {
    bool any = false;
    const auto look = [&any](double& least, double value) {
      if (!(value < 0.9 * least)) return;
      least = value;
      any = true;
    };
    look(mu_, std::max(mu, kLeastMu));
    look(dual_, dual);
    look(primal_, primal);
    look(residual_, residual);
    return any;
  }

 private:
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();
  double mu_ = kInfinity;
  double dual_ = kInfinity;
  double primal_ = kInfinity;
  double residual_ = kInfinity;
};

/// v plus the least multiple of the cones' centre that brings it well inside; nothing if it is there.
void shift_inside(const Program& program, Eigen::VectorXd& v) {
  double low = 1.0;
  for (const Program::Group& group : program.groups()) {
    if (group.cone == Cone::zero) continue;
    low = std::min(low, cone_distance(group.cone, v.data() + group.first_row, group.rows));
  }
  for (const Program::Group& group : program.groups()) {
    auto rows = v.segment(group.first_row, group.rows);
    if (group.cone == Cone::zero) {
      rows.setZero();
    } else if (low > 1e-3) {
      continue;
    } else if (group.cone == Cone::second_order) {
      rows[0] += 1.0 - low;
    } else {
      rows.array() += 1.0 - low;
    }
  }
}

/// v += step·e, the centre of the cones.
void add_centre(const Program& program, double step, Eigen::VectorXd& v) {
  for (const Program::Group& group : program.groups()) {
    auto rows = v.segment(group.first_row, group.rows);
    if (group.cone == Cone::nonnegative) rows.array() += step;
    if (group.cone == Cone::second_order) rows[0] += step;
  }
}

}  // namespace

double InteriorPoint::mu() const { return degree_ == 0 ? 0.0 : at_.s.dot(at_.z) / degree_; }

/// The minimiser of the objective plus ½‖G y − b‖², its slacks and multipliers shifted inside.
void InteriorPoint::start(Effort& effort) {
  const Program& program = *program_;
  for (std::size_t k = 0; k < program.groups().size(); ++k) {
    const Program::Group& group = program.groups()[k];
    double* const d = weights_.of(k);
    if (group.cone == Cone::nonnegative) std::fill(d, d + group.rows, 1.0);
    if (group.cone == Cone::second_order) {
      Eigen::Map<Eigen::MatrixXd>(d, group.rows, group.rows).setIdentity();
    }
  }
  at_.y = program.linear();
  at_.z = program.bounds();
  weights_.multiply(program, at_.z, work_);
  program.add_transposed_times(work_, at_.y);
  ++effort.factorizations;
  const bool factorized = system_->factorize(weights_);
  if (factorized) system_->solve(at_.y, at_.z, kStepAccuracy);
  if (!factorized || !at_.y.allFinite() || !at_.z.allFinite()) {
    at_.y.setZero();
    at_.z.setZero();
  }
  work_ = at_.z;
  at_.z.setZero();
  program.slack(at_.y, at_.z, slack_);
  at_.s = slack_;
  at_.z = -slack_;
  shift_inside(program, at_.s);
  shift_inside(program, at_.z);
  for (const Program::Group& group : program.groups()) {
    if (group.cone != Cone::zero) continue;
    at_.z.segment(group.first_row, group.rows) = work_.segment(group.first_row, group.rows);
  }
}

/// As central as these variables and multipliers are far from solving the program.
void InteriorPoint::start_near() {
  const Program& program = *program_;
  optimality_defects(program, at_.y, at_.z, dual_, forces_, slack_);
  const double off =
      kCentralShare * scaled_residuals(program, dual_, forces_, at_.z, slack_).worst();
  at_.s = slack_;
  for (const Program::Group& group : program.groups()) {
    double* const s = at_.s.data() + group.first_row;
    if (group.cone == Cone::zero) std::fill(s, s + group.rows, 0.0);
    make_central(group.cone, std::max(off * off, kLeastCentral), group.rows, s,
                 at_.z.data() + group.first_row);
  }
}

void InteriorPoint::measure_defects() {
  optimality_defects(*program_, at_.y, at_.z, dual_, forces_, slack_);
  primal_ = slack_ - at_.s;
}

bool InteriorPoint::factorize(Effort& effort) {
  if (!scaling_.update(*program_, at_.s, at_.z)) return false;
  const Stopwatch watch(effort.factor_seconds);
  const double following = std::min(kProximal, kProximalShare * mu());
  for (;; least_rho_ = std::min(kProximal, kProximalRise * rho_)) {
    rho_ = std::max(least_rho_, following);
    scaling_.weights(*program_, rho_, weights_);
    ++effort.factorizations;
    if (system_->factorize(weights_)) return true;
    if (rho_ == kProximal || system_->interrupted()) return false;
  }
}

/// Newton's direction with W⁻¹Δs + WΔz = −W⁻¹·shift, and no more than `left` of the balance of forces.
void InteriorPoint::newton_direction(const Eigen::VectorXd& shift, double left, Iterate& direction,
                                     Effort& effort) {
  const Program& program = *program_;
  const Stopwatch watch(effort.solve_seconds);
  // Δz = −D (G Δy + primal + shift), put into the first equation.
  work_ = -(primal_ + shift);
  weights_.multiply(program, work_, direction.z);
  direction.y = -dual_;
  program.add_transposed_times(direction.z, direction.y);
  direction.z = -primal_;
  system_->solve(direction.y, direction.z, std::isinf(left) ? kPredictorAccuracy : kStepAccuracy,
                 left);
  product_ = direction.z;
  program.rows_times(direction.y, work_);
  work_ += primal_;
  work_ += shift;
  weights_.multiply(program, work_, direction.z);
  direction.z = -direction.z;
  // Of an inequality that is about to be active the slack is known better from the product s z than
  // from G y − b; near the boundary of a cone it is the other way round.
  scaling_.scale_twice(program, direction.z, direction.s);
  for (const Program::Group& group : program.groups()) {
    auto s = direction.s.segment(group.first_row, group.rows);
    auto z = direction.z.segment(group.first_row, group.rows);
    if (group.cone == Cone::zero) {
      s.setZero();
      z = product_.segment(group.first_row, group.rows);
    } else if (group.cone == Cone::nonnegative) {
      s = -s - shift.segment(group.first_row, group.rows);
    } else {
      s = work_.segment(group.first_row, group.rows) - shift.segment(group.first_row, group.rows) +
          (group.compliance + rho_) * z;
    }
  }
}

/// The direction that takes all products to `target`, product_ being what its own second-order error is
/// taken for: the shift is Wλ + W (λ \ (product − target·e)) with the scaled point λ = W z, Wλ = s. Returns
/// the step to the boundary.
double InteriorPoint::corrector(double target, double left, Iterate& direction, Effort& effort) {
  add_centre(*program_, -target, product_);
  scaling_.divide(*program_, product_, quotient_);
  scaling_.scale(*program_, quotient_, shift_);
  shift_ += at_.s;
  newton_direction(shift_, left, direction, effort);
  return step_to_boundary(direction);
}

double InteriorPoint::step_to_boundary(const Iterate& direction) const {
  double step = std::numeric_limits<double>::max();
  for (const Program::Group& group : program_->groups()) {
    const int r = group.first_row;
    step = collapse::step_to_boundary(group.cone, at_.s.data() + r, direction.s.data() + r,
                                      group.rows, step);
    step = collapse::step_to_boundary(group.cone, at_.z.data() + r, direction.z.data() + r,
                                      group.rows, step);
  }
  return std::min(step, 1.0);
}

bool InteriorPoint::is_ray(const Program& program, const Eigen::VectorXd& candidate, Status claim) {
  const double size = largest(candidate);
  if (!(size > 0.0) || !std::isfinite(size)) return false;
  ray_ = candidate / size;
  if (claim == Status::infeasible) {
    for (const Program::Group& group : program.groups()) {  // exactly in the cone
      double* const rows = ray_.data() + group.first_row;
      work_.resize(group.rows);
      project(group.cone, rows, group.rows, work_.data());
      std::copy(work_.data(), work_.data() + group.rows, rows);
    }
  }
  return (claim == Status::infeasible ? infeasibility_defect(program, ray_)
                                      : unboundedness_defect(program, ray_)) <= kRayDefect;
}

Status InteriorPoint::find_ray() {
  if (largest(at_.z) > kSuspicious) {
    for (const Eigen::VectorXd* candidate : {&at_.z, &direction_.z}) {
      if (is_ray(*program_, *candidate, Status::infeasible)) return Status::infeasible;
    }
  }
  if (system_->has_massless() && largest(at_.y) > kSuspicious) {
    for (const Eigen::VectorXd* candidate : {&at_.y, &direction_.y}) {
      if (is_ray(*program_, *candidate, Status::unbounded)) return Status::unbounded;
    }
  }
  return Status::optimal;
}

/// Newton's method from here, in a few steps.
bool InteriorPoint::take_short_cut(Newton& newton, const SolverOptions& options, Effort& effort) {
  short_cut_ = at_;
  const Residuals residuals = newton.polish(
      *program_, *system_, {options.tolerance, kShortCutSteps}, short_cut_.y, short_cut_.z, effort);
  if (!within(residuals, options)) return false;
  std::swap(best_, short_cut_);
  return true;
}

Status InteriorPoint::run(const Program& program, KktSystem& system, Newton& newton,
                          const SolverOptions& options, Effort& effort) {
  program_ = &program;
  system_ = &system;
  degree_ = 0;
  for (const Program::Group& group : program.groups()) {
    if (group.cone == Cone::nonnegative) degree_ += group.rows;
    if (group.cone == Cone::second_order) ++degree_;
  }
  weights_.fit(program);
  least_rho_ = kLeastProximal;
  const bool soft = is_soft(program) && system.is_iterative();
  if (std::exchange(near_, false)) {
    start_near();
  } else {
    start(effort);
  }
  best_ = at_;
  direction_ = at_;
  double best_residual = std::numeric_limits<double>::infinity();
  Progress progress;
  int last_progress = 0;
  double last_step = 1.0;
  double short_cut_from = kFirstShortCut;

  for (iterations_ = 0; iterations_ < options.max_iterations; ++iterations_) {
    measure_defects();
    const Residuals residuals = scaled_residuals(program, dual_, forces_, at_.z, slack_);
    if (progress.made(mu(), largest(dual_), largest(primal_), residuals.worst())) {
      last_progress = iterations_;
    }
    if (residuals.worst() < best_residual) {
      best_residual = residuals.worst();
      best_ = at_;
    }
    if (within(residuals, options)) {
      best_ = at_;
      return Status::optimal;
    }
    if (!soft && residuals.worst() <= short_cut_from) {
      if (take_short_cut(newton, options, effort)) return Status::optimal;
      short_cut_from = kNextShortCut * residuals.worst();
    }
    if (soft &&
        residuals.complementarity <= (last_step < kShortStep ? kEarlyHandOver : kHandOver)) {
      return Status::stalled;
    }
    if (const Status claim = find_ray(); claim != Status::optimal) return claim;
    if (iterations_ - last_progress > kPatience) return Status::stalled;
    if (!factorize(effort)) return system.interrupted() ? Status::interrupted : Status::stalled;

    // Predictor: straight at the solution. Corrector: towards the central path, as far back as the
    // predictor's failure suggests, with its second-order error taken into account.
    newton_direction(at_.s, std::numeric_limits<double>::infinity(), predictor_, effort);
    const double predictor_step = step_to_boundary(predictor_);
    const double mean = mu();
    const double ahead =
        degree_ == 0
            ? 0.0
            : (at_.s + predictor_step * predictor_.s).dot(at_.z + predictor_step * predictor_.z) /
                  degree_;
    const double ratio = mean > 0.0 ? std::max(0.0, ahead / mean) : 0.0;
    const double sigma = std::min(1.0, ratio * ratio * ratio);
    scaling_.unscale(program, predictor_.s, scaled_s_);
    scaling_.scale(program, predictor_.z, scaled_z_);
    cone_product(program, scaled_s_, scaled_z_, product_);
    const double left = kBalanceShare * residuals.worst();
    double to_boundary = corrector(sigma * mean, left, direction_, effort);
    if (to_boundary < kBlocked) {
      // Near the boundary of a cone that error may be all there is. Without it, and more to the centre:
      product_.setZero();
      const double centred = corrector(std::max(sigma, kCentring) * mean, left, predictor_, effort);
      if (centred > to_boundary) {
        to_boundary = centred;
        std::swap(direction_, predictor_);
      }
    }
    const double step =
        std::min(1.0, std::clamp(1.0 - mean, kLeastShare, kMostShare) * to_boundary);
    last_step = step;
    at_.y += step * direction_.y;
    at_.s += step * direction_.s;
    at_.z += step * direction_.z;
    if (!at_.finite()) return Status::stalled;
  }
  return Status::iteration_limit;
}

}  // namespace collapse
