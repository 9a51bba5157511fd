#pragma once
/// Coulomb's law in the plane as a linear complementarity problem: with normal forces n, friction f⁺ − f⁻ and speeds of
/// sliding σ,
///
///     0 ≤ G_n x + β_n ⟂ n ≥ 0,   0 ≤ σ ± (G_t x + β_t) ⟂ f± ≥ 0,   0 ≤ μ n − f⁺ − f⁻ ⟂ σ ≥ 0
///
/// (Stewart and Trinkle, 1996); contacts that slide already, or are smooth, have n alone. Joints are eliminated.

#include <optional>
#include <span>
#include <vector>

#include "simulate/event_equations.hpp"
#include "simulate/event_lemke.hpp"

namespace collapse::simulate {

class PlaneProblem {
 public:
  /// `can`, `free`: see pivot(). Changes how the contacts of the equations are held.
  PlaneProblem(ModeEquations<2>& equations, const Eigen::VectorXd& free, std::span<const Hold> can);

  /// How contacts are held in a solution in which no forces depend on each other. False if none is found.
  [[nodiscard]] bool find_holds();
  /// The motion, but for what breaks ties.
  [[nodiscard]] std::optional<Eigen::VectorXd> find_motion();

 private:
  [[nodiscard]] std::optional<Complementary> solve();
  [[nodiscard]] Eigen::Index rows_of(std::size_t c) const {
    return can_[c] == Hold::sticking ? 2 : 1;
  }
  void eliminate_joints();
  void scale();
  void add(std::size_t c, std::size_t other);

  ModeEquations<2>& equations_;
  const Eigen::VectorXd& free_;
  std::span<const Hold> can_;
  Eigen::Index joints_ = 0;          ///< their first row
  Eigen::MatrixXd W_;                ///< what rows answer to forces
  Eigen::VectorXd q_;                ///< rows without forces
  Eigen::MatrixXd joint_answer_;     ///< forces of joints to those of contacts
  Eigen::VectorXd joint_start_;      ///< and without these
  Eigen::VectorXd scale_;            ///< of the rows of contacts
  double largest_ = 1.0;             ///< of q
  std::vector<Eigen::Index> first_;  ///< variable of each contact
  Eigen::MatrixXd M_;
};

}  // namespace collapse::simulate
