#include "simulate/world.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "collapse/core/error.hpp"

namespace collapse::simulate {
namespace {

Eigen::Matrix2d turn_by(const Spin<2>& turn) {
  const double c = std::cos(turn[0]);
  const double s = std::sin(turn[0]);
  Eigen::Matrix2d rotation;
  rotation << c, -s, s, c;
  return rotation;
}
Eigen::Matrix3d turn_by(const Spin<3>& turn) { return rotation_by(turn); }

/// Rotations are kept orthogonal over many steps.
Eigen::Matrix2d made_orthogonal(const Eigen::Matrix2d& rotation) {
  const double length = std::hypot(rotation(0, 0), rotation(1, 0));
  const double c = rotation(0, 0) / length;
  const double s = rotation(1, 0) / length;
  Eigen::Matrix2d out;
  out << c, -s, s, c;
  return out;
}
Eigen::Matrix3d made_orthogonal(const Eigen::Matrix3d& rotation) {
  return Eigen::Quaterniond(rotation).normalized().toRotationMatrix();
}

}  // namespace

template <int Dim>
World<Dim>::World(const Scene<Dim>& scene, const SimulationOptions& options)
    : scene_(scene),
      smallest_size_(std::numeric_limits<double>::infinity()),
      acceleration_(common_acceleration<Dim>(scene, options.loads)) {
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const bool is_free = scene.bodies[i].free();
    block_.push_back(is_free ? static_cast<int>(free_.size()) : -1);
    if (is_free) free_.push_back(static_cast<int>(i));
    const Shape<Dim>& shape = scene.bodies[i].shape;
    reach_.push_back(shape.half_space ? 0.0 : shape.reach(scene.bodies[i].mass.centre));
    smallest_size_ = std::min(smallest_size_, shape.size());
  }
  for (const AppliedLoad& applied : options.loads) {
    const Load<Dim>& load = scene.loads[index(applied.load)];
    if (!load.acceleration && block_of(load.body) >= 0) pushes_.push_back(applied);
  }
  for (const Joint<Dim>& joint : scene.joints) {
    Frame frame{std::numeric_limits<double>::infinity(), joint_reach(scene, joint)};
    for (const int body : {joint.a, joint.b}) {
      if (body == kWorld || scene.bodies[index(body)].shape.half_space) continue;
      frame.size = std::min(frame.size, scene.bodies[index(body)].shape.size());
    }
    if (!std::isfinite(frame.size)) frame.size = 1.0;
    frames_.push_back(frame);
  }
}

template <int Dim>
MassMatrix<Dim> World<Dim>::mass_matrix(int body, const Pose<Dim>& pose) const {
  const MassProperties<Dim>& mass = scene_.bodies[index(body)].mass;
  MassMatrix<Dim> matrix = MassMatrix<Dim>::Zero();
  matrix.template topLeftCorner<Dim, Dim>().diagonal().setConstant(mass.mass);
  matrix.template bottomRightCorner<kSpins<Dim>, kSpins<Dim>>() =
      world_inertia<Dim>(mass.inertia, pose.rotation);
  return matrix;
}

template <int Dim>
MassMatrix<Dim> World<Dim>::inverse_mass_matrix(int body, const Pose<Dim>& pose) const {
  const MassProperties<Dim>& mass = scene_.bodies[index(body)].mass;
  MassMatrix<Dim> matrix = MassMatrix<Dim>::Zero();
  matrix.template topLeftCorner<Dim, Dim>().diagonal().setConstant(1.0 / mass.mass);
  matrix.template bottomRightCorner<kSpins<Dim>, kSpins<Dim>>() =
      world_inertia<Dim>(mass.inertia, pose.rotation).inverse();
  return matrix;
}

template <int Dim>
void World<Dim>::external(std::span<const Pose<Dim>> poses, std::vector<Twist<Dim>>& forces) const {
  forces.assign(scene_.bodies.size(), Twist<Dim>::Zero());
  for (const int body : free_) {
    forces[index(body)].template head<Dim>() = scene_.bodies[index(body)].mass.mass * acceleration_;
  }
  for (const AppliedLoad& push : pushes_) {
    forces[index(pushed_body(push))] += load_wrench<Dim>(scene_, poses, push);
  }
}

template <int Dim>
double World<Dim>::load_work(std::span<const Pose<Dim>> poses,
                             std::span<const Twist<Dim>> displacements) const {
  double work = 0.0;
  for (const AppliedLoad& push : pushes_) {
    work += load_wrench<Dim>(scene_, poses, push).dot(displacements[index(pushed_body(push))]);
  }
  return work;
}

template <int Dim>
double World<Dim>::energy(const State<Dim>& state) const {
  double energy = 0.0;
  for (const int body : free_) {
    const MassProperties<Dim>& mass = scene_.bodies[index(body)].mass;
    const Twist<Dim>& v = state.velocities[index(body)];
    const auto spin = v.template tail<kSpins<Dim>>();
    const Inertia<Dim> inertia =
        world_inertia<Dim>(mass.inertia, state.poses[index(body)].rotation);
    energy += 0.5 * (mass.mass * v.template head<Dim>().squaredNorm() + spin.dot(inertia * spin));
    energy -= mass.mass * acceleration_.dot(state.centre(scene_, body));
  }
  return energy;
}

template <int Dim>
Twist<Dim> World<Dim>::displacement(int body, const Pose<Dim>& from, const Pose<Dim>& to) const {
  const Vec<Dim>& centre = scene_.bodies[index(body)].mass.centre;
  Twist<Dim> displacement;
  displacement << to.apply(centre) - from.apply(centre),
      turn_of<Dim>(to.rotation * from.rotation.transpose());
  return displacement;
}

template <int Dim>
Pose<Dim> World<Dim>::moved(int body, const Pose<Dim>& from, const Twist<Dim>& displacement) const {
  if (displacement.isZero(0.0)) return from;
  const Vec<Dim>& centre = scene_.bodies[index(body)].mass.centre;
  Pose<Dim> pose = from;
  const Spin<Dim> turn = displacement.template tail<kSpins<Dim>>();
  if (!turn.isZero(0.0)) {
    pose.rotation = turn_by(turn) * from.rotation;
    pose.rotation = made_orthogonal(pose.rotation);
  }
  pose.position = from.apply(centre) + displacement.template head<Dim>() - pose.turn(centre);
  return pose;
}

template <int Dim>
void World<Dim>::joint_rows(std::span<const Pose<Dim>> poses,
                            std::vector<MovingJointRow<Dim>>& rows) const {
  rows.clear();
  for (std::size_t j = 0; j < frames_.size(); ++j) {
    int number = 0;
    for (const JointRow<Dim>& row :
         collapse::joint_rows<Dim>(scene_, poses, scene_.joints[j], frames_[j].reach)) {
      rows.push_back({static_cast<int>(j), number++, row, frames_[j].size});
    }
  }
}

template <int Dim>
std::string World<Dim>::crushed_line(int a, int b) const {
  if (block_of(a) < 0) std::swap(a, b);
  return fmt::format("\"{}\" is crushed against \"{}\"", printable(scene_.body_name(a)),
                     printable(scene_.body_name(b)));
}

template <int Dim>
std::vector<std::uint8_t> round_bodies(const Scene<Dim>& scene) {
  std::vector<std::uint8_t> round;
  for (const Body<Dim>& body : scene.bodies) {
    const bool ball =
        body.shape.is_ball() &&
        (body.shape.balls[0].centre - body.mass.centre).norm() <= 1e-9 * body.shape.balls[0].radius;
    round.push_back(ball ? 1 : 0);
  }
  for (const Joint<Dim>& joint : scene.joints) {
    for (const int body : {joint.a, joint.b}) {
      if (body != kWorld) round[static_cast<std::size_t>(body)] = 0;
    }
  }
  return round;
}

template std::vector<std::uint8_t> round_bodies<2>(const Scene<2>&);
template std::vector<std::uint8_t> round_bodies<3>(const Scene<3>&);
template class World<2>;
template class World<3>;

}  // namespace collapse::simulate
