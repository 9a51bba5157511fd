#include "simulate/event_rows.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <cmath>

#include "simulate/slot.hpp"

namespace collapse::simulate {
namespace {

/// Added to the diagonal, which is one: forces of contacts that depend on each other are not unique, and this makes
/// them small. Refinement takes its effect on the motion away: once is enough but for nearly dependent rows.
constexpr double kRowSoftness = 1e-8;
constexpr int kRefinements = 8;
/// Refinement ends at this share of the right side, which is rounding, or where it no longer gains this factor.
constexpr double kRefined = 1e-15;
constexpr double kRefinementGain = 0.5;

struct RefinedSolution {
  Eigen::VectorXd once;
  Eigen::VectorXd fully;
};

/// Of the scaled equations.
RefinedSolution refined(const Eigen::MatrixXd& A, const Eigen::VectorXd& b, bool symmetric) {
  Eigen::MatrixXd soft = A;
  soft.diagonal().array() += kRowSoftness;
  RefinedSolution out;
  const auto refine = [&](const auto& factor) {
    out.once = factor.solve(b);
    Eigen::VectorXd rest = b - A * out.once;
    out.once += factor.solve(rest);
    out.fully = out.once;
    double last = rest.template lpNorm<Eigen::Infinity>();
    const double rounding = kRefined * b.template lpNorm<Eigen::Infinity>();
    for (int k = 1; k < kRefinements; ++k) {
      rest = b - A * out.fully;
      const double left = rest.template lpNorm<Eigen::Infinity>();
      if (left <= rounding || left > kRefinementGain * last) break;
      out.fully += factor.solve(rest);
      last = left;
    }
  };
  if (symmetric) {
    refine(Eigen::LDLT<Eigen::MatrixXd>(soft));
  } else {
    refine(Eigen::PartialPivLU<Eigen::MatrixXd>(soft));
  }
  return out;
}

}  // namespace

template <int Dim>
void HeldRows<Dim>::clear(const State<Dim>& state) {
  rows_.clear();
  inverse_mass_.clear();
  for (const int body : world_.free_bodies()) {
    inverse_mass_.push_back(world_.inverse_mass_matrix(body, state.poses[slot_of(body)]));
  }
}

template <int Dim>
Eigen::VectorXd HeldRows<Dim>::betas() const {
  Eigen::VectorXd out(count());
  for (Eigen::Index r = 0; r < count(); ++r) out[r] = rows_[static_cast<std::size_t>(r)].beta;
  return out;
}

template <int Dim>
Eigen::VectorXd HeldRows<Dim>::response(const Eigen::VectorXd& lambda, Along along) const {
  Eigen::VectorXd out = Eigen::VectorXd::Zero(kDofs<Dim> * std::ssize(inverse_mass_));
  for (Eigen::Index r = 0; r < count(); ++r) {
    const HeldRow<Dim>& row = rows_[static_cast<std::size_t>(r)];
    const auto add = [&](int body, const Twist<Dim>& wrench) {
      const int block = world_.block_of(body);
      if (block >= 0) out.segment<kDofs<Dim>>(kDofs<Dim> * block) += lambda[r] * wrench;
    };
    add(row.a, along == Along::motion ? row.motion_a : row.force_a);
    add(row.b, along == Along::motion ? row.motion_b : row.force_b);
  }
  for (std::size_t i = 0; i < inverse_mass_.size(); ++i) {
    auto part = out.segment<kDofs<Dim>>(kDofs<Dim> * static_cast<Eigen::Index>(i));
    part = (inverse_mass_[i] * part).eval();
  }
  return out;
}

template <int Dim>
Eigen::VectorXd HeldRows<Dim>::measured(const Eigen::VectorXd& x) const {
  Eigen::VectorXd out(count());
  for (Eigen::Index r = 0; r < count(); ++r) {
    const HeldRow<Dim>& row = rows_[static_cast<std::size_t>(r)];
    const auto of = [&](int body, const Twist<Dim>& measure) {
      const int block = world_.block_of(body);
      return block < 0 ? 0.0 : measure.dot(x.segment<kDofs<Dim>>(kDofs<Dim> * block));
    };
    out[r] = of(row.a, row.motion_a) + of(row.b, row.motion_b);
  }
  return out;
}

template <int Dim>
Eigen::MatrixXd HeldRows<Dim>::operator_of(const std::vector<Eigen::Index>& taking_part,
                                           Along along) const {
  struct Touch {
    Eigen::Index row;
    const Twist<Dim>* motion;
    Twist<Dim> response;
  };
  std::vector<std::vector<Touch>> by_block(inverse_mass_.size());
  const auto size = std::ssize(taking_part);
  for (Eigen::Index i = 0; i < size; ++i) {
    const HeldRow<Dim>& row =
        rows_[static_cast<std::size_t>(taking_part[static_cast<std::size_t>(i)])];
    const auto touch = [&](int body, const Twist<Dim>& motion, const Twist<Dim>& force) {
      if (world_.block_of(body) < 0) return;
      const auto block = slot_of(world_.block_of(body));
      by_block[block].push_back(
          {i, &motion, inverse_mass_[block] * (along == Along::motion ? motion : force)});
    };
    touch(row.a, row.motion_a, row.force_a);
    touch(row.b, row.motion_b, row.force_b);
  }
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(size, size);
  for (const std::vector<Touch>& touches : by_block) {
    for (const Touch& one : touches) {
      for (const Touch& other : touches) {
        A(one.row, other.row) += one.motion->dot(other.response);
      }
    }
  }
  return A;
}

template <int Dim>
typename HeldRows<Dim>::Multipliers HeldRows<Dim>::solve(const Eigen::VectorXd& right,
                                                         Along along) const {
  std::vector<Eigen::Index> taking_part;
  bool symmetric = true;
  for (Eigen::Index r = 0; r < count(); ++r) {
    if (std::isnan(right[r])) continue;
    taking_part.push_back(r);
    const HeldRow<Dim>& row = rows_[static_cast<std::size_t>(r)];
    const bool same = row.motion_a == row.force_a && row.motion_b == row.force_b;
    symmetric = symmetric && (same || along == Along::motion);
  }
  const auto size = std::ssize(taking_part);
  Eigen::MatrixXd A = operator_of(taking_part, along);
  Eigen::VectorXd scale(size);
  Eigen::VectorXd b(size);
  for (Eigen::Index i = 0; i < size; ++i) {
    const double length = std::sqrt(std::abs(A(i, i)));
    scale[i] = length > 0.0 ? 1.0 / length : 1.0;
    b[i] = scale[i] * right[taking_part[static_cast<std::size_t>(i)]];
  }
  A = (scale.asDiagonal() * A * scale.asDiagonal()).eval();
  Multipliers lambda{Eigen::VectorXd::Zero(count()), Eigen::VectorXd::Zero(count())};
  if (size == 0) return lambda;
  const RefinedSolution x = refined(A, b, symmetric);
  for (Eigen::Index i = 0; i < size; ++i) {
    const Eigen::Index row = taking_part[static_cast<std::size_t>(i)];
    lambda.steady[row] = scale[i] * x.once[i];
    lambda.exact[row] = scale[i] * x.fully[i];
  }
  return lambda;
}

template <int Dim>
double HeldRows<Dim>::answer(std::size_t row) const {
  const HeldRow<Dim>& one = rows_[row];
  const auto of = [&](int body, const Twist<Dim>& motion, const Twist<Dim>& force) {
    const int block = world_.block_of(body);
    return block < 0 ? 0.0 : motion.dot(inverse_mass_[slot_of(block)] * force);
  };
  return of(one.a, one.motion_a, one.force_a) + of(one.b, one.motion_b, one.force_b);
}

template <int Dim>
double HeldRows<Dim>::driven_power(const Eigen::VectorXd& lambda, const State<Dim>& state) const {
  double power = 0.0;
  for (Eigen::Index r = 0; r < count(); ++r) {
    const HeldRow<Dim>& row = rows_[static_cast<std::size_t>(r)];
    const auto of = [&](int body, const Twist<Dim>& wrench) {
      if (body == kWorld || world_.block_of(body) >= 0) return;
      power -= lambda[r] * wrench.dot(state.velocities[slot_of(body)]);
    };
    of(row.a, row.force_a);
    of(row.b, row.force_b);
  }
  return power;
}

template class HeldRows<2>;
template class HeldRows<3>;

}  // namespace collapse::simulate
