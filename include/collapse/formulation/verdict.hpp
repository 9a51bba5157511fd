#pragma once
/// Does it stand? (docs/theory/statics.md)

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "collapse/formulation/acceleration.hpp"
#include "collapse/formulation/force.hpp"
#include "collapse/solver/solution.hpp"

namespace collapse {

enum class Stability { stable, unstable, undecided };
/// Strong: rest is the only motion the laws of friction allow. Weak: an equilibrium exists.
enum class Strength { strong, weak, unknown };

[[nodiscard]] std::string_view to_string(Stability stability);
[[nodiscard]] std::string_view to_string(Strength strength);

struct CheckOptions {
  std::vector<AppliedLoad> loads;
  /// Find the margin to within 10 % also for scenes with more than `margin_bodies` free bodies.
  bool full_margin = false;
  int margin_bodies = 200;
  /// What stands for the cone of friction in space.
  FrictionCone cone = FrictionCone::circular;
  int sides = 8;  ///< of a pyramid
  /// Called before each program with its number, from 1.
  std::function<void(int)> progress;
};

/// A contact with the force that b gets from a (a gets the opposite).
template <int Dim>
struct ContactForce {
  ContactId id;
  Vec<Dim> point;
  Vec<Dim> normal;
  Vec<Dim> force;
};

/// Motion of one body: velocity of the centre of mass, and spin.
template <int Dim>
struct BodyMotion {
  int body = 0;
  Vec<Dim> velocity;
  Spin<Dim> spin;
};

template <int Dim>
struct Verdict {
  Stability stability = Stability::undecided;
  Strength strength = Strength::unknown;
  std::string reason;       ///< why undecided; empty otherwise
  int corner_contacts = 0;  ///< that the verdict had to take into account
  /// If stable (or undecided with forces): every contact, those without force included, and one for
  /// each corner contact that the verdict rests on.
  std::vector<ContactForce<Dim>> forces;
  std::vector<JointForce<Dim>> joint_forces;
  /// If unstable: the virtual motion that proves it, all free bodies, scaled so that the fastest
  /// point of any body moves with 1.
  std::vector<BodyMotion<Dim>> mechanism;
  /// Stable: largest imbalance of force on any body, over the largest force on that body.
  /// Unstable: how far the mechanism is from admissible, over the speed of its fastest point.
  double residual = 0.0;
  /// 0 at the boundary, between −1 and 1. Stable: the share of every contact's length and of
  /// friction that may be lost (formulation/perturbation.hpp). Unstable: minus the largest
  /// acceleration of any point over the largest without contacts.
  double margin = 0.0;
  bool margin_is_bound = false;  ///< the true margin may be larger
  Status status = Status::optimal;
  int programs = 0;    ///< solved
  int iterations = 0;  ///< over all of them
};

template <int Dim>
[[nodiscard]] Verdict<Dim> check(const Scene<Dim>& scene, const State<Dim>& state,
                                 const ContactSet<Dim>& contacts, const CheckOptions& options = {});

}  // namespace collapse
