#include "io/svg_view.hpp"

#include <algorithm>
#include <cmath>

namespace collapse::svg {
namespace {

/// Shares of the picture's width.
constexpr double kMargin = 0.06;
constexpr double kLowest = 0.16;
constexpr double kHighest = 1.0;

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Points of the plane {x : normal·x = offset}, for a half plane moved to `pose`.
double boundary_distance(const HalfSpace<2>& half_plane, const Pose<2>& pose, const Vec<2>& point) {
  const Vec<2> normal = pose.turn(half_plane.normal);
  return normal.dot(point - pose.position) - half_plane.offset;
}

}  // namespace

Extent extent_of(const Shape<2>& shape, const Pose<2>& pose) {
  Extent extent;
  for (const Loop& loop : shape.boundary) {
    for (const Vec<2>& vertex : loop.vertices()) extent.include(pose.apply(vertex));
  }
  for (const Ball<2>& ball : shape.balls) extent.include(pose.apply(ball.centre), ball.radius);
  return extent;
}

TypicalSize typical_size(const Scene<2>& scene) {
  for (const bool free : {true, false}) {
    std::vector<double> thicknesses;
    std::vector<double> lengths;
    for (const Body<2>& body : scene.bodies) {
      if (free && !body.free()) continue;
      const Extent extent = extent_of(body.shape, Pose<2>());
      if (extent.empty()) continue;
      thicknesses.push_back(extent.size().minCoeff());
      lengths.push_back(extent.size().maxCoeff());
    }
    if (!lengths.empty()) return {median(std::move(thicknesses)), median(std::move(lengths))};
  }
  return {};
}

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
  const Vec<2> corners[] = {world_middle_ - reach, world_middle_ + Vec<2>(reach.x(), -reach.y()),
                            world_middle_ + reach, world_middle_ + Vec<2>(-reach.x(), reach.y())};
  std::vector<Pixel> inside;
  for (int i = 0; i < 4; ++i) {
    const Vec<2>& from = corners[i];
    const Vec<2>& to = corners[(i + 1) % 4];
    const double d_from = boundary_distance(half_plane, pose, from);
    const double d_to = boundary_distance(half_plane, pose, to);
    if (d_from <= 0.0) inside.push_back(place(from));
    if ((d_from <= 0.0) != (d_to <= 0.0)) {
      inside.push_back(place(from + d_from / (d_from - d_to) * (to - from)));
    }
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
