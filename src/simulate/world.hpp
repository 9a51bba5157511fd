#pragma once
/// The bodies of a scene as they move: their masses, what acts on them, given paths, and joints at any poses.

#include <span>
#include <vector>

#include "collapse/formulation/rows.hpp"
#include "collapse/simulate/simulation.hpp"

namespace collapse::simulate {

/// One scalar equation of a joint at given poses.
struct MovingJointRow {
  int joint = 0;
  int number = 0;  ///< among the joint's rows
  JointRow<2> row;
  double size = 0.0;  ///< of the smaller of the bodies it joins
};

class World {
 public:
  World(const Scene<2>& scene, const SimulationOptions& options);

  [[nodiscard]] const Scene<2>& scene() const { return scene_; }
  /// Number of the program's block of a body, −1 if it is not free or the world.
  [[nodiscard]] int block_of(int body) const { return body == kWorld ? -1 : block_[index(body)]; }
  [[nodiscard]] const std::vector<int>& free_bodies() const { return free_; }
  [[nodiscard]] Eigen::Matrix3d mass_matrix(int body) const;
  /// Of any body that has one.
  [[nodiscard]] double smallest_size() const { return smallest_size_; }

  /// Force and torque about the centre on every body; zero for those that are not free.
  void external(std::span<const Pose<2>> poses, std::vector<Twist<2>>& forces) const;
  /// Of gravity and the loads that are accelerations.
  [[nodiscard]] const Vec<2>& acceleration() const { return acceleration_; }
  /// Work of the loads that are forces, over a displacement of all bodies from `poses`.
  [[nodiscard]] double load_work(std::span<const Pose<2>> poses,
                                 std::span<const Twist<2>> displacements) const;
  /// Kinetic, and potential with respect to acceleration(), of the free bodies.
  [[nodiscard]] double energy(const State<2>& state) const;

  /// The displacement that takes a body from one pose to another, angle within ±π.
  [[nodiscard]] Twist<2> displacement(int body, const Pose<2>& from, const Pose<2>& to) const;
  /// The pose reached from `from` by moving the centre of mass and turning about it.
  [[nodiscard]] Pose<2> moved(int body, const Pose<2>& from, const Twist<2>& displacement) const;
  [[nodiscard]] Vec<2> centre(int body, std::span<const Pose<2>> poses) const {
    return poses[index(body)].apply(scene_.bodies[index(body)].mass.centre);
  }

  void joint_rows(std::span<const Pose<2>> poses, std::vector<MovingJointRow>& rows) const;

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

  const Scene<2>& scene_;
  std::vector<int> block_;
  std::vector<int> free_;
  std::vector<Frame> frames_;        ///< of the joints
  std::vector<AppliedLoad> pushes_;  ///< loads that are forces on free bodies
  double smallest_size_;
  Vec<2> acceleration_;
};

}  // namespace collapse::simulate
