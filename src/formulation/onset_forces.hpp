#pragma once

#include "formulation/accelerated.hpp"
#include "formulation/force_ranges.hpp"

namespace collapse {

/// All forces that cause a given motion, M a = f + Gᵀλ + Jᵀκ: of the contacts that do not open, within
/// their cones where they stick, against the sliding where they slide.
template <int Dim>
class OnsetForces {
 public:
  using Solve = typename ForceRanges<Dim>::Solve;

  /// Accelerations up to `zero` count as none.
  OnsetForces(const Moment<Dim>& moment, const Accelerated<Dim>& motion, double zero, Solve solve);

  /// The least of them (formulation/force.hpp), unless the multipliers balance better.
  [[nodiscard]] const Forces<Dim>& forces() const { return forces_; }
  /// What they leave unbalanced on any body, over the largest force on it.
  [[nodiscard]] double imbalance() const { return imbalance_; }

  /// Whether the motion leaves a contact closed, so that it may carry force.
  [[nodiscard]] bool carries(std::size_t contact) const { return carries_[contact]; }
  /// Of the normal force at each contact, see ForceRanges.
  [[nodiscard]] std::vector<std::optional<std::array<double, 2>>> ranges() const;

 private:
  /// Contacts whose forces together are all those that a contact can have in this motion.
  [[nodiscard]] std::vector<Contact<Dim>> carriers_of(std::size_t contact) const;
  [[nodiscard]] double imbalance_of(const Forces<Dim>& forces) const;

  const Moment<Dim>& moment_;
  const Accelerated<Dim>& motion_;
  double zero_;
  Solve solve_;
  std::vector<Twist<Dim>> load_;         ///< f − M a
  std::vector<Contact<Dim>> carriers_;   ///< that can carry force: sliding ones along one direction
  ConeModel cones_;                      ///< theirs
  std::vector<std::size_t> carrier_of_;  ///< the contact each belongs to
  std::vector<bool> carries_;
  Program program_;
  Forces<Dim> forces_;
  double imbalance_ = 0.0;
};

}  // namespace collapse
