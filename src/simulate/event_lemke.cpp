#include "simulate/event_lemke.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace collapse::simulate {
namespace {

constexpr std::array<double, 3> kTieBreaks{1e-10, 1e-8, 1e-6};
/// Entries of the tableau up to this are zero.
constexpr double kNoEntry = 1e-9;
constexpr int kPivotsPerVariable = 8;

/// Basic variables as affine functions of the others: basic = constant + T others. Variables 0 … n−1 are w, n … 2n−1 are
/// z, 2n is the artificial one.
class Tableau {
 public:
  Tableau(const Eigen::MatrixXd& M, const Eigen::VectorXd& q, double tie_break)
      : n_(q.size()), constant_(q), T_(n_, n_ + 1) {
    T_.leftCols(n_) = M;
    T_.col(n_).setOnes();
    for (Eigen::Index i = 0; i < n_; ++i) {
      constexpr double kGolden = 0.6180339887498949;
      const double number = static_cast<double>(i + 1) * kGolden;
      constant_[i] += tie_break * (0.5 + number - std::floor(number));
      basic_.push_back(i);
      others_.push_back(n_ + i);
    }
    others_.push_back(2 * n_);
  }

  bool solve() {
    Eigen::Index row = 0;
    if (constant_.minCoeff(&row) >= 0.0) return true;
    Eigen::Index column = n_;
    for (Eigen::Index pivots = 0; pivots < kPivotsPerVariable * n_; ++pivots) {
      const Eigen::Index left = basic_[static_cast<std::size_t>(row)];
      exchange(row, column);
      if (left == 2 * n_) return true;
      column = place_of(left < n_ ? left + n_ : left - n_);
      row = leaving_row(column);
      if (row < 0) return false;
    }
    return false;
  }

  [[nodiscard]] Complementary solution() const {
    Complementary out{Eigen::VectorXd::Zero(n_), std::vector<bool>(static_cast<std::size_t>(n_))};
    for (Eigen::Index i = 0; i < n_; ++i) {
      const Eigen::Index z = basic_[static_cast<std::size_t>(i)] - n_;
      if (z < 0 || z == n_) continue;
      out.z[z] = std::max(0.0, constant_[i]);
      out.basic[static_cast<std::size_t>(z)] = true;
    }
    return out;
  }

 private:
  [[nodiscard]] Eigen::Index place_of(Eigen::Index variable) const {
    return std::find(others_.begin(), others_.end(), variable) - others_.begin();
  }

  /// The first basic variable to become zero while that of the column grows; the artificial one if it is among them.
  [[nodiscard]] Eigen::Index leaving_row(Eigen::Index column) const {
    Eigen::Index best = -1;
    double least = std::numeric_limits<double>::infinity();
    for (Eigen::Index i = 0; i < n_; ++i) {
      const double rate = T_(i, column);
      if (rate >= -kNoEntry) continue;
      const double ratio = std::max(0.0, constant_[i]) / -rate;
      const bool artificial = basic_[static_cast<std::size_t>(i)] == 2 * n_;
      if (ratio < least || (artificial && ratio <= least)) {
        least = ratio;
        best = i;
      }
    }
    return best;
  }

  void exchange(Eigen::Index row, Eigen::Index column) {
    const double pivot = T_(row, column);
    Eigen::RowVectorXd solved = -T_.row(row) / pivot;
    solved[column] = 1.0 / pivot;
    const double solved_constant = -constant_[row] / pivot;
    Eigen::VectorXd rates = T_.col(column);
    rates[row] = 0.0;
    T_.col(column).setZero();
    T_.row(row).setZero();
    T_.noalias() += rates * solved;
    constant_ += rates * solved_constant;
    T_.row(row) = solved;
    constant_[row] = solved_constant;
    std::swap(basic_[static_cast<std::size_t>(row)], others_[static_cast<std::size_t>(column)]);
  }

  Eigen::Index n_;
  Eigen::VectorXd constant_;
  Eigen::MatrixXd T_;
  std::vector<Eigen::Index> basic_;
  std::vector<Eigen::Index> others_;
};

}  // namespace

std::optional<Complementary> lemke(const Eigen::MatrixXd& M, const Eigen::VectorXd& q) {
  for (const double tie_break : kTieBreaks) {
    Tableau tableau(M, q, tie_break);
    if (tableau.solve()) return tableau.solution();
  }
  return std::nullopt;
}

}  // namespace collapse::simulate
