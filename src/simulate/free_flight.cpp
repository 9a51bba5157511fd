#include "simulate/free_flight.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace collapse::simulate {
namespace {

/// Newton's method for the midpoint converges from anywhere that steps lead to in fewer.
constexpr int kMidpointSteps = 50;
/// Spin and angular momentum have one direction, along an axis of inertia, if the sine of their angle is no more.
constexpr double kAlongAxis = 1e-12;
/// Of a step in which a body turns by more than a radian, at most. Schemes make steps of less.
constexpr double kMostParts = 1000.0;
/// Of the largest moment of inertia: moments that differ by less are the same.
constexpr double kSameMoment = 1e-14;

Eigen::Matrix3d cross_matrix(const Vec<3>& v) {
  Eigen::Matrix3d m;
  m << 0.0, -v.z(), v.y(), v.z(), 0.0, -v.x(), -v.y(), v.x(), 0.0;
  return m;
}

/// All axes are alike: a ball, a cube.
bool is_round(const Inertia<3>& inertia) {
  const double mean = inertia.trace() / 3.0;
  return (inertia - mean * Eigen::Matrix3d::Identity()).cwiseAbs().maxCoeff() <=
         kSameMoment * std::abs(mean);
}

/// s = ω₀ + ω₁ of the midpoint rule.
Vec<3> doubled_midpoint(const Inertia<3>& inertia, const Vec<3>& spin, const Vec<3>& torque,
                        double h) {
  const Vec<3> known = 2.0 * (inertia * spin) + h * torque;
  Vec<3> s = 2.0 * spin;
  double last = std::numeric_limits<double>::infinity();
  for (int k = 0; k < kMidpointSteps; ++k) {
    const Vec<3> momentum = inertia * s;
    const Vec<3> residual = momentum - known + 0.25 * h * s.cross(momentum);
    const double size = residual.norm();
    // Rounding is reached where it no longer falls.
    if (size == 0.0 || size >= last) break;
    last = size;
    const Eigen::Matrix3d slope =
        inertia + 0.25 * h * (cross_matrix(s) * inertia - cross_matrix(momentum));
    s -= slope.partialPivLu().solve(residual);
  }
  return s;
}

struct Turning {
  Spin<3> turn;
  Spin<3> spin;
  Spin<3> drift = Spin<3>::Zero();
};

Turning turn_freely(const MassProperties<3>& mass, const Pose<3>& pose, const Spin<3>& spin,
                    const Spin<3>& torque, double h) {
  const Inertia<3> inertia = world_inertia<3>(mass.inertia, pose.rotation);
  const Vec<3> momentum = inertia * spin;
  const bool steady = spin.cross(momentum).norm() <= kAlongAxis * spin.norm() * momentum.norm();
  if (is_round(mass.inertia) || steady) {
    const Spin<3> end = spin + h * (inertia.inverse() * torque);
    return {h * end, end};
  }
  // Newton's method finds the midpoint of turns up to about three radians.
  const double parts = std::clamp(std::ceil(h * spin.norm()), 1.0, kMostParts);
  Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();
  Spin<3> end = spin;
  for (int k = 0; k < static_cast<int>(parts); ++k) {
    const Inertia<3> now = rotation * inertia * rotation.transpose();
    const Vec<3> s = doubled_midpoint(now, end, torque, h / parts);
    const double length = s.norm();
    const double angle = 2.0 * std::atan(0.25 * h / parts * length);
    const Eigen::Matrix3d turned =
        rotation_by(length > 0.0 ? Spin<3>(angle / length * s) : Spin<3>::Zero());
    end = turned * (s - end);
    rotation = turned * rotation;
  }
  const Spin<3> turn = turn_of<3>(rotation);
  return {turn, end, end - turn / h};
}

}  // namespace

template <>
Flight<2> free_flight<2>(const MassProperties<2>& mass, const Pose<2>& /*pose*/,
                         const Twist<2>& velocity, const Twist<2>& force, double h) {
  Flight<2> flight;
  flight.way = h * velocity;
  flight.way.head<2>() += h * h / mass.mass * force.head<2>();
  flight.way[2] += h * h / mass.inertia(0, 0) * force[2];
  flight.velocity = flight.way / h;
  return flight;
}

template <>
Flight<3> free_flight<3>(const MassProperties<3>& mass, const Pose<3>& pose,
                         const Twist<3>& velocity, const Twist<3>& force, double h) {
  Flight<3> flight;
  flight.velocity.head<3>() = velocity.head<3>() + h / mass.mass * force.head<3>();
  flight.way.head<3>() = h * velocity.head<3>() + h * h / mass.mass * force.head<3>();
  const Turning turning =
      turn_freely(mass, pose, Spin<3>(velocity.tail<3>()), Spin<3>(force.tail<3>()), h);
  flight.way.tail<3>() = turning.turn;
  flight.velocity.tail<3>() = turning.spin;
  flight.drift.tail<3>() = turning.drift;
  return flight;
}

}  // namespace collapse::simulate
