#pragma once
/// Directions that part two solids at a place where their features leave more than one.

#include <vector>

#include "collapse/geometry/dim.hpp"

namespace collapse::contacts {

/// All n with n·g ≤ 0 for the directions g in which solid a goes, less those in which solid b goes, from the place
/// where they touch: the polar cone of what these generate.
class SeparatingDirections {
 public:
  /// `into`: unit vectors that generate the tangent cone of a and the opposite of that of b; they need not be
  /// different. `angle`: what counts as the same direction (radians).
  SeparatingDirections(std::vector<Vec<3>> into, double angle);

  /// Extreme directions, counter-clockwise seen from their tips; empty if nothing parts the solids.
  [[nodiscard]] const std::vector<Vec<3>>& extremes() const { return extremes_; }
  /// Whether all are one, within the angle.
  [[nodiscard]] bool single() const { return extremes_.size() == 1; }
  /// The largest n·offset over the unit vectors n of the cone, which is not empty.
  [[nodiscard]] double support(const Vec<3>& offset) const;

 private:
  void collect();
  void sort_around();

  std::vector<Vec<3>> into_;
  double angle_;
  std::vector<Vec<3>> extremes_;
};

}  // namespace collapse::contacts
