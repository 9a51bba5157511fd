#pragma once
/// Velocities after collisions (mechanics: Newton's restitution). Simultaneous:
///
///     minimise   ½ (v⁺ − v)ᵀ M (v⁺ − v)   subject to   n·u(v⁺) ≥ −ε n·u(v⁻) where bodies collided, ≥ 0 elsewhere
///
/// with friction by the same cone as in the position program. v is what the position program left, v⁻ the
/// velocity of approach. Sequential: one collision at a time, the fastest approach first, starting from the
/// velocities before the step; what comes out depends on that order.

#include "simulate/contact_terms.hpp"
#include "simulate/scheme.hpp"

namespace collapse::simulate {

struct ImpactContact {
  ContactTerms terms;
  double mu = 0.0;
  double restitution = 0.0;
  double approach = 0.0;  ///< n·u(v⁻), negative where it collides, otherwise 0
};

class Impact {
 public:
  Impact(const World& world, const SimulationOptions& options, Solver& solver, const Blocks& blocks,
         const std::vector<MovingJointRow>& joints)
      : world_(world), options_(options), solver_(solver), blocks_(blocks), joints_(joints) {}

  void add(const ImpactContact& contact) { contacts_.push_back(contact); }
  /// `before`: at the start of the step; `velocities`: from the position program, replaced.
  void resolve(const std::vector<Twist<2>>& before, std::vector<Twist<2>>& velocities,
               StepReport& report);

 private:
  void one_by_one(std::vector<Twist<2>>& velocities);
  void all_at_once(std::vector<Twist<2>>& velocities, StepReport& report);

  const World& world_;
  const SimulationOptions& options_;
  Solver& solver_;
  const Blocks& blocks_;
  const std::vector<MovingJointRow>& joints_;
  std::vector<ImpactContact> contacts_;
};

}  // namespace collapse::simulate
