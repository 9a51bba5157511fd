#include "io/svg_view.hpp"

#include <algorithm>
#include <cmath>

namespace collapse::svg {
namespace {

/// Shares of the picture's width.
constexpr double kMargin = 0.06;
constexpr double kLowest = 0.16;
constexpr double kHighest = 1.0;

}  // namespace

Pose<2> moved_on(const Pose<2>& pose, const Vec<2>& centre, const BodyMotion<2>& motion,
                 double time) {
  const Eigen::Matrix2d turn = Eigen::Rotation2Dd(motion.spin[0] * time).toRotationMatrix();
  return {turn * pose.rotation, centre + time * motion.velocity + turn * (pose.position - centre)};
}

View::View(const Extent& content, double width, double top) : width_(width), top_(top) {
  const double margin = kMargin * width;
  const double room = width - 2.0 * margin;
  const Vec<2> size = content.size();
  world_middle_ = content.middle();
  scale_ = std::min(room / size.x(), kHighest * width / size.y());
  height_ = std::max(size.y() * scale_, kLowest * width) + 2.0 * margin;
}

std::vector<Pixel> View::clip(const HalfSpace<2>& half_plane, const Pose<2>& pose) const {
  constexpr double kBeyond = 0.52;  // of the view, from its middle
  const Vec<2> reach(kBeyond * width_ / scale_, kBeyond * height_ / scale_);
  const Extent window{world_middle_ - reach, world_middle_ + reach};
  std::vector<Pixel> inside;
  for (const Vec<2>& corner : collapse::clip(half_plane, pose, window)) {
    inside.push_back(place(corner));
  }
  return inside;
}

Path View::outline(const Shape<2>& shape, const Pose<2>& pose) const {
  Path path;
  if (shape.half_space) return path.loop(clip(*shape.half_space, pose));
  std::vector<Pixel> corners;
  for (const Loop& loop : shape.boundary) {
    corners.clear();
    for (const Vec<2>& vertex : loop.vertices()) corners.push_back(place(pose.apply(vertex)));
    path.loop(corners);
  }
  for (const Ball<2>& ball : shape.balls) {
    path.disk(place(pose.apply(ball.centre)), scale_ * ball.radius);
  }
  if (shape.boundary.empty() && shape.balls.size() == 1) {
    const Ball<2>& ball = shape.balls.front();
    const Vec<2> mark(0.0, ball.radius);
    path.segment(place(pose.apply(ball.centre + 0.62 * mark)),
                 place(pose.apply(ball.centre + 0.95 * mark)));
  }
  return path;
}

}  // namespace collapse::svg
