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

template <int Dim>
struct ImpactContact {
  ContactId id;
  ContactTerms<Dim> terms;
  double mu = 0.0;
  double restitution = 0.0;
  double approach = 0.0;  ///< n·u(v⁻), negative where it collides, otherwise 0
};

template <int Dim>
class Impact {
 public:
  /// Everything as it is at the time of the impact.
  struct Place {
    std::span<const Pose<Dim>> poses;
    const Blocks& blocks;
    const std::vector<MovingJointRow<Dim>>& joints;
    bool crowd = false;               ///< many bodies, not worth the last digits
    std::span<const int> sizes = {};  ///< of each body's block (see add_body); empty: whole motions
  };
  Impact(const World<Dim>& world, const SimulationOptions& options, Solver& solver,
         const Place& place)
      : world_(world),
        options_(options),
        solver_(solver),
        place_(place),
        driven_work_(place.poses.size(), 0.0) {}

  void add(const ImpactContact<Dim>& contact) { contacts_.push_back(contact); }
  /// `before`: at the start of the step; `velocities`: from the position program, replaced. Notes the work of what is
  /// driven.
  void resolve(const std::vector<Twist<Dim>>& before, std::vector<Twist<Dim>>& velocities,
               StepReport<Dim>& report);
  /// That work, of each free body that it was done on.
  [[nodiscard]] const std::vector<double>& driven_work() const { return driven_work_; }

 private:
  [[nodiscard]] Vec<Dim> strike_sideways(const ContactTerms<Dim>& terms, double most,
                                         std::vector<Twist<Dim>>& velocities) const;
  [[nodiscard]] Twist<Dim> moved_by(int body, const Twist<Dim>& impulse) const;
  [[nodiscard]] int size_of(int body) const {
    return place_.sizes.empty() ? kDofs<Dim> : place_.sizes[static_cast<std::size_t>(body)];
  }
  void one_by_one(std::vector<Twist<Dim>>& velocities);
  void all_at_once(std::vector<Twist<Dim>>& velocities, StepReport<Dim>& report);

  const World<Dim>& world_;
  const SimulationOptions& options_;
  Solver& solver_;
  Place place_;
  std::vector<ImpactContact<Dim>> contacts_;
  std::vector<double> driven_work_;
};

}  // namespace collapse::simulate
