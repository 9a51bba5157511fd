#include "solver/newton.hpp"

#include <cmath>

#include "solver/cones.hpp"
#include "solver/residuals.hpp"
#include "solver/stopwatch.hpp"

namespace collapse {
namespace {

// Of a step, where linear systems are solved iteratively.
constexpr double kPolishAccuracy = 1e-8;
constexpr int kHalvings = 4;
// Steps that gain less than this are not worth their factorisation.
constexpr double kGain = 0.9;

/// Q and D for one direction in which the projection has the derivative v.
double inverse_of(double v, double soft) { return 1.0 / (1.0 - v + v * soft); }

}  // namespace

Residuals Newton::measure(const Eigen::VectorXd& y, const Eigen::VectorXd& z) {
  optimality_defects(*program_, y, z, dual_, forces_, slack_);
  return scaled_residuals(*program_, dual_, forces_, z, slack_);
}

void Newton::linearise(const Eigen::VectorXd& z) {
  const Program& program = *program_;
  scaled_defect_.setZero(program.rows());
  work_.resize(program.rows());
  dz_.resize(program.rows());
  for (std::size_t k = 0; k < program.groups().size(); ++k) {
    const Program::Group& group = program.groups()[k];
    if (group.cone == Cone::zero) continue;
    const double soft = group.compliance + kProximal;
    const int first = group.first_row;
    if (group.cone == Cone::nonnegative) {
      for (int i = 0; i < group.rows; ++i) {
        const bool active = z[first + i] > slack_[first + i];
        weights_.of(k)[i] = active ? 1.0 / soft : 0.0;
        scaled_defect_[first + i] = active ? slack_[first + i] / soft : z[first + i];
      }
      continue;
    }
    double* const point = work_.data() + first;
    double* const axis = dz_.data() + first;  // not needed before the direction is known
    for (int i = 0; i < group.rows; ++i) point[i] = z[first + i] - slack_[first + i];
    AxisMatrix V;
    project_derivative(point, group.rows, axis, V);
    const AxisMatrix Q{inverse_of(V.plus, soft), inverse_of(V.minus, soft),
                       inverse_of(V.side, soft)};
    AxisMatrix{Q.plus * V.plus, Q.minus * V.minus, Q.side * V.side}.dense(axis, group.rows,
                                                                          weights_.of(k));
    project(group.cone, point, group.rows, point);
    for (int i = 0; i < group.rows; ++i) point[i] = z[first + i] - point[i];
    Q.multiply(axis, group.rows, point, scaled_defect_.data() + first);
  }
}

bool Newton::find_direction(KktSystem& system, Effort& effort) {
  const Program& program = *program_;
  {
    const Stopwatch watch(effort.factor_seconds);
    ++effort.factorizations;
    if (!system.factorize(weights_, true)) return false;
  }
  const Stopwatch watch(effort.solve_seconds);
  dy_ = -dual_;
  work_ = -scaled_defect_;
  program.add_transposed_times(work_, dy_);
  work_ = -slack_;  // of the equations
  system.solve(dy_, work_, kPolishAccuracy);
  program.rows_times(dy_, Gdy_);
  weights_.multiply(program, Gdy_, dz_);
  for (const Program::Group& group : program.groups()) {
    auto rows = dz_.segment(group.first_row, group.rows);
    if (group.cone == Cone::zero) {
      rows = work_.segment(group.first_row, group.rows);
    } else {
      rows = -rows - scaled_defect_.segment(group.first_row, group.rows);
    }
  }
  return dy_.allFinite() && dz_.allFinite();
}

Residuals Newton::polish(const Program& program, KktSystem& system, const Options& options,
                         Eigen::VectorXd& y, Eigen::VectorXd& z, Effort& effort) {
  program_ = &program;
  weights_.fit(program);
  Residuals residuals = measure(y, z);
  for (int step = 0; step < options.max_steps && residuals.worst() > options.tolerance; ++step) {
    linearise(z);
    if (!find_direction(system, effort)) break;
    ++effort.newton_steps;
    double length = 1.0;
    Residuals tried;
    for (int halving = 0; halving <= kHalvings; ++halving, length *= 0.5) {
      y_ = y + length * dy_;
      z_ = z + length * dz_;
      tried = measure(y_, z_);
      if (tried.worst() < residuals.worst()) break;
    }
    if (!(tried.worst() < residuals.worst())) break;
    const bool gained = tried.worst() < kGain * residuals.worst();
    y.swap(y_);
    z.swap(z_);
    residuals = tried;
    if (!gained) break;
  }
  return residuals;
}

}  // namespace collapse
