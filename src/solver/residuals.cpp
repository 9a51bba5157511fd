#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "collapse/solver/solution.hpp"
#include "solver/common.hpp"
#include "solver/cones.hpp"
#include "solver/residuals.hpp"
#include "solver/scaling.hpp"

namespace collapse {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// A sum that is less than this share of its terms may be rounding: that of a million terms.
constexpr double kCancelled = 1e-10;

/// aᵀb, or 0 if nothing can be said of its sign.
double gain_of(const Program::ConstVectorMap& a, const Eigen::VectorXd& b) {
  const double sum = a.dot(b);
  return std::abs(sum) > kCancelled * a.cwiseAbs().dot(b.cwiseAbs()) ? sum : 0.0;
}

}  // namespace

std::string_view to_string(Status status) {
  switch (status) {
    case Status::optimal:
      return "optimal";
    case Status::infeasible:
      return "infeasible";
    case Status::unbounded:
      return "unbounded";
    case Status::stalled:
      return "stalled";
    case Status::iteration_limit:
      return "iteration limit";
    case Status::interrupted:
      return "interrupted";
  }
  return "unknown";
}

double natural_residual(const Program::Group& group, const double* lambda, const double* slack) {
  // λ − Π_K(λ − s), in pieces of any length without allocation: the projection of a second-order cone
  // only needs the length of the tangential part.
  double worst = 0.0;
  if (group.cone == Cone::zero) {
    for (int i = 0; i < group.rows; ++i) worst = std::max(worst, std::abs(slack[i]));
    return worst;
  }
  if (group.cone == Cone::nonnegative) {
    for (int i = 0; i < group.rows; ++i) {
      worst = std::max(worst, std::abs(std::min(lambda[i], slack[i])));
    }
    return worst;
  }
  double square = 0.0;
  for (int i = 1; i < group.rows; ++i) square += (lambda[i] - slack[i]) * (lambda[i] - slack[i]);
  const double length = std::sqrt(square);
  const double t = lambda[0] - slack[0];
  if (length <= t) {  // inside: the projection changes nothing, what is left is the slack
    for (int i = 0; i < group.rows; ++i) worst = std::max(worst, std::abs(slack[i]));
  } else if (length <= -t) {
    for (int i = 0; i < group.rows; ++i) worst = std::max(worst, std::abs(lambda[i]));
  } else {
    const double projected = 0.5 * (t + length);
    worst = std::abs(lambda[0] - projected);
    for (int i = 1; i < group.rows; ++i) {
      worst = std::max(worst, std::abs(lambda[i] - projected / length * (lambda[i] - slack[i])));
    }
  }
  return worst;
}

void optimality_defects(const Program& program, const Eigen::VectorXd& x,
                        const Eigen::VectorXd& lambda, Eigen::VectorXd& dual,
                        Eigen::VectorXd& forces, Eigen::VectorXd& slack) {
  forces.setZero(program.variables());
  program.add_transposed_times(lambda, forces);
  program.mass_times(x, dual);
  dual -= program.linear();
  dual -= forces;
  program.slack(x, lambda, slack);
}

Residuals scaled_residuals(const Program& program, const Eigen::VectorXd& dual,
                           const Eigen::VectorXd& forces, const Eigen::VectorXd& lambda,
                           const Eigen::VectorXd& slack) {
  // NaN passes through max() unseen, so it is looked for first.
  if (!dual.allFinite() || !slack.allFinite() || !lambda.allFinite()) {
    return {kInfinity, kInfinity, kInfinity};
  }
  Residuals residuals;
  residuals.stationarity = largest(dual) / std::max(1.0, largest(forces));
  for (const Program::Group& group : program.groups()) {
    double& worst = group.cone == Cone::zero ? residuals.equations : residuals.complementarity;
    worst = std::max(worst, natural_residual(group, lambda.data() + group.first_row,
                                             slack.data() + group.first_row));
  }
  return residuals;
}

Residuals Judge::judge(const Program& program, const Eigen::VectorXd& x,
                       const Eigen::VectorXd& lambda) {
  scaling_.measure(program);
  optimality_defects(program, x, lambda, dual_, forces_, slack_);
  dual_.array() *= scaling_.variable.array() / scaling_.multipliers;
  forces_.array() *= scaling_.variable.array() / scaling_.multipliers;
  lambda_ = lambda.cwiseQuotient(scaling_.row) / scaling_.multipliers;
  slack_.array() *= scaling_.row.array() / scaling_.solution;
  return scaled_residuals(program, dual_, forces_, lambda_, slack_);
}

Residuals compute_residuals(const Program& program, const Eigen::VectorXd& x,
                            const Eigen::VectorXd& lambda) {
  return Judge().judge(program, x, lambda);
}

double infeasibility_defect(const Program& program, const Eigen::VectorXd& lambda) {
  const Scaling scaling(program);
  if (!lambda.allFinite()) return kInfinity;
  const double gain = gain_of(program.bounds(), lambda) / (scaling.multipliers * scaling.solution);
  if (!(gain > 0.0)) return kInfinity;
  Eigen::VectorXd forces = Eigen::VectorXd::Zero(program.variables());
  program.add_transposed_times(lambda, forces);
  double defect = largest(forces.cwiseProduct(scaling.variable)) / scaling.multipliers;
  std::vector<double> projected;
  for (const Program::Group& group : program.groups()) {
    projected.resize(static_cast<std::size_t>(group.rows));
    const double* const own = lambda.data() + group.first_row;
    project(group.cone, own, group.rows, projected.data());
    for (int i = 0; i < group.rows; ++i) {
      const double R = scaling.row[group.first_row + i];
      const double outside = std::abs(own[i] - projected[static_cast<std::size_t>(i)]) / R;
      const double soft = std::abs(group.compliance * own[i]) * R;
      defect = std::max({defect, outside / scaling.multipliers, soft / scaling.solution});
    }
  }
  return defect / gain;
}

double unboundedness_defect(const Program& program, const Eigen::VectorXd& x) {
  const Scaling scaling(program);
  if (!x.allFinite()) return kInfinity;
  const double gain = gain_of(program.linear(), x) / (scaling.multipliers * scaling.solution);
  if (!(gain > 0.0)) return kInfinity;
  Eigen::VectorXd Mx;
  program.mass_times(x, Mx);
  double defect = largest(Mx.cwiseProduct(scaling.variable)) / scaling.multipliers;
  Eigen::VectorXd Gx;
  program.rows_times(x, Gx);
  std::vector<double> projected;
  for (const Program::Group& group : program.groups()) {
    // K* is K for the self-dual cones and {0} for equations.
    projected.assign(static_cast<std::size_t>(group.rows), 0.0);
    const double* const own = Gx.data() + group.first_row;
    if (group.cone != Cone::zero) project(group.cone, own, group.rows, projected.data());
    for (int i = 0; i < group.rows; ++i) {
      const double outside = std::abs(own[i] - projected[static_cast<std::size_t>(i)]);
      defect = std::max(defect, outside * scaling.row[group.first_row + i] / scaling.solution);
    }
  }
  return defect / gain;
}

}  // namespace collapse
