#pragma once
/// The free bodies of a scene as one vector of numbers for the integrator: how far each has moved and turned since the
/// start, its velocities, and at the end the work of what drives them.

#include "simulate/world.hpp"

namespace collapse::simulate {

template <int Dim>
class EventCoordinates {
 public:
  explicit EventCoordinates(const World<Dim>& world) : world_(world) {}

  /// Counts from a state and a time on. Bodies on given paths do not reach a keyframe before `until`.
  void restart(const State<Dim>& state, double time, double until);

  [[nodiscard]] Eigen::VectorXd start() const;
  /// Errors of the coordinates that count as one: `tolerance` times length and speed of each body.
  [[nodiscard]] Eigen::VectorXd scale(double tolerance, const std::vector<double>& sizes,
                                      double gravity) const;
  /// At a time since the start.
  [[nodiscard]] State<Dim> state(double time, const Eigen::VectorXd& y) const;
  /// dy/dt at a state with these accelerations of the free bodies, while so much power is put in.
  void rate(const State<Dim>& state, const Eigen::VectorXd& y, const Eigen::VectorXd& accelerations,
            double power, Eigen::VectorXd& out) const;
  [[nodiscard]] static double work(const Eigen::VectorXd& y) { return y[y.size() - 1]; }

 private:
  /// Turns are angles in the plane and quaternions in space.
  static constexpr int kTurns = Dim == 2 ? 1 : 4;
  static constexpr int kNumbers = Dim + kTurns + kDofs<Dim>;

  [[nodiscard]] Eigen::Index first(std::size_t free) const {
    return static_cast<Eigen::Index>(free) * kNumbers;
  }

  const World<Dim>& world_;
  State<Dim> base_;
  double time_ = 0.0;
  double until_ = 0.0;
};

}  // namespace collapse::simulate
