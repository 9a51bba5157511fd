#include "formulation/accelerated.hpp"

#include <algorithm>

namespace collapse {
namespace {

/// A guess that fits does so to 1e-8 of the accelerations.
constexpr double kHeuristicSettled = 1e-7;

template <int Dim>
bool needs_coulomb(const ContactTerm<Dim>& term) {
  return term.rows == ContactRows::cone || !term.drag.isZero(0.0);
}

template <int Dim>
Forces<Dim> forces_of(const Moment<Dim>& moment, const Eigen::VectorXd& lambda) {
  Forces<Dim> forces;
  Eigen::Index row = 0;
  for (std::size_t c = 0; c < moment.contacts.size(); ++c) {
    const Contact<Dim>& contact = moment.contacts[c];
    const ContactTerm<Dim>& term = moment.terms.contacts[c];
    if (has_cone_rows(contact, term, moment.cones)) {
      forces.contacts.push_back(lambda[row] / contact.friction * contact.normal +
                                tangents_of<Dim>(contact.normal) *
                                    lambda.segment(row + 1, Dim - 1));
      row += Dim;
    } else if (term.rows == ContactRows::generators) {
      const ConeDirections<Dim> directions = cone_directions(contact, moment.cones);
      forces.contacts.push_back(directions * lambda.segment(row, directions.cols()));
      row += directions.cols();
    } else {
      forces.contacts.push_back(lambda[row] * (contact.normal + term.drag));
      ++row;
    }
  }
  for (const Eigen::VectorXd& gamma : moment.terms.joints) {
    forces.joints.push_back(lambda.segment(row, gamma.size()));
    row += gamma.size();
  }
  return forces;
}

template <int Dim>
Accelerated<Dim> solve_by_heuristic(const Moment<Dim>& moment, const AccelerationOptions& options) {
  const Program program = moment.program();
  analytical::HeuristicOptions heuristic;
  heuristic.solver.threads = options.threads;
  heuristic.solver.interrupt = options.interrupt;
  analytical::HeuristicAnswer answer = analytical::solve_heuristic(program, heuristic);
  Accelerated<Dim> out;
  out.guess = answer.guess;
  out.programs = answer.programs;
  out.x = std::move(answer.multipliers.x);
  out.lambda = std::move(answer.multipliers.lambda);
  out.residual = compute_residuals(program, out.x, out.lambda).worst();
  const bool found = answer.guess == analytical::Guess::none_vanish ||
                     answer.guess == analytical::Guess::residuals;
  out.settled = found && out.residual <= kHeuristicSettled;
  out.status = out.settled ? Status::optimal : Status::stalled;
  out.forces = forces_of(moment, out.lambda);
  return out;
}

}  // namespace

template <int Dim>
Vec<Dim> Moment<Dim>::relative_acceleration(std::size_t contact, const Eigen::VectorXd& x) const {
  const Contact<Dim>& at = contacts[contact];
  const auto of = [&](int body) -> Vec<Dim> {
    const int block = free.block_of(body);
    if (block < 0) return Vec<Dim>::Zero();
    const Twist<Dim> twist = x.template segment<kDofs<Dim>>(block * kDofs<Dim>);
    return twist.template head<Dim>() +
           spin_velocity<Dim>(twist.template tail<kSpins<Dim>>(),
                              at.point - free.centres[static_cast<std::size_t>(body)]);
  };
  return of(at.id.b) - of(at.id.a) + terms.contacts[contact].beta;
}

template <int Dim>
double Moment<Dim>::lift(std::size_t contact, const Vec<Dim>& across) const {
  const Contact<Dim>& at = contacts[contact];
  if (terms.contacts[contact].rows != ContactRows::generators) return 0.0;
  if (Dim == 2 || at.friction == 0.0 || is_round_cone(at, cones))
    return at.friction * across.norm();
  double most = 0.0;
  const ConeDirections<Dim> directions = cone_directions(at, cones);
  for (Eigen::Index k = 0; k < directions.cols(); ++k) {
    most = std::max(most, -directions.col(k).dot(across) / directions.col(k).dot(at.normal));
  }
  return most;
}

template <int Dim>
Accelerated<Dim> solve_acceleration(const Moment<Dim>& moment, const AccelerationOptions& options) {
  if (options.forces == ForceMethod::heuristic) return solve_by_heuristic(moment, options);
  const Program program = moment.program();
  Accelerated<Dim> out;
  const auto& terms = moment.terms.contacts;
  SolverOptions solver;
  solver.tolerance = solver.complementarity_tolerance = options.tolerance;
  solver.threads = options.threads;
  solver.interrupt = options.interrupt;
  if (std::any_of(terms.begin(), terms.end(), needs_coulomb<Dim>)) {
    CoulombOptions coulomb;
    coulomb.start = options.start;
    coulomb.max_rounds = options.max_rounds;
    coulomb.tolerance = options.tolerance;
    coulomb.solver = solver;
    Program forces;
    for (std::size_t c = 0; c < terms.size() && coulomb.forces == nullptr; ++c) {
      if (!moment.slides(c)) continue;
      forces = moment.program(RowsOf::forces);
      coulomb.forces = &forces;
    }
    CoulombSolution solution = solve_coulomb(program, coulomb);
    out.status = solution.status;
    out.residual = solution.residual;
    out.iterations = solution.rounds;
    out.x = std::move(solution.x);
    out.lambda = std::move(solution.lambda);
  } else {
    Solution solution = solve(program, solver);
    out.status = solution.status;
    out.residual = solution.residuals.worst();
    out.iterations = solution.effort.iterations;
    out.x = std::move(solution.x);
    out.lambda = std::move(solution.lambda);
  }
  const bool found = out.x.size() == program.variables() && out.x.allFinite() &&
                     out.lambda.size() == program.rows() && out.lambda.allFinite();
  if (!found) {
    out.x = Eigen::VectorXd::Zero(program.variables());
    out.lambda = Eigen::VectorXd::Zero(program.rows());
  }
  out.settled = found && out.residual <= options.settled &&
                (out.status == Status::optimal || out.status == Status::stalled ||
                 out.status == Status::iteration_limit);
  out.forces = forces_of(moment, out.lambda);
  return out;
}

template struct Moment<2>;
template Accelerated<2> solve_acceleration(const Moment<2>&, const AccelerationOptions&);
template struct Moment<3>;
template Accelerated<3> solve_acceleration(const Moment<3>&, const AccelerationOptions&);

}  // namespace collapse
