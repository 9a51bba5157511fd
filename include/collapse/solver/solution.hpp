#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <string_view>

#include "collapse/solver/program.hpp"

namespace collapse {

/// How a solve ended. Every caller looks at it.
enum class Status {
  optimal,          ///< all residuals below their tolerances
  stalled,          ///< no further progress; the residuals say how far it got
  iteration_limit,  ///< likewise
};

[[nodiscard]] std::string_view to_string(Status status);

/// How far a pair (x, λ) is from optimal, free of units: zero means solved.
///
/// With variables measured in 1/√Mᵢᵢ, rows normalised to length one, and everything relative to the
/// size of c and b in that measure (mass norm):
struct Residuals {
  double stationarity = 0.0;     ///< max |Mx − c − Gᵀλ| / max(1, |Gᵀλ|)
  double equations = 0.0;        ///< max |Gx − b| over rows with K* = {0}
  double complementarity = 0.0;  ///< max |min(λ, Gx − b)| over rows with K* = ℝ₊
  [[nodiscard]] double worst() const {
    return std::max({stationarity, equations, complementarity});
  }
};

/// The one judge of all solvers. Costs two products with G. NaN in the input gives infinity.
[[nodiscard]] Residuals compute_residuals(const Program& program, const Eigen::VectorXd& x,
                                          const Eigen::VectorXd& lambda);

struct Solution {
  Status status = Status::stalled;
  Eigen::VectorXd x;
  Eigen::VectorXd lambda;
  Residuals residuals;
  int iterations = 0;
};

struct SolverOptions {
  double tolerance = 1e-12;  ///< on the residuals
  /// On Residuals::complementarity alone. Where both force and slack of a row tend to zero it comes
  /// down only with the square root of their product, and costs iterations.
  double complementarity_tolerance = 1e-12;
  int max_iterations = 200;

  /// Throws Error naming the field if a value makes no sense.
  void validate() const;
};

[[nodiscard]] Solution solve(const Program& program, const SolverOptions& options = {});

}  // namespace collapse
