#include "solver/delassus_newton.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "solver/common.hpp"

namespace collapse {
namespace {

// Where Newton's method does not get there it is started anew, after more sweeps. Tuned on the FCLIB
// problems and 60 variants of each (other friction, other loads); of 60 others it fails on 5 in 840.
constexpr int kAttempts = 4;
constexpr int kFirstSweeps = 10;  // without them a tower takes 20 times the steps
constexpr int kMoreSweeps = 50;
constexpr int kLocalSteps = 5;  // at a contact in each sweep
constexpr int kNewtonSteps = 200;
// A step may be worse than the last one, but not than the worst of so many: the kinks where contacts
// change their state would otherwise hold it up.
constexpr int kDelassusMemory = 10;
constexpr int kDelassusHalvings = 4;
constexpr double kDelassusDecrease = 1e-4;  // share of the decrease that a step promises
constexpr double kShort = 0.25;             // a step that needs a larger ρ
constexpr double kStartRho = 1e-2;
constexpr double kSmallestRho = 1e-7;  // below, directions without resistance drown in rounding
constexpr double kGreatestRho = 10.0;

/// The derivative of project_on_friction_cone. Between K and its polar cone it projects on the ray
/// a = (1, μ e) that is nearest, e = x_T/‖x_T‖, and shrinks across it.
Eigen::Matrix3d friction_cone_derivative(double mu, const Eigen::Vector3d& x) {
  const double length = x.tail<2>().norm();
  if (mu * length <= -x[0]) return Eigen::Matrix3d::Zero();
  if (length <= mu * x[0]) return Eigen::Matrix3d::Identity();
  const double normal = (x[0] + mu * length) / (1.0 + mu * mu);
  const Eigen::Vector2d e = x.tail<2>() / length;
  const Eigen::Vector3d a(1.0, mu * e[0], mu * e[1]);
  const Eigen::Vector3d across(0.0, -e[1], e[0]);
  return a * a.transpose() / (1.0 + mu * mu) + mu * normal / length * across * across.transpose();
}

}  // namespace

Eigen::Vector3d project_on_friction_cone(double mu, const Eigen::Vector3d& x) {
  const double length = x.tail<2>().norm();
  // The polar cone first: with μ = 0 the negative normal axis meets the next condition too.
  if (mu * length <= -x[0]) return Eigen::Vector3d::Zero();
  if (length <= mu * x[0]) return x;
  const double normal = (x[0] + mu * length) / (1.0 + mu * mu);
  const double shrink = mu * normal / length;
  return {normal, shrink * x[1], shrink * x[2]};
}

Eigen::Vector3d with_lift(double mu, const Eigen::Vector3d& u) {
  return {u[0] + mu * u.tail<2>().norm(), u[1], u[2]};
}

DelassusNewton::DelassusNewton(const ContactIsland& island) : island_(island) {
  jacobian_ = island.W;
}

double DelassusNewton::residual(const Eigen::VectorXd& r) {
  const BlockRows& W = island_.W;
  velocity_.resize(r.size());
  defect_.resize(r.size());
  for (int i = 0; i < W.rows(); ++i) {
    Eigen::Vector3d u = island_.q.segment<3>(3 * i);
    for (int k = W.start[index(i)]; k < W.start[index(i) + 1]; ++k) {
      u += W.block[index(k)] * r.segment<3>(3 * W.column[index(k)]);
    }
    velocity_.segment<3>(3 * i) = u;
    const Eigen::Vector3d force = r.segment<3>(3 * i);
    const double mu = island_.mu[i];
    defect_.segment<3>(3 * i) = force - project_on_friction_cone(mu, force - with_lift(mu, u));
  }
  const double norm = defect_.norm();
  return std::isfinite(norm) ? norm : std::numeric_limits<double>::infinity();
}

/// Contact by contact r ← Π(r − û/‖Wᵢᵢ‖), with what all the others are just now.
void DelassusNewton::sweep(Eigen::VectorXd& r) const {
  const BlockRows& W = island_.W;
  for (int i = 0; i < W.rows(); ++i) {
    Eigen::Vector3d rest = island_.q.segment<3>(3 * i);
    Eigen::Matrix3d own = Eigen::Matrix3d::Zero();
    for (int k = W.start[index(i)]; k < W.start[index(i) + 1]; ++k) {
      if (W.column[index(k)] == i) {
        own = W.block[index(k)];
      } else {
        rest += W.block[index(k)] * r.segment<3>(3 * W.column[index(k)]);
      }
    }
    const double size = own.norm();
    if (!(size > 0.0)) continue;
    const double mu = island_.mu[i];
    Eigen::Vector3d force = r.segment<3>(3 * i);
    for (int step = 0; step < kLocalSteps; ++step) {
      force = project_on_friction_cone(mu, force - with_lift(mu, own * force + rest) / size);
    }
    r.segment<3>(3 * i) = force;
  }
}

bool DelassusNewton::find_direction(const Eigen::VectorXd& r, double rho, Eigen::VectorXd& step) {
  const BlockRows& W = island_.W;
  for (int i = 0; i < W.rows(); ++i) {
    const double mu = island_.mu[i];
    const Eigen::Vector3d u = velocity_.segment<3>(3 * i);
    const double speed = u.tail<2>().norm();
    Eigen::Matrix3d C = Eigen::Matrix3d::Identity();
    if (speed > 0.0) C.block<1, 2>(0, 1) = mu / speed * u.tail<2>().transpose();
    const Eigen::Matrix3d V = friction_cone_derivative(mu, r.segment<3>(3 * i) - with_lift(mu, u));
    const Eigen::Matrix3d VC = V * C;
    for (int k = W.start[index(i)]; k < W.start[index(i) + 1]; ++k) {
      jacobian_.block[index(k)] = VC * W.block[index(k)];
      if (W.column[index(k)] != i) continue;
      jacobian_.block[index(k)] += Eigen::Matrix3d::Identity() - V + rho * VC;
    }
  }
  if (!lu_.factorize(jacobian_)) return false;
  step = -defect_;
  lu_.solve(step);
  return step.allFinite();
}

/// The length of the step with which ‖F‖ gets below the limit, 0 if there is none; leaves the point in
/// `tried` and ‖F‖ there in `norm`.
double DelassusNewton::search(const Eigen::VectorXd& r, const Eigen::VectorXd& step, double limit,
                              Eigen::VectorXd& tried, double& norm) {
  double length = 1.0;
  for (int halving = 0; halving <= kDelassusHalvings; ++halving, length *= 0.5) {
    tried = r + length * step;
    norm = residual(tried);
    if (norm < (1.0 - kDelassusDecrease * length) * limit) return length;
  }
  return 0.0;
}

double DelassusNewton::newton(double tolerance, int max_steps,
                              const std::function<bool()>& interrupt, Eigen::VectorXd& r,
                              DelassusEffort& effort) {
  double norm = residual(r);
  double best_norm = norm;
  Eigen::VectorXd best = r;
  Eigen::VectorXd step;
  Eigen::VectorXd tried;
  std::array<double, kDelassusMemory> last;
  last.fill(norm);
  std::size_t next = 0;
  double rho = kStartRho;
  for (int k = 0; k < max_steps && best_norm > tolerance && rho < kGreatestRho; ++k) {
    if (interrupt && interrupt()) {
      effort.interrupted = true;
      break;
    }
    ++effort.steps;
    ++effort.factorizations;
    const double limit = *std::max_element(last.begin(), last.end());
    const double length = find_direction(r, rho, step) ? search(r, step, limit, tried, norm) : 0.0;
    if (length == 0.0) {
      norm = residual(r);
      rho *= 10.0;
      continue;
    }
    r.swap(tried);
    last[next] = norm;
    next = (next + 1) % last.size();
    if (length == 1.0) {
      rho = std::max(kSmallestRho, 0.1 * rho);
    } else if (length <= kShort) {
      rho *= 3.0;
    }
    if (norm < best_norm) {
      best_norm = norm;
      best = r;
    }
  }
  r = best;
  return best_norm;
}

double DelassusNewton::solve(double tolerance, int max_steps,
                             const std::function<bool()>& interrupt, Eigen::VectorXd& r,
                             DelassusEffort& effort) {
  const int end = effort.steps + max_steps;
  Eigen::VectorXd best = r;
  double best_residual = residual(r);
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    if (best_residual <= tolerance || effort.steps >= end || effort.interrupted) break;
    for (int k = 0; k < (attempt == 0 ? kFirstSweeps : kMoreSweeps); ++k) sweep(r);
    double reached = residual(r);
    if (reached > tolerance) {
      if (attempt == 0) lu_.analyse(jacobian_);
      reached = newton(tolerance, std::min(kNewtonSteps, end - effort.steps), interrupt, r, effort);
    }
    if (reached < best_residual) {
      best_residual = reached;
      best = r;
    }
    if (!std::isfinite(reached)) r = best;
  }
  r = best;
  return best_residual;
}

}  // namespace collapse
