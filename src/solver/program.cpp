#include "collapse/solver/program.hpp"

#include "collapse/core/check.hpp"

namespace collapse {

int Program::add_block(const Eigen::Ref<const Eigen::MatrixXd>& mass,
                       const Eigen::Ref<const Eigen::VectorXd>& linear) {
  COLLAPSE_DEMAND(mass.rows() == mass.cols() && mass.rows() == linear.size());
  const auto size = static_cast<int>(linear.size());
  blocks_.push_back({variables(), size, static_cast<int>(masses_.size())});
  for (int j = 0; j < size; ++j) {
    for (int i = 0; i < size; ++i) masses_.push_back(mass(i, j));
  }
  for (int i = 0; i < size; ++i) linear_.push_back(linear[i]);
  return static_cast<int>(blocks_.size()) - 1;
}

int Program::begin_row(Cone cone, double bound) {
  rows_.push_back({cone, bound, static_cast<int>(terms_.size()), 0});
  return static_cast<int>(rows_.size()) - 1;
}

void Program::add_term(int block, const Eigen::Ref<const Eigen::VectorXd>& coefficients) {
  COLLAPSE_DEMAND(!rows_.empty() && block >= 0 && block < static_cast<int>(blocks_.size()));
  COLLAPSE_DEMAND(coefficients.size() == blocks_[static_cast<std::size_t>(block)].size);
  terms_.push_back({block, static_cast<int>(coefficients_.size())});
  for (Eigen::Index i = 0; i < coefficients.size(); ++i) coefficients_.push_back(coefficients[i]);
  ++rows_.back().terms;
}

std::span<const Program::Term> Program::terms(const Row& row) const {
  return std::span(terms_).subspan(static_cast<std::size_t>(row.first_term),
                                   static_cast<std::size_t>(row.terms));
}

Program::ConstMatrixMap Program::mass(const Block& block) const {
  return {masses_.data() + block.mass_offset, block.size, block.size};
}

Program::ConstVectorMap Program::coefficients(const Term& term) const {
  return {coefficients_.data() + term.coefficient_offset,
          blocks_[static_cast<std::size_t>(term.block)].size};
}

Program::ConstVectorMap Program::linear() const {
  return {linear_.data(), static_cast<Eigen::Index>(linear_.size())};
}

Eigen::VectorXd Program::mass_times(const Eigen::VectorXd& x) const {
  Eigen::VectorXd product(variables());
  for (const Block& block : blocks_) {
    product.segment(block.first, block.size) = mass(block) * x.segment(block.first, block.size);
  }
  return product;
}

Eigen::VectorXd Program::rows_times(const Eigen::VectorXd& x) const {
  Eigen::VectorXd product = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(rows_.size()));
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    for (const Term& term : terms(rows_[k])) {
      const Block& block = blocks_[static_cast<std::size_t>(term.block)];
      product[static_cast<Eigen::Index>(k)] +=
          coefficients(term).dot(x.segment(block.first, block.size));
    }
  }
  return product;
}

Eigen::VectorXd Program::transposed_times(const Eigen::VectorXd& lambda) const {
  Eigen::VectorXd product = Eigen::VectorXd::Zero(variables());
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    for (const Term& term : terms(rows_[k])) {
      const Block& block = blocks_[static_cast<std::size_t>(term.block)];
      product.segment(block.first, block.size) +=
          lambda[static_cast<Eigen::Index>(k)] * coefficients(term);
    }
  }
  return product;
}

}  // namespace collapse
