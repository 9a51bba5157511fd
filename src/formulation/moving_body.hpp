#pragma once

#include "collapse/model/state.hpp"

namespace collapse {

/// A body as it moves: velocities and accelerations of its points, the latter as far as they come from
/// velocities alone. Bodies on given paths go straight and turn evenly, about their origin.
template <int Dim>
class MovingBody {
 public:
  MovingBody(const Scene<Dim>& scene, const State<Dim>& state, int body) {
    if (body == kWorld) return;
    const auto i = static_cast<std::size_t>(body);
    if (scene.bodies[i].shape.half_space) return;
    twist_ = state.velocities[i];
    centre_ = state.centre(scene, body);
    pivot_ = scene.bodies[i].free() ? centre_ : state.poses[i].position;
  }

  [[nodiscard]] Spin<Dim> spin() const { return twist_.template tail<kSpins<Dim>>(); }
  [[nodiscard]] Vec<Dim> velocity(const Vec<Dim>& point) const {
    return twist_.template head<Dim>() + spin_velocity<Dim>(spin(), point - centre_);
  }
  /// Of the parts that a point's velocity is the sum of.
  [[nodiscard]] double speed(const Vec<Dim>& point) const {
    return twist_.template head<Dim>().norm() + spin().norm() * (point - centre_).norm();
  }
  /// ω × (ω × r).
  [[nodiscard]] Vec<Dim> centripetal(const Vec<Dim>& point) const {
    return spin_velocity<Dim>(spin(), spin_velocity<Dim>(spin(), point - pivot_));
  }

 private:
  Twist<Dim> twist_ = Twist<Dim>::Zero();
  Vec<Dim> centre_ = Vec<Dim>::Zero();
  Vec<Dim> pivot_ = Vec<Dim>::Zero();
};

}  // namespace collapse
