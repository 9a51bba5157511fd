#pragma once
/// Siconos' solvers of frictional contact problems, to compare with. Each runs in a process of its
/// own, because it cannot be interrupted and may crash.

#include <array>
#include <string>

#include "benchmarks/peers/fclib.hpp"

namespace collapse::benchmarks {

enum class SiconosSolver {
  nsgs,    ///< nonsmooth Gauss–Seidel, contact by contact
  prox,    ///< proximal point around nonsmooth Newton
  admm,    ///< alternating directions, quadratic part factored
  nsn_ac,  ///< nonsmooth Newton on the whole problem
  vi_eg,   ///< extragradient on the variational inequality
};

inline constexpr std::array kSiconosSolvers = {SiconosSolver::nsgs, SiconosSolver::prox,
                                               SiconosSolver::admm, SiconosSolver::nsn_ac,
                                               SiconosSolver::vi_eg};

enum class SiconosStatus {
  solved,       ///< the residual is at most the one asked for
  inaccurate,   ///< it ended with a greater one
  timed_out,    ///< stopped at the time limit
  crashed,      ///< the process died
  unavailable,  ///< built without Siconos
};

struct SiconosOptions {
  double residual = 1e-8;      ///< to reach, as `fclib_residual` measures it
  double time_limit_s = 60.0;  ///< wall clock, for one solve
};

struct SiconosResult {
  SiconosStatus status = SiconosStatus::unavailable;
  double seconds = 0.0;   ///< of the solve alone, matrices built; the limit where it timed out
  double residual = 0.0;  ///< `fclib_residual` of what it returned; infinite without a result
  int iterations = 0;     ///< outer ones, as Siconos counts them
};

[[nodiscard]] std::string name(SiconosSolver solver);
[[nodiscard]] std::string name(SiconosStatus status);

/// Solves from r = 0, with the settings found best for each solver (see the source).
[[nodiscard]] SiconosResult run_siconos(const FclibProblem& problem, SiconosSolver solver,
                                        const SiconosOptions& options = {});

}  // namespace collapse::benchmarks
