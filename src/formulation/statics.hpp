#pragma once
/// One structure under one load: does it stand, with which forces, does it fall, with which motion?
/// The steps that check() (verdict.cpp) puts together.

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "collapse/formulation/force.hpp"
#include "collapse/formulation/perturbation.hpp"
#include "collapse/formulation/verdict.hpp"

namespace collapse {

template <int Dim>
class Statics {
 public:
  /// Forces that leave more than this share of the largest force on a body unbalanced hold nothing.
  /// Those that hold something come out of the solver with 1e-13 and less.
  static constexpr double kBalanced = 1e-11;

  Statics(const Scene<Dim>& scene, const State<Dim>& state, std::span<const AppliedLoad> loads,
          const ConeModel& cones, std::function<void(int)> progress);

  /// Largest acceleration of any point over the largest without contacts, with the motion behind
  /// it.
  struct Onset {
    double fall = 0.0;
    std::vector<Twist<Dim>> accelerations;  ///< of the free bodies
    double residual = 0.0;                  ///< of the solver
    Status status = Status::stalled;
  };
  /// `accuracy`: what the solver's tolerance is multiplied with.
  [[nodiscard]] Onset onset(std::span<const Contact<Dim>> contacts,
                            std::span<const Twist<Dim>> external, double accuracy = 1.0);

  /// The least forces, if they balance all loads.
  struct Equilibrium {
    Status status = Status::stalled;
    Forces<Dim> forces;
    double imbalance = 0.0;  ///< largest over the bodies, over the largest force on the body
  };
  /// `accuracy`: how nearly least they are; balance does not depend on it.
  [[nodiscard]] std::optional<Equilibrium> equilibrium(std::span<const Contact<Dim>> contacts,
                                                       std::span<const Twist<Dim>> external,
                                                       double accuracy);

  /// Whether the structure rests, where the motion program can tell: its multipliers balance the loads, or it
  /// clearly falls. Many times cheaper than the least forces.
  [[nodiscard]] std::optional<bool> rests(std::vector<Contact<Dim>> contacts,
                                          std::span<const Twist<Dim>> external);

  /// Whether forces are found that hold the structure weakened by τ.
  [[nodiscard]] bool stands_weakened(const Perturbation<Dim>& perturbation, double tau);

  /// A motion that proves that the structure falls, if the onset is one.
  struct Mechanism {
    std::vector<Twist<Dim>> motion;  ///< fastest point moves with 1
    double violation = 0.0;          ///< of the constraints, over that speed
  };
  [[nodiscard]] std::optional<Mechanism> mechanism(std::span<const Contact<Dim>> contacts,
                                                   const Onset& onset);

  /// How far a motion is from admissible: the worst velocity into a contact, along the worst direction of its force
  /// cone, or across a joint.
  [[nodiscard]] double violation(std::span<const Contact<Dim>> contacts,
                                 const std::vector<Twist<Dim>>& motion) const;
  /// Speed of the fastest point of any body.
  [[nodiscard]] double fastest(const std::vector<Twist<Dim>>& motion) const;
  /// A force with its torque as one force, at the reach of that free body.
  [[nodiscard]] double size_of(const Twist<Dim>& wrench, std::size_t free_body) const;
  /// What forces leave unbalanced on any body, over the largest force on it.
  [[nodiscard]] double unbalanced_share(std::span<const Contact<Dim>> contacts,
                                        std::span<const Twist<Dim>> external,
                                        const Forces<Dim>& forces) const;
  [[nodiscard]] Solution solve_counted(const Program& program, const SolverOptions& options = {});
  /// The variables of a program over motions, body by body.
  [[nodiscard]] std::vector<Twist<Dim>> split(const Eigen::VectorXd& x) const;

  [[nodiscard]] const FreeBodies<Dim>& free() const { return free_; }
  [[nodiscard]] std::span<const Twist<Dim>> external() const { return external_; }
  /// Nothing is free, or nothing pulls at what is.
  [[nodiscard]] bool trivial() const { return largest_load_ == 0.0; }
  [[nodiscard]] int programs() const { return programs_; }
  [[nodiscard]] int iterations() const { return iterations_; }

 private:
  [[nodiscard]] Program motion_program(std::span<const Contact<Dim>> contacts,
                                       std::span<const Twist<Dim>> external) const;
  [[nodiscard]] std::vector<double> violations(const Program& program,
                                               std::span<const Contact<Dim>> contacts,
                                               const std::vector<Twist<Dim>>& motion) const;
  [[nodiscard]] bool proves_fall(const Program& program, std::span<const Contact<Dim>> contacts,
                                 const std::vector<Twist<Dim>>& motion, double& violation) const;

  const Scene<Dim>& scene_;
  const State<Dim>& state_;
  ConeModel cones_;
  FreeBodies<Dim> free_;
  std::vector<Twist<Dim>> external_;
  double reference_ = 0.0;      ///< largest acceleration of any point without contacts
  double largest_load_ = 0.0;   ///< on a body
  double smallest_load_ = 0.0;  ///< on a body that has any
  std::function<void(int)> progress_;
  int programs_ = 0;
  int iterations_ = 0;
};

}  // namespace collapse
