#pragma once
/// The bodies of a scene as they move: their masses, what acts on them, given paths, and joints at any poses.

#include <span>
#include <string>
#include <vector>

#include "collapse/formulation/rows.hpp"
#include "collapse/simulate/simulation.hpp"

namespace collapse::simulate {

template <int Dim>
using MassMatrix = Eigen::Matrix<double, kDofs<Dim>, kDofs<Dim>>;

/// Of each body: a ball about its centre of mass, without joints. It looks the same however it turns.
template <int Dim>
[[nodiscard]] std::vector<std::uint8_t> round_bodies(const Scene<Dim>& scene);

/// One scalar equation of a joint at given poses.
template <int Dim>
struct MovingJointRow {
  int joint = 0;
  int number = 0;  ///< among the joint's rows
  JointRow<Dim> row;
  double size = 0.0;  ///< of the smaller of the bodies it joins
};

template <int Dim>
class World {
 public:
  World(const Scene<Dim>& scene, const SimulationOptions& options);

  [[nodiscard]] const Scene<Dim>& scene() const { return scene_; }
  /// Number of the program's block of a body, −1 if it is not free or the world.
  [[nodiscard]] int block_of(int body) const { return body == kWorld ? -1 : block_[index(body)]; }
  [[nodiscard]] const std::vector<int>& free_bodies() const { return free_; }
  /// In world axes: in space it turns with the body.
  [[nodiscard]] MassMatrix<Dim> mass_matrix(int body, const Pose<Dim>& pose) const;
  [[nodiscard]] MassMatrix<Dim> inverse_mass_matrix(int body, const Pose<Dim>& pose) const;
  /// Of any body that has one.
  [[nodiscard]] double smallest_size() const { return smallest_size_; }

  /// Force and torque about the centre on every body; zero for those that are not free.
  void external(std::span<const Pose<Dim>> poses, std::vector<Twist<Dim>>& forces) const;
  /// Of gravity and the loads that are accelerations.
  [[nodiscard]] const Vec<Dim>& acceleration() const { return acceleration_; }
  /// Work of the loads that are forces, over a displacement of all bodies from `poses`.
  [[nodiscard]] double load_work(std::span<const Pose<Dim>> poses,
                                 std::span<const Twist<Dim>> displacements) const;
  /// Kinetic, and potential with respect to acceleration(), of the free bodies.
  [[nodiscard]] double energy(const State<Dim>& state) const;

  /// The displacement that takes a body from one pose to another, angle within ±π: way of the centre and turn, in
  /// space a vector along its axis.
  [[nodiscard]] Twist<Dim> displacement(int body, const Pose<Dim>& from, const Pose<Dim>& to) const;
  /// The pose reached from `from` by moving the centre of mass and turning about it.
  [[nodiscard]] Pose<Dim> moved(int body, const Pose<Dim>& from,
                                const Twist<Dim>& displacement) const;
  [[nodiscard]] Vec<Dim> centre(int body, std::span<const Pose<Dim>> poses) const {
    return poses[index(body)].apply(scene_.bodies[index(body)].mass.centre);
  }

  /// How far a displacement takes any point of a body, at most.
  [[nodiscard]] double way_of(int body, const Twist<Dim>& displacement) const {
    return displacement.template head<Dim>().norm() +
           displacement.template tail<kSpins<Dim>>().norm() * reach_[index(body)];
  }

  void joint_rows(std::span<const Pose<Dim>> poses, std::vector<MovingJointRow<Dim>>& rows) const;

  /// What is told where two bodies have no room: a free one first.
  [[nodiscard]] std::string crushed_line(int a, int b) const;

 private:
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  /// What does not change of a joint's rows.
  struct Frame {
    double size = 0.0;   ///< of the smaller of its bodies
    double reach = 1.0;  ///< joint_reach
  };

  [[nodiscard]] int pushed_body(const AppliedLoad& push) const {
    return scene_.loads[index(push.load)].body;
  }

  const Scene<Dim>& scene_;
  std::vector<int> block_;
  std::vector<int> free_;
  std::vector<double> reach_;        ///< of each body from its centre of mass
  std::vector<Frame> frames_;        ///< of the joints
  std::vector<AppliedLoad> pushes_;  ///< loads that are forces on free bodies
  double smallest_size_;
  Vec<Dim> acceleration_;
};

}  // namespace collapse::simulate
