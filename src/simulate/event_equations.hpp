#pragma once
/// The linear equations of contacts that are held in given ways, and joints: with x₀ the motion of the free bodies
/// without them (accelerations, or velocities before an impact),
///
///     x = x₀ + M⁻¹Hᵀλ,     G x + β = 0
///
/// G: how the motion at contacts and joints is measured; H: along what their forces act, which is the same but where
/// a contact slides, H = G_n − μ (direction of sliding) there.

#include <vector>

#include "simulate/contact_terms.hpp"
#include "simulate/event_rows.hpp"

namespace collapse::simulate {

/// How a contact that is closed moves on.
enum class Hold {
  smooth,    ///< without friction
  sticking,  ///< or rolling: no sliding
  sliding,
  // Where other contacts hold it, too:
  limited,  ///< all of its friction acts, but it does not slide
  steady,   ///< none of its friction acts, and it does not slide either
  idle,     ///< touches without force
};

/// Whether it does not slide although its friction is not what keeps it.
[[nodiscard]] inline bool held_by_others(Hold hold) {
  return hold == Hold::limited || hold == Hold::steady;
}

/// A contact as the equations see it.
template <int Dim>
struct EquationContact {
  ContactTerms<Dim> terms;
  double mu = 0.0;
  Vec<Dim> beta =
      Vec<Dim>::Zero();  ///< of the relative motion: what is not that of the free bodies
  Hold hold = Hold::smooth;
  Vec<Dim> slide = Vec<Dim>::Zero();  ///< unit, across the normal: where it slides to
  double gap = std::numeric_limits<double>::quiet_NaN();  ///< beyond what it should be
  double speed = 0.0;                                     ///< along the normal
  Vec<Dim - 1> sliding = Vec<Dim - 1>::Zero();            ///< speed along the tangents
};

/// What a held contact does.
template <int Dim>
struct HeldForce {
  double normal = 0.0;
  Vec<Dim> direction;                  ///< of the normal
  Vec<Dim> friction;                   ///< on b
  double sliding = 0.0;                ///< speed, in the direction in which it slides
  double apart = 0.0;                  ///< relative motion along the normal
  Vec<Dim> across = Vec<Dim>::Zero();  ///< and across it
};

/// Motion of the free bodies, and what makes it.
template <int Dim>
struct HeldMotion {
  Eigen::VectorXd accelerations;  ///< or velocities
  std::vector<HeldForce<Dim>> contacts;
  double power = 0.0;     ///< of loads and given paths
  double residual = 0.0;  ///< by which the equations are missed
};

template <int Dim>
class ModeEquations {
 public:
  explicit ModeEquations(const World<Dim>& world) : rows_(world), world_(world) {}

  /// None, at the poses of a state.
  void clear(const State<Dim>& state);
  void add(const EquationContact<Dim>& contact) { contacts_.push_back(contact); }
  void add_joint(const HeldRow<Dim>& row) { joints_.push_back(row); }
  [[nodiscard]] std::size_t size() const { return contacts_.size(); }
  [[nodiscard]] const EquationContact<Dim>& contact(std::size_t c) const { return contacts_[c]; }
  void change(std::size_t c, Hold hold, const Vec<Dim>& slide) {
    contacts_[c].hold = hold;
    contacts_[c].slide = slide;
  }

  /// The motion that comes of `free`. Forces are steady ones (HeldRows), the motion is exact.
  [[nodiscard]] HeldMotion<Dim> solve(const Eigen::VectorXd& free);
  /// Of what is given, by the forces of the last solution, at these velocities.
  [[nodiscard]] double driven_power(const State<Dim>& state) const {
    return rows_.driven_power(lambda_, state);
  }
  /// Whether more force at a contact that slides would press it together if it were alone.
  [[nodiscard]] bool pressed_on() const;
  /// Of its rows in build().
  [[nodiscard]] Eigen::Index first_row(std::size_t c) const { return first_rows_[c]; }
  /// The rows as they are held, with gaps and speeds.
  const HeldRows<Dim>& build();

 private:
  void add_rows(const EquationContact<Dim>& contact);

  HeldRows<Dim> rows_;
  const World<Dim>& world_;
  std::vector<EquationContact<Dim>> contacts_;
  std::vector<HeldRow<Dim>> joints_;
  std::vector<Eigen::Index> first_rows_;  ///< of the contacts
  Eigen::VectorXd lambda_;
};

}  // namespace collapse::simulate
