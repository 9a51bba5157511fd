#pragma once
/// The one kind of problem that everything here is reduced to. No physics in this folder.
///
///     minimise   ½ xᵀMx − cᵀx     subject to   G x − b + E λ ∈ K*     with multipliers λ ∈ K
///
/// x is made of blocks (a body, a contact force, a load factor, …); M is block diagonal and positive
/// semidefinite. The rows of G come in groups, each touching any number of blocks and with one cone:
///
///     zero          K* = {0}, λ free: equations (joints, bars)
///     nonnegative   K* = K = ℝ₊ for every row: inequalities (contacts)
///     second_order  K* = K = {(t, u) : t ≥ ‖u‖}: Coulomb's cone with the friction scaled into G
///
/// E ≥ 0 is a compliance, one number per group, 0 for hard constraints. At the optimum
///
///     M x − c = Gᵀλ,    λ ∈ K,    s = G x − b + E λ ∈ K*,    λᵀs = 0.

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace collapse {

enum class Cone { zero, nonnegative, second_order };

[[nodiscard]] std::string_view to_string(Cone cone);

class Program {
 public:
  using ConstVectorMap = Eigen::Map<const Eigen::VectorXd>;
  using ConstMatrixMap = Eigen::Map<const Eigen::MatrixXd>;

  struct Block {
    int first = 0;  ///< index of its first variable
    int size = 0;
    std::size_t mass_offset = 0;  ///< of its size × size entries in the store of all masses
  };

  /// One block's part of a group: a matrix of the group's rows × the block's size.
  struct Term {
    int block = 0;
    std::size_t coefficient_offset = 0;
  };

  struct Group {
    Cone cone = Cone::nonnegative;
    int first_row = 0;
    int rows = 0;
    int first_term = 0;
    int terms = 0;
    double compliance = 0.0;
    std::uint64_t id = 0;  ///< what a warm start recognises it by; 0: nothing
    int label = -1;        ///< number of its label, −1 if it has none
  };

  /// What a group may carry besides its rows.
  struct Traits {
    double compliance = 0.0;
    std::uint64_t id = 0;
    std::string_view label = {};
  };

  /// A block with a symmetric positive semidefinite mass and its part of c. Returns its number.
  int add_block(const Eigen::Ref<const Eigen::MatrixXd>& mass,
                const Eigen::Ref<const Eigen::VectorXd>& linear);
  /// Begins a group with one row per bound; `add_term` then adds to it, each block at most once.
  /// Returns its number.
  int begin_group(Cone cone, const Eigen::Ref<const Eigen::VectorXd>& bounds, const Traits& traits);
  int begin_group(Cone cone, const Eigen::Ref<const Eigen::VectorXd>& bounds) {
    return begin_group(cone, bounds, Traits{});
  }
  /// A group of one row.
  int begin_row(Cone cone, double bound = 0.0) {
    return begin_group(cone, Eigen::Matrix<double, 1, 1>(bound));
  }
  void add_term(int block, const Eigen::Ref<const Eigen::MatrixXd>& coefficients);
  /// Replaces b.
  void set_bounds(const Eigen::Ref<const Eigen::VectorXd>& bounds);
  /// Without blocks and groups; keeps its memory.
  void clear();
  /// In other units: x = t·S y, λ = f·R λ̃, the objective divided by t·f. R has to be the same for all
  /// rows of a second-order cone or a compliant group.
  void rescale(const Eigen::VectorXd& S, const Eigen::VectorXd& R, double t, double f);

  [[nodiscard]] int variables() const { return static_cast<int>(linear_.size()); }
  [[nodiscard]] int rows() const { return static_cast<int>(bounds_.size()); }
  [[nodiscard]] const std::vector<Block>& blocks() const { return blocks_; }
  [[nodiscard]] const std::vector<Group>& groups() const { return groups_; }
  [[nodiscard]] std::span<const Term> terms(const Group& group) const;
  [[nodiscard]] std::string_view label(const Group& group) const;
  [[nodiscard]] ConstMatrixMap mass(const Block& block) const;
  [[nodiscard]] ConstMatrixMap coefficients(const Group& group, const Term& term) const;
  [[nodiscard]] ConstVectorMap linear() const;
  [[nodiscard]] ConstVectorMap bounds() const;

  /// product = M x.
  void mass_times(const Eigen::VectorXd& x, Eigen::VectorXd& product) const;
  /// product = G x.
  void rows_times(const Eigen::VectorXd& x, Eigen::VectorXd& product) const;
  /// sum += Gᵀ λ.
  void add_transposed_times(const Eigen::VectorXd& lambda, Eigen::VectorXd& sum) const;
  /// G x − b + E λ.
  void slack(const Eigen::VectorXd& x, const Eigen::VectorXd& lambda, Eigen::VectorXd& slack) const;

 private:
  std::vector<Block> blocks_;
  std::vector<Group> groups_;
  std::vector<Term> terms_;
  std::vector<std::string> labels_;
  std::vector<double> masses_;
  std::vector<double> coefficients_;
  std::vector<double> linear_;
  std::vector<double> bounds_;
};

}  // namespace collapse
