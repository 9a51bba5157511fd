#include <fmt/format.h>

#include "collapse/core/error.hpp"
#include "collapse/simulate/event.hpp"

namespace collapse {

void EventOptions::validate() const {
  const auto demand = [](const char* field, double value, double least, double most) {
    if (value >= least && value <= most) return;
    throw Error(field, fmt::format("{:g}", value),
                fmt::format("a number from {:g} to {:g}", least, most));
  };
  // Coordinates have 16 digits, and a bounce of 1e-7 √(g L) is 5e-15 L high.
  demand("tolerance", tolerance, 1e-13, 1e-2);
  demand("event-tolerance", event_tolerance, 1e-14, 1e-3);
  demand("closing-speed", closing_speed, 1e-7, 1e-1);
}

std::string_view to_string(EventKind kind) {
  switch (kind) {
    case EventKind::collision:
      return "collision";
    case EventKind::closing:
      return "closing";
    case EventKind::opening:
      return "opening";
    case EventKind::passing:
      return "passing";
    case EventKind::sticking:
      return "sticking";
    case EventKind::sliding:
      return "sliding";
    case EventKind::undecided:
      return "undecided";
  }
  return "collision";
}

}  // namespace collapse
