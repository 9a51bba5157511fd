#pragma once
/// The one kind of program of oba's momentum update and static contact, over velocities or accelerations v of the bodies
/// that touch:
///
///     minimise   ½ vᵀMv − pᵀv   subject to   D_c (u_c(v) − a_c) ∈ K* (contacts),   J v = 0 (joints)
///
/// u_c is the motion of b over a at contact c in its frame (normal, two tangents), a_c the tip of its cone, and D_c says
/// which cone: the normal alone, the circular cone, or the edges of a pyramid of forces. The multipliers are impulses
/// (or forces): j_c = D_cᵀλ_c in the frame, on b.
///
/// Rows have a compliance, as in the position scheme: a small share of the inverse mass, counted from the multipliers
/// of the last program, so that it vanishes where frames are alike.

#include <vector>

#include "collapse/solver/solution.hpp"
#include "simulate/oba_contact.hpp"
#include "simulate/scheme.hpp"

namespace collapse::simulate {

/// The bodies of a frame as its programs see them.
struct ObaBodies {
  Blocks blocks;  ///< of each body, −1 for those that are given, frozen or touch nothing
  std::vector<int> active;  ///< bodies with a block, in their order
  std::vector<MassMatrix<3>>
      masses;  ///< of each body of the scene, at the frame's poses; free bodies only
  std::vector<MassMatrix<3>> inverses;  ///< likewise

  /// Blocks for all free bodies that touch something or have a joint, but `fixed` ones.
  ObaBodies(const World<3>& world, const ObaTouch& touch, std::span<const std::uint8_t> fixed);
  /// Inverse of the mass that a motion along the contact's normal sees; 0 if both bodies are given.
  [[nodiscard]] double inverse_mass(const ContactTerms<3>& terms) const;
};

class ObaProgram {
 public:
  /// Accurate ones tell rest from motion and keep their multipliers from frame to frame; quick ones are for collisions.
  enum class Kind { accurate, quick };
  ObaProgram(const World<3>& world, const SimulationOptions& options, Kind kind);

  struct Question {
    const ObaTouch& touch;
    const ObaBodies& bodies;
    std::span<const Twist<3>> momenta;  ///< p, of each body of the scene
    std::span<const Vec<3>> tips;       ///< of each contact
    bool friction = true;               ///< otherwise the normals alone
  };
  /// Replaces the velocities of bodies with a block; those of the others are given. `impulses` are on b, world
  /// coordinates, replaced. Those of joints come back in the velocities alone. False if interrupted.
  [[nodiscard]] bool solve(const Question& question, std::vector<Twist<3>>& velocities,
                           ObaImpulses& impulses, StepReport<3>& report);
  void forget();
  [[nodiscard]] const ConeModel& cone() const { return options_.oba.cone; }

 private:
  struct Held {
    ContactId id;
    Eigen::VectorXd multipliers;
  };
  void build(const Question& question, std::span<const Twist<3>> velocities);
  void choose_variables(const Question& question);
  void read_velocities(const Question& question, const Eigen::VectorXd& x,
                       std::vector<Twist<3>>& velocities) const;
  void add_joints(const Question& question, std::span<const Twist<3>> velocities);
  [[nodiscard]] Eigen::VectorXd shift_of(const ContactId& id, double compliance,
                                         Eigen::Index rows) const;

  const World<3>& world_;
  const SimulationOptions& options_;
  Kind kind_;
  Solver solver_;
  Program program_;
  std::vector<std::uint8_t> round_;  ///< see round_bodies
  // Of each block.
  std::vector<int> sizes_;  ///< 3 where nothing can turn the body, 6 otherwise
  std::vector<int> first_;  ///< of its variables
  std::vector<int> first_rows_;
  std::vector<Held> held_;  ///< sorted by id
};

/// Rows of a contact: D of the program above. One row without friction.
using ObaCone = Eigen::Matrix<double, Eigen::Dynamic, 3>;
[[nodiscard]] ObaCone oba_cone(const ContactTerms<3>& terms, double mu, const ConeModel& model);

/// u_c: normal and tangential motion of b over a.
[[nodiscard]] Vec<3> motion_over(const ContactTerms<3>& terms,
                                 std::span<const Twist<3>> velocities);

/// Work of an impulse on b at a contact that is done by a body without a block of its own, on one that has.
[[nodiscard]] double work_of_given(const World<3>& world, const ContactTerms<3>& terms,
                                   const Vec<3>& impulse, std::span<const Twist<3>> velocities);

/// At any contact.
[[nodiscard]] double fastest_motion(const ObaTouch& touch, std::span<const Twist<3>> velocities);

}  // namespace collapse::simulate
