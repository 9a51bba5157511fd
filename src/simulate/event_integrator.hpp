#pragma once
/// The Runge–Kutta method of Dormand and Prince: order 5, an embedded one of order 4 for the error, and a polynomial
/// of order 4 for all times within a step (Hairer, Nørsett, Wanner, Solving Ordinary Differential Equations I, II.5–6).

#include <Eigen/Core>
#include <array>
#include <functional>

namespace collapse::simulate {

class DormandPrince {
 public:
  /// dy/dt at a time since the start of the step.
  using Derivative =
      std::function<void(double time, const Eigen::VectorXd& y, Eigen::VectorXd& rate)>;

  /// Tries a step from y of length h.
  void attempt(const Derivative& f, const Eigen::VectorXd& y, double h);

  /// Largest error of a component, in units of `scale`.
  [[nodiscard]] double error(const Eigen::VectorXd& scale) const;
  [[nodiscard]] const Eigen::VectorXd& end() const { return end_; }
  /// After the share `theta` of the step; a little beyond its end too.
  [[nodiscard]] Eigen::VectorXd at(double theta) const;

 private:
  std::array<Eigen::VectorXd, 7> k_;
  Eigen::VectorXd start_;
  Eigen::VectorXd end_;
  Eigen::VectorXd error_;
  Eigen::VectorXd trial_;
  std::array<Eigen::VectorXd, 3> bend_;  ///< of the polynomial
};

/// What to multiply a step with after an error of so many units, per unit of the step: order 4.
[[nodiscard]] double next_step_factor(double error);

/// Where f falls below zero between `good` (f ≥ 0) and `bad` (f < 0), to `width`: the last place known to be good.
/// Regula falsi that ends no later than bisection does (Oliveira and Takahashi's ITP).
[[nodiscard]] double last_good(const std::function<double(double)>& f, double good, double bad,
                               double width);

}  // namespace collapse::simulate
