#pragma once
/// The program of formulation/limit.hpp for one structure, with proofs of both sides.

#include <limits>
#include <span>
#include <vector>

#include "collapse/formulation/limit.hpp"
#include "formulation/far.hpp"
#include "formulation/statics.hpp"

namespace collapse {

template <int Dim>
class LimitFinder {
 public:
  using Load = std::vector<Twist<Dim>>;  ///< on each free body; also a motion of each
  using Contacts = std::vector<Contact<Dim>>;

  LimitFinder(const Scene<Dim>& scene, const State<Dim>& state, const ContactSet<Dim>& set,
              const LimitOptions& options);

  [[nodiscard]] Limit<Dim> find(const Load& load);

  [[nodiscard]] const FreeBodies<Dim>& free() const { return statics_.free(); }

  /// Factors that differ by no more are one: `scale` is the factor that makes the load as large as all others.
  [[nodiscard]] static double agreement(double factor, double scale) {
    constexpr double kAgree = 1e-7;
    return kAgree * (std::abs(factor) + scale);
  }

 private:
  /// How nearly least forces have to be.
  static constexpr double kLeastForces = 1e-9;
  static constexpr double kAnyForces = 1e-3;

  struct Bound {
    bool unbounded = false;
    bool found = false;
    double factor = 0.0;
    double scale = 0.0;  ///< the factor that makes the load as large as all others
    double lower = 0.0;
    double upper = std::numeric_limits<double>::infinity();
    Forces<Dim> forces;
    double imbalance = 0.0;
    Load motion;
    double violation = 0.0;
  };

  /// Whether it stands without the load; says what if not.
  [[nodiscard]] bool stands_without(Limit<Dim>& limit);
  [[nodiscard]] Bound bound_of(const Contacts& contacts, const Load& load);
  [[nodiscard]] Program program_of(const Contacts& contacts, const Load& load, double scale) const;
  [[nodiscard]] Load total(const Load& load, double factor) const;
  /// `found`: forces that the program has at that factor.
  void prove_lower(Bound& bound, const Contacts& contacts, const Load& load, double factor,
                   Forces<Dim> found);
  void prove_upper(Bound& bound, const Contacts& contacts, const Load& load, Load motion);
  void conclude(Limit<Dim>& limit, const Bound& low, const Bound& high) const;
  [[nodiscard]] std::vector<BodyMotion<Dim>> motions(const Load& motion) const;

  const Scene<Dim>& scene_;
  const State<Dim>& state_;
  const ContactSet<Dim>& set_;
  const LimitOptions& options_;
  ConeModel cones_;
  Statics<Dim> statics_;
  Contacts with_corners_;  ///< with a contact for every normal of every corner
};

}  // namespace collapse
