#include "solver/scaling.hpp"

#include <algorithm>
#include <cmath>

#include "collapse/core/check.hpp"

namespace collapse {

Scaling::Scaling(const Program& program)
    : variable(program.variables()), row(static_cast<Eigen::Index>(program.rows().size())) {
  for (const Program::Block& block : program.blocks()) {
    for (int i = 0; i < block.size; ++i) {
      const double mass = program.mass(block)(i, i);
      COLLAPSE_DEMAND(mass > 0.0 && std::isfinite(mass));
      variable[block.first + i] = 1.0 / std::sqrt(mass);
    }
  }
  double largest = 0.0;
  for (int i = 0; i < program.variables(); ++i) {
    largest = std::max(largest, std::abs(variable[i] * program.linear()[i]));
  }
  for (Eigen::Index k = 0; k < row.size(); ++k) {
    const Program::Row& r = program.rows()[static_cast<std::size_t>(k)];
    double length_squared = 0.0;
    for (const Program::Term& term : program.terms(r)) {
      const Program::Block& block = program.blocks()[static_cast<std::size_t>(term.block)];
      length_squared += program.coefficients(term)
                            .cwiseProduct(variable.segment(block.first, block.size))
                            .squaredNorm();
    }
    row[k] = length_squared > 0.0 ? 1.0 / std::sqrt(length_squared) : 1.0;
    largest = std::max(largest, std::abs(row[k] * r.bound));
  }
  if (largest > 0.0) size = largest;
}

}  // namespace collapse
