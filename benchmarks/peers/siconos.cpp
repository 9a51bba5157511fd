#include "benchmarks/peers/siconos.hpp"

#include "collapse/core/check.hpp"

#ifdef COLLAPSE_HAS_SICONOS
#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>
#include <fcntl.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <memory>
#include <vector>

#include "benchmarks/child.hpp"
#endif

namespace collapse::benchmarks {

std::string name(SiconosSolver solver) {
  switch (solver) {
    case SiconosSolver::nsgs:
      return "NSGS";
    case SiconosSolver::prox:
      return "PROX";
    case SiconosSolver::admm:
      return "ADMM";
    case SiconosSolver::nsn_ac:
      return "NSN_AC";
    case SiconosSolver::vi_eg:
      return "VI_EG";
  }
  COLLAPSE_DEMAND(false && "a solver of the list");
}

std::string name(SiconosStatus status) {
  switch (status) {
    case SiconosStatus::solved:
      return "solved";
    case SiconosStatus::inaccurate:
      return "inaccurate";
    case SiconosStatus::timed_out:
      return "timed out";
    case SiconosStatus::crashed:
      return "crashed";
    case SiconosStatus::unavailable:
      return "unavailable";
  }
  COLLAPSE_DEMAND(false && "a status of the list");
}

#ifndef COLLAPSE_HAS_SICONOS

SiconosResult run_siconos(const FclibProblem&, SiconosSolver, const SiconosOptions&) { return {}; }

#else

namespace {

using SparseMatrix = Eigen::SparseMatrix<double>;

struct FreeMatrix {
  void operator()(NumericsMatrix* M) const { NM_free(M); }
};
using MatrixPointer = std::unique_ptr<NumericsMatrix, FreeMatrix>;

struct FreeOptions {
  void operator()(SolverOptions* options) const {
    solver_options_delete(options);
    std::free(options);  // only its members are deleted
  }
};
using OptionsPointer = std::unique_ptr<SolverOptions, FreeOptions>;

MatrixPointer dense_matrix(const SparseMatrix& W) {
  const auto size = static_cast<int>(W.rows());
  MatrixPointer M(NM_create(NM_DENSE, size, size));
  Eigen::Map<Eigen::MatrixXd>(M->matrix0, size, size) = Eigen::MatrixXd(W);
  return M;
}

MatrixPointer sparse_matrix(const SparseMatrix& W) {
  const auto size = static_cast<int>(W.rows());
  MatrixPointer M(NM_create(NM_SPARSE, size, size));
  NM_triplet_alloc(M.get(), W.nonZeros());
  M->matrix2->origin = NSM_TRIPLET;
  for (int j = 0; j < size; ++j) {
    for (SparseMatrix::InnerIterator it(W, j); it; ++it) {
      NM_entry(M.get(), static_cast<int>(it.row()), j, it.value());
    }
  }
  NM_csc(M.get());  // the solvers convert it at first use: not in the time measured
  return M;
}

MatrixPointer block_matrix(const SparseMatrix& W) {
  const MatrixPointer sparse = sparse_matrix(W);
  SparseBlockStructuredMatrix* blocks = SBM_new();
  SBM_from_csparse(3, NM_csc(sparse.get()), blocks);
  return MatrixPointer(NM_new_SBM(sparse->size0, sparse->size1, blocks));
}

/// The storage in which the solver was fastest. The three that factor W spend most of a small
/// problem in the set-up of a sparse factorisation, which dense storage does without.
MatrixPointer matrix_for(SiconosSolver solver, const SparseMatrix& W) {
  constexpr Eigen::Index kLargestDense = 100;
  const bool factors = solver != SiconosSolver::nsgs && solver != SiconosSolver::vi_eg;
  if (factors && W.rows() <= kLargestDense) return dense_matrix(W);
  const bool by_entries = solver == SiconosSolver::admm || solver == SiconosSolver::nsn_ac;
  return by_entries ? sparse_matrix(W) : block_matrix(W);
}

/// Siconos' defaults, but for what made a solver solve more of the collection, or the whole of it
/// in less time. Only the clock limits the iterations.
OptionsPointer options_for(SiconosSolver solver, double tolerance) {
  constexpr int kUnlimited = 2'000'000'000;
  const auto create = [&](int id) {
    OptionsPointer options(solver_options_create(id));
    options->iparam[SICONOS_IPARAM_MAX_ITER] = kUnlimited;
    options->dparam[SICONOS_DPARAM_TOL] = tolerance;
    return options;
  };
  switch (solver) {
    case SiconosSolver::nsgs: {
      // Judged by the change of r, the default, it goes on for several times what is needed;
      // with the contacts in the given order OneObject does not converge.
      OptionsPointer options = create(SICONOS_FRICTION_3D_NSGS);
      options->iparam[SICONOS_FRICTION_3D_IPARAM_ERROR_EVALUATION] =
          SICONOS_FRICTION_3D_NSGS_ERROR_EVALUATION_FULL;
      options->iparam[SICONOS_FRICTION_3D_NSGS_SHUFFLE] = SICONOS_FRICTION_3D_NSGS_SHUFFLE_TRUE;
      return options;
    }
    case SiconosSolver::prox: {
      // The collection in half the time of the default, the Alart–Curnier function.
      OptionsPointer options = create(SICONOS_FRICTION_3D_PROX);
      options->internalSolvers[0]->iparam[SICONOS_FRICTION_3D_NSN_FORMULATION] =
          SICONOS_FRICTION_3D_NSN_FORMULATION_JEANMOREAU_GENERATED;
      return options;
    }
    case SiconosSolver::admm: {
      // With the default, a constant penalty, Confeti is not solved within a minute.
      OptionsPointer options = create(SICONOS_FRICTION_3D_ADMM);
      options->iparam[SICONOS_FRICTION_3D_ADMM_IPARAM_RHO_STRATEGY] =
          SICONOS_FRICTION_3D_ADMM_RHO_STRATEGY_RESIDUAL_BALANCING;
      return options;
    }
    case SiconosSolver::nsn_ac: {
      // With the default, the Alart–Curnier function, Kaplas takes most of a minute.
      OptionsPointer options = create(SICONOS_FRICTION_3D_NSN_AC);
      options->iparam[SICONOS_FRICTION_3D_NSN_FORMULATION] =
          SICONOS_FRICTION_3D_NSN_FORMULATION_JEANMOREAU_GENERATED;
      return options;
    }
    case SiconosSolver::vi_eg:
      return create(SICONOS_FRICTION_3D_VI_EG);
  }
  COLLAPSE_DEMAND(false && "a solver of the list");
}

/// The process ends well, and without a result, `limit_s` from now; 0 takes that back.
void set_time_limit(double limit_s) {
  std::signal(SIGALRM, [](int) { ::_exit(0); });
  itimerval timer{};
  timer.it_value.tv_sec = static_cast<time_t>(limit_s);
  timer.it_value.tv_usec = static_cast<suseconds_t>(1e6 * (limit_s - std::floor(limit_s)));
  COLLAPSE_DEMAND(::setitimer(ITIMER_REAL, &timer, nullptr) == 0);
}

struct Attempt {
  double seconds = 0.0;
  int iterations = 0;
  bool converged = false;  ///< in Siconos' own opinion
  Eigen::VectorXd r;
};

Attempt attempt(const FclibProblem& problem, SiconosSolver solver, double tolerance,
                double time_limit_s) {
  const MatrixPointer M = matrix_for(solver, problem.W);
  const OptionsPointer options = options_for(solver, tolerance);
  // Copies: the solvers write to what they are given.
  Eigen::VectorXd q = problem.q;
  Eigen::VectorXd mu = problem.mu;
  FrictionContactProblem contact{3, static_cast<int>(mu.size()), M.get(), q.data(), mu.data()};
  Attempt result;
  result.r = Eigen::VectorXd::Zero(q.size());
  Eigen::VectorXd u = result.r;
  set_time_limit(time_limit_s);
  result.seconds = seconds([&] {
    result.converged = fc3d_driver(&contact, result.r.data(), u.data(), options.get()) == 0;
  });
  set_time_limit(0.0);
  result.iterations = options->iparam[SICONOS_IPARAM_ITER_DONE];
  return result;
}

/// Siconos divides its residual by the greatest of ‖q‖, ‖r‖ and ‖u‖, of which only the first is
/// known before. A result that it takes for good and that is not is therefore computed anew, with a
/// tolerance that makes up for it, and only the last solve counts. A short one is repeated, and the
/// fastest taken: the first in a process also pays for memory and libraries not touched before.
Attempt solve(const FclibProblem& problem, SiconosSolver solver, const SiconosOptions& options) {
  constexpr int kMaxAttempts = 6;
  constexpr double kRepeatFor_s = 0.2;
  // A little less, because Siconos' sum of the same terms differs in the last digits.
  double tolerance = 0.99 * options.residual;
  Attempt best = attempt(problem, solver, tolerance, options.time_limit_s);
  for (int i = 1; i < kMaxAttempts && best.converged; ++i) {
    const double residual = fclib_residual(problem, best.r);
    if (!(residual > options.residual)) break;
    tolerance *= 0.5 * options.residual / residual;
    best = attempt(problem, solver, tolerance, options.time_limit_s);
  }
  for (double spent = best.seconds; spent < kRepeatFor_s;) {
    const Attempt again = attempt(problem, solver, tolerance, options.time_limit_s);
    // A clock too coarse for the solve must not keep us here.
    spent += std::max(again.seconds, 1e-3 * kRepeatFor_s);
    best.seconds = std::min(best.seconds, again.seconds);
  }
  return best;
}

/// Siconos and MUMPS print whatever they are told not to.
void silence() {
  const int null = ::open("/dev/null", O_WRONLY);
  COLLAPSE_DEMAND(null >= 0 && ::dup2(null, STDOUT_FILENO) >= 0 &&
                  ::dup2(null, STDERR_FILENO) >= 0);
}

}  // namespace

SiconosResult run_siconos(const FclibProblem& problem, SiconosSolver solver,
                          const SiconosOptions& options) {
  constexpr double kShortestLimit_s = 1e-6;  // the timer's unit
  COLLAPSE_DEMAND(options.time_limit_s >= kShortestLimit_s);
  // Siconos ends the process at an error of its own: what is in our buffers now must not be
  // written a second time then.
  std::fflush(nullptr);
  const ChildResult child = run_in_child([&] {
    silence();
    const Attempt result = solve(problem, solver, options);
    std::vector<double> values = {result.seconds, static_cast<double>(result.iterations)};
    values.insert(values.end(), result.r.begin(), result.r.end());
    return values;
  });

  constexpr Eigen::Index kHead = 2;
  SiconosResult result;
  result.residual = std::numeric_limits<double>::infinity();
  if (child.ended_well && child.values.empty()) {
    result.status = SiconosStatus::timed_out;
    result.seconds = options.time_limit_s;
    return result;
  }
  const auto size = static_cast<Eigen::Index>(child.values.size());
  if (!child.ended_well || size != kHead + problem.q.size()) {
    result.status = SiconosStatus::crashed;
    return result;
  }
  const Eigen::Map<const Eigen::VectorXd> r(child.values.data() + kHead, problem.q.size());
  result.seconds = child.values[0];
  result.iterations = static_cast<int>(child.values[1]);
  if (r.allFinite()) result.residual = fclib_residual(problem, r);
  result.status =
      result.residual <= options.residual ? SiconosStatus::solved : SiconosStatus::inaccurate;
  return result;
}

#endif

}  // namespace collapse::benchmarks
