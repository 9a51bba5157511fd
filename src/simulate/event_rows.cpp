#include "simulate/event_rows.hpp"
#include "simulate/slot.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <cmath>

namespace collapse::simulate {
namespace {

/// Added to the diagonal, which is one: forces of contacts that depend on each other are not unique, and this makes
/// them small. Refinement takes its effect on the motion away.
constexpr double kRowSoftness = 1e-9;
constexpr int kRefinements = 4;

/// Of the scaled equations.
Eigen::VectorXd refined(const Eigen::MatrixXd& A, const Eigen::VectorXd& b, bool symmetric) {
  Eigen::MatrixXd soft = A;
  soft.diagonal().array() += kRowSoftness;
  Eigen::VectorXd x = Eigen::VectorXd::Zero(b.size());
  const auto refine = [&](const auto& factor) {
    for (int k = 0; k <= kRefinements; ++k) x += factor.solve(b - A * x);
  };
  if (symmetric) {
    refine(Eigen::LDLT<Eigen::MatrixXd>(soft));
  } else {
    refine(Eigen::PartialPivLU<Eigen::MatrixXd>(soft));
  }
  return x;
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
Eigen::VectorXd HeldRows<Dim>::solve(const Eigen::VectorXd& right, Along along) const {
  struct Touch {
    Eigen::Index row;
    const Twist<Dim>* motion;
    Twist<Dim> response;
  };
  std::vector<std::vector<Touch>> by_block(inverse_mass_.size());
  std::vector<Eigen::Index> taking_part;
  bool symmetric = true;
  for (Eigen::Index r = 0; r < count(); ++r) {
    if (std::isnan(right[r])) continue;
    const auto i = std::ssize(taking_part);
    taking_part.push_back(r);
    const HeldRow<Dim>& row = rows_[static_cast<std::size_t>(r)];
    const auto touch = [&](int body, const Twist<Dim>& motion, const Twist<Dim>& force) {
      if (world_.block_of(body) < 0) return;
      const auto block = slot_of(world_.block_of(body));
      const bool same = along == Along::motion || motion == force;
      by_block[block].push_back({i, &motion, inverse_mass_[block] * (same ? motion : force)});
      symmetric = symmetric && same;
    };
    touch(row.a, row.motion_a, row.force_a);
    touch(row.b, row.motion_b, row.force_b);
  }
  const auto size = std::ssize(taking_part);
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(size, size);
  for (const std::vector<Touch>& touches : by_block) {
    for (const Touch& one : touches) {
      for (const Touch& other : touches) {
        A(one.row, other.row) += one.motion->dot(other.response);
      }
    }
  }
  Eigen::VectorXd scale(size);
  Eigen::VectorXd b(size);
  for (Eigen::Index i = 0; i < size; ++i) {
    const double length = std::sqrt(std::abs(A(i, i)));
    scale[i] = length > 0.0 ? 1.0 / length : 1.0;
    b[i] = scale[i] * right[taking_part[static_cast<std::size_t>(i)]];
  }
  A = (scale.asDiagonal() * A * scale.asDiagonal()).eval();
  const Eigen::VectorXd x = refined(A, b, symmetric);
  Eigen::VectorXd lambda = Eigen::VectorXd::Zero(count());
  for (Eigen::Index i = 0; i < size; ++i) {
    lambda[taking_part[static_cast<std::size_t>(i)]] = scale[i] * x[i];
  }
  return lambda;
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
