#include "simulate/world.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace collapse::simulate {
namespace {

Eigen::Matrix2d turn_by(double angle) {
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  Eigen::Matrix2d rotation;
  rotation << c, -s, s, c;
  return rotation;
}

}  // namespace

World::World(const Scene<2>& scene, const SimulationOptions& options)
    : scene_(scene),
      smallest_size_(std::numeric_limits<double>::infinity()),
      acceleration_(common_acceleration<2>(scene, options.loads)) {
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const bool is_free = scene.bodies[i].free();
    block_.push_back(is_free ? static_cast<int>(free_.size()) : -1);
    if (is_free) free_.push_back(static_cast<int>(i));
    smallest_size_ = std::min(smallest_size_, scene.bodies[i].shape.size());
  }
  for (const AppliedLoad& applied : options.loads) {
    const Load<2>& load = scene.loads[index(applied.load)];
    if (!load.acceleration && block_of(load.body) >= 0) pushes_.push_back(applied);
  }
  for (const Joint<2>& joint : scene.joints) {
    Frame frame{std::numeric_limits<double>::infinity(), joint_reach(scene, joint)};
    for (const int body : {joint.a, joint.b}) {
      if (body == kWorld || scene.bodies[index(body)].shape.half_space) continue;
      frame.size = std::min(frame.size, scene.bodies[index(body)].shape.size());
    }
    if (!std::isfinite(frame.size)) frame.size = 1.0;
    frames_.push_back(frame);
  }
}

Eigen::Matrix3d World::mass_matrix(int body) const {
  const MassProperties<2>& mass = scene_.bodies[index(body)].mass;
  return Eigen::Vector3d(mass.mass, mass.mass, mass.inertia(0, 0)).asDiagonal();
}

void World::external(std::span<const Pose<2>> poses, std::vector<Twist<2>>& forces) const {
  forces.assign(scene_.bodies.size(), Twist<2>::Zero());
  for (const int body : free_) {
    forces[index(body)].head<2>() = scene_.bodies[index(body)].mass.mass * acceleration_;
  }
  for (const AppliedLoad& push : pushes_) {
    forces[index(pushed_body(push))] += load_wrench<2>(scene_, poses, push);
  }
}

double World::load_work(std::span<const Pose<2>> poses,
                        std::span<const Twist<2>> displacements) const {
  double work = 0.0;
  for (const AppliedLoad& push : pushes_) {
    work += load_wrench<2>(scene_, poses, push).dot(displacements[index(pushed_body(push))]);
  }
  return work;
}

double World::energy(const State<2>& state) const {
  double energy = 0.0;
  for (const int body : free_) {
    const MassProperties<2>& mass = scene_.bodies[index(body)].mass;
    const Twist<2>& v = state.velocities[index(body)];
    energy += 0.5 * (mass.mass * v.head<2>().squaredNorm() + mass.inertia(0, 0) * v[2] * v[2]);
    energy -= mass.mass * acceleration_.dot(state.centre(scene_, body));
  }
  return energy;
}

Twist<2> World::displacement(int body, const Pose<2>& from, const Pose<2>& to) const {
  const Vec<2>& centre = scene_.bodies[index(body)].mass.centre;
  Twist<2> displacement;
  displacement << to.apply(centre) - from.apply(centre),
      turn_of<2>(from.rotation.transpose() * to.rotation);
  return displacement;
}

Pose<2> World::moved(int body, const Pose<2>& from, const Twist<2>& displacement) const {
  if (displacement.isZero(0.0)) return from;
  const Vec<2>& centre = scene_.bodies[index(body)].mass.centre;
  Pose<2> pose = from;
  if (displacement[2] != 0.0) {
    pose.rotation = turn_by(displacement[2]) * from.rotation;
    // Kept orthogonal over many steps.
    const double length = std::hypot(pose.rotation(0, 0), pose.rotation(1, 0));
    const double c = pose.rotation(0, 0) / length;
    const double s = pose.rotation(1, 0) / length;
    pose.rotation << c, -s, s, c;
  }
  pose.position = from.apply(centre) + displacement.head<2>() - pose.turn(centre);
  return pose;
}

void World::joint_rows(std::span<const Pose<2>> poses, std::vector<MovingJointRow>& rows) const {
  rows.clear();
  for (std::size_t j = 0; j < frames_.size(); ++j) {
    int number = 0;
    for (const JointRow<2>& row :
         collapse::joint_rows<2>(scene_, poses, scene_.joints[j], frames_[j].reach)) {
      rows.push_back({static_cast<int>(j), number++, row, frames_[j].size});
    }
  }
}

}  // namespace collapse::simulate
