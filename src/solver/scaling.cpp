#include "solver/scaling.hpp"

#include <algorithm>
#include <cmath>

#include "collapse/core/check.hpp"

namespace collapse {
namespace {

// Rows and massless columns are measured by each other; this often is enough for factors of two.
constexpr int kSweeps = 3;

/// R = 1/length of each row in the measure S; one for all of a group where it has to be.
void measure_rows(const Program& program, const Eigen::VectorXd& S, Eigen::VectorXd& R) {
  R.setZero(program.rows());
  for (const Program::Group& group : program.groups()) {
    auto lengths = R.segment(group.first_row, group.rows);
    for (const Program::Term& term : program.terms(group)) {
      const Program::Block& block = program.blocks()[static_cast<std::size_t>(term.block)];
      const auto g = program.coefficients(group, term);
      for (int j = 0; j < block.size; ++j) {
        const double s = S[block.first + j];
        for (int i = 0; i < group.rows; ++i) lengths[i] += g(i, j) * s * (g(i, j) * s);
      }
    }
    if (group.cone == Cone::second_order || group.compliance > 0.0)
      lengths.setConstant(lengths.maxCoeff());
    for (double& length : lengths) length = length > 0.0 ? 1.0 / std::sqrt(length) : 1.0;
  }
}

/// S = 1/length of each column of R G, for the variables without mass.
void measure_massless(const Program& program, const Eigen::VectorXd& R, Eigen::VectorXd& S) {
  Eigen::VectorXd lengths = Eigen::VectorXd::Zero(program.variables());
  for (const Program::Group& group : program.groups()) {
    for (const Program::Term& term : program.terms(group)) {
      const Program::Block& block = program.blocks()[static_cast<std::size_t>(term.block)];
      const auto g = program.coefficients(group, term);
      for (int j = 0; j < block.size; ++j) {
        for (int i = 0; i < group.rows; ++i) {
          const double entry = R[group.first_row + i] * g(i, j);
          lengths[block.first + j] += entry * entry;
        }
      }
    }
  }
  for (const Program::Block& block : program.blocks()) {
    for (int i = 0; i < block.size; ++i) {
      if (program.mass(block)(i, i) > 0.0) continue;
      const double length = lengths[block.first + i];
      S[block.first + i] = length > 0.0 ? 1.0 / std::sqrt(length) : 1.0;
    }
  }
}

double largest_product(const Eigen::VectorXd& scale, const Program::ConstVectorMap& values) {
  double largest = 0.0;
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    largest = std::max(largest, std::abs(scale[i] * values[i]));
  }
  return largest;
}

}  // namespace

void Scaling::measure(const Program& program) {
  variable.resize(program.variables());
  bool any_mass = false;
  bool any_massless = false;
  for (const Program::Block& block : program.blocks()) {
    for (int i = 0; i < block.size; ++i) {
      const double mass = program.mass(block)(i, i);
      COLLAPSE_DEMAND(mass >= 0.0 && std::isfinite(mass));
      (mass > 0.0 ? any_mass : any_massless) = true;
      variable[block.first + i] = mass > 0.0 ? 1.0 / std::sqrt(mass) : 1.0;
    }
  }
  measure_rows(program, variable, row);
  for (int sweep = 0; any_massless && sweep < kSweeps; ++sweep) {
    measure_massless(program, row, variable);
    measure_rows(program, variable, row);
  }
  const double c = largest_product(variable, program.linear());
  const double b = largest_product(row, program.bounds());
  const auto size = [](double value) { return value > 0.0 ? value : 1.0; };
  solution = any_mass ? size(std::max(b, c)) : size(b);
  multipliers = any_mass ? solution : size(c);
}

void Scaling::apply(Program& program) const {
  program.rescale(variable, row, solution, multipliers);
}

}  // namespace collapse
