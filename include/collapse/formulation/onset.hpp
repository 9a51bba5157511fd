#pragma once
/// How does it begin to fall, or go on moving? (docs/theory/motion.md)

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "collapse/analytical/heuristic.hpp"
#include "collapse/formulation/force_method.hpp"
#include "collapse/formulation/verdict.hpp"

namespace collapse {

struct OnsetOptions {
  std::vector<AppliedLoad> loads;
  FrictionLaw friction_law = FrictionLaw::coulomb;
  /// The heuristic is for structures without friction; where it fails the answer is undecided.
  ForceMethod forces = ForceMethod::convex;
  /// Find for each contact the interval of its normal force over all forces that cause this motion.
  bool ranges = false;
  /// What stands for the cone of friction in space, under the associated law; Coulomb's law is circular.
  FrictionCone cone = FrictionCone::circular;
  int sides = 8;  ///< of a pyramid
  /// Velocities at contacts and joints up to this share of the bodies' own count as zero.
  double velocity_tolerance = 1e-6;
  /// Called before each program with its number, from 1.
  std::function<void(int)> progress;
};

template <int Dim>
struct BodyAcceleration {
  int body = 0;
  Vec<Dim> linear;  ///< of the centre of mass
  Spin<Dim> angular;
};

/// What a contact does at this moment.
enum class ContactState {
  parting,   ///< the bodies already move away from each other
  opening,   ///< they begin to
  resting,   ///< no relative motion at the point that touches: rest, sticking or rolling
  slipping,  ///< begins to slide
  sliding,   ///< slides already
};

[[nodiscard]] std::string_view to_string(ContactState state);

template <int Dim>
struct OnsetContact {
  ContactId id;
  Vec<Dim> point;
  Vec<Dim> normal;      ///< from a to b
  Vec<Dim> force;       ///< that b gets from a
  double acceleration;  ///< of b away from a along the normal; of contacts already parting too
  ContactState state = ContactState::resting;
  /// Least and largest normal force, the latter infinite if nothing bounds it. Only if asked for, and
  /// found.
  std::optional<std::array<double, 2>> range;
  bool unique = false;  ///< the range is a point; only with a range

  [[nodiscard]] bool opens() const {
    return state == ContactState::parting || state == ContactState::opening;
  }
};

template <int Dim>
struct Onset {
  bool decided = false;
  std::string reason;        ///< why undecided; empty otherwise
  bool moves = false;        ///< something has a velocity, or gets an acceleration
  bool accelerates = false;  ///< something gets an acceleration
  /// Largest acceleration of any point over the largest that loads and velocities alone would give.
  double share = 0.0;
  /// All free bodies. Empty if undecided before any program was solved; a candidate if undecided
  /// after that.
  std::vector<BodyAcceleration<Dim>> bodies;
  /// Likewise, with corner contacts that carry force among them.
  std::vector<OnsetContact<Dim>> contacts;
  std::vector<JointForce<Dim>> joint_forces;
  /// The larger of: imbalance of forces and mass times acceleration on any body, over the largest
  /// force on it; violation of contacts and joints, over the largest acceleration.
  double residual = 0.0;
  Status status = Status::optimal;
  std::optional<analytical::Guess> guess;  ///< of the heuristic, where it was asked
  int programs = 0;
  int iterations = 0;
};

/// At the state's poses and velocities, for the state after any impact: where bodies move towards each
/// other the answer is undecided, naming them. Under Coulomb's law undecided too where no or several
/// motions are found that satisfy it.
template <int Dim>
[[nodiscard]] Onset<Dim> find_onset(const Scene<Dim>& scene, const State<Dim>& state,
                                    const ContactSet<Dim>& contacts,
                                    const OnsetOptions& options = {});

}  // namespace collapse
