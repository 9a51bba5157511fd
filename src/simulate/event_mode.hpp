#pragma once
/// A smooth part of a motion: which contacts are held closed and how, and joints. While these do not change the
/// accelerations are the solution of linear equations (docs/theory/events.md).

#include <span>
#include <vector>

#include "contact/motion_contacts.hpp"
#include "simulate/event_pivoting.hpp"

namespace collapse::simulate {

template <int Dim>
struct HeldContact {
  contacts::MotionRow<Dim> row;
  Hold hold = Hold::smooth;
  /// Unit, world, across the normal: where it slides to, as long as its speed does not tell.
  Vec<Dim> slide = Vec<Dim>::Zero();
};

/// Whether two modes hold the same contacts in the same way.
template <int Dim>
[[nodiscard]] bool same_mode(std::span<const HeldContact<Dim>> x,
                             std::span<const HeldContact<Dim>> y);

template <int Dim>
class EventMode {
 public:
  explicit EventMode(const World<Dim>& world) : world_(world), equations_(world) {}

  /// Holds these from here on, with the gaps that they have in `state`.
  void hold(std::vector<HeldContact<Dim>> contacts, const State<Dim>& state);
  /// The same, with no gaps.
  void hold_closed(std::vector<HeldContact<Dim>> contacts);
  [[nodiscard]] const std::vector<HeldContact<Dim>>& contacts() const { return contacts_; }

  [[nodiscard]] HeldMotion<Dim> motion(const State<Dim>& state);
  /// How contacts go on that are smooth, slide or stick so far (event_pivoting.hpp), from the holds of `guess` on, one
  /// for each. Those that have no force and move apart are open then. Nothing if no way is found: then nothing changes.
  [[nodiscard]] std::optional<HeldMotion<Dim>> find_holds(const State<Dim>& state,
                                                          std::span<const HeldContact<Dim>> guess,
                                                          const PivotScales& scales);
  /// Where contacts slide to, as they do now.
  void follow_sliding(const State<Dim>& state);
  /// Takes back what positions and velocities have drifted from gaps and joints, by the least motion (in the measure
  /// of M).
  void project(State<Dim>& state);

 private:
  void build(const State<Dim>& state);
  [[nodiscard]] EquationContact<Dim> seen(const State<Dim>& state, const HeldContact<Dim>& held,
                                          double gap) const;
  void add_joints(const State<Dim>& state);
  /// Accelerations without contacts and joints.
  [[nodiscard]] Eigen::VectorXd free_motion(const State<Dim>& state) const;

  const World<Dim>& world_;
  std::vector<HeldContact<Dim>> contacts_;
  std::vector<double> gaps_;      ///< of the contacts, to be kept
  ModeEquations<Dim> equations_;  ///< at the state last built for
};

}  // namespace collapse::simulate
