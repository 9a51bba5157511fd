#pragma once

#include "collapse/geometry/dim.hpp"

namespace collapse {

/// A turning body's quaternion, of the two with opposite signs the one nearest to where half the spins before and
/// after lead: from one to the next it goes the way that the body went, up to a whole turn. What TurnCounter is in the
/// plane.
class ContinuousTurn {
 public:
  Eigen::Quaterniond next(double time, const Eigen::Matrix3d& rotation, const Vec<3>& spin) {
    Eigen::Quaterniond turn(rotation);
    turn.normalize();
    if (started_) {
      const Vec<3> way = 0.5 * (time - time_) * (spin_ + spin);
      const double angle = way.stableNorm();
      Eigen::Quaterniond expected = turn_;
      // A whole turn or more cannot be told from less: then the shorter way is taken.
      if (angle > 0.0 && angle < kWhole) {
        expected = Eigen::AngleAxisd(angle, way / angle) * turn_;
      }
      if (expected.dot(turn) < 0.0) turn.coeffs() = -turn.coeffs();
    } else if (turn.w() < 0.0) {
      turn.coeffs() = -turn.coeffs();
    }
    started_ = true;
    time_ = time;
    turn_ = turn;
    spin_ = spin;
    return turn;
  }

 private:
  static constexpr double kWhole = 6.28;

  bool started_ = false;
  double time_ = 0.0;
  Eigen::Quaterniond turn_ = Eigen::Quaterniond::Identity();
  Vec<3> spin_ = Vec<3>::Zero();
};

}  // namespace collapse
