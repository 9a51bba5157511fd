#include "collapse/solver/program.hpp"

#include <algorithm>
#include <array>

#include "collapse/core/check.hpp"
#include "solver/common.hpp"

namespace collapse {
namespace {

/// Calls body.operator()<rows, columns>() for the sizes of contacts, so that the compiler knows them, and with
/// zeros for others.
template <class Body>
void with_sizes(int rows, int columns, const Body& body) {
  if (columns == 6) {
    switch (rows) {
      case 1:
        return body.template operator()<1, 6>();
      case 2:
        return body.template operator()<2, 6>();
      case 3:
        return body.template operator()<3, 6>();
      case 4:
        return body.template operator()<4, 6>();
      case 8:
        return body.template operator()<8, 6>();
      default:
        break;
    }
  } else if (columns == 3) {
    switch (rows) {
      case 1:
        return body.template operator()<1, 3>();
      case 2:
        return body.template operator()<2, 3>();
      case 3:
        return body.template operator()<3, 3>();
      case 4:
        return body.template operator()<4, 3>();
      default:
        break;
    }
  }
  body.template operator()<0, 0>();
}

/// p += A x for A by columns.
template <int Rows, int Columns>
void add_times(int rows, int columns, const double* A, const double* x, double* p) {
  if constexpr (Rows > 0) {
    std::array<double, Rows> sum;
    for (std::size_t i = 0; i < Rows; ++i) sum[i] = p[i];
    for (std::size_t j = 0; j < Columns; ++j) {
      for (std::size_t i = 0; i < Rows; ++i) sum[i] += A[j * Rows + i] * x[j];
    }
    for (std::size_t i = 0; i < Rows; ++i) p[i] = sum[i];
  } else {
    for (int j = 0; j < columns; ++j) {
      for (int i = 0; i < rows; ++i) p[i] += A[j * rows + i] * x[j];
    }
  }
}

/// p += Aᵀ l.
template <int Rows, int Columns>
void add_transposed(int rows, int columns, const double* A, const double* l, double* p) {
  if constexpr (Rows > 0) {
    rows = Rows;
    columns = Columns;
  }
  for (int j = 0; j < columns; ++j) {
    double total = 0.0;
    for (int i = 0; i < rows; ++i) total += A[j * rows + i] * l[i];
    p[j] += total;
  }
}

}  // namespace

std::string_view to_string(Cone cone) {
  switch (cone) {
    case Cone::zero:
      return "zero";
    case Cone::nonnegative:
      return "nonnegative";
    case Cone::second_order:
      return "second_order";
  }
  return "unknown";
}

int Program::add_block(const Eigen::Ref<const Eigen::MatrixXd>& mass,
                       const Eigen::Ref<const Eigen::VectorXd>& linear) {
  COLLAPSE_DEMAND(mass.rows() == mass.cols() && mass.rows() == linear.size());
  const auto size = static_cast<int>(linear.size());
  blocks_.push_back({variables(), size, masses_.size()});
  for (int j = 0; j < size; ++j) {
    for (int i = 0; i < size; ++i) masses_.push_back(mass(i, j));
  }
  for (int i = 0; i < size; ++i) linear_.push_back(linear[i]);
  return static_cast<int>(blocks_.size()) - 1;
}

int Program::begin_group(Cone cone, const Eigen::Ref<const Eigen::VectorXd>& bounds,
                         const Traits& traits) {
  COLLAPSE_DEMAND(bounds.size() > 0 && traits.compliance >= 0.0);
  int label = -1;
  if (!traits.label.empty()) {
    label = static_cast<int>(labels_.size());
    labels_.emplace_back(traits.label);
  }
  groups_.push_back({cone, rows(), static_cast<int>(bounds.size()), static_cast<int>(terms_.size()),
                     0, traits.compliance, traits.id, label});
  for (Eigen::Index k = 0; k < bounds.size(); ++k) bounds_.push_back(bounds[k]);
  return static_cast<int>(groups_.size()) - 1;
}

void Program::add_term(int block, const Eigen::Ref<const Eigen::MatrixXd>& coefficients) {
  COLLAPSE_DEMAND(!groups_.empty() && block >= 0 && block < static_cast<int>(blocks_.size()));
  COLLAPSE_DEMAND(coefficients.rows() == groups_.back().rows);
  COLLAPSE_DEMAND(coefficients.cols() == blocks_[static_cast<std::size_t>(block)].size);
  terms_.push_back({block, coefficients_.size()});
  for (Eigen::Index j = 0; j < coefficients.cols(); ++j) {
    for (Eigen::Index i = 0; i < coefficients.rows(); ++i) {
      coefficients_.push_back(coefficients(i, j));
    }
  }
  ++groups_.back().terms;
}

void Program::set_bounds(const Eigen::Ref<const Eigen::VectorXd>& bounds) {
  COLLAPSE_DEMAND(bounds.size() == rows());
  std::copy(bounds.begin(), bounds.end(), bounds_.begin());
}

void Program::clear() {
  blocks_.clear();
  groups_.clear();
  terms_.clear();
  labels_.clear();
  masses_.clear();
  coefficients_.clear();
  linear_.clear();
  bounds_.clear();
}

void Program::rescale(const Eigen::VectorXd& S, const Eigen::VectorXd& R, double t, double f) {
  for (const Block& block : blocks_) {
    double* m = masses_.data() + block.mass_offset;
    for (int j = 0; j < block.size; ++j) {
      const double sj = S[block.first + j];
      for (int i = 0; i < block.size; ++i) *m++ *= t / f * S[block.first + i] * sj;
      linear_[index(block.first + j)] *= sj / f;
    }
  }
  for (Group& group : groups_) {
    for (int i = 0; i < group.rows; ++i) {
      bounds_[index(group.first_row + i)] *= R[group.first_row + i] / t;
    }
    group.compliance *= f / t * R[group.first_row] * R[group.first_row];
    for (const Term& term : terms(group)) {
      const Block& block = blocks_[static_cast<std::size_t>(term.block)];
      double* g = coefficients_.data() + term.coefficient_offset;
      for (int j = 0; j < block.size; ++j) {
        for (int i = 0; i < group.rows; ++i) *g++ *= R[group.first_row + i] * S[block.first + j];
      }
    }
  }
}

std::span<const Program::Term> Program::terms(const Group& group) const {
  return std::span(terms_).subspan(static_cast<std::size_t>(group.first_term),
                                   static_cast<std::size_t>(group.terms));
}

std::string_view Program::label(const Group& group) const {
  return group.label < 0 ? std::string_view{} : labels_[static_cast<std::size_t>(group.label)];
}

Program::ConstMatrixMap Program::mass(const Block& block) const {
  return {masses_.data() + block.mass_offset, block.size, block.size};
}

Program::ConstMatrixMap Program::coefficients(const Group& group, const Term& term) const {
  return {coefficients_.data() + term.coefficient_offset, group.rows,
          blocks_[static_cast<std::size_t>(term.block)].size};
}

Program::ConstVectorMap Program::linear() const {
  return {linear_.data(), static_cast<Eigen::Index>(linear_.size())};
}

Program::ConstVectorMap Program::bounds() const {
  return {bounds_.data(), static_cast<Eigen::Index>(bounds_.size())};
}

void Program::mass_times(const Eigen::VectorXd& x, Eigen::VectorXd& product) const {
  product.setZero(variables());
  for (const Block& block : blocks_) {
    const double* m = masses_.data() + block.mass_offset;
    double* p = product.data() + block.first;
    for (int j = 0; j < block.size; ++j, m += block.size) {
      const double xj = x[block.first + j];
      for (int i = 0; i < block.size; ++i) p[i] += m[i] * xj;
    }
  }
}

void Program::rows_times(const Eigen::VectorXd& x, Eigen::VectorXd& product) const {
  product.setZero(rows());
  for (const Group& group : groups_) {
    double* const p = product.data() + group.first_row;
    for (const Term& term : terms(group)) {
      const Block& block = blocks_[static_cast<std::size_t>(term.block)];
      const double* const g = coefficients_.data() + term.coefficient_offset;
      with_sizes(group.rows, block.size, [&]<int Rows, int Columns> {
        add_times<Rows, Columns>(group.rows, block.size, g, x.data() + block.first, p);
      });
    }
  }
}

void Program::add_transposed_times(const Eigen::VectorXd& lambda, Eigen::VectorXd& sum) const {
  for (const Group& group : groups_) {
    const double* const l = lambda.data() + group.first_row;
    for (const Term& term : terms(group)) {
      const Block& block = blocks_[static_cast<std::size_t>(term.block)];
      const double* const g = coefficients_.data() + term.coefficient_offset;
      with_sizes(group.rows, block.size, [&]<int Rows, int Columns> {
        add_transposed<Rows, Columns>(group.rows, block.size, g, l, sum.data() + block.first);
      });
    }
  }
}

void Program::slack(const Eigen::VectorXd& x, const Eigen::VectorXd& lambda,
                    Eigen::VectorXd& slack) const {
  rows_times(x, slack);
  slack -= bounds();
  for (const Group& group : groups_) {
    if (group.compliance == 0.0) continue;
    slack.segment(group.first_row, group.rows) +=
        group.compliance * lambda.segment(group.first_row, group.rows);
  }
}

}  // namespace collapse
