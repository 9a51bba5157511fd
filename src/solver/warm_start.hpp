#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "collapse/solver/program.hpp"

namespace collapse {

/// Multipliers of the last program, by the ids of their groups, for the next one.
///
/// Kept is not λ but the generalised force Gᵀλ on the group's first block: it does not depend on how
/// the rows of a group are chosen, so that contact frames may turn from step to step.
class WarmStart {
 public:
  void remember(const Program& program, const Eigen::VectorXd& lambda);

  /// λ of every group whose id is known: the one in K whose force is nearest to the remembered one, as
  /// far as a least-squares fit and a projection tell. Zero for the others. Returns how many were known.
  int recall(const Program& program, Eigen::VectorXd& lambda);

  [[nodiscard]] bool empty() const { return entries_.empty(); }
  void forget() { entries_.clear(); }

 private:
  struct Entry {
    std::uint64_t id = 0;
    std::size_t first = 0;  ///< of its force in forces_
    int size = 0;
  };

  std::vector<Entry> entries_;  ///< sorted by id
  std::vector<double> forces_;
};

}  // namespace collapse
