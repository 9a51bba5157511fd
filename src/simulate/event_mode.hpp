#pragma once
/// A smooth part of a motion: which contacts are held closed and how, and joints. While these do not change the
/// accelerations are the solution of linear equations (docs/theory/events.md):
///
///     M a = f + Hᵀλ,     G a + β = 0
///
/// G: how the motion at contacts and joints is measured; H: along what their forces act, which is the same but where
/// a contact slides, H = G_n − μ (direction of sliding) there.

#include <span>
#include <vector>

#include "contact/motion_contacts.hpp"
#include "simulate/event_rows.hpp"

namespace collapse::simulate {

/// How a contact that is closed moves on.
enum class Hold {
  smooth,    ///< without friction
  sticking,  ///< or rolling: no sliding
  sliding,
};

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

/// What a held contact does at a moment.
template <int Dim>
struct HeldForce {
  double normal = 0.0;
  Vec<Dim> direction;    ///< of the normal
  Vec<Dim> friction;     ///< on b
  double sliding = 0.0;  ///< speed, in the direction in which it slides
};

/// The accelerations of a mode, and what makes them.
template <int Dim>
struct HeldMotion {
  Eigen::VectorXd accelerations;  ///< of the free bodies
  std::vector<HeldForce<Dim>> contacts;
  double power = 0.0;     ///< of loads and given paths
  double residual = 0.0;  ///< by which the equations are missed, an acceleration
};

template <int Dim>
class EventMode {
 public:
  explicit EventMode(const World<Dim>& world) : world_(world), rows_(world) {}

  /// Holds these from here on, with the gaps that they have in `state`.
  void hold(std::vector<HeldContact<Dim>> contacts, const State<Dim>& state);
  /// The same, with no gaps.
  void hold_closed(std::vector<HeldContact<Dim>> contacts);
  [[nodiscard]] const std::vector<HeldContact<Dim>>& contacts() const { return contacts_; }

  [[nodiscard]] HeldMotion<Dim> motion(const State<Dim>& state);
  /// Where contacts slide to, as they do now.
  void follow_sliding(const State<Dim>& state);
  /// Takes back what positions and velocities have drifted from gaps and joints, by the least motion (in the measure
  /// of M).
  void project(State<Dim>& state);

 private:
  void build(const State<Dim>& state);
  void add_contact_rows(const State<Dim>& state, std::size_t contact);
  void add_joint_rows(const State<Dim>& state);

  const World<Dim>& world_;
  std::vector<HeldContact<Dim>> contacts_;
  std::vector<double> gaps_;  ///< of the contacts, to be kept
  // At the state last built for.
  HeldRows<Dim> rows_;
  struct Spot {
    Eigen::Index row = 0;  ///< its first
    Vec<Dim> normal = Vec<Dim>::Zero();
    Vec<Dim> direction = Vec<Dim>::Zero();  ///< of its sliding
    double sliding = 0.0;                   ///< speed in that direction
  };
  std::vector<Spot> spots_;  ///< of the contacts
};

}  // namespace collapse::simulate
