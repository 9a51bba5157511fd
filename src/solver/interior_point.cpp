/// Mehrotra's predictor–corrector method for ScaledProgram, with slacks s = G y − b kept as
/// variables of their own (they stay accurate however small they get), and with proximal steps on
/// the multipliers: each Newton step solves
///
///     G y − b − s + ρ (z − z̄) = 0,      J y − d + ρ (w − w̄) = 0,
///
/// z̄ and w̄ being the current multipliers. The last terms vanish as the iteration converges, so the
/// answer is that of the program itself; but the weights D = 1/(s/z + ρ) in M + GᵀDG stay below
/// 1/ρ. Without this bound the mass, which alone holds the directions that no contact resists,
/// drowns in the rounding of GᵀDG as soon as the scene is not aligned with the axes.

#include <algorithm>
#include <limits>
#include <string>

#include "collapse/core/error.hpp"
#include "collapse/solver/solution.hpp"
#include "solver/kkt_system.hpp"

namespace collapse {
namespace {

struct Iterate {
  Eigen::VectorXd y;  ///< variables
  Eigen::VectorXd s;  ///< slacks of the inequalities, > 0
  Eigen::VectorXd z;  ///< their multipliers, > 0
  Eigen::VectorXd w;  ///< multipliers of the equations

  /// Mean complementarity product.
  [[nodiscard]] double mu() const {
    return s.size() == 0 ? 0.0 : s.dot(z) / static_cast<double>(s.size());
  }
  [[nodiscard]] bool finite() const {
    return y.allFinite() && s.allFinite() && z.allFinite() && w.allFinite();
  }
};

/// What the current iterate leaves of the optimality conditions.
struct Defects {
  Eigen::VectorXd forces;    ///< Gᵀz + Jᵀw
  Eigen::VectorXd dual;      ///< M y − c − Gᵀz − Jᵀw
  Eigen::VectorXd primal;    ///< G y − b − s
  Eigen::VectorXd equation;  ///< J y − d

  Defects(const ScaledProgram& program, const Iterate& at)
      : forces(program.G.transpose() * at.z + program.J.transpose() * at.w),
        dual(program.M * at.y - program.c - forces),
        primal(program.G * at.y - program.b - at.s),
        equation(program.J * at.y - program.d) {}
};

// In the scaled measure: 1/ρ times the unit roundoff is the relative error of a Newton step, and ρ
// times the change of the multipliers is what a step leaves of the constraints. (1e-11 for the
// equations alone saves iterations but loses arches, whose pivots then drown in rounding.)
constexpr double kRho = 1e-8;

// If nothing has come down by a tenth in this many iterations, nothing will.
constexpr int kPatience = 10;
// Below this mean product, in the scaled measure, further decrease means nothing.
constexpr double kLeastMu = 1e-26;

double largest(const Eigen::VectorXd& v) {
  return v.size() == 0 ? 0.0 : v.lpNorm<Eigen::Infinity>();
}

/// Of (y, z, w), in the scaled measure.
Residuals residuals_of(const Iterate& at, const Defects& defects) {
  if (!at.finite()) {
    const double infinity = std::numeric_limits<double>::infinity();
    return {infinity, infinity, infinity};
  }
  const Eigen::VectorXd slack = defects.primal + at.s;  // G y − b
  return {largest(defects.dual) / std::max(1.0, largest(defects.forces)), largest(defects.equation),
          largest(at.z.cwiseMin(slack))};
}

Eigen::VectorXd weights(const Iterate& at) {
  return (at.s.cwiseQuotient(at.z).array() + kRho).inverse();
}

/// Newton's direction for the conditions above, with `products` to be taken off s∘z.
Iterate newton_direction(const ScaledProgram& program, const KktSystem& system, const Iterate& at,
                         const Defects& defects, const Eigen::VectorXd& products) {
  const Eigen::VectorXd shift = defects.primal + products.cwiseQuotient(at.z);
  const Eigen::VectorXd D = weights(at);
  Iterate step;
  system.solve(-defects.dual - program.G.transpose() * D.cwiseProduct(shift), -defects.equation,
               step.y, step.w);
  step.z = -D.cwiseProduct(program.G * step.y + shift);
  step.s = -(products + at.s.cwiseProduct(step.z)).cwiseQuotient(at.z);
  return step;
}

/// The largest step in [0, 1] that keeps v + step·dv ≥ 0.
double step_to_boundary(const Eigen::VectorXd& v, const Eigen::VectorXd& dv) {
  double step = 1.0;
  for (Eigen::Index k = 0; k < v.size(); ++k) {
    if (dv[k] < 0.0) step = std::min(step, -v[k] / dv[k]);
  }
  return step;
}

double step_to_boundary(const Iterate& at, const Iterate& direction) {
  return std::min(step_to_boundary(at.s, direction.s), step_to_boundary(at.z, direction.z));
}

/// The least values so far. Products grow at first where forces have to build up through many bodies
/// while the defects come down, so any of them counts.
class Progress {
 public:
  bool made(double mu, const Defects& defects, const Residuals& residuals) {
    bool any = false;
    const auto look = [&any](double& least, double value) {
      if (!(value < 0.9 * least)) return;
      least = value;
      any = true;
    };
    look(mu_, std::max(mu, kLeastMu));
    look(dual_, largest(defects.dual));
    look(primal_, std::max(largest(defects.primal), largest(defects.equation)));
    look(residual_, residuals.worst());
    return any;
  }

 private:
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();
  double mu_ = kInfinity;
  double dual_ = kInfinity;
  double primal_ = kInfinity;
  double residual_ = kInfinity;
};

/// The minimiser of the objective plus ½‖G y − b‖², its slacks and multipliers shifted inside.
Iterate starting_point(const ScaledProgram& program, KktSystem& system) {
  Iterate start;
  const Eigen::Index rows = program.b.size();
  if (!system.factorize(Eigen::VectorXd::Ones(rows))) {
    start.y = Eigen::VectorXd::Zero(program.c.size());
    start.w = Eigen::VectorXd::Zero(program.d.size());
    start.s = start.z = Eigen::VectorXd::Ones(rows);
    return start;
  }
  system.solve(program.c + program.G.transpose() * program.b, program.d, start.y, start.w);
  const Eigen::VectorXd slack = program.G * start.y - program.b;
  const auto shifted = [](const Eigen::VectorXd& v) {
    const double low = v.size() == 0 ? 1.0 : v.minCoeff();
    return Eigen::VectorXd(low > 1e-3 ? v : Eigen::VectorXd(v.array() + (1.0 - low)));
  };
  start.s = shifted(slack);
  start.z = shifted(-slack);
  return start;
}

}  // namespace

void SolverOptions::validate() const {
  const auto demand_share = [](const char* field, double value) {
    if (!(value > 0.0 && value < 1.0)) {
      throw Error(field, std::to_string(value), "a number between 0 and 1");
    }
  };
  demand_share("SolverOptions.tolerance", tolerance);
  demand_share("SolverOptions.complementarity_tolerance", complementarity_tolerance);
  if (max_iterations < 1) {
    throw Error("SolverOptions.max_iterations", std::to_string(max_iterations), "at least 1");
  }
}

Solution solve(const Program& program, const SolverOptions& options) {
  options.validate();
  const ScaledProgram scaled(program);
  KktSystem system(scaled, kRho);

  Iterate at = starting_point(scaled, system);
  Iterate best = at;
  double best_residual = std::numeric_limits<double>::infinity();
  Progress progress;
  int last_progress = 0;
  Solution solution;
  solution.status = Status::iteration_limit;

  for (; solution.iterations < options.max_iterations; ++solution.iterations) {
    const Defects defects(scaled, at);
    const Residuals residuals = residuals_of(at, defects);
    if (progress.made(at.mu(), defects, residuals)) last_progress = solution.iterations;
    if (residuals.worst() < best_residual) {
      best_residual = residuals.worst();
      best = at;
    }
    if (std::max(residuals.stationarity, residuals.equations) <= options.tolerance &&
        residuals.complementarity <= options.complementarity_tolerance) {
      best = at;
      solution.status = Status::optimal;
      break;
    }
    if (solution.iterations - last_progress > kPatience || !system.factorize(weights(at))) {
      solution.status = Status::stalled;
      break;
    }

    // Predictor: straight at the solution. Corrector: towards the central path, as far back as the
    // predictor's failure suggests, with its second-order error taken into account.
    const Eigen::VectorXd products = at.s.cwiseProduct(at.z);
    const Iterate predictor = newton_direction(scaled, system, at, defects, products);
    const double predictor_step = step_to_boundary(at, predictor);
    const double mu = at.mu();
    Iterate ahead = at;
    ahead.s += predictor_step * predictor.s;
    ahead.z += predictor_step * predictor.z;
    const double ratio = mu > 0.0 ? ahead.mu() / mu : 0.0;
    const double sigma = ratio * ratio * ratio;
    const Eigen::VectorXd corrected = products + predictor.s.cwiseProduct(predictor.z) -
                                      Eigen::VectorXd::Constant(products.size(), sigma * mu);
    const Iterate direction = newton_direction(scaled, system, at, defects, corrected);
    const double to_boundary = step_to_boundary(at, direction);
    const double step = std::min(1.0, std::max(0.99, 1.0 - mu) * to_boundary);
    at.y += step * direction.y;
    at.s += step * direction.s;
    at.z += step * direction.z;
    at.w += step * direction.w;
    if (!at.finite()) {
      solution.status = Status::stalled;
      break;
    }
  }

  solution.x = scaled.unscaled_x(best.y);
  solution.lambda = scaled.unscaled_lambda(best.z, best.w);
  solution.residuals = compute_residuals(program, solution.x, solution.lambda);
  return solution;
}

}  // namespace collapse
