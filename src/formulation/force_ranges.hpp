#pragma once

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "collapse/contact/contact.hpp"
#include "collapse/solver/solution.hpp"

namespace collapse {

/// Where forces are not unique: the least and the largest value of `gauge`·(force) at each contact over
/// all solutions of the equations and inequalities of a force program (formulation/force.hpp), two
/// programs each:
///
///     minimise / maximise   gaugeᵀ r_c     subject to   Gᵀλ + Jᵀκ + f = 0,   r in the friction cones.
///
/// Nothing where a program was not solved; infinite where nothing bounds it.
template <int Dim>
class ForceRanges {
 public:
  using Solve = std::function<Solution(const Program&, const SolverOptions&)>;

  /// For the force program of these contacts.
  ForceRanges(const Program& program, std::span<const Contact<Dim>> contacts, Solve solve);

  [[nodiscard]] std::optional<std::array<double, 2>> range(std::size_t contact,
                                                           const Vec<Dim>& gauge);

 private:
  /// The part of the program that is connected with a contact, without its quadratic term.
  [[nodiscard]] Program island_of(std::size_t contact, const Eigen::VectorXd& objective) const;

  const Program& program_;
  std::span<const Contact<Dim>> contacts_;
  Solve solve_;
  std::vector<int> island_;  ///< of each block
};

}  // namespace collapse
