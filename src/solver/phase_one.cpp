#include "solver/phase_one.hpp"

namespace collapse {
namespace {

void copy_groups(const Program& program, bool with_bounds, double compliance, Program& copy) {
  for (const Program::Group& group : program.groups()) {
    Eigen::VectorXd bounds = program.bounds().segment(group.first_row, group.rows);
    if (!with_bounds) bounds.setZero();
    copy.begin_group(group.cone, bounds, {compliance, 0, {}});
    for (const Program::Term& term : program.terms(group)) {
      copy.add_term(term.block, program.coefficients(group, term));
    }
  }
}

}  // namespace

Program violation_program(const Program& program) {
  Program result;
  for (const Program::Block& block : program.blocks()) {
    result.add_block(Eigen::MatrixXd::Zero(block.size, block.size),
                     Eigen::VectorXd::Zero(block.size));
  }
  copy_groups(program, true, 1.0, result);
  return result;
}

Program recession_program(const Program& program) {
  Program result;
  for (const Program::Block& block : program.blocks()) {
    result.add_block(Eigen::MatrixXd::Identity(block.size, block.size),
                     program.linear().segment(block.first, block.size));
  }
  copy_groups(program, false, 0.0, result);
  for (std::size_t k = 0; k < program.blocks().size(); ++k) {
    const auto mass = program.mass(program.blocks()[k]);
    if (mass.isZero(0.0)) continue;
    result.begin_group(Cone::zero, Eigen::VectorXd::Zero(mass.rows()));
    result.add_term(static_cast<int>(k), mass);
  }
  return result;
}

}  // namespace collapse
