#include "io/page_poses.hpp"

#include <array>

namespace collapse {

template <int Dim>
PagePoses<Dim>::PagePoses(const Scene<Dim>& scene, const PageQuanta& quanta)
    : scene_(scene),
      quanta_(quanta),
      moving_(moving_bodies(scene)),
      place_of_(scene.bodies.size(), -1),
      turns_(moving_.size()),
      coordinates_(static_cast<std::size_t>(Dim + kTurns) * moving_.size()),
      frozen_(moving_.size(), 0) {
  for (std::size_t i = 0; i < moving_.size(); ++i) {
    place_of_[static_cast<std::size_t>(moving_[i])] = static_cast<int>(i);
  }
}

template <int Dim>
void PagePoses<Dim>::add_column(int column, const std::vector<std::int64_t>& values,
                                PageBytes& bytes) {
  const std::size_t first = static_cast<std::size_t>(column) * moving_.size();
  for (std::size_t i = 0; i < values.size(); ++i) {
    bytes.whole(coordinates_[first + i].surprise(values[i]));
  }
}

template <int Dim>
void PagePoses<Dim>::add(const Frame<Dim>& frame, PageBytes& bytes) {
  std::vector<Vec<Dim>> centres;
  centres.reserve(moving_.size());
  for (const int body : moving_) centres.push_back(frame.state.centre(scene_, body));
  std::vector<std::int64_t> values(moving_.size());
  for (int axis = 0; axis < Dim; ++axis) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = page_steps(centres[i][axis], quanta_.length);
    }
    add_column(axis, values, bytes);
  }
  add_turns(frame, bytes);
  if constexpr (Dim == 3) add_frozen(frame, bytes);
}

template <int Dim>
void PagePoses<Dim>::add_turns(const Frame<Dim>& frame, PageBytes& bytes) {
  std::array<std::vector<std::int64_t>, kTurns> columns;
  for (std::size_t i = 0; i < moving_.size(); ++i) {
    const auto body = static_cast<std::size_t>(moving_[i]);
    const Pose<Dim>& pose = frame.state.poses[body];
    const Twist<Dim>& velocity = frame.state.velocities[body];
    if constexpr (Dim == 2) {
      const double angle = turns_[i].angle(frame.time, pose, velocity[2]);
      columns[0].push_back(page_steps(angle, quanta_.angle));
    } else {
      const Eigen::Vector4d turn =
          turns_[i].next(frame.time, pose.rotation, velocity.template tail<3>()).coeffs();
      for (std::size_t k = 0; k < 4; ++k) {
        columns[k].push_back(page_steps(turn[static_cast<Eigen::Index>(k)], quanta_.angle));
      }
    }
  }
  for (int k = 0; k < kTurns; ++k) {
    add_column(Dim + k, columns[static_cast<std::size_t>(k)], bytes);
  }
}

template <int Dim>
void PagePoses<Dim>::add_frozen(const Frame<Dim>& frame, PageBytes& bytes) {
  std::vector<std::size_t> changed;
  for (std::size_t i = 0; i < moving_.size(); ++i) {
    const auto body = static_cast<std::size_t>(moving_[i]);
    const std::uint8_t now = body < frame.frozen.size() && frame.frozen[body] != 0 ? 1 : 0;
    if (now == frozen_[i]) continue;
    frozen_[i] = now;
    changed.push_back(i);
  }
  bytes.count(changed.size());
  std::size_t next = 0;
  for (const std::size_t i : changed) {
    bytes.count(i - next);
    next = i + 1;
  }
}

template <int Dim>
Vec<Dim> PagePoses<Dim>::base_of(int a, int b) const {
  for (const int thing : {b, a}) {
    if (thing < 0 || thing >= static_cast<int>(place_of_.size())) continue;
    const int place = place_of_[static_cast<std::size_t>(thing)];
    if (place < 0) continue;
    Vec<Dim> whole;
    for (int axis = 0; axis < Dim; ++axis) {
      const std::size_t column = static_cast<std::size_t>(axis) * moving_.size();
      whole[axis] =
          static_cast<double>(coordinates_[column + static_cast<std::size_t>(place)].value());
    }
    return quanta_.length * whole;
  }
  return Vec<Dim>::Zero();
}

template class PagePoses<2>;
template class PagePoses<3>;

}  // namespace collapse
