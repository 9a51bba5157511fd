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

double angle_of(const Eigen::Matrix2d& rotation) {
  return std::atan2(rotation(1, 0), rotation(0, 0));
}

World::World(const Scene<2>& scene, const SimulationOptions& options)
    : scene_(scene),
      smallest_size_(std::numeric_limits<double>::infinity()),
      acceleration_(scene.gravity.value) {
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const bool is_free = scene.bodies[i].free();
    block_.push_back(is_free ? static_cast<int>(free_.size()) : -1);
    if (is_free) free_.push_back(static_cast<int>(i));
    smallest_size_ = std::min(smallest_size_, scene.bodies[i].shape.size());
  }
  for (const AppliedLoad& applied : options.loads) {
    const Load<2>& load = scene.loads[index(applied.load)];
    if (load.acceleration) {
      acceleration_ += applied.factor * load.acceleration->value;
    } else if (block_of(load.body) >= 0) {
      const Pose<2>& pose = scene.bodies[index(load.body)].pose;
      pushes_.push_back({load.body, pose.rotation.transpose() * (load.at.value - pose.position),
                         applied.factor * load.force.value, applied.factor * load.torque[0]});
    }
  }
  for (const Joint<2>& joint : scene.joints) {
    Anchors anchors;
    const auto in_body = [&](int body, const Vec<2>& point) -> Vec<2> {
      if (body == kWorld) return point;
      const Pose<2>& pose = scene.bodies[index(body)].pose;
      return pose.rotation.transpose() * (point - pose.position);
    };
    const auto rotation = [&](int body) -> Eigen::Matrix2d {
      if (body == kWorld) return Eigen::Matrix2d::Identity();
      return scene.bodies[index(body)].pose.rotation;
    };
    Vec<2> at_a = joint.at_a.value;
    Vec<2> at_b = joint.at_b.value;
    if (joint.type == JointType::weld) {
      // Wherever a weld is, it holds all of both bodies; near them its rows are well conditioned.
      const Body<2>& near = scene.bodies[index(joint.b == kWorld ? joint.a : joint.b)];
      at_a = at_b = near.pose.apply(near.mass.centre);
    }
    anchors.on_a = in_body(joint.a, at_a);
    anchors.on_b = in_body(joint.b, at_b);
    anchors.angle = angle_of(rotation(joint.a).transpose() * rotation(joint.b));
    anchors.size = std::numeric_limits<double>::infinity();
    double reach = 0.0;
    for (const int body : {joint.a, joint.b}) {
      if (body == kWorld || scene.bodies[index(body)].shape.half_space) continue;
      const Body<2>& solid = scene.bodies[index(body)];
      anchors.size = std::min(anchors.size, solid.shape.size());
      reach = std::max(reach, solid.shape.reach(solid.mass.centre));
    }
    if (reach > 0.0) anchors.reach = reach;
    if (!std::isfinite(anchors.size)) anchors.size = 1.0;
    anchors_.push_back(anchors);
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
  for (const PushedBody& push : pushes_) {
    const Vec<2> lever = poses[index(push.body)].apply(push.at) - centre(push.body, poses);
    forces[index(push.body)] += wrench_of<2>(lever, push.force);
    forces[index(push.body)][2] += push.torque;
  }
}

double World::load_work(std::span<const Pose<2>> poses,
                        std::span<const Twist<2>> displacements) const {
  double work = 0.0;
  for (const PushedBody& push : pushes_) {
    const Vec<2> lever = poses[index(push.body)].apply(push.at) - centre(push.body, poses);
    Twist<2> wrench = wrench_of<2>(lever, push.force);
    wrench[2] += push.torque;
    work += wrench.dot(displacements[index(push.body)]);
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
      angle_of(from.rotation.transpose() * to.rotation);
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
  for (std::size_t j = 0; j < anchors_.size(); ++j) {
    const Joint<2>& joint = scene_.joints[j];
    const Anchors& anchors = anchors_[j];
    const Vec<2> at_a = end_of(joint.a, anchors.on_a, poses);
    const Vec<2> at_b = end_of(joint.b, anchors.on_b, poses);
    const auto lever = [&](int body, const Vec<2>& point) -> Vec<2> {
      return body == kWorld ? Vec<2>::Zero() : Vec<2>(point - centre(body, poses));
    };
    int number = 0;
    const auto add = [&](const JointRow<2>& row, double error) {
      rows.push_back({static_cast<int>(j), number++, row, error, anchors.size});
    };
    const auto along = [&](const Vec<2>& direction) {
      return JointRow<2>{-wrench_of<2>(lever(joint.a, at_a), direction),
                         wrench_of<2>(lever(joint.b, at_b), direction)};
    };
    const Vec<2> apart = at_b - at_a;
    if (joint.type == JointType::rod) {
      add(along(apart.normalized()), apart.norm() - joint.length);
      continue;
    }
    for (int i = 0; i < 2; ++i) add(along(Vec<2>::Unit(i)), apart[i]);
    if (joint.type == JointType::weld) {
      const auto rotation = [&](int body) -> Eigen::Matrix2d {
        return body == kWorld ? Eigen::Matrix2d::Identity() : poses[index(body)].rotation;
      };
      const Eigen::Matrix2d turn = rotation(joint.a).transpose() * rotation(joint.b);
      const Twist<2> angle = anchors.reach * Twist<2>::Unit(2);
      add({-angle, angle}, anchors.reach * angle_of(turn_by(-anchors.angle) * turn));
    }
  }
}

}  // namespace collapse::simulate
