#include "solver/scaled_program.hpp"

namespace collapse {
namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;

ScaledProgram::RowMatrix from_triplets(std::size_t rows, int columns, const Triplets& triplets) {
  ScaledProgram::RowMatrix matrix(static_cast<Eigen::Index>(rows), columns);
  matrix.setFromTriplets(triplets.begin(), triplets.end());
  return matrix;
}

Eigen::VectorXd to_vector(const std::vector<double>& values) {
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

}  // namespace

ScaledProgram::ScaledProgram(const Program& program) : scaling_(program) {
  const Eigen::VectorXd& S = scaling_.variable;
  const int n = program.variables();

  Triplets mass;
  for (const Program::Block& block : program.blocks()) {
    const Program::ConstMatrixMap m = program.mass(block);
    for (int i = 0; i < block.size; ++i) {
      for (int j = 0; j < block.size; ++j) {
        const int row = block.first + i;
        const int column = block.first + j;
        if (i == j || m(i, j) != 0.0) mass.emplace_back(row, column, S[row] * m(i, j) * S[column]);
      }
    }
  }
  M = from_triplets(static_cast<std::size_t>(n), n, mass);
  c = S.cwiseProduct(program.linear()) / scaling_.size;

  Triplets inequalities;
  Triplets equations;
  std::vector<double> inequality_bounds;
  std::vector<double> equation_bounds;
  for (std::size_t k = 0; k < program.rows().size(); ++k) {
    const Program::Row& row = program.rows()[k];
    const double R = scaling_.row[static_cast<Eigen::Index>(k)];
    const bool equation = row.cone == Cone::zero;
    Triplets& triplets = equation ? equations : inequalities;
    std::vector<double>& bounds = equation ? equation_bounds : inequality_bounds;
    for (const Program::Term& term : program.terms(row)) {
      const Program::Block& block = program.blocks()[static_cast<std::size_t>(term.block)];
      for (int i = 0; i < block.size; ++i) {
        const double coefficient = program.coefficients(term)[i];
        if (coefficient == 0.0) continue;
        const int variable = block.first + i;
        triplets.emplace_back(static_cast<int>(bounds.size()), variable,
                              R * coefficient * S[variable]);
      }
    }
    bounds.push_back(R * row.bound / scaling_.size);
    (equation ? equation_rows_ : inequality_rows_).push_back(static_cast<int>(k));
  }
  G = from_triplets(inequality_bounds.size(), n, inequalities);
  J = from_triplets(equation_bounds.size(), n, equations);
  b = to_vector(inequality_bounds);
  d = to_vector(equation_bounds);
}

Eigen::VectorXd ScaledProgram::unscaled_x(const Eigen::VectorXd& y) const {
  return scaling_.size * scaling_.variable.cwiseProduct(y);
}

Eigen::VectorXd ScaledProgram::unscaled_lambda(const Eigen::VectorXd& z,
                                               const Eigen::VectorXd& w) const {
  Eigen::VectorXd lambda(scaling_.row.size());
  for (std::size_t k = 0; k < inequality_rows_.size(); ++k) {
    lambda[inequality_rows_[k]] = z[static_cast<Eigen::Index>(k)];
  }
  for (std::size_t k = 0; k < equation_rows_.size(); ++k) {
    lambda[equation_rows_[k]] = w[static_cast<Eigen::Index>(k)];
  }
  return scaling_.size * scaling_.row.cwiseProduct(lambda);
}

}  // namespace collapse
