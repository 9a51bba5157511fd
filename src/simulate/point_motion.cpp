/// Between the state of a scene and the points of its model.

#include <algorithm>
#include <cmath>

#include "simulate/point_model.hpp"

namespace collapse::simulate {
namespace {

double turn_between(const Pose<2>& from, const Pose<2>& to) {
  const Eigen::Matrix2d turn = from.rotation.transpose() * to.rotation;
  return std::atan2(turn(1, 0), turn(0, 0));
}

Eigen::Matrix2d rotation_by(double angle) { return Eigen::Rotation2Dd(angle).toRotationMatrix(); }

/// The rigid motion nearest to that of a body's points, each counted by its mass: the centre of the masses and
/// their momentum and angular momentum are kept.
void fit_body(const Body<2>& body, const PointBody& part, const PointMotion& motion, double h,
              Pose<2>& pose, Twist<2>& velocity) {
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
  pose.rotation = rotation_by(std::atan2(across, along));
  pose.position = centre - pose.turn(local_centre);
  const Spin<2> spin(momentum / (inertia * h));
  velocity << shift / h + spin_velocity<2>(spin, pose.turn(body.mass.centre - local_centre)), spin;
}

}  // namespace

Pose<2> given_pose(const Body<2>& body, double time) {
  if (body.motion.empty()) return body.pose;
  const auto after = std::find_if(body.motion.begin(), body.motion.end(),
                                  [&](const Keyframe<2>& key) { return key.time.value >= time; });
  if (after == body.motion.end()) return to_double<2>(body.motion.back().pose);
  if (after == body.motion.begin()) return to_double<2>(after->pose);
  const Keyframe<2>& before = *(after - 1);
  const double share = (time - before.time.value) / (after->time.value - before.time.value);
  const Pose<2> from = to_double<2>(before.pose);
  const Pose<2> to = to_double<2>(after->pose);
  return {from.rotation * rotation_by(share * turn_between(from, to)),
          from.position + share * (to.position - from.position)};
}

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
    const Pose<2> pose = part.free ? state.poses[slot(part.body)] : given_pose(body, time);
    const Pose<2> end = part.free ? pose : given_pose(body, time + h);
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
      const Pose<2> from = given_pose(body, time);
      const Pose<2> to = given_pose(body, time + h);
      state.poses[slot(part.body)] = to;
      state.velocities[slot(part.body)]
          << (to.apply(body.mass.centre) - from.apply(body.mass.centre)) / h,
          turn_between(from, to) / h;
    }
  }
}

}  // namespace collapse::simulate
