#pragma once

#include <cmath>
#include <numbers>

#include "collapse/geometry/pose.hpp"

namespace collapse {

/// The angle of a rotation that is only known up to whole turns: the one nearest to where half the spins
/// before and after lead, so that fast bodies are counted right too.
class TurnCounter {
 public:
  double angle(double time, const Pose<2>& pose, double spin) {
    return angle(time, std::atan2(pose.rotation(1, 0), pose.rotation(0, 0)), spin);
  }
  /// `bare` is the angle up to whole turns; the first one is taken as it is.
  double angle(double time, double bare, double spin) {
    constexpr double kTurn = 2.0 * std::numbers::pi;
    if (started_) {
      const double expected = angle_ + 0.5 * (spin_ + spin) * (time - time_);
      angle_ = bare + kTurn * std::round((expected - bare) / kTurn);
    } else {
      angle_ = bare;
    }
    started_ = true;
    time_ = time;
    spin_ = spin;
    return angle_;
  }

 private:
  bool started_ = false;
  double time_ = 0.0;
  double angle_ = 0.0;
  double spin_ = 0.0;
};

}  // namespace collapse
