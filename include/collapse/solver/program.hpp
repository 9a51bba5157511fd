#pragma once
/// The one kind of problem that everything here is reduced to. No physics in this folder.
///
///     minimise   ½ xᵀMx − cᵀx     subject to   G x − b ∈ K*      with multipliers λ ∈ K
///
/// x is made of blocks (a body, a contact force, …), M is block diagonal and positive definite, a
/// row of G touches any number of blocks, and K is per row: the whole line (K* = {0}: equations) or
/// the nonnegative half line (inequalities). At the optimum
///
///     M x − c = Gᵀλ,    λ ∈ K,    G x − b ∈ K*,    λᵀ(G x − b) = 0.

#include <Eigen/Core>
#include <span>
#include <vector>

namespace collapse {

enum class Cone { zero, nonnegative };  ///< K* of a row: {0} or ℝ₊

class Program {
 public:
  using ConstVectorMap = Eigen::Map<const Eigen::VectorXd>;
  using ConstMatrixMap = Eigen::Map<const Eigen::MatrixXd>;

  struct Block {
    int first = 0;  ///< index of its first variable
    int size = 0;
    int mass_offset = 0;  ///< of its size × size entries in the store of all masses
  };

  /// One block's part of a row.
  struct Term {
    int block = 0;
    int coefficient_offset = 0;
  };

  struct Row {
    Cone cone = Cone::nonnegative;
    double bound = 0.0;  ///< the entry of b
    int first_term = 0;
    int terms = 0;
  };

  /// A block with a symmetric positive definite mass and its part of c. Returns its number.
  int add_block(const Eigen::Ref<const Eigen::MatrixXd>& mass,
                const Eigen::Ref<const Eigen::VectorXd>& linear);
  /// Begins a row; `add_term` then adds to it, each block at most once. Returns its number.
  int begin_row(Cone cone, double bound = 0.0);
  void add_term(int block, const Eigen::Ref<const Eigen::VectorXd>& coefficients);

  [[nodiscard]] int variables() const { return static_cast<int>(linear_.size()); }
  [[nodiscard]] const std::vector<Block>& blocks() const { return blocks_; }
  [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }
  [[nodiscard]] std::span<const Term> terms(const Row& row) const;
  [[nodiscard]] ConstMatrixMap mass(const Block& block) const;
  [[nodiscard]] ConstVectorMap coefficients(const Term& term) const;
  [[nodiscard]] ConstVectorMap linear() const;

  /// M x.
  [[nodiscard]] Eigen::VectorXd mass_times(const Eigen::VectorXd& x) const;
  /// G x.
  [[nodiscard]] Eigen::VectorXd rows_times(const Eigen::VectorXd& x) const;
  /// Gᵀ λ.
  [[nodiscard]] Eigen::VectorXd transposed_times(const Eigen::VectorXd& lambda) const;

 private:
  std::vector<Block> blocks_;
  std::vector<Row> rows_;
  std::vector<Term> terms_;
  std::vector<double> masses_;
  std::vector<double> coefficients_;
  std::vector<double> linear_;
};

}  // namespace collapse
