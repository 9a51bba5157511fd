#pragma once
/// The acceleration program solved under either law of friction, and what its solution means.

#include <functional>
#include <optional>
#include <vector>

#include "collapse/analytical/heuristic.hpp"
#include "collapse/formulation/force.hpp"
#include "collapse/formulation/force_method.hpp"
#include "collapse/solver/coulomb.hpp"
#include "formulation/contact_motion.hpp"

namespace collapse {

/// A structure at one moment: bodies, contacts that take part, loads.
template <int Dim>
struct Moment {
  const Scene<Dim>& scene;
  const State<Dim>& state;
  const FreeBodies<Dim>& free;
  std::span<const Twist<Dim>> external;
  std::vector<Contact<Dim>> contacts;
  MotionTerms<Dim> terms;
  ConeModel cones = {};  ///< of contacts under the associated law

  [[nodiscard]] Program program(RowsOf rows = RowsOf::motion) const {
    return acceleration_program<Dim>(scene, state, free, contacts, external, terms, rows, cones);
  }
  [[nodiscard]] bool slides(std::size_t contact) const {
    return !terms.contacts[contact].drag.isZero(0.0);
  }
  /// Of b over a at a contact's point, if the free bodies accelerate with x.
  [[nodiscard]] Vec<Dim> relative_acceleration(std::size_t contact, const Eigen::VectorXd& x) const;
  /// How much of a relative acceleration along the normal the associated law asks for where it has the part
  /// `across` the normal; 0 for contacts that do not follow it.
  [[nodiscard]] double lift(std::size_t contact, const Vec<Dim>& across) const;
};

template <int Dim>
struct Accelerated {
  Eigen::VectorXd x;       ///< accelerations of the free bodies, one after the other
  Forces<Dim> forces;      ///< the multipliers
  Eigen::VectorXd lambda;  ///< the same as the program has them
  bool settled = false;
  Status status = Status::stalled;
  double residual = 0.0;  ///< of the solver, free of units
  int iterations = 0;
  int programs = 1;
  std::optional<analytical::Guess> guess;  ///< of the heuristic, if it was to find the forces
};

struct AccelerationOptions {
  ForceMethod forces = ForceMethod::convex;
  /// See CoulombOptions::start.
  Eigen::VectorXd start = {};
  int max_rounds = 200;
  double tolerance = 1e-12;  ///< of the program or of Coulomb's law, free of units
  /// Where that is not reached: what is taken for a solution all the same.
  double settled = 1e-9;
  int threads = 0;
  std::function<bool()> interrupt = {};
};

/// Contacts with cones or drag follow Coulomb's law, all others the program as it is. The heuristic takes neither cones
/// nor drag; where its guesses fail nothing is settled, and the forces are those of least sum.
template <int Dim>
[[nodiscard]] Accelerated<Dim> solve_acceleration(const Moment<Dim>& moment,
                                                  const AccelerationOptions& options = {});

}  // namespace collapse
