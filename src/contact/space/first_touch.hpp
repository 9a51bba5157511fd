#pragma once

#include <algorithm>
#include <limits>

namespace collapse::contacts {

/// Share of the step at which things that move evenly touch first, by steps as long as their distance and the farthest
/// way of any point allow: 0 if they are within `slip` at the start, 1 if they do not touch. `least`: the smallest
/// distance seen. `distance(share)` may be negative only at the start.
template <class Distance>
[[nodiscard]] double first_touch(const Distance& distance, double way, double slip, double& least) {
  constexpr int kAdvances = 256;
  constexpr double kArrived = 1e-3;  // of the slip: a distance that is none
  double when = 0.0;
  least = std::numeric_limits<double>::infinity();
  for (int step = 0; step < kAdvances; ++step) {
    const double gap = distance(when);
    least = std::min(least, gap);
    if (gap <= (step == 0 ? slip : kArrived * slip)) return when;
    if (!(way > 0.0)) return 1.0;
    when += gap / way;
    if (when >= 1.0) {
      least = std::min(least, distance(1.0));
      return 1.0;
    }
  }
  least = std::min(least, distance(1.0));
  return when;
}

}  // namespace collapse::contacts
