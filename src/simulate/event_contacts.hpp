#pragma once
/// What touches at a moment, what a collision makes of it, and which contacts go on being closed.

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "contact/space/motion_contacts_space.hpp"
#include "simulate/contact_terms.hpp"
#include "simulate/event_mode.hpp"
#include "simulate/impact.hpp"
#include "simulate/scheme.hpp"

namespace collapse::simulate {

/// What motions of a scene are measured by (EventOptions).
template <int Dim>
class EventScales {
 public:
  EventScales(const World<Dim>& world, const SimulationOptions& options);

  [[nodiscard]] double gravity() const { return gravity_; }
  [[nodiscard]] const std::vector<double>& sizes() const { return sizes_; }
  /// In which the smallest body falls by half its size.
  [[nodiscard]] double time() const { return time_; }
  [[nodiscard]] double speed(double size) const;
  /// A gap of rounding alone.
  [[nodiscard]] double rounding(double size) const { return 1e-13 * size + far_; }
  /// Up to which bodies touch.
  [[nodiscard]] double touch(double size) const;
  /// Speed that counts as none.
  [[nodiscard]] double still(double size) const;

 private:
  double gravity_ = 0.0;
  double time_ = 1.0;
  double far_ = 0.0;  ///< rounding of the coordinates
  double share_;      ///< of a size: touching
  double still_;
  std::vector<double> sizes_;  ///< of the bodies
};

template <int Dim>
struct TouchingRow {
  contacts::MotionRow<Dim> row;
  contacts::PlacedRow<Dim> placed;
  ContactTerms<Dim> terms;
  double speed = 0.0;  ///< away from each other
};

/// Shares of √(g L): collisions that are slower do not bounce, and what they leave slower than that is closed.
struct ClosingSpeeds {
  double bouncing = 0.0;  ///< of contacts with restitution
  double rattling = 0.0;  ///< of those without

  [[nodiscard]] double of(double restitution) const {
    return restitution > 0.0 ? bouncing : rattling;
  }
};

/// How a state goes on.
template <int Dim>
struct Onward {
  std::vector<HeldContact<Dim>> held;
  std::vector<HeldContact<Dim>> slow;  ///< what was looked at: has no speed, or slides on
  Eigen::VectorXd accelerations;
  double reference = 0.0;  ///< largest acceleration that loads and velocities alone would give
  bool settled = true;     ///< a motion was found that satisfies the laws
  std::optional<ContactId> undecided;  ///< a contact for which there is none, or several
};

template <int Dim>
class EventContacts {
 public:
  EventContacts(const World<Dim>& world, const SimulationOptions& options,
                const EventScales<Dim>& scales);

  /// Also those of `more` that the search does not give.
  [[nodiscard]] std::vector<TouchingRow<Dim>> touching(
      const State<Dim>& state, std::span<const contacts::MotionRow<Dim>> more);
  /// Rows that may close on a way, sorted by id.
  [[nodiscard]] const std::vector<contacts::MotionRow<Dim>>& on_the_way(const State<Dim>& from,
                                                                        const State<Dim>& to,
                                                                        double near);

  /// How far the corners of held contacts are from the ends of their edges at least, in sizes; negative: one is beyond.
  /// In space, and of balls on corners, only the sign is known: negative if the search no longer gives a row.
  [[nodiscard]] double inside_edges(const State<Dim>& state,
                                    std::span<const HeldContact<Dim>> held);

  /// Whether a row goes on being one wherever its bodies are, but for the ends of its edge.
  [[nodiscard]] static bool stays_in_place(const contacts::MotionRow<Dim>& row);

  /// Changes the velocities where bodies move towards each other. Returns the speed of the fastest, 0 if there was none.
  double collide(State<Dim>& state, std::vector<TouchingRow<Dim>>& touching,
                 const ClosingSpeeds& closing, StepReport<Dim>& report);

  /// Instead of a collision: what touches and does not part stays together, by the least change of velocities.
  double lock(State<Dim>& state, std::vector<TouchingRow<Dim>>& touching) const;

  /// Of the contacts that touch and do not move apart, those that stay closed. Speeds up to `blur` count as none.
  /// `last`: how contacts were held before, where the search for the mode begins.
  [[nodiscard]] Onward<Dim> onward(const State<Dim>& state,
                                   std::span<const TouchingRow<Dim>> touching, double blur,
                                   std::span<const HeldContact<Dim>> last, StepReport<Dim>& report);
  /// The same, of contacts that are smooth, sticking or sliding, as if they did not move apart.
  [[nodiscard]] Onward<Dim> onward_of(const State<Dim>& state,
                                      std::span<const HeldContact<Dim>> held,
                                      std::span<const HeldContact<Dim>> last,
                                      StepReport<Dim>& report);
  /// Smooth, sticking or sliding, by their velocities at a state.
  [[nodiscard]] std::vector<HeldContact<Dim>> as_they_move(
      const State<Dim>& state, std::span<const HeldContact<Dim>> held) const;
  /// Of the lighter of the bodies that are free.
  [[nodiscard]] double weight_of(const ContactId& id) const;

 private:
  [[nodiscard]] TouchingRow<Dim> placed_at(const contacts::MotionRow<Dim>& row,
                                           const State<Dim>& state) const;
  [[nodiscard]] State<Dim> ahead(const State<Dim>& state) const;
  [[nodiscard]] HeldContact<Dim> as_it_moves(const TouchingRow<Dim>& one, const State<Dim>& state,
                                             double still) const;
  [[nodiscard]] Onward<Dim> by_program(Onward<Dim> out, const State<Dim>& state,
                                       StepReport<Dim>& report);
  [[nodiscard]] bool collide_by_pivoting(State<Dim>& state,
                                         const std::vector<ImpactContact<Dim>>& contacts,
                                         double fastest) const;
  [[nodiscard]] std::vector<bool> shaken_bodies(
      const std::vector<TouchingRow<Dim>>& touching) const;
  [[nodiscard]] double kinetic_energy(const State<Dim>& state,
                                      const Eigen::VectorXd& velocities) const;
  void hold_together(State<Dim>& state, std::vector<TouchingRow<Dim>>& touching,
                     const std::function<bool(const TouchingRow<Dim>&)>& which) const;
  void close_slow_ones(State<Dim>& state, std::vector<TouchingRow<Dim>>& touching,
                       const ClosingSpeeds& closing);

  const World<Dim>& world_;
  const SimulationOptions& options_;
  const EventScales<Dim>& scales_;
  contacts::MotionContacts<Dim> finder_;
  std::vector<contacts::MotionRow<Dim>> rows_;
};

/// How far the point of a row is from the nearer end of its edge, in sizes; negative beyond it. Infinite in space.
[[nodiscard]] double inside_edge(const contacts::MotionRow<2>& row, std::span<const Pose<2>> poses);
[[nodiscard]] double inside_edge(const contacts::MotionRow<3>& row, std::span<const Pose<3>> poses);

}  // namespace collapse::simulate
