#include "simulate/event_coordinates.hpp"

#include <algorithm>
#include <cmath>

#include "collapse/model/path.hpp"

namespace collapse::simulate {
namespace {

/// Share of the time up to a keyframe: velocities are those before it.
constexpr double kBeforeKeyframe = 1e-9;

}  // namespace

template <int Dim>
void EventCoordinates<Dim>::restart(const State<Dim>& state, double time, double until) {
  base_ = state;
  time_ = time;
  until_ = until;
}

template <int Dim>
Eigen::VectorXd EventCoordinates<Dim>::start() const {
  const std::vector<int>& free = world_.free_bodies();
  Eigen::VectorXd y = Eigen::VectorXd::Zero(first(free.size()) + 1);
  for (std::size_t i = 0; i < free.size(); ++i) {
    if (Dim == 3) y[first(i) + Dim] = 1.0;  // w of the quaternion
    y.segment<kDofs<Dim>>(first(i) + Dim + kTurns) =
        base_.velocities[static_cast<std::size_t>(free[i])];
  }
  return y;
}

template <int Dim>
Eigen::VectorXd EventCoordinates<Dim>::scale(double tolerance, const std::vector<double>& sizes,
                                             double gravity) const {
  const std::vector<int>& free = world_.free_bodies();
  Eigen::VectorXd scale = Eigen::VectorXd::Ones(first(free.size()) + 1);
  for (std::size_t i = 0; i < free.size(); ++i) {
    const double size = sizes[static_cast<std::size_t>(free[i])];
    const double speed = std::sqrt(gravity * size);
    scale.segment<Dim>(first(i)).setConstant(tolerance * size);
    scale.segment<kTurns>(first(i) + Dim).setConstant(tolerance);
    scale.segment<Dim>(first(i) + Dim + kTurns).setConstant(tolerance * speed);
    scale.segment<kSpins<Dim>>(first(i) + 2 * Dim + kTurns).setConstant(tolerance * speed / size);
  }
  scale[scale.size() - 1] = std::numeric_limits<double>::infinity();
  return scale;
}

template <int Dim>
State<Dim> EventCoordinates<Dim>::state(double time, const Eigen::VectorXd& y) const {
  State<Dim> state = base_;
  const std::vector<int>& free = world_.free_bodies();
  for (std::size_t i = 0; i < free.size(); ++i) {
    const auto body = static_cast<std::size_t>(free[i]);
    state.velocities[body] = y.segment<kDofs<Dim>>(first(i) + Dim + kTurns);
    Twist<Dim> moved = Twist<Dim>::Zero();
    moved.template head<Dim>() = y.segment<Dim>(first(i));
    if constexpr (Dim == 2) {
      moved[2] = y[first(i) + Dim];
      state.poses[body] = world_.moved(free[i], base_.poses[body], moved);
    } else {
      const Vec<Dim>& centre = world_.scene().bodies[body].mass.centre;
      const Eigen::Quaterniond turn(y[first(i) + 3], y[first(i) + 4], y[first(i) + 5],
                                    y[first(i) + 6]);
      Pose<Dim>& pose = state.poses[body];
      const Vec<Dim> at = pose.apply(centre) + moved.template head<Dim>();
      pose.rotation = turn.normalized().toRotationMatrix() * pose.rotation;
      pose.position = at - pose.turn(centre);
    }
  }
  for (std::size_t i = 0; i < state.poses.size(); ++i) {
    const Body<Dim>& body = world_.scene().bodies[i];
    if (body.motion.empty()) continue;
    const double latest = until_ - kBeforeKeyframe * (until_ - time_);
    state.poses[i] = path_pose(body, time_ + time);
    state.velocities[i] = path_velocity(body, std::min(time_ + time, latest));
  }
  return state;
}

template <int Dim>
void EventCoordinates<Dim>::rate(const State<Dim>& state, const Eigen::VectorXd& y,
                                 const Eigen::VectorXd& accelerations, double power,
                                 Eigen::VectorXd& out) const {
  const std::vector<int>& free = world_.free_bodies();
  out.resize(y.size());
  for (std::size_t i = 0; i < free.size(); ++i) {
    const Twist<Dim>& velocity = state.velocities[static_cast<std::size_t>(free[i])];
    out.segment<Dim>(first(i)) = velocity.template head<Dim>();
    if constexpr (Dim == 2) {
      out[first(i) + Dim] = velocity[2];
    } else {
      const Eigen::Quaterniond turn(y[first(i) + 3], y[first(i) + 4], y[first(i) + 5],
                                    y[first(i) + 6]);
      const Eigen::Quaterniond spin(0.0, velocity[3], velocity[4], velocity[5]);
      const Eigen::Quaterniond change = spin * turn;
      out.segment<4>(first(i) + 3) << 0.5 * change.w(), 0.5 * change.x(), 0.5 * change.y(),
          0.5 * change.z();
    }
    out.segment<kDofs<Dim>>(first(i) + Dim + kTurns) =
        accelerations.segment<kDofs<Dim>>(static_cast<Eigen::Index>(i) * kDofs<Dim>);
  }
  out[out.size() - 1] = power;
}

template class EventCoordinates<2>;
template class EventCoordinates<3>;

}  // namespace collapse::simulate
