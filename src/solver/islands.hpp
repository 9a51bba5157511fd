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
  /// `part` becomes the program of one island. It keeps its memory.
  void extract(const Program& program, int island, Program& part) const;

 private:
  std::vector<int> root_, number_, size_;
};

}  // namespace collapse
