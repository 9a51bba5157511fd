#pragma once
/// What rests stays where it is, exactly (docs/theory/points.md): an equilibrium that is neutral or unstable must not be
/// lost to the last digits of the programs.

#include <vector>

#include "simulate/point_model.hpp"

namespace collapse::simulate {

class PointRest {
 public:
  explicit PointRest(const PointModel& model);

  /// Of a step in which free points fall by `fall`: which pieces are at rest at its start.
  void begin(const PointMotion& motion, double fall);
  /// Stops the pieces that were at rest and move by no more than the accuracy of the programs.
  void hold(std::vector<Vec<2>>& shift) const;

 private:
  /// Whether no point of the piece goes further than what counts as none.
  [[nodiscard]] bool is_still(const std::vector<int>& piece,
                              const std::vector<Vec<2>>& shift) const;

  /// Free points that hang together: those of a body, or what bars of the framework connect.
  std::vector<std::vector<int>> pieces_;
  std::vector<char> at_rest_;  ///< of each piece
  double shortest_ = 0.0;      ///< bar or face
  double limit_ = 0.0;         ///< longest way that counts as none
};

}  // namespace collapse::simulate
