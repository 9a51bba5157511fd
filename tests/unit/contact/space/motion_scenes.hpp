#pragma once
/// Small scenes that move, for tests of rows.

#include "../space_scenes.hpp"
#include "contact/space/motion_contacts_space.hpp"

namespace collapse::motion_test {

using contacts::MotionRow;
using Rows = std::vector<MotionRow<3>>;
using Poses = std::vector<Pose<3>>;

inline constexpr double kTouch = 1e-6;

inline Poses poses_of(const Scene<3>& scene) {
  Poses poses;
  for (const Body<3>& body : scene.bodies) poses.push_back(body.pose);
  return poses;
}

inline Rows rows_of(const Scene<3>& scene, const Poses& start, const Poses& end,
                    double near = 0.0) {
  contacts::MotionContacts<3> finder(scene, kTouch);
  Rows rows;
  finder.find({start, end, near}, rows);
  return rows;
}

inline double least_gap(const Rows& rows, const Poses& poses) {
  double least = std::numeric_limits<double>::infinity();
  for (const MotionRow<3>& row : rows) least = std::min(least, contacts::placed(row, poses).gap);
  return least;
}

/// Turned by a rotation vector about its origin, and shifted.
inline Pose<3> moved_by(const Pose<3>& pose, const Vec<3>& shift, const Vec<3>& turn) {
  return {rotation_by(turn) * pose.rotation, pose.position + shift};
}

inline Vec<3> random_vector(Random& random, double scale) {
  const auto number = [&] { return random.between(-scale, scale); };
  const double x = number();
  const double y = number();
  return {x, y, number()};
}

}  // namespace collapse::motion_test
