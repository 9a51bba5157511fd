#include "solver/coulomb_newton.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <limits>
#include <vector>

#include "solver/common.hpp"
#include "solver/cones.hpp"
#include "solver/kkt_system.hpp"
#include "solver/residuals.hpp"

namespace collapse {
namespace {

constexpr int kMaxCoulombSteps = 60;
constexpr int kLineHalvings = 3;
constexpr double kFirstRho = 1e-4;
constexpr double kLargestRho = 1.0;

/// V, V C and z − Π(z − ŝ) of one group.
void linearise(const Program::Group& group, const Eigen::VectorXd& z, const Eigen::VectorXd& slack,
               Eigen::MatrixXd& V, Eigen::MatrixXd& VC, Eigen::VectorXd& defect) {
  const int rows = group.rows;
  V.setZero(rows, rows);
  if (group.cone == Cone::second_order) {
    Eigen::VectorXd point = z - slack;
    const double lift = slack.tail(rows - 1).norm();
    point[0] -= lift;
    Eigen::VectorXd axis(rows);
    AxisMatrix derivative;
    project_derivative(point.data(), rows, axis.data(), derivative);
    derivative.dense(axis.data(), rows, V.data());
    Eigen::MatrixXd C = Eigen::MatrixXd::Identity(rows, rows);
    if (lift > 0.0) C.row(0).tail(rows - 1) = slack.tail(rows - 1).transpose() / lift;
    VC = V * C;
    project(group.cone, point.data(), rows, point.data());
    defect = z - point;
    return;
  }
  defect = slack;
  for (int i = 0; i < rows; ++i) {
    const bool active = group.cone == Cone::zero || z[i] > slack[i];
    V(i, i) = active ? 1.0 : 0.0;
    if (!active) defect[i] = z[i];
  }
  VC = V;
}

}  // namespace

CoulombNewton::CoulombNewton(const Program& program, const CoulombOptions& options)
    : options_(options), scaling_(program), program_(program) {
  scaling_.apply(program_);
  if (options.forces != nullptr) {
    turned_ = *options.forces;
    scaling_.apply(turned_);
    return;
  }
  if (program_.blocks().size() != 1) return;
  stacked_.setZero(program_.rows(), program_.variables());
  for (const Program::Group& group : program_.groups()) {
    for (const Program::Term& term : program_.terms(group)) {
      stacked_.middleRows(group.first_row, group.rows) = program_.coefficients(group, term);
    }
  }
  weighted_.resizeLike(stacked_);
}

double CoulombNewton::measure(const Eigen::VectorXd& y, const Eigen::VectorXd& z) {
  optimality_defects(program_, y, z, dual_, forces_, slack_);
  if (options_.forces != nullptr) {
    dual_ += forces_;
    forces_.setZero();
    turned_.add_transposed_times(z, forces_);
    dual_ -= forces_;
  }
  if (options_.extra) {
    Eigen::VectorXd extra = Eigen::VectorXd::Zero(slack_.size());
    options_.extra(scaling_.multipliers * z.cwiseProduct(scaling_.row), extra);
    slack_ += extra.cwiseProduct(scaling_.row) / scaling_.solution;
  }
  if (!dual_.allFinite() || !slack_.allFinite()) return std::numeric_limits<double>::infinity();
  double worst = largest(dual_) / std::max(1.0, largest(forces_));
  Eigen::VectorXd lifted;
  for (const Program::Group& group : program_.groups()) {
    lifted = slack_.segment(group.first_row, group.rows);
    if (group.cone == Cone::second_order) lifted[0] += lifted.tail(group.rows - 1).norm();
    worst = std::max(worst, natural_residual(group, z.data() + group.first_row, lifted.data()));
  }
  return worst;
}

bool CoulombNewton::find_direction(const Eigen::VectorXd& z, double rho) {
  if (!system_) system_.emplace(program_);
  UnsymmetricSystem& system = *system_;
  system.clear();
  for (const Program::Block& block : program_.blocks()) {
    Eigen::MatrixXd mass = program_.mass(block);
    mass.diagonal().array() += kProximal;  // for blocks without mass
    system.add(block.first, block.first, mass);
  }
  dy_ = -dual_;
  dz_.resize(program_.rows());
  std::vector<Eigen::MatrixXd> stiffness;  // (1 − V + V C (E + ρ))⁻¹ V C of each group
  Eigen::MatrixXd V;
  Eigen::VectorXd defect;
  for (const Program::Group& group : program_.groups()) {
    Eigen::MatrixXd VC;
    linearise(group, z.segment(group.first_row, group.rows),
              slack_.segment(group.first_row, group.rows), V, VC, defect);
    const Eigen::PartialPivLU<Eigen::MatrixXd> inverse(
        Eigen::MatrixXd::Identity(group.rows, group.rows) - V + (group.compliance + rho) * VC);
    stiffness.push_back(inverse.solve(VC));
    const Eigen::VectorXd pushed = inverse.solve(defect);
    dz_.segment(group.first_row, group.rows) = -pushed;
    if (stacked_.size() > 0) {
      weighted_.middleRows(group.first_row, group.rows) =
          stiffness.back().lazyProduct(stacked_.middleRows(group.first_row, group.rows));
      continue;
    }
    for (const Program::Term& a : force_rows().terms(group)) {
      const Program::Block& block_a = program_.blocks()[static_cast<std::size_t>(a.block)];
      const auto A = force_rows().coefficients(group, a);
      dy_.segment(block_a.first, block_a.size) -= A.transpose() * pushed;
      for (const Program::Term& b : program_.terms(group)) {
        system.add(block_a.first, program_.blocks()[static_cast<std::size_t>(b.block)].first,
                   A.transpose() * (stiffness.back() * program_.coefficients(group, b)));
      }
    }
  }
  if (stacked_.size() > 0) {
    system.add(0, 0, stacked_.transpose() * weighted_);
    dy_ += stacked_.transpose() * dz_;
  }
  if (!system.solve(dy_)) return false;
  Eigen::VectorXd Gdy;
  program_.rows_times(dy_, Gdy);
  for (std::size_t k = 0; k < program_.groups().size(); ++k) {
    const Program::Group& group = program_.groups()[k];
    dz_.segment(group.first_row, group.rows) -=
        stiffness[k] * Gdy.segment(group.first_row, group.rows);
  }
  return dz_.allFinite();
}

double CoulombNewton::improve(Eigen::VectorXd& x, Eigen::VectorXd& lambda) {
  Eigen::VectorXd y = x.cwiseQuotient(scaling_.variable) / scaling_.solution;
  Eigen::VectorXd z = lambda.cwiseQuotient(scaling_.row) / scaling_.multipliers;
  double residual = measure(y, z);
  // Proximal steps, the bolder the better they succeed: where multipliers are not unique, ρ decides
  // how far they may move.
  double rho = kFirstRho;
  Eigen::VectorXd y_tried;
  Eigen::VectorXd z_tried;
  for (int step = 0; step < kMaxCoulombSteps && residual > options_.tolerance && rho < kLargestRho;
       ++step) {
    if (!find_direction(z, rho)) break;
    double length = 1.0;
    double tried = residual;
    for (int halving = 0; halving <= kLineHalvings; ++halving, length *= 0.5) {
      y_tried = y + length * dy_;
      z_tried = z + length * dz_;
      tried = measure(y_tried, z_tried);
      if (tried < residual) break;
    }
    if (tried < residual) {
      y.swap(y_tried);
      z.swap(z_tried);
      rho = std::max(kProximal, (tried < 0.5 * residual ? 0.1 : 1.0) * rho);
      residual = tried;
    } else {
      measure(y, z);
      rho *= 10.0;
    }
  }
  x = scaling_.solution * y.cwiseProduct(scaling_.variable);
  lambda = scaling_.multipliers * z.cwiseProduct(scaling_.row);
  return residual;
}

}  // namespace collapse
