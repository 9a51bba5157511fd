/// Between the state of a scene and the points of its model.

#include <algorithm>
#include <cmath>
#include <span>

#include "collapse/model/path.hpp"
#include "simulate/point_model.hpp"

namespace collapse::simulate {
namespace {

/// The rigid motion nearest to that of a body's points, each counted by its mass: the centre of the masses and
/// their momentum and angular momentum are kept.
void fit_body(const Body<2>& body, const PointBody& part, const PointMotion& motion, double h,
              Pose<2>& pose, Twist<2>& velocity) {
  const auto shifts = std::span(motion.shift).subspan(slot(part.first), part.local.size());
  if (std::all_of(shifts.begin(), shifts.end(), [](const Vec<2>& u) { return u.isZero(0.0); })) {
    velocity.setZero();  // and the pose as it is, to the last digit
    return;
  }
  double mass = 0.0;
  Vec<2> local_centre = Vec<2>::Zero();
  Vec<2> centre = Vec<2>::Zero();
  Vec<2> shift = Vec<2>::Zero();
  for (std::size_t k = 0; k < part.local.size(); ++k) {
    const double m = part.masses[k];
    const std::size_t point = slot(part.first) + k;
    mass += m;
    local_centre += m * part.local[k];
    centre += m * (motion.start[point] + motion.shift[point]);
    shift += m * motion.shift[point];
  }
  local_centre /= mass;
  centre /= mass;
  shift /= mass;
  double along = 0.0;
  double across = 0.0;
  double momentum = 0.0;
  double inertia = 0.0;
  for (std::size_t k = 0; k < part.local.size(); ++k) {
    const double m = part.masses[k];
    const std::size_t point = slot(part.first) + k;
    const Vec<2> l = part.local[k] - local_centre;
    const Vec<2> r = motion.start[point] + motion.shift[point] - centre;
    const Vec<2> u = motion.shift[point] - shift;
    along += m * l.dot(r);
    across += m * (l.x() * r.y() - l.y() * r.x());
    momentum += m * (r.x() * u.y() - r.y() * u.x());
    inertia += m * l.squaredNorm();
  }
  pose.rotation = Eigen::Rotation2Dd(std::atan2(across, along)).toRotationMatrix();
  pose.position = centre - pose.turn(local_centre);
  const Spin<2> spin(momentum / (inertia * h));
  velocity << shift / h + spin_velocity<2>(spin, pose.turn(body.mass.centre - local_centre)), spin;
}

}  // namespace

void read_motion(const Scene<2>& scene, const PointModel& model, const State<2>& state, double time,
                 double h, PointMotion& motion) {
  motion.start.resize(slot(model.points()));
  motion.shift.resize(slot(model.points()));
  for (int i = 0; i < model.framework_points; ++i) {
    motion.start[slot(i)] = state.points[slot(i)];
    motion.shift[slot(i)] =
        model.is_free(i) ? Vec<2>(h * state.point_velocities[slot(i)]) : Vec<2>(Vec<2>::Zero());
  }
  for (const PointBody& part : model.bodies) {
    const Body<2>& body = scene.bodies[slot(part.body)];
    const Twist<2>& twist = state.velocities[slot(part.body)];
    const Pose<2> pose = part.free ? state.poses[slot(part.body)] : path_pose(body, time);
    const Pose<2> end = part.free ? pose : path_pose(body, time + h);
    const Vec<2> centre = pose.apply(body.mass.centre);
    for (std::size_t k = 0; k < part.local.size(); ++k) {
      const std::size_t point = slot(part.first) + k;
      const Vec<2> p = pose.apply(part.local[k]);
      motion.start[point] = p;
      if (part.free) {
        motion.shift[point] = h * (twist.head<2>() + spin_velocity<2>(twist.tail<1>(), p - centre));
      } else {
        motion.shift[point] = end.apply(part.local[k]) - p;
      }
    }
  }
}

void write_motion(const Scene<2>& scene, const PointModel& model, const PointMotion& motion,
                  double time, double h, State<2>& state) {
  for (int i = 0; i < model.framework_points; ++i) {
    if (!model.is_free(i)) continue;
    state.points[slot(i)] = motion.start[slot(i)] + motion.shift[slot(i)];
    state.point_velocities[slot(i)] = motion.shift[slot(i)] / h;
  }
  for (const PointBody& part : model.bodies) {
    const Body<2>& body = scene.bodies[slot(part.body)];
    if (part.free) {
      fit_body(body, part, motion, h, state.poses[slot(part.body)],
               state.velocities[slot(part.body)]);
    } else if (!body.motion.empty()) {
      const Pose<2> from = path_pose(body, time);
      const Pose<2> to = path_pose(body, time + h);
      state.poses[slot(part.body)] = to;
      state.velocities[slot(part.body)]
          << (to.apply(body.mass.centre) - from.apply(body.mass.centre)) / h,
          turn_of<2>(from.rotation.transpose() * to.rotation) / h;
    }
  }
}

}  // namespace collapse::simulate
