#pragma once
/// Collisions at several contacts at once, in two models (Baraff 1989): *simultaneous*, one program for all impulses,
///
///     minimise ½ (v⁺ − v⁻)ᵀ M (v⁺ − v⁻)   subject to   J v⁺ ≥ −ε J v⁻ where J v⁻ < 0,   J v⁺ ≥ 0 elsewhere
///
/// whose multipliers are the impulses, complementary to the rows; and *propagation*, one impact at a time, the fastest
/// approach first, until nothing approaches. Equations, J v = 0, hold in both.

#include "collapse/analytical/least_constraint.hpp"

namespace collapse::analytical {

enum class CollisionModel { simultaneous, propagation };

struct Collision {
  Eigen::MatrixXd M;
  Eigen::VectorXd v;  ///< before
  Eigen::MatrixXd J;
  std::vector<Relation> relations;  ///< of the rows of J
  Eigen::VectorXd restitution;      ///< ε of the rows
};

struct CollisionLimits {
  double tolerance = 1e-9;  ///< approach that is left, over the fastest one before
  int hits = 1'000'000;     ///< of propagation
};

struct CollisionOutcome {
  Eigen::VectorXd v;         ///< after
  Eigen::VectorXd impulses;  ///< sums, of the rows
  int hits = 0;              ///< impacts of propagation; 1 for a program
  bool settled = true;       ///< nothing approaches any more
  bool dulled = false;       ///< what ε demands contradicts itself: solved with ε = 0
};

[[nodiscard]] CollisionOutcome collide(const Collision& collision, CollisionModel model,
                                       const CollisionLimits& limits = {});

}  // namespace collapse::analytical
