#pragma once

#include <Eigen/Core>
#include <string_view>

#include "collapse/solver/program.hpp"

namespace collapse {

/// How a solve ended. Every caller looks at it.
enum class Status {
  optimal,          ///< all residuals below the tolerance
  stalled,          ///< no further progress; the residuals say how far it got
  iteration_limit,  ///< likewise
};

[[nodiscard]] std::string_view to_string(Status status);

/// How far a pair (x, λ) is from optimal, free of units: zero means solved.
///
/// With variables measured in 1/√Mᵢᵢ, rows normalised to length one, and everything relative to the
/// size of c and b in that measure (mass norm):
struct Residuals {
  double stationarity = 0.0;      ///< max |Mx − c − Gᵀλ|
  double natural = 0.0;           ///< max over rows |λ − Π_K(λ − (Gx − b))|
  [[nodiscard]] double worst() const { return stationarity > natural ? stationarity : natural; }
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
  double tolerance = 1e-12;  ///< on Residuals::worst()
  int max_iterations = 100;

  /// Throws Error naming the field if a value makes no sense.
  void validate() const;
};

[[nodiscard]] Solution solve(const Program& program, const SolverOptions& options = {});

}  // namespace collapse
