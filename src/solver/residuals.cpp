#include <algorithm>
#include <cmath>
#include <limits>

#include "collapse/solver/solution.hpp"
#include "solver/scaling.hpp"

namespace collapse {

std::string_view to_string(Status status) {
  switch (status) {
    case Status::optimal:
      return "optimal";
    case Status::stalled:
      return "stalled";
    case Status::iteration_limit:
      return "iteration limit";
  }
  return "unknown";
}

Residuals compute_residuals(const Program& program, const Eigen::VectorXd& x,
                            const Eigen::VectorXd& lambda) {
  const Scaling scaling(program);
  // NaN passes through max() unseen, so it is looked for first.
  if (!x.allFinite() || !lambda.allFinite()) {
    const double infinity = std::numeric_limits<double>::infinity();
    return {infinity, infinity, infinity};
  }
  Residuals residuals;
  const Eigen::VectorXd forces = program.transposed_times(lambda);
  const Eigen::VectorXd gradient = program.mass_times(x) - program.linear() - forces;
  const auto largest = [&scaling](const Eigen::VectorXd& v) {
    return v.size() == 0
               ? 0.0
               : v.cwiseProduct(scaling.variable).lpNorm<Eigen::Infinity>() / scaling.size;
  };
  residuals.stationarity = largest(gradient) / std::max(1.0, largest(forces));
  const Eigen::VectorXd products = program.rows_times(x);
  for (Eigen::Index k = 0; k < products.size(); ++k) {
    const Program::Row& row = program.rows()[static_cast<std::size_t>(k)];
    const double slack = (products[k] - row.bound) * scaling.row[k] / scaling.size;
    const double force = lambda[k] / (scaling.row[k] * scaling.size);
    double& worst = row.cone == Cone::zero ? residuals.equations : residuals.complementarity;
    worst = std::max(worst, std::abs(row.cone == Cone::zero ? slack : std::min(force, slack)));
  }
  return residuals;
}

}  // namespace collapse
