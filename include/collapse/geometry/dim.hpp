#pragma once
/// All that differs between two and three dimensions, in one place: vectors, spins, twists, and how
/// a spin moves a point. Everything else is a template on Dim that uses these.

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cmath>

#include "collapse/core/rational.hpp"

namespace collapse {

template <int Dim>
using Vec = Eigen::Matrix<double, Dim, 1>;

template <int Dim>
using ExactVec = Eigen::Matrix<Rational, Dim, 1>;

/// Number of components of a rotation: one in the plane, three in space.
template <int Dim>
inline constexpr int kSpins = Dim*(Dim - 1) / 2;

/// Degrees of freedom of a rigid body.
template <int Dim>
inline constexpr int kDofs = Dim + kSpins<Dim>;

/// Angular velocity, angular acceleration or torque.
template <int Dim>
using Spin = Eigen::Matrix<double, kSpins<Dim>, 1>;

/// A body's motion (velocity of the centre of mass, spin), or a force with its torque about it.
template <int Dim>
using Twist = Eigen::Matrix<double, kDofs<Dim>, 1>;

/// A body's inertia about its centre of mass.
template <int Dim>
using Inertia = Eigen::Matrix<double, kSpins<Dim>, kSpins<Dim>>;

/// ω × r: the velocity that a spin gives to a point at `r` from the centre.
template <int Dim>
[[nodiscard]] Vec<Dim> spin_velocity(const Spin<Dim>& omega, const Vec<Dim>& r) {
  if constexpr (Dim == 2) {
    return Vec<Dim>(-omega[0] * r[1], omega[0] * r[0]);
  } else {
    return omega.cross(r);
  }
}

/// r × f: the torque of a force at `r` from the centre.
template <int Dim>
[[nodiscard]] Spin<Dim> torque_of(const Vec<Dim>& r, const Vec<Dim>& f) {
  if constexpr (Dim == 2) {
    return Spin<Dim>(r[0] * f[1] - r[1] * f[0]);
  } else {
    return r.cross(f);
  }
}

/// a × b of two spins: in the plane they have one axis, and there is none.
template <int Dim>
[[nodiscard]] Spin<Dim> spin_product(const Spin<Dim>& a, const Spin<Dim>& b) {
  if constexpr (Dim == 2) {
    return Spin<Dim>::Zero();
  } else {
    return a.cross(b);
  }
}

/// The force f at lever r as (force, torque): also the row of f·(velocity of that point).
template <int Dim>
[[nodiscard]] Twist<Dim> wrench_of(const Vec<Dim>& r, const Vec<Dim>& f) {
  Twist<Dim> wrench;
  wrench << f, torque_of<Dim>(r, f);
  return wrench;
}

/// The turn that a rotation makes, within ±π: an angle, in space along the axis.
template <int Dim>
[[nodiscard]] Spin<Dim> turn_of(const Eigen::Matrix<double, Dim, Dim>& rotation) {
  if constexpr (Dim == 2) {
    return Spin<Dim>(std::atan2(rotation(1, 0), rotation(0, 0)));
  } else {
    const Eigen::AngleAxisd turn(rotation);
    return turn.angle() * turn.axis();
  }
}

/// A body's inertia in world axes.
template <int Dim>
[[nodiscard]] Inertia<Dim> world_inertia(const Inertia<Dim>& inertia,
                                         const Eigen::Matrix<double, Dim, Dim>& rotation) {
  if constexpr (Dim == 2) {
    return inertia;
  } else {
    return rotation * inertia * rotation.transpose();
  }
}

/// Directions across `direction` (a unit vector): Dim − 1 unit vectors perpendicular to it.
template <int Dim>
[[nodiscard]] Eigen::Matrix<double, Dim, Dim - 1> tangents_of(const Vec<Dim>& direction) {
  Eigen::Matrix<double, Dim, Dim - 1> tangents;
  if constexpr (Dim == 2) {
    tangents << -direction[1], direction[0];
  } else {
    tangents.col(0) = direction.unitOrthogonal();
    tangents.col(1) = direction.cross(tangents.col(0));
  }
  return tangents;
}

}  // namespace collapse
