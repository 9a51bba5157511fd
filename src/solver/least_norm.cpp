#include "solver/least_norm.hpp"

#include "solver/common.hpp"
#include "solver/cones.hpp"

namespace collapse {

LeastNorm::LeastNorm(const Program& program, const Eigen::VectorXd& y, const Eigen::VectorXd& z,
                     double touching)
    : z_(z) {
  Eigen::VectorXd slack;
  program.slack(y, z, slack);
  // Which rows, as combinations: one after the other, or together for a whole cone.
  std::vector<std::pair<const Program::Group*, Eigen::MatrixXd>> chosen;
  for (const Program::Group& group : program.groups()) {
    if (group.compliance > 0.0) continue;
    const auto s = slack.segment(group.first_row, group.rows);
    auto own = z_.segment(group.first_row, group.rows);
    own.setZero();
    const Eigen::MatrixXd unit = Eigen::MatrixXd::Identity(group.rows, group.rows);
    if (group.cone == Cone::second_order && s.norm() > touching) {
      if (cone_distance(group.cone, s.data(), group.rows) > touching) continue;
      Eigen::RowVectorXd ray = s.transpose() / s.norm();
      ray.tail(group.rows - 1) *= -1.0;
      chosen.emplace_back(&group, ray);
    } else if (group.cone == Cone::nonnegative) {
      for (int i = 0; i < group.rows; ++i) {
        if (s[i] <= touching) chosen.emplace_back(&group, unit.row(i));
      }
    } else {
      chosen.emplace_back(&group, unit);
    }
  }
  Eigen::VectorXd load;  // c − M y + Gᵀz of the rows that keep their z
  program.mass_times(y, load);
  load = program.linear() - load;
  program.add_transposed_times(z_, load);
  for (const Program::Block& block : program.blocks()) {
    program_.add_block(Eigen::MatrixXd::Zero(block.size, block.size),
                       load.segment(block.first, block.size));
  }
  for (const auto& [group, combination] : chosen) {
    const bool whole = combination.rows() == group->rows && group->cone != Cone::nonnegative;
    program_.begin_group(whole ? group->cone : Cone::nonnegative,
                         Eigen::VectorXd::Zero(combination.rows()), {1.0, 0, {}});
    for (const Program::Term& term : program.terms(*group)) {
      program_.add_term(term.block, combination * program.coefficients(*group, term));
    }
    for (Eigen::Index i = 0; i < combination.rows(); ++i) {
      sources_.push_back({group->first_row, combination.row(i).transpose()});
    }
  }
}

Eigen::VectorXd LeastNorm::multipliers(const Eigen::VectorXd& lambda) const {
  Eigen::VectorXd result = z_;
  for (std::size_t k = 0; k < sources_.size(); ++k) {
    const Source& source = sources_[k];
    result.segment(source.first, source.direction.size()) +=
        lambda[static_cast<Eigen::Index>(k)] * source.direction;
  }
  return result;
}

}  // namespace collapse
