#include "simulate/event_plane_problem.hpp"

#include <Eigen/QR>
#include <cmath>
#include <numeric>

namespace collapse::simulate {

PlaneProblem::PlaneProblem(ModeEquations<2>& equations, const Eigen::VectorXd& free,
                           std::span<const Hold> can)
    : equations_(equations), free_(free), can_(can) {
  for (std::size_t c = 0; c < can.size(); ++c) {
    equations_.change(c, can[c], equations_.contact(c).slide);
  }
  const HeldRows<2>& rows = equations_.build();
  joints_ = can_.empty() ? 0 : equations_.first_row(can_.size() - 1) + rows_of(can_.size() - 1);
  std::vector<Eigen::Index> all(static_cast<std::size_t>(rows.count()));
  std::iota(all.begin(), all.end(), 0);
  W_ = rows.operator_of(all, HeldRows<2>::Along::forces);
  q_ = rows.betas() + rows.measured(free);
  eliminate_joints();
  scale();
}

void PlaneProblem::eliminate_joints() {
  const Eigen::Index count = W_.rows() - joints_;
  joint_answer_ = Eigen::MatrixXd::Zero(count, joints_);
  joint_start_ = Eigen::VectorXd::Zero(count);
  if (count > 0) {
    const auto factor = W_.bottomRightCorner(count, count).completeOrthogonalDecomposition();
    joint_answer_ = -factor.solve(W_.bottomLeftCorner(count, joints_));
    joint_start_ = -factor.solve(q_.tail(count));
  }
  const Eigen::MatrixXd across = W_.topRightCorner(joints_, count);
  q_ = (q_.head(joints_) + across * joint_start_).eval();
  W_ = (W_.topLeftCorner(joints_, joints_) + across * joint_answer_).eval();
}

/// Normal and tangent of a contact by the same number, so that its cone stays what it is.
void PlaneProblem::scale() {
  scale_ = Eigen::VectorXd::Ones(joints_);
  for (std::size_t c = 0; c < can_.size(); ++c) {
    const Eigen::Index row = equations_.first_row(c);
    const double answer = std::abs(W_(row, row));
    if (answer > 0.0) scale_.segment(row, rows_of(c)).setConstant(1.0 / std::sqrt(answer));
  }
  W_ = (scale_.asDiagonal() * W_ * scale_.asDiagonal()).eval();
  q_ = scale_.cwiseProduct(q_);
}

void PlaneProblem::add(std::size_t c, std::size_t other) {
  const Eigen::Index at = first_[c];
  const Eigen::Index from = first_[other];
  const Eigen::Index row = equations_.first_row(c);
  const Eigen::Index column = equations_.first_row(other);
  const bool cone = can_[c] == Hold::sticking;
  const bool other_cone = can_[other] == Hold::sticking;
  M_(at, from) = W_(row, column);
  for (const int side : {1, 2}) {
    const double sign = side == 1 ? 1.0 : -1.0;
    if (other_cone) M_(at, from + side) = sign * W_(row, column + 1);
    if (cone) M_(at + side, from) = sign * W_(row + 1, column);
    if (!cone || !other_cone) continue;
    M_(at + side, from + 1) = sign * W_(row + 1, column + 1);
    M_(at + side, from + 2) = -sign * W_(row + 1, column + 1);
  }
}

std::optional<Complementary> PlaneProblem::solve() {
  first_.clear();
  Eigen::Index size = 0;
  for (const Hold hold : can_) {
    first_.push_back(size);
    size += hold == Hold::sticking ? 4 : 1;
  }
  M_ = Eigen::MatrixXd::Zero(size, size);
  Eigen::VectorXd q = Eigen::VectorXd::Zero(size);
  for (std::size_t c = 0; c < can_.size(); ++c) {
    for (std::size_t other = 0; other < can_.size(); ++other) add(c, other);
    const Eigen::Index at = first_[c];
    const Eigen::Index row = equations_.first_row(c);
    q[at] = q_[row];
    if (can_[c] != Hold::sticking) continue;
    q[at + 1] = q_[row + 1];
    q[at + 2] = -q_[row + 1];
    M_(at + 1, at + 3) = M_(at + 2, at + 3) = 1.0;
    M_(at + 3, at) = equations_.contact(c).mu;
    M_(at + 3, at + 1) = M_(at + 3, at + 2) = -1.0;
  }
  largest_ = q.lpNorm<Eigen::Infinity>();
  if (!(largest_ > 0.0)) return std::nullopt;
  return lemke(M_, q / largest_);
}

bool PlaneProblem::find_holds() {
  const std::optional<Complementary> found = solve();
  if (!found) return false;
  for (std::size_t c = 0; c < can_.size(); ++c) {
    const auto at = static_cast<std::size_t>(first_[c]);
    const EquationContact<2>& contact = equations_.contact(c);
    if (!found->basic[at]) {
      equations_.change(c, Hold::idle, contact.slide);
    } else if (can_[c] != Hold::sticking) {
      continue;
    } else if (found->basic[at + 3]) {
      const double sign = found->basic[at + 1] ? -1.0 : 1.0;  // against its friction
      equations_.change(c, Hold::sliding, sign * contact.terms.tangents.col(0));
    } else if (!found->basic[at + 1] && !found->basic[at + 2]) {
      equations_.change(c, Hold::steady, contact.slide);
    }
  }
  return true;
}

std::optional<Eigen::VectorXd> PlaneProblem::find_motion() {
  const std::optional<Complementary> found = solve();
  if (!found) return std::nullopt;
  Eigen::VectorXd forces = Eigen::VectorXd::Zero(joints_);
  for (std::size_t c = 0; c < can_.size(); ++c) {
    const Eigen::Index row = equations_.first_row(c);
    forces[row] = found->z[first_[c]];
    if (can_[c] != Hold::sticking) continue;
    forces[row + 1] = found->z[first_[c] + 1] - found->z[first_[c] + 2];
  }
  forces = largest_ * scale_.cwiseProduct(forces);
  Eigen::VectorXd lambda(joints_ + joint_start_.size());
  lambda << forces, joint_start_ + joint_answer_ * forces;
  return free_ + equations_.build().response(lambda, HeldRows<2>::Along::forces);
}

}  // namespace collapse::simulate
