#pragma once
/// Scheme event: motion accurate to a tolerance, from one event to the next (docs/theory/events.md).

#include <string_view>

#include "collapse/contact/contact.hpp"

namespace collapse {

/// All free of units. Lengths are measured in the size L of a body, times in √(L/g): the time in which it
/// falls by half its size (without gravity: in the time in which it moves by its size).
struct EventOptions {
  /// Error of the motion that is allowed in each such time.
  double tolerance = 1e-8;
  /// To which the time of an event is found.
  double event_tolerance = 1e-12;
  /// Collisions slower than this share of √(g L) do not bounce, and what they leave slower than that closes.
  /// Otherwise a ball that comes to rest would bounce for ever.
  double closing_speed = 1e-6;

  /// Throws Error naming the field if a value makes no sense.
  void validate() const;
};

/// What ends a smooth part of a motion.
enum class EventKind {
  collision,  ///< bodies meet that were apart, and part again or not
  closing,    ///< they meet too slowly to bounce
  opening,    ///< a contact's force has come down to zero
  passing,    ///< a corner has come to the end of the edge that it slides on
  sticking,   ///< sliding has ended
  sliding,    ///< friction has reached its limit
  undecided,  ///< Coulomb's law has no motion for it, or several
};

[[nodiscard]] std::string_view to_string(EventKind kind);

struct MotionEvent {
  double time = 0.0;
  EventKind kind = EventKind::collision;
  ContactId id;
};

}  // namespace collapse
