#pragma once
/// What ends a step of the integrator before its end: functions of time whose first root is looked for.

#include <utility>

#include "simulate/event_contacts.hpp"
#include "simulate/event_coordinates.hpp"
#include "simulate/event_integrator.hpp"

namespace collapse::simulate {

enum class Cause {
  none,
  gap,    ///< an open contact closes
  force,  ///< a force would have to pull, or to hold more than friction can; or a contact without force would move
  edge,   ///< a corner comes to the end of its edge
  slip,   ///< sliding ends
};

template <int Dim>
struct Ending {
  Cause cause = Cause::none;
  double theta = 1.0;              ///< share of the step
  contacts::MotionRow<Dim> row{};  ///< of a gap
};

/// A step of the integrator that is being looked at, in a mode.
template <int Dim>
class EventEndings {
 public:
  EventEndings(const World<Dim>& world, const SimulationOptions& options,
               const EventScales<Dim>& scales, EventContacts<Dim>& contacts, EventMode<Dim>& mode,
               const EventCoordinates<Dim>& coordinates, const DormandPrince& integrator)
      : world_(world),
        options_(options),
        scales_(scales),
        contacts_(contacts),
        mode_(mode),
        coordinates_(coordinates),
        integrator_(integrator) {}

  /// A mode begins in which the largest acceleration without contacts is `reference`.
  void begin_mode(double reference) { reference_ = reference; }

  /// The first in a step of length `span` from `start`; changes of the mode only after the time `pause`.
  [[nodiscard]] Ending<Dim> find(const State<Dim>& start, double span, double pause);
  /// Whether bodies overlap at the end of that step that the search on the way did not see: it takes ways for straight.
  [[nodiscard]] bool overlaps(const State<Dim>& start);
  [[nodiscard]] State<Dim> state_at(double theta) const {
    return coordinates_.state(theta * span_, integrator_.at(theta));
  }

 private:
  /// An open row, and the gap that it may have.
  struct Watched {
    contacts::MotionRow<Dim> row;
    double floor = 0.0;
    bool missed = false;  ///< its gap closes where one of the bodies is not
  };

  [[nodiscard]] Ending<Dim> first_closure(const State<Dim>& start);
  [[nodiscard]] Ending<Dim> first_change(double earliest, double latest);
  [[nodiscard]] std::pair<double, Cause> least_left(double theta);
  [[nodiscard]] double first_below(const std::function<double(double)>& f, double earliest,
                                   double latest, double width) const;
  [[nodiscard]] double force_left(const HeldMotion<Dim>& motion) const;
  [[nodiscard]] double slip_left(const HeldMotion<Dim>& motion) const;
  [[nodiscard]] bool meets(const contacts::MotionRow<Dim>& row, const State<Dim>& state);
  [[nodiscard]] bool holds(const ContactId& id) const {
    return std::any_of(mode_.contacts().begin(), mode_.contacts().end(),
                       [&](const auto& held) { return held.row.id == id; });
  }
  /// To which the share of a step is found at which it ends.
  [[nodiscard]] double event_width() const {
    return std::max(1e-15, options_.event.event_tolerance * scales_.time() / span_);
  }

  const World<Dim>& world_;
  const SimulationOptions& options_;
  const EventScales<Dim>& scales_;
  EventContacts<Dim>& contacts_;
  EventMode<Dim>& mode_;
  const EventCoordinates<Dim>& coordinates_;
  const DormandPrince& integrator_;
  double span_ = 0.0;
  double reference_ = 1.0;
};

}  // namespace collapse::simulate
