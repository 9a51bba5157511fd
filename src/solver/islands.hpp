#pragma once

#include <vector>

#include "collapse/solver/program.hpp"

namespace collapse {

/// The parts of a program that share no variable: blocks and groups of each, in the program's order.
struct Islands {
  std::vector<int> first_block;  ///< of each island in `blocks`, and the end
  std::vector<int> blocks;
  std::vector<int> first_group;
  std::vector<int> groups;
  std::vector<int> local;  ///< number of each block within its island

  void find(const Program& program);
  [[nodiscard]] int count() const { return static_cast<int>(first_block.size()) - 1; }
  /// `part` becomes the program of one island. It keeps its memory. Second-order cones of two rows
  /// become inequalities, see below; `scratch` is memory for that.
  void extract(const Program& program, int island, Program& part,
               std::vector<double>& scratch) const;

 private:
  std::vector<int> root_, number_, size_;
};

/// In the plane the cone t ≥ |u| is a quadrant that is turned by 45°: with (t ± u)/√2 for its rows it
/// is two inequalities, which are solved to more digits. One row is an inequality anyway.
[[nodiscard]] inline bool is_planar(const Program::Group& group) {
  return group.cone == Cone::second_order && group.rows <= 2;
}

/// To the turned rows and back.
template <class Rows>
void turn_planar(const Program::Group& group, Rows&& rows) {
  if (!is_planar(group) || group.rows < 2) return;
  constexpr double kHalfRoot = 0.70710678118654752;
  for (Eigen::Index j = 0; j < rows.cols(); ++j) {
    const double t = rows(0, j);
    const double u = rows(1, j);
    rows(0, j) = (t + u) * kHalfRoot;
    rows(1, j) = (t - u) * kHalfRoot;
  }
}

}  // namespace collapse
