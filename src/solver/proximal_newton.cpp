#include "solver/proximal_newton.hpp"

#include <algorithm>
#include <cmath>

#include "solver/common.hpp"
#include "solver/cones.hpp"
#include "solver/residuals.hpp"
#include "solver/stopwatch.hpp"

namespace collapse {
namespace {

// Of a step, where linear systems are solved iteratively.
constexpr double kNewtonAccuracy = 1e-3;
// A round ends when the gradient is this share of the residual the round began with.
constexpr double kRoundAccuracy = 1e-2;
// The line search ends when the slope is this share of its first value.
constexpr double kSlopeShare = 0.1;
constexpr int kSearches = 12;

// Above this the compliance, not the proximal term, decides what multipliers there are.
constexpr double kSoft = 1e-7;

}  // namespace

bool is_soft(const Program& program) {
  return std::all_of(program.groups().begin(), program.groups().end(), [](const auto& group) {
    return group.cone == Cone::zero || group.compliance >= kSoft;
  });
}

/// z(y), given G y.
void ProximalNewton::evaluate(const Eigen::VectorXd& Gy) {
  const Program& program = *program_;
  for (const Program::Group& group : program.groups()) {
    const double soft = group.compliance + rho_;
    for (int r = group.first_row; r < group.first_row + group.rows; ++r) {
      point_[r] = (rho_ * centre_z_[r] - (Gy[r] - program.bounds()[r])) / soft;
    }
    project(group.cone, point_.data() + group.first_row, group.rows, z_.data() + group.first_row);
  }
}

void ProximalNewton::linearise() {
  const Program& program = *program_;
  for (std::size_t k = 0; k < program.groups().size(); ++k) {
    const Program::Group& group = program.groups()[k];
    const double stiffness = 1.0 / (group.compliance + rho_);
    if (group.cone == Cone::nonnegative) {
      for (int i = 0; i < group.rows; ++i) {
        weights_.of(k)[i] = point_[group.first_row + i] > 0.0 ? stiffness : 0.0;
      }
    } else if (group.cone == Cone::second_order) {
      AxisMatrix V;
      double* const axis = axis_.data() + group.first_row;
      project_derivative(point_.data() + group.first_row, group.rows, axis, V);
      AxisMatrix{stiffness * V.plus, stiffness * V.minus, stiffness * V.side}.dense(
          axis, group.rows, weights_.of(k));
    }
  }
}

/// φ'(y + length·dy)ᵀ dy.
double ProximalNewton::slope(double length) {
  rows_ = Gy_ + length * Gdy_;
  evaluate(rows_);
  return smooth_slope_ + length * curvature_ - z_.dot(Gdy_);
}

/// Where the slope, which rises all the way, is about zero. z is then that at this place.
double ProximalNewton::line_search() {
  double low = 0.0;
  double slope_low = smooth_slope_ - z_.dot(Gdy_);
  if (!(slope_low < 0.0)) return 0.0;
  const double enough = kSlopeShare * -slope_low;
  double high = 1.0;
  double slope_high = slope(high);
  for (int k = 0; k < kSearches && slope_high < -enough; ++k) {
    low = high;
    slope_low = slope_high;
    high *= 2.0;
    slope_high = slope(high);
  }
  double length = high;
  double at = slope_high;
  int last_side = 0;
  for (int k = 0; k < kSearches && std::abs(at) > enough; ++k) {
    length = (low * slope_high - high * slope_low) / (slope_high - slope_low);
    at = slope(length);
    const int side = at > 0.0 ? 1 : -1;
    if (side > 0) {
      high = length;
      slope_high = at;
      if (last_side > 0) slope_low *= 0.5;  // so that the other end moves too
    } else {
      low = length;
      slope_low = at;
      if (last_side < 0) slope_high *= 0.5;
    }
    last_side = side;
  }
  return length;
}

bool ProximalNewton::step(KktSystem& system, Effort& effort) {
  const Program& program = *program_;
  linearise();
  {
    const Stopwatch watch(effort.factor_seconds);
    ++effort.factorizations;
    ++effort.newton_steps;
    if (!system.factorize(weights_, true)) return false;
  }
  const Stopwatch watch(effort.solve_seconds);
  dy_ = -gradient_;
  rows_.setZero(program.rows());
  system.solve(dy_, rows_, kNewtonAccuracy);
  if (!dy_.allFinite()) return false;
  program.rows_times(dy_, Gdy_);
  program.mass_times(dy_, Mdy_);
  Mdy_ += delta_.cwiseProduct(dy_);
  curvature_ = dy_.dot(Mdy_);
  smooth_slope_ = dy_.dot(linear_part_);
  const double length = line_search();
  if (!(length > 0.0)) return false;
  y_ += length * dy_;
  Gy_.swap(rows_);
  linear_part_ += length * Mdy_;
  return true;
}

/// G y, z(y) and the part of the gradient without it.
void ProximalNewton::look() {
  const Program& program = *program_;
  program.rows_times(y_, Gy_);
  evaluate(Gy_);
  program.mass_times(y_, linear_part_);
  linear_part_ -= program.linear();
  linear_part_ += delta_.cwiseProduct(y_ - centre_y_);
}

Residuals ProximalNewton::improve(const Program& program, KktSystem& system, const Options& options,
                                  Eigen::VectorXd& y, Eigen::VectorXd& z, Effort& effort) {
  program_ = &program;
  rho_ = options.rho;
  system.set_proximal(rho_);
  delta_ = system.delta();
  weights_.fit(program);
  point_.resize(program.rows());
  axis_.resize(program.rows());
  z_.resize(program.rows());
  y_ = y;
  const auto residuals_of = [&](const Eigen::VectorXd& y_at, const Eigen::VectorXd& z_at) {
    optimality_defects(program, y_at, z_at, gradient_, forces_, slack_);
    return scaled_residuals(program, gradient_, forces_, z_at, slack_);
  };
  Residuals best = residuals_of(y, z);
  double last = best.worst();
  centre_z_ = z;
  int steps = 0;
  for (int round = 0; round < options.max_rounds && best.worst() > options.tolerance; ++round) {
    centre_y_ = y_;
    const double enough = std::max(kRoundAccuracy * last, 0.3 * options.tolerance);
    look();
    for (; steps < options.max_steps; ++steps) {
      forces_.setZero(program.variables());
      program.add_transposed_times(z_, forces_);
      gradient_ = linear_part_ - forces_;
      if (largest(gradient_) <= enough * std::max(1.0, largest(forces_))) break;
      if (!step(system, effort)) break;
    }
    program.rows_times(y_, Gy_);
    evaluate(Gy_);
    const Residuals now = residuals_of(y_, z_);
    if (now.worst() < best.worst()) {
      best = now;
      y = y_;
      z = z_;
    }
    const bool gained = now.worst() < 0.7 * last;
    last = now.worst();
    if (steps >= options.max_steps || (!gained && round > 2)) break;
    centre_z_ = z_;
  }
  system.set_proximal(kProximal);
  return best;
}

}  // namespace collapse
