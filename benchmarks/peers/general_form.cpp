#include "benchmarks/peers/general_form.hpp"

#include <cmath>
#include <numbers>
#include <vector>

namespace collapse::benchmarks {

namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;

bool is_planar_cone(const Program::Group& group) {
  return group.cone == Cone::second_order && group.rows == 2;
}

Eigen::Matrix2d turn_of_planar_cones() {
  const double half = 0.5 * std::numbers::sqrt2;
  return Eigen::Matrix2d{{half, half}, {half, -half}};
}

void append(const Eigen::MatrixXd& matrix, int row, int column, Triplets& triplets) {
  for (int j = 0; j < matrix.cols(); ++j) {
    for (int i = 0; i < matrix.rows(); ++i) {
      if (matrix(i, j) != 0.0) triplets.emplace_back(row + i, column + j, matrix(i, j));
    }
  }
}

void append_rows(const Program& program, const Program::Group& group, Triplets& triplets) {
  for (const Program::Term& term : program.terms(group)) {
    Eigen::MatrixXd coefficients = program.coefficients(group, term);
    if (is_planar_cone(group)) coefficients = turn_of_planar_cones() * coefficients;
    const int column = program.blocks()[static_cast<std::size_t>(term.block)].first;
    append(coefficients, group.first_row, column, triplets);
  }
}

}  // namespace

GeneralForm general_form(const Program& program) {
  Triplets hessian;
  Triplets rows;
  for (const Program::Block& block : program.blocks()) {
    append(program.mass(block), block.first, block.first, hessian);
  }
  int variables = program.variables();
  for (const Program::Group& group : program.groups()) {
    append_rows(program, group, rows);
    if (group.compliance == 0.0) continue;
    for (int k = 0; k < group.rows; ++k, ++variables) {
      hessian.emplace_back(variables, variables, 1.0);
      rows.emplace_back(group.first_row + k, variables, std::sqrt(group.compliance));
    }
  }

  GeneralForm form;
  form.hessian.resize(variables, variables);
  form.hessian.setFromTriplets(hessian.begin(), hessian.end());
  form.linear = Eigen::VectorXd::Zero(variables);
  form.linear.head(program.variables()) = program.linear();
  form.rows.resize(program.rows(), variables);
  form.rows.setFromTriplets(rows.begin(), rows.end());
  form.bounds = program.bounds();
  turn_planar_cones(program, form.bounds);
  return form;
}

void turn_planar_cones(const Program& program, Eigen::VectorXd& rows) {
  for (const Program::Group& group : program.groups()) {
    if (!is_planar_cone(group)) continue;
    rows.segment<2>(group.first_row) =
        (turn_of_planar_cones() * rows.segment<2>(group.first_row)).eval();
  }
}

}  // namespace collapse::benchmarks
